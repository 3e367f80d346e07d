import { Component } from 'react';
import type { ReactNode } from 'react';
import { reportError } from '~/api/error-reports';
import { ErrorNotice } from './ErrorNotice';

interface Props {
  /** `Couldn't show the audit` */
  title: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  hasFailed: boolean;
}

/** An error boundary for a part of a page. It shows the error in place of the part. */
export class PartBoundary extends Component<Props, State> {
  override state: State = { error: null, hasFailed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    const { title, children } = this.props;
    const { error, hasFailed } = this.state;
    if (!hasFailed) return children;
    return <ErrorNotice error={error} title={title} onRetry={() => this.setState({ error: null, hasFailed: false })} />;
  }
}
