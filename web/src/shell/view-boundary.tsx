// Prevents a broken view from breaking the page, also one whose files an upgrade removed: shows an error and a
// reload button.
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';

const { say } = defineWords('shell', shellEnglish);

/** Retries when `resetKey` changes, e.g. the path. */
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
        title={say('viewFailed')}
        actions={
          <Button size="s" icon="refresh" onClick={() => location.reload()}>
            {say('reload')}
          </Button>
        }
      >
        {say(/import|fetch|load/i.test(error.message) ? 'viewNotLoaded' : 'viewBroken')}
      </Notice>
    );
  }
}
