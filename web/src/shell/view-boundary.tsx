// Keeps a view that breaks from taking the page with it: says so, and offers to load it anew.
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** `resetKey`: another value tries again, e.g. the path. */
export class ViewBoundary extends Component<
  { readonly resetKey: string; readonly children: ReactNode },
  { readonly error: Error | null; readonly failedKey: string | null }
> {
  override state: { readonly error: Error | null; readonly failedKey: string | null } = {
    error: null,
    failedKey: null,
  };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate(): void {
    const { error, failedKey } = this.state;
    const { resetKey } = this.props;
    if (error !== null && failedKey === null) this.setState({ failedKey: resetKey });
    else if (failedKey !== null && failedKey !== resetKey) this.setState({ error: null, failedKey: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Notice
        tone="bad"
        title="This view could not be shown"
        actions={
          <Button size="s" icon="refresh" onClick={() => location.reload()}>
            Load the page anew
          </Button>
        }
      >
        {/import|fetch|load/i.test(error.message)
          ? 'A part of the page could not be loaded; it may have been renewed in the meantime.'
          : 'This is a fault of the page, not of your wallet or your stake.'}
      </Notice>
    );
  }
}
