// Opens the share dialog, which is loaded on demand.
import { type ComponentType, useState } from 'react';
import { showToast } from '../state/toast-store.ts';
import { Button } from '../ui/controls/button.tsx';

/** Rendered once, in the footer. */
export const ShareButton = () => {
  const [Dialog, setDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const open = async (): Promise<void> => {
    try {
      const { ShareDialog } = await import('./share-dialog.tsx');
      setDialog(() => ShareDialog);
    } catch {
      showToast({
        tone: 'bad',
        title: 'This could not be loaded',
        detail: 'The service does not answer or was updated. Reload the page.',
      });
    }
  };
  return (
    <>
      <Button size="s" icon="link" onClick={() => void open()}>
        Share
      </Button>
      {Dialog && <Dialog onClose={() => setDialog(null)} />}
    </>
  );
};
