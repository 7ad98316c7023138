// A button that opens the share dialog, which is loaded on demand.
import { type ComponentType, useState } from 'react';
import { showToast } from '../state/toast-store.ts';
import { Button, type ButtonProps } from '../ui/controls/button.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';

const { say } = defineWords('shell', shellEnglish);

/** The button is small in the footer, and larger after a stake. */
export const ShareButton = ({ size = 's' }: Pick<ButtonProps, 'size'>) => {
  const [Dialog, setDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const open = async (): Promise<void> => {
    try {
      const { ShareDialog } = await import('./share-dialog.tsx');
      setDialog(() => ShareDialog);
    } catch {
      showToast({
        tone: 'bad',
        title: say('notLoaded'),
        detail: say('notLoadedText'),
      });
    }
  };
  return (
    <>
      <Button size={size} icon="link" onClick={() => void open()}>
        {say('share')}
      </Button>
      {Dialog && <Dialog onClose={() => setDialog(null)} />}
    </>
  );
};
