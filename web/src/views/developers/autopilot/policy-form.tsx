// The form for the figures of an autopilot policy, with a preview of their effect before signing.
import { useState } from 'react';
import { useBalance, useEpoch, useValidator } from '../../../api/shared-reads.ts';
import { isSandbox } from '../../../state/cluster.ts';
import { lamportsOf, solField } from '../../../text/format-figures.ts';
import { readSol } from '../../../text/read-sol.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { criticalNotice } from '../../../ui/notice-list.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import styles from '../developers-view.module.css';
import { rememberedCallback } from '../webhooks/callback-memory.ts';
import { RECEIVER_URL, ReceiverHelp } from '../webhooks/receiver-help.tsx';
import type { OwnPolicy } from './policy-reads.ts';
import type { PolicyToSet } from './policy-request.ts';
import { previewWords } from './policy-words.ts';

const { say } = defineWords('autopilot', autopilotEnglish);
const { say: sayOfWebhooks } = defineWords('webhooks', webhooksEnglish);

/** Formats an amount exactly for a field. JavaScript would write a few lamports as `1e-9`. */
const fieldOf = (sol: number): string => solField(lamportsOf(sol));

const hrefOf = (text: string): string | null => (URL.canParse(text) ? new URL(text).href : null);

const usePreview = (walletAddress: string, keep: bigint | null, least: bigint | null): string | null => {
  const { data: balance } = useBalance(walletAddress);
  const { data: epoch } = useEpoch();
  const { data: validator } = useValidator();
  if (balance === undefined || epoch === undefined || keep === null || least === null) return null;
  return previewWords(
    { keepLiquidLamports: keep, minSweepLamports: least },
    {
      balanceLamports: BigInt(balance.lamports),
      canPay: true,
      feeReserveLamports: lamportsOf(balance.reserveForFees),
      minimumStakeLamports: lamportsOf(balance.minimumStakeSol),
      validatorFailing: criticalNotice(validator?.apy.notices) !== undefined,
      epochRewardsActive: epoch.epochRewardsActive,
    },
  );
};

const urlHint = (policy: OwnPolicy | null, isSandbox: boolean): string =>
  policy === null
    ? sayOfWebhooks(isSandbox ? 'sandboxUrl' : 'httpsOnly')
    : say('onlyOrigin', { origin: policy.callbackOrigin });

/** A null `policy` creates the first one. `onCancel` is set only if there is a previous view. */
export const PolicyForm = ({
  walletAddress,
  policy,
  paused,
  onReview,
  onCancel,
}: {
  walletAddress: string;
  policy: OwnPolicy | null;
  paused: boolean;
  onReview: (request: PolicyToSet) => void;
  onCancel?: () => void;
}) => {
  const known = policy && rememberedCallback(walletAddress, policy.callbackOrigin);
  const [keepText, setKeepText] = useState(fieldOf(policy?.keepLiquidSol ?? 1));
  const [leastText, setLeastText] = useState(fieldOf(policy?.minSweepSol ?? 1.5));
  const [url, setUrl] = useState(known ?? '');
  const [isPaused, setPaused] = useState(paused);
  const [keep, least] = [readSol(keepText), readSol(leastText)];
  const href = hrefOf(url.trim());
  const preview = usePreview(walletAddress, keep.lamports, least.lamports);
  const review = (): void => {
    if (keep.lamports === null || least.lamports === null || href === null) return;
    onReview({
      kind: 'set',
      walletAddress,
      keepLiquidLamports: keep.lamports,
      minSweepLamports: least.lamports,
      callbackUrl: href,
      paused: isPaused,
    });
  };
  return (
    <form
      className={styles.form}
      aria-label={say('autopilotPolicy')}
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      <div className={styles.pair}>
        <TextField
          label={say('keepLiquidSol')}
          inputMode="decimal"
          value={keepText}
          onChange={setKeepText}
          problem={keep.problem}
          hint={say('neverOffered')}
        />
        <TextField
          label={say('offerWhenSol')}
          inputMode="decimal"
          value={leastText}
          onChange={setLeastText}
          problem={least.problem}
          hint={say('onTop')}
        />
      </div>
      {preview !== null && (
        <p className={styles.muted} role="status" data-preview="">
          {preview}
        </p>
      )}
      <TextField
        label={say('sendOffersTo')}
        placeholder={sayOfWebhooks('exampleUrl')}
        mono
        inputMode="url"
        value={url}
        onChange={setUrl}
        problem={url.trim() !== '' && href === null ? say('fullUrl') : undefined}
        hint={urlHint(policy, isSandbox)}
      />
      {isSandbox && <ReceiverHelp onUse={() => setUrl(RECEIVER_URL)} />}
      <label className={styles.check}>
        <input type="checkbox" checked={isPaused} onChange={(event) => setPaused(event.target.checked)} />
        <span>{say('pausedChoice')}</span>
      </label>
      <div className={styles.actions}>
        <Button
          type="submit"
          kind="primary"
          disabled={keep.lamports === null || least.lamports === null || href === null}
        >
          {say('reviewPolicy')}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{say('cancel')}</Button>}
      </div>
    </form>
  );
};
