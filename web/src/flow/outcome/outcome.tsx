// The outcome of a checked transaction in one sentence: the amount, and when it arrives or starts to earn.
import type { Prepared } from '../../../../client/staking/check-built.ts';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import { exactSol } from '../../text/format-figures.ts';
import styles from '../plan-summary.module.css';
import { PlanOutcome } from '../plan-summary.tsx';
import { outcomeSentence } from './outcome-sentence.ts';

/** Renders nothing while the amount or the time is unknown. */
export const Outcome = ({ built }: { built: Prepared }) => {
  const { record, verdict } = built;
  const { data: epoch } = useEpoch();
  const { data } = useSummary(record.walletAddress);
  if (built.built.plan && record.change?.goal !== 'undo') return <PlanOutcome plan={built.built.plan} />;
  const facts = {
    lamports: verdict.recognized.lamports ?? null,
    account: data?.accounts.find(({ address }) => address === record.stakeAccountAddress) ?? null,
    boundary: epoch ?? null,
  };
  const nowMs = Date.now();
  const sentence = outcomeSentence(record, facts, nowMs);
  return sentence === null ? null : (
    <p className={styles.when} title={outcomeSentence(record, facts, nowMs, exactSol)!}>
      {sentence}
    </p>
  );
};
