// The review before the wallet signs for the autopilot: the text in plain words, the check result, and the
// text itself.
import { useEffect, useRef, useState } from 'react';
import { isHoldfastError } from '../../../../../client/holdfast-error.ts';
import { useValidator } from '../../../api/shared-reads.ts';
import { foreignText } from '../../../text/foreign-text.ts';
import { shortAddress, solText } from '../../../text/format-figures.ts';
import { CheckedBadge } from '../../../ui/checked-badge.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { useWallet } from '../../../wallet/use-wallet.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-button-action.ts';
import type { NewSecret } from '../webhooks/webhook-secrets.ts';
import { policyDeps } from './policy-reads.ts';
import type { PolicyRequest } from './policy-request.ts';
import { lastNonceOf, type PreparedPolicy, preparePolicy, signPolicy } from './sign-policy.ts';

const titleOf = (request: PolicyRequest): string =>
  request.kind === 'delete'
    ? 'End the autopilot'
    : request.paused
      ? 'Review a paused policy'
      : 'Review your policy';

const Meaning = ({ request, serviceOrigin }: { request: PolicyRequest; serviceOrigin: string }) => {
  const { data: validator } = useValidator();
  return (
    <Rows>
      <Row label="Wallet">{shortAddress(request.walletAddress)}</Row>
      {request.kind === 'set' && (
        <>
          <Row label="Keep liquid">{solText(request.keepLiquidLamports)} SOL</Row>
          <Row label="Offer when more than">{solText(request.minSweepLamports)} SOL is above that</Row>
          <Row label="Send offers to">{request.callbackUrl}</Row>
          <Row label="Until changed">{request.paused ? 'Paused, no offers' : 'On'}</Row>
        </>
      )}
      <Row label="Stake with">{foreignText(validator?.name ?? 'this service’s validator')}</Row>
      <Row label="Valid at">{serviceOrigin}</Row>
    </Rows>
  );
};

/** `onDone` receives the secret of a new policy, even if the dialog was closed while the wallet was signing. */
export const PolicyDialog = ({
  request,
  lastNonce,
  onClose,
  onDone,
}: {
  request: PolicyRequest;
  lastNonce: number;
  onClose: () => void;
  onDone: (made: NewSecret | null) => void;
}) => {
  const { wallet } = useWallet();
  const [prepared, setPrepared] = useState<PreparedPolicy>();
  const { busy, failure, run } = useAction();
  const newest = useRef(lastNonce);
  const prepare = async (): Promise<void> =>
    setPrepared(await preparePolicy(policyDeps, request, newest.current));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog opens.
  useEffect(() => run('prepare', prepare), []);
  const sign = async (): Promise<void> => {
    try {
      onDone(await signPolicy(policyDeps, request, prepared!));
    } catch (error) {
      // Signed elsewhere with a later clock: a greater nonce needs another text.
      if (isHoldfastError(error, 'STALE_NONCE')) {
        newest.current = Math.max(newest.current, lastNonceOf(error));
        setPrepared(undefined);
      }
      throw error;
    }
  };
  const isOpenElsewhere = prepared !== undefined && prepared.serviceOrigin !== location.origin;
  return (
    <Dialog
      title={titleOf(request)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {prepared === undefined ? (
            <Button kind="primary" busy={busy !== null} onClick={() => run('prepare', prepare)}>
              {busy === null ? 'Try again' : 'Preparing…'}
            </Button>
          ) : (
            <Button kind="primary" icon="key" busy={busy !== null} onClick={() => run('sign', sign)}>
              {busy === null ? 'Sign in wallet' : `Waiting for ${wallet?.name ?? 'your wallet'}…`}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.review}>
        {failure !== undefined && (
          <Notice tone="bad" title={failure.title}>
            {failure.detail}
          </Notice>
        )}
        {prepared === undefined && failure === undefined && (
          <p role="status">Fetching and checking the text…</p>
        )}
        {prepared !== undefined && (
          <>
            <p className={styles.lead}>
              {request.kind === 'delete'
                ? 'No more offers are made, and pending offers are not resent.'
                : 'This is a text, not a transaction. It moves nothing, costs nothing and lets nobody sign for you. An offer is staked only if you sign it.'}
            </p>
            <Meaning request={request} serviceOrigin={prepared.serviceOrigin} />
            {isOpenElsewhere && (
              <Notice tone="warn" title="The service uses another name">
                You opened {location.origin}, and it calls itself {prepared.serviceOrigin}. Sign only if you
                know they are the same.
              </Notice>
            )}
            <CheckedBadge>This is all the text says.</CheckedBadge>
            <details className={styles.details}>
              <summary>Text your wallet signs</summary>
              <CodeBlock code={prepared.text} what="text to sign" />
            </details>
          </>
        )}
      </div>
    </Dialog>
  );
};
