// A form for the label that the operator gives a wallet.
import { type FormEvent, useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { showToast } from '../../state/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { labelWallet } from '../operator-reads.ts';

const MAX_CHARACTERS = 60;

/** Renders the form. `label` is the stored name; an empty text removes it. */
export const LabelForm = ({ wallet, label }: { wallet: string; label: string | null }) => {
  const [text, setText] = useState(label ?? '');
  const [busy, setBusy] = useState(false);
  const wanted = text.trim() || null;
  const isTooLong = text.trim().length > MAX_CHARACTERS;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isTooLong || wanted === label) return;
    setBusy(true);
    try {
      await labelWallet(wallet, wanted);
      showToast({ tone: 'good', title: wanted === null ? 'Label removed' : 'Label saved' });
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <TextField
        label="Label"
        value={text}
        onChange={setText}
        placeholder="Name for this wallet"
        hint="Only you can see it."
        problem={isTooLong ? `At most ${MAX_CHARACTERS} characters.` : undefined}
        action={
          <Button type="submit" busy={busy} disabled={isTooLong || wanted === label}>
            Save
          </Button>
        }
      />
    </form>
  );
};
