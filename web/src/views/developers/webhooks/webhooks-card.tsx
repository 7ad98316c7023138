// Webhooks of a wallet: register, see what was told, and manage them, all with the service's own answers.
import { useState } from 'react';
import type { WebhookRegistration } from '../../../../../client/generated/webhooks-operations.ts';
import { ADDRESS_PATTERN } from '../../../../../src/kernel/base58.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { shortAddress } from '../../../ui/format.ts';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useWallet } from '../../../wallet/use-wallet.ts';
import styles from '../developers-view.module.css';
import { RegisterForm } from './register-form.tsx';
import { SecretNotice } from './secret-notice.tsx';
import type { NewSecret } from './secrets.ts';
import { WebhookItem } from './webhook-item.tsx';
import { useWebhooks } from './webhook-reads.ts';

const ADDRESS = new RegExp(ADDRESS_PATTERN);

const WalletField = ({ onChoose }: { onChoose: (walletAddress: string) => void }) => {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ADDRESS.test(text.trim())) onChoose(text.trim());
        else setProblem('This is not a Solana address: 32 to 44 letters and digits.');
      }}
    >
      <TextField
        label="Whose stakes?"
        placeholder="Wallet address, or connect a wallet"
        mono
        value={text}
        problem={problem}
        onChange={(next) => {
          setText(next);
          setProblem(undefined);
        }}
        action={<Button type="submit">Continue</Button>}
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
  // Whoever has just registered waits for the first answer.
  const awaitsAnswer = present.some((webhook) => webhook.awaitsAnswer && webhook.status === 'active');
  if (awaitsAnswer !== isLively) setLively(awaitsAnswer);
  const gone = deleted.filter(({ id }) => !present.some((webhook) => webhook.id === id));
  const isGone = (id: string): boolean => deleted.some((webhook) => webhook.id === id);
  return (
    <>
      <RegisterForm walletAddress={walletAddress} onRegistered={setMade} />
      {made !== undefined && <SecretNotice what="webhook" made={made} onHide={() => setMade(undefined)} />}
      <LoadError resource={webhooks} what="The webhooks" />
      {webhooks.pending && <SkeletonText lines={3} what="Loading the webhooks" />}
      {webhooks.data !== undefined && present.length + gone.length === 0 && (
        <p className={styles.muted}>This wallet has no webhook here.</p>
      )}
      {present.length + gone.length > 0 && (
        <ul className={styles.webhooks} aria-label="Webhooks">
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
        <p className={styles.muted}>Newer ones: GET /api/v1/webhooks/{walletAddress} with a cursor.</p>
      )}
    </>
  );
};

/** For the connected wallet, else for one that is named. */
export const WebhooksCard = () => {
  const { walletAddress } = useWallet();
  const [named, setNamed] = useState<string | null>(null);
  const shown = walletAddress ?? named;
  return (
    <Card
      title="Webhooks"
      note={
        shown === null ? 'Be told what happens to the stakes of a wallet' : `About ${shortAddress(shown)}`
      }
      actions={
        named !== null &&
        walletAddress === null && (
          <Button size="s" kind="quiet" onClick={() => setNamed(null)}>
            Another wallet
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <p className={styles.lead}>
          Signed by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, each fact once, repeated
          until your receiver answers 2xx. Lists show origins only; deliveries need the secret.
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
