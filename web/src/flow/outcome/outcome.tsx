// The outcome of a checked transaction in one sentence: the amount, and when it arrives or starts to earn.
import type { Prepared } from '../../../../client/staking/prepared-transaction.ts';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import styles from '../plan-summary.module.css';
import { PlanOutcome } from '../plan-summary.tsx';
import { outcomeSentence, rescueSentence } from './outcome-sentence.ts';

/** Renders nothing while the amount or the time is unknown. */
export const Outcome = ({ built }: { built: Prepared }) => {
  const { record, verdict } = built;
  const { data: epoch } = useEpoch();
  const { data } = useSummary(record.walletAddress);
  const { goal } = record.change ?? {};
  if (built.built.plan && goal !== 'undo' && goal !== 'rescue')
    return <PlanOutcome plan={built.built.plan} />;
  const facts = {
    lamports: verdict.recognized.lamports ?? null,
    account: data?.accounts.find(({ address }) => address === record.stakeAccountAddress) ?? null,
    boundary: epoch ?? null,
  };
  const sentence =
    goal === 'rescue'
      ? rescueSentence([built, ...built.following], data?.accounts ?? [])
      : outcomeSentence(record, facts, Date.now());
  return sentence === null ? null : <p className={styles.when}>{sentence}</p>;
};
