// The outcome of a checked transaction in one sentence: the amount, and when it arrives or starts to earn.
import type { Prepared } from '../../../../client/staking/prepared-transaction.ts';
import { api } from '../../api/holdfast.ts';
import { useEpoch, useSummary, WALLET_KEYS } from '../../api/shared-reads.ts';
import { useResource } from '../../api/use-resource.ts';
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
  const isMove = goal === 'migrate';
  // The summary has no stakes at other validators. The list from which the move was started is already read.
  const { data: all } = useResource(
    isMove ? `${WALLET_KEYS}${record.walletAddress}/all-accounts` : null,
    (signal) => api.listStakeAccounts({ walletAddress: record.walletAddress, scope: 'all' }, { signal }),
    30_000,
  );
  const facts = {
    lamports: verdict.recognized.lamports ?? null,
    account: data?.accounts.find(({ address }) => address === record.stakeAccountAddress) ?? null,
    boundary: epoch ?? null,
  };
  const rescued =
    isMove || goal === 'rescue'
      ? rescueSentence([built, ...following], (isMove ? all : data)?.accounts ?? [])
      : null;
  const rest =
    goal === 'rescue'
      ? null
      : plan && isMove
        ? moveSentence([built, ...following], plan, { epoch: facts.boundary }, Date.now())
        : plan && goal !== 'undo'
          ? whenSentence(planFacts(plan), facts.boundary, Date.now())
          : outcomeSentence(record, facts, Date.now());
  const sentence = [rescued, rest].filter((one) => one !== null).join(' ');
  const fees = [built, ...following].reduce((sum, one) => sum + one.verdict.networkFeeLamports, 0n);
  return sentence === '' ? null : (
    <div>
      <p className={styles.outcome}>{sentence}</p>
      <p className={styles.cost}>{say('feePaid', { amount: exactSol(fees) })}</p>
    </div>
  );
};
