// The review before the wallet signs for the autopilot: the request in plain words, the check result, and the
// text to sign.
import { useEffect, useRef, useState } from 'react';
import { isHoldfastError } from '../../../../../client/holdfast-error.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { useValidator } from '../../../api/shared-reads.ts';
import { foreignText } from '../../../text/foreign-text.ts';
import { solText } from '../../../text/format-figures.ts';
import { CheckedBadge } from '../../../ui/checked-badge.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-button-action.ts';
import type { NewSecret } from '../webhooks/webhook-secrets.ts';
import { policyDeps } from './policy-reads.ts';
import type { PolicyRequest } from './policy-request.ts';
import { lastNonceOf, type PreparedPolicy, preparePolicy, signPolicy } from './sign-policy.ts';

const { say } = defineWords('autopilot', autopilotEnglish);

const titleOf = (request: PolicyRequest): string =>
  say(request.kind === 'delete' ? 'endTitle' : request.paused ? 'reviewPaused' : 'reviewYours');

const Meaning = ({ request, serviceOrigin }: { request: PolicyRequest; serviceOrigin: string }) => {
  const { data: validator } = useValidator();
  return (
    <Rows>
      <Row label={say('wallet')}>{shortAddress(request.walletAddress)}</Row>
      {request.kind === 'set' && (
        <>
          <Row label={say('keepLiquid')}>{solText(request.keepLiquidLamports)} SOL</Row>
          <Row label={say('offerWhen')}>{say('isAbove', { amount: solText(request.minSweepLamports) })}</Row>
          <Row label={say('sendOffersTo')}>{request.callbackUrl}</Row>
          <Row label={say('untilChanged')}>{say(request.paused ? 'pausedNoOffers' : 'on')}</Row>
        </>
      )}
      <Row label={say('stakeWith')}>{foreignText(validator?.name ?? say('thisValidator'))}</Row>
      <Row label={say('validAt')}>{serviceOrigin}</Row>
    </Rows>
  );
};

/**
 * `onDone` receives the secret of a new policy, even if the dialog was closed while the wallet was signing.
 */
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
      // A device with a faster clock has signed a policy, so a greater nonce and therefore a new text are
      // needed.
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
          <Button onClick={onClose}>{say('cancel')}</Button>
          {prepared === undefined ? (
            <Button kind="primary" busy={busy !== null} onClick={() => run('prepare', prepare)}>
              {say(busy === null ? 'tryAgain' : 'preparing')}
            </Button>
          ) : (
            <Button kind="primary" icon="key" busy={busy !== null} onClick={() => run('sign', sign)}>
              {busy === null
                ? say('signInWallet')
                : say('waitingFor', { wallet: wallet?.name ?? say('yourWallet') })}
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
        {prepared === undefined && failure === undefined && <p role="status">{say('fetching')}</p>}
        {prepared !== undefined && (
          <>
            <p className={styles.lead}>{say(request.kind === 'delete' ? 'endLead' : 'setLead')}</p>
            <Meaning request={request} serviceOrigin={prepared.serviceOrigin} />
            {isOpenElsewhere && (
              <Notice tone="warn" title={say('anotherName')}>
                {say('anotherNameText', { opened: location.origin, called: prepared.serviceOrigin })}
              </Notice>
            )}
            <CheckedBadge>{say('allItSays')}</CheckedBadge>
            <details className={styles.details}>
              <summary>{say('textToSign')}</summary>
              <CodeBlock code={prepared.text} what={say('textToSignName')} />
            </details>
          </>
        )}
      </div>
    </Dialog>
  );
};
