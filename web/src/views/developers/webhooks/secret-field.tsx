// A field for the secret of a webhook, so that this tab can follow and manage it.
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { holdSecret } from './webhook-secrets.ts';

/** `id` is the webhook's. */
export const SecretField = ({ id }: { id: string }) => {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') holdSecret(id, text.trim());
      }}
    >
      <TextField
        label="Its secret"
        placeholder="whsec_…"
        mono
        secret
        value={text}
        onChange={setText}
        hint="Shows its deliveries and lets you manage it. Stays in this tab."
        action={<Button type="submit">Use</Button>}
      />
    </form>
  );
};
