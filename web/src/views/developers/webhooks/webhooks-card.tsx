// Webhooks of a wallet: register, list and manage them.
import { useState } from 'react';
import type { WebhookRegistration } from '../../../../../client/generated/webhooks-operations.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { ADDRESS_PATTERN } from '../../../../../src/kernel/base58.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { Card } from '../../../ui/card.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import styles from '../developers-view.module.css';
import { RegisterForm } from './register-form.tsx';
import { SecretNotice } from './secret-notice.tsx';
import { WebhookItem } from './webhook-item.tsx';
import { useWebhooks } from './webhook-reads.ts';
import type { NewSecret } from './webhook-secrets.ts';

const { say, sayWith } = defineWords('webhooks', webhooksEnglish);

const ADDRESS = new RegExp(ADDRESS_PATTERN);

const WalletField = ({ onChoose }: { onChoose: (walletAddress: string) => void }) => {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ADDRESS.test(text.trim())) onChoose(text.trim());
        else setProblem(say('notAnAddress'));
      }}
    >
      <TextField
        label={say('whichWallet')}
        placeholder={say('enterWallet')}
        mono
        value={text}
        problem={problem}
        onChange={(next) => {
          setText(next);
          setProblem(undefined);
        }}
        action={<Button type="submit">{say('continue')}</Button>}
      />
    </form>
  );
};

const WebhooksOf = ({ walletAddress }: { walletAddress: string }) => {
  const [isLively, setLively] = useState(false);
  const webhooks = useWebhooks(walletAddress, isLively);
  const [made, setMade] = useState<NewSecret>();
  const [deleted, setDeleted] = useState<readonly WebhookRegistration[]>([]);
  const present = webhooks.data?.webhooks ?? [];
  // True if a newly registered webhook still waits for its receiver's first response.
  const awaitsAnswer = present.some((webhook) => webhook.awaitsAnswer && webhook.status === 'active');
  if (awaitsAnswer !== isLively) setLively(awaitsAnswer);
  const gone = deleted.filter(({ id }) => !present.some((webhook) => webhook.id === id));
  const isGone = (id: string): boolean => deleted.some((webhook) => webhook.id === id);
  return (
    <>
      <RegisterForm walletAddress={walletAddress} onRegistered={setMade} />
      {made !== undefined && <SecretNotice owner="webhook" made={made} onHide={() => setMade(undefined)} />}
      <LoadError resource={webhooks} what={say('theWebhooks')} />
      {webhooks.pending && <SkeletonText lines={3} what={say('loadingWebhooks')} />}
      {webhooks.data !== undefined && present.length + gone.length === 0 && (
        <p className={styles.muted}>{say('noWebhooks')}</p>
      )}
      {present.length + gone.length > 0 && (
        <ul className={styles.webhooks} aria-label={say('webhooks')}>
          {[...present, ...gone].map((webhook) => (
            <WebhookItem
              key={webhook.id}
              webhook={webhook}
              isDeleted={isGone(webhook.id)}
              onDeleted={(isDeleted) =>
                setDeleted((before) => [
                  ...before.filter(({ id }) => id !== webhook.id),
                  ...(isDeleted ? [webhook] : []),
                ])
              }
              onSecret={setMade}
            />
          ))}
        </ul>
      )}
      {webhooks.data !== undefined && webhooks.data.nextCursor !== null && (
        <p className={styles.muted}>{say('newerWebhooks', { path: `/api/v1/webhooks/${walletAddress}` })}</p>
      )}
    </>
  );
};

/** Shows the webhooks of the connected wallet, or of an entered address. */
export const WebhooksCard = () => {
  const { walletAddress } = useWallet();
  const [named, setNamed] = useState<string | null>(null);
  const shown = walletAddress ?? named;
  return (
    <Card
      title={say('webhooks')}
      note={shown === null ? say('getNotified') : say('forWallet', { wallet: shortAddress(shown) })}
      actions={
        named !== null &&
        walletAddress === null && (
          <Button size="s" kind="quiet" onClick={() => setNamed(null)}>
            {say('anotherWallet')}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <p className={styles.lead}>
          {sayWith('lead', {
            standard: <a href="https://www.standardwebhooks.com">{say('standardWebhooks')}</a>,
          })}
        </p>
        {shown === null ? (
          <WalletField onChoose={setNamed} />
        ) : (
          <WebhooksOf key={shown} walletAddress={shown} />
        )}
      </div>
    </Card>
  );
};
