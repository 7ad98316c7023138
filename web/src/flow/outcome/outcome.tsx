// The outcome of a checked transaction in one sentence: the amount, and when it arrives or starts to earn.
import type { Prepared } from '../../../../client/staking/prepared-transaction.ts';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import { exactSol } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import { planFacts, whenSentence } from '../plan-facts.ts';
import styles from '../plan-summary.module.css';
import { moveSentence, outcomeSentence, rescueSentence } from './outcome-sentence.ts';

const { say } = defineWords('outcome', outcomeEnglish);

/** The amount, when it arrives, and the fees. Renders nothing while the amount or the time is unknown. */
export const Outcome = ({ built }: { built: Prepared }) => {
  const { record, verdict, following } = built;
  const { plan } = built.built;
  const { data: epoch } = useEpoch();
  const { data } = useSummary(record.walletAddress);
  const { goal } = record.change ?? {};
  const facts = {
    lamports: verdict.recognized.lamports ?? null,
    account: data?.accounts.find(({ address }) => address === record.stakeAccountAddress) ?? null,
    boundary: epoch ?? null,
  };
  const sentence =
    plan && goal === 'migrate'
      ? moveSentence([built, ...following], plan, { epoch: facts.boundary }, Date.now())
      : plan && goal !== 'undo' && goal !== 'rescue'
        ? whenSentence(planFacts(plan), facts.boundary, Date.now())
        : goal === 'rescue'
          ? rescueSentence([built, ...following], data?.accounts ?? [])
          : outcomeSentence(record, facts, Date.now());
  const fees = [built, ...following].reduce((sum, one) => sum + one.verdict.networkFeeLamports, 0n);
  return sentence === null ? null : (
    <div>
      <p className={styles.outcome}>{sentence}</p>
      <p className={styles.cost}>{say('feePaid', { amount: exactSol(fees) })}</p>
    </div>
  );
};
