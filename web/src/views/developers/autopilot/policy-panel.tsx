// Shows the policy of one wallet with its last decision, or a form to change it. Every change is reviewed
// before the wallet signs.
import { useEffect, useRef, useState } from 'react';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { showToast } from '../../../state/toast-store.ts';
import { exactSol, lamportsOf, solShort, timeText } from '../../../text/format-figures.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { canSignTexts } from '../../../wallet/features.ts';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';
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

const { say } = defineWords('autopilot', autopilotEnglish);

const PolicyRows = ({ policy }: { policy: OwnPolicy }) => {
  const { lastSweep, lastSkip } = policy;
  return (
    <Rows>
      <Row label={say('keepLiquid')}>{exactSol(policy.keepLiquidSol)} SOL</Row>
      <Row label={say('offerWhen')}>{say('isAbove', { amount: exactSol(policy.minSweepSol) })}</Row>
      <Row label={say('offersGoTo')}>{policy.callbackOrigin}</Row>
      <Row label={say('lastOffer')}>
        <span data-last-sweep={lastSweep?.epoch ?? 'none'}>
          {lastSweep === null
            ? say('noneYet')
            : say('offered', {
                amount: solShort(lastSweep.amountSol),
                epoch: lastSweep.epoch,
                time: timeText(lastSweep.at),
              })}
        </span>
      </Row>
      {lastSkip !== null && (
        <Row label={say('lastSkip')}>
          <span data-last-skip={lastSkip.reason}>
            {say('skipped', {
              epoch: lastSkip.epoch,
              time: timeText(lastSkip.at),
              reason: skipWords(lastSkip),
            })}
          </span>
        </Row>
      )}
    </Rows>
  );
};

/**
 * The policy in the form: a new one (null), or the current one, which the user pauses or resumes and whose
 * callback they must enter again because this tab does not know it.
 */
type Filling = null | { readonly paused: boolean };

const doneWords = (request: PolicyRequest): string =>
  say(request.kind === 'delete' ? 'hasEnded' : request.paused ? 'isPaused' : 'isOn');

/** Returns the current policy, paused or resumed; null if this tab does not know its callback. */
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
          {say(paused ? 'resume' : 'pause')}
        </Button>
        <Button size="s" onClick={() => onFill({ paused })}>
          {say('change')}
        </Button>
        <Button size="s" kind="danger" onClick={() => onRequest({ kind: 'delete', walletAddress })}>
          {say('endAutopilot')}
        </Button>
      </div>
      <PolicyCallback policy={policy} onSecret={onSecret} />
    </>
  );
};

/** Keeps the policy up to date while it is shown. Remount it for another wallet. */
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
    // Changing a policy keeps its secret, so a secret that is shown must stay visible until the user has saved
    // it.
    if (fresh !== null || requested.kind === 'delete') setMade(fresh);
    setRequest(undefined);
    setFilling(null);
    setDoneCount((before) => before + 1);
    showToast({ tone: 'good', title: doneWords(requested) });
    refreshPolicy(walletAddress);
  };
  const policy = data?.policy && hasFigures(data.policy) ? data.policy : null;
  /** Set if a policy exists but its figures are hidden. */
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
      <LoadError resource={resource} what={say('thePolicy')} />
      {resource.pending && <SkeletonText lines={3} what={say('loadingPolicy')} />}
      {made !== null && <SecretNotice owner="callback" made={made} onHide={() => setMade(null)} />}
      {data !== undefined && data.policy === null && (
        <p className={styles.muted}>{say('noPolicy', { wallet: shortAddress(walletAddress) })}</p>
      )}
      {hidden !== null && (
        <>
          <p className={styles.muted}>
            {say('hiddenPolicy', {
              wallet: shortAddress(walletAddress),
              state: hidden.paused ? 'paused' : 'on',
            })}
          </p>
          <SecretField id={hidden.webhookId} />
        </>
      )}
      {data !== undefined && !canSignTexts(wallet) && (
        <Notice tone="warn" title={say('cannotSign', { wallet: wallet?.name ?? say('thisWallet') })}>
          {say('cannotSignText')}
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
