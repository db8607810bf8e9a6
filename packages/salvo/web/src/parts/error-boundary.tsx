import { Component, type ReactNode } from 'react';

interface Props {
  /** A problem of one page is forgotten on the next. */
  page: string;
  children: ReactNode;
}

/** In place of a page that cannot be shown: an answer of another version of Salvo, for example. The frame stays. */
export class ErrorBoundary extends Component<Props, { problem: string | null }> {
  override state: { problem: string | null } = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate(before: Props): void {
    if (before.page !== this.props.page && this.state.problem !== null) this.setState({ problem: null });
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <div className="page" role="alert">
        <h1>This page cannot be shown</h1>
        <p>
          The answer of the server was not as expected: <code>{problem}</code>. After an update of Salvo, load the page
          again.
        </p>
        <p>
          <button type="button" onClick={() => window.location.reload()}>
            Load again
          </button>
        </p>
      </div>
    );
  }
}
