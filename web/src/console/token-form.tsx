// A form that asks for the operator's token.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useStore } from '../state/create-store.ts';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import styles from './console.module.css';
import { enterToken, tokenRefused } from './tab-token.ts';

/** Shown until the service accepts a token. */
export const TokenForm = () => {
  const [text, setText] = useState('');
  const refused = useStore(tokenRefused);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') enterToken(text.trim());
  };
  return (
    <form ref={form} className={styles.unlock} onSubmit={submit}>
      <Card title="Sign in" note="Sign in with the operator token">
        <div className={styles.stack}>
          <TextField
            label="Token"
            value={text}
            onChange={setText}
            secret
            hint="Paste the contents of the operator-token file. The service prints its path at startup. The token stays in this tab until you close it."
            problem={refused ? 'This does not match the token in the file.' : undefined}
          />
          <Button kind="primary" type="submit">
            Open the console
          </Button>
        </div>
      </Card>
    </form>
  );
};
