// The outcome of a checked transaction in one sentence: the amount, and when it arrives or starts to earn.
import type { Prepared } from '../../../../client/staking/check-built.ts';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import styles from '../plan-summary.module.css';
import { PlanOutcome } from '../plan-summary.tsx';
import { outcomeSentence } from './outcome-sentence.ts';

/** Renders nothing while the amount or the time is unknown. */
export const Outcome = ({ built }: { built: Prepared }) => {
  const { record, verdict } = built;
  const { data: epoch } = useEpoch();
  const { data } = useSummary(record.walletAddress);
  if (built.built.plan && record.change?.goal !== 'undo') return <PlanOutcome plan={built.built.plan} />;
  const account = data?.accounts.find(({ address }) => address === record.stakeAccountAddress);
  const sentence = outcomeSentence(
    record,
    { lamports: verdict.recognised.lamports ?? null, account: account ?? null, boundary: epoch ?? null },
    Date.now(),
  );
  return sentence === null ? null : <p className={styles.when}>{sentence}</p>;
};
