// A field for the secret of a webhook, so this tab can follow and manage it.
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import { holdSecret } from './webhook-secrets.ts';

const { say } = defineWords('webhooks', webhooksEnglish);

/** `id` identifies the webhook. */
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
        label={say('itsSecret')}
        placeholder={say('exampleSecret')}
        mono
        secret
        value={text}
        onChange={setText}
        hint={say('itsSecretHint')}
        action={<Button type="submit">{say('use')}</Button>}
      />
    </form>
  );
};
