// Keeps a broken view from breaking the page: shows an error and a reload button.
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** A new `resetKey`, e.g. the path, tries again. */
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
            Reload page
          </Button>
        }
      >
        {/import|fetch|load/i.test(error.message)
          ? 'Part of this page could not be loaded. The service may have been updated.'
          : 'This is a problem with the page, not with your wallet or your stake.'}
      </Notice>
    );
  }
}
