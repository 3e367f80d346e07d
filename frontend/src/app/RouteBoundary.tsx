import { Component } from 'react';
import type { ReactNode } from 'react';
import { isMissingChunk } from '~/lib/reload-guard';
import { reloadOnce } from '~/lib/reload-once';
import { reportError } from '~/api/error-reports';
import { isNotFound } from '~/api/http/problem';
import { ErrorPage, NotFoundPage } from './ErrorPage';
import { Splash } from './Splash';

interface State {
  error: unknown;
  hasFailed: boolean;
  isReloading: boolean;
}

/** The error boundary of a page. When a script of an older build is missing, the page is reloaded once. */
export class RouteBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, hasFailed: false, isReloading: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true, isReloading: false };
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingChunk(error) && reloadOnce()) this.setState({ isReloading: true });
    else if (!isNotFound(error)) reportError(error);
  }

  override render(): ReactNode {
    const { error, hasFailed, isReloading } = this.state;
    if (isReloading) return <Splash />;
    if (!hasFailed) return this.props.children;
    return isNotFound(error) ? <NotFoundPage /> : <ErrorPage error={error} />;
  }
}
