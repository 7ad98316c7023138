// The policy of one wallet: shown with its last action, or as a form. Every change is reviewed before the
// wallet signs.
import { useEffect, useRef, useState } from 'react';
import { LoadError } from '../../../api/load-error.tsx';
import { showToast } from '../../../state/toast-store.ts';
import { exactSol, lamportsOf, shortAddress, solShort, timeText } from '../../../text/format-figures.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { canSignTexts } from '../../../wallet/features.ts';
import { useWallet } from '../../../wallet/use-wallet.ts';
import styles from '../developers-view.module.css';
import { rememberCallback, rememberedCallback } from '../webhooks/callback-memory.ts';
import { SecretField } from '../webhooks/secret-field.tsx';
import { SecretNotice } from '../webhooks/secret-notice.tsx';
import type { NewSecret } from '../webhooks/webhook-secrets.ts';
import { PolicyCallback } from './policy-callback.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import { PolicyForm } from './policy-form.tsx';
import { hasFigures, type OwnPolicy, refreshPolicy, usePolicy } from './policy-reads.ts';
import type { PolicyRequest } from './policy-request.ts';
import { skipWords } from './policy-words.ts';

/** A definition list. */
const PolicyRows = ({ policy }: { policy: OwnPolicy }) => {
  const { lastSweep, lastSkip } = policy;
  return (
    <Rows>
      <Row label="Keep liquid">{exactSol(policy.keepLiquidSol)} SOL</Row>
      <Row label="Offer when more than">{exactSol(policy.minSweepSol)} SOL is above that</Row>
      <Row label="Offers go to">{policy.callbackOrigin}</Row>
      <Row label="Last offer">
        <span data-last-sweep={lastSweep?.epoch ?? 'none'}>
          {lastSweep === null
            ? 'None yet'
            : `${solShort(lastSweep.amountSol)} SOL in epoch ${lastSweep.epoch}, ${timeText(lastSweep.at)}`}
        </span>
      </Row>
      {lastSkip !== null && (
        <Row label="Last epoch without an offer">
          <span data-last-skip={lastSkip.reason}>
            Epoch {lastSkip.epoch}, {timeText(lastSkip.at)}: {skipWords(lastSkip)}
          </span>
        </Row>
      )}
    </Rows>
  );
};

/**
 * The form's policy: the first one, the current one, or the current one to be paused or resumed with an
 * unknown callback.
 */
type Filling = null | { readonly paused: boolean };

const doneWords = (request: PolicyRequest): string =>
  request.kind === 'delete'
    ? 'The autopilot has ended'
    : request.paused
      ? 'The autopilot is paused'
      : 'The autopilot is on';

/** The current policy with a changed pause; null if its callback is not known in this tab. */
const withPause = (policy: OwnPolicy, paused: boolean): PolicyRequest | null => {
  const callbackUrl = rememberedCallback(policy.walletAddress, policy.callbackOrigin);
  if (callbackUrl === null) return null;
  return {
    kind: 'set',
    walletAddress: policy.walletAddress,
    keepLiquidLamports: lamportsOf(policy.keepLiquidSol),
    minSweepLamports: lamportsOf(policy.minSweepSol),
    callbackUrl,
    paused,
  };
};

const Present = ({
  policy,
  onRequest,
  onFill,
  onSecret,
}: {
  policy: OwnPolicy;
  onRequest: (request: PolicyRequest) => void;
  onFill: (filling: Filling) => void;
  onSecret: (made: NewSecret) => void;
}) => {
  const { paused, walletAddress } = policy;
  const pause = (): void => {
    const request = withPause(policy, !paused);
    if (request === null) onFill({ paused: !paused });
    else onRequest(request);
  };
  return (
    <>
      <PolicyRows policy={policy} />
      <div className={styles.actions}>
        <Button size="s" onClick={pause}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button size="s" onClick={() => onFill({ paused })}>
          Change
        </Button>
        <Button size="s" kind="danger" onClick={() => onRequest({ kind: 'delete', walletAddress })}>
          End autopilot
        </Button>
      </div>
      <PolicyCallback policy={policy} onSecret={onSecret} />
    </>
  );
};

/** Follows the policy while shown. Remount it for another wallet. */
export const PolicyPanel = ({ walletAddress }: { walletAddress: string }) => {
  const resource = usePolicy(walletAddress);
  const { wallet } = useWallet();
  const [filling, setFilling] = useState<Filling>(null);
  const [request, setRequest] = useState<PolicyRequest>();
  const [made, setMade] = useState<NewSecret | null>(null);
  const [doneCount, setDoneCount] = useState(0);
  const panel = useRef<HTMLDivElement>(null);
  const { data } = resource;
  const done = (requested: PolicyRequest) => (fresh: NewSecret | null) => {
    if (requested.kind === 'set') rememberCallback(walletAddress, requested.callbackUrl);
    // Changing a policy keeps its secret, and must not hide a new one before the user saved it.
    if (fresh !== null || requested.kind === 'delete') setMade(fresh);
    setRequest(undefined);
    setFilling(null);
    setDoneCount((before) => before + 1);
    showToast({ tone: 'good', title: doneWords(requested) });
    refreshPolicy(walletAddress);
  };
  const policy = data?.policy && hasFigures(data.policy) ? data.policy : null;
  /** A policy exists, but its figures are hidden. */
  const hidden = data?.policy && policy === null ? data.policy : null;
  const showsForm = data !== undefined && (policy === null || filling !== null);
  // The pressed button disappears with the review or the form, and keyboard focus would go to the top of the
  // page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the form disappears.
  useEffect(() => {
    if (doneCount > 0 && document.activeElement === document.body)
      panel.current?.focus({ preventScroll: true });
  }, [doneCount, showsForm]);
  return (
    <div ref={panel} tabIndex={-1} className={styles.stack}>
      <LoadError resource={resource} what="The policy" />
      {resource.pending && <SkeletonText lines={3} what="Loading the policy" />}
      {made !== null && <SecretNotice what="callback" made={made} onHide={() => setMade(null)} />}
      {data !== undefined && data.policy === null && (
        <p className={styles.muted}>{shortAddress(walletAddress)} has no policy here.</p>
      )}
      {hidden !== null && (
        <>
          <p className={styles.muted}>
            {shortAddress(walletAddress)} has a policy, {hidden.paused ? 'paused' : 'on'}. Enter its secret to
            see it, or set a new one.
          </p>
          <SecretField id={hidden.webhookId} />
        </>
      )}
      {data !== undefined && !canSignTexts(wallet) && (
        <Notice tone="warn" title={`${wallet?.name ?? 'This wallet'} cannot sign messages`}>
          It signs only transactions. Connect a wallet that signs messages to set or end a policy.
        </Notice>
      )}
      {policy !== null && filling === null && (
        <Present policy={policy} onRequest={setRequest} onFill={setFilling} onSecret={setMade} />
      )}
      {showsForm && (
        <PolicyForm
          key={`${policy?.nonce} ${filling?.paused}`}
          walletAddress={walletAddress}
          policy={policy}
          paused={filling?.paused ?? false}
          onReview={setRequest}
          {...(policy === null ? {} : { onCancel: () => setFilling(null) })}
        />
      )}
      {request !== undefined && data !== undefined && (
        <PolicyDialog
          request={request}
          lastNonce={data.lastNonce}
          onClose={() => setRequest(undefined)}
          onDone={done(request)}
        />
      )}
    </div>
  );
};
