import { Component } from 'react';
import type { ReactNode } from 'react';
import { ErrorNotice } from './ErrorNotice';

interface Props {
  /** `The audit could not be shown` */
  title: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  hasFailed: boolean;
}

/** A part of a page that breaks says so in its own place; the rest goes on. */
export class PartBoundary extends Component<Props, State> {
  override state: State = { error: null, hasFailed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { title, children } = this.props;
    const { error, hasFailed } = this.state;
    if (!hasFailed) return children;
    return <ErrorNotice error={error} title={title} onRetry={() => this.setState({ error: null, hasFailed: false })} />;
  }
}
