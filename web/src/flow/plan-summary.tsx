// Shows a plan before it is signed: every changed account before and after, and the wallet's amounts over time.
import type { StakePlan } from '../../../client/generated/shared-types.ts';
import type { GoalName } from '../../../src/domain/plan/plan-goals.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { useEpoch } from '../api/shared-reads.ts';
import { solShort } from '../text/format-figures.ts';
import { classNames } from '../ui/class-names.ts';
import { stakeStateWord } from '../ui/pill.tsx';
import { Sol } from '../ui/sol.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { defineWords } from '../words/define-words.ts';
import { planEnglish } from '../words/en/flow/plan.ts';
import { planFacts, whenSentence } from './plan-facts.ts';
import styles from './plan-summary.module.css';

const { say } = defineWords('plan', planEnglish);

type PlannedAccount = StakePlan['accounts'][number]['after'];

/**
 * Shows the balance in every state, as the list of accounts and the table of rewards do. `most` is the amount of SOL
 * that the longest bar represents.
 */
const Account = ({ account, none, most }: { account: PlannedAccount; none: string; most: number }) => (
  <td>
    {account === null ? (
      none
    ) : (
      <>
        <strong>
          <Sol amount={account.sol} />
        </strong>
        <span className={styles.state}>{stakeStateWord(account.state)}</span>
        <span
          className={classNames(styles.bar, styles[account.state])}
          style={{ inlineSize: `${Math.max(2, (account.sol / most) * 100)}%` }}
          aria-hidden="true"
        />
      </>
    )}
  </td>
);

/**
 * Renders the accounts as a table, followed by the number of unchanged accounts. A migration omits this number,
 * because it would include accounts that only change their validator.
 */
export const PlanTable = ({ plan, goal }: { plan: StakePlan; goal?: GoalName | undefined }) => {
  const { changed, unchangedCount } = planFacts(plan);
  const most = Math.max(...changed.flatMap(({ before, after }) => [before?.sol ?? 0, after?.sol ?? 0]));
  if (changed.length === 0) return null;
  return (
    <div className={styles.accounts}>
      <table className={styles.table}>
        <caption className={styles.others}>{say('caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{say('account')}</th>
            <th scope="col">{say('before')}</th>
            <th scope="col">{say('after')}</th>
          </tr>
        </thead>
        <tbody>
          {changed.map(({ stakeAccountAddress, before, after }) => (
            <tr key={stakeAccountAddress}>
              <th scope="row" title={stakeAccountAddress}>
                {before === null ? say('new') : shortAddress(stakeAccountAddress)}
              </th>
              <Account account={before} none="–" most={most} />
              <Account account={after} none={say('closed')} most={most} />
            </tr>
          ))}
        </tbody>
      </table>
      {unchangedCount > 0 && goal !== 'migrate' && (
        <p className={styles.others}>{say('others', { count: unchangedCount })}</p>
      )}
    </div>
  );
};

/**
 * Lists what the amounts consist of, and the rent. `requestedLamports` is the amount of an unstake, which is paid
 * out together with the rent and the idle SOL of its accounts. With `costs`, also lists the fee.
 */
export const PlanRows = ({
  plan,
  requestedLamports = null,
  costs = false,
}: {
  plan: StakePlan;
  requestedLamports?: bigint | null;
  costs?: boolean;
}) => {
  const { unstakingLamports, countedLamports, feesLamports, rentLamports } = planFacts(plan);
  const amounts = {
    ...(requestedLamports !== null && {
      ...(rentLamports > 0n && { unstaked: requestedLamports }),
      included: unstakingLamports - requestedLamports - rentLamports,
    }),
    rent: rentLamports,
    counted: countedLamports,
    ...(costs && { networkFee: feesLamports }),
  };
  const { forgoneSol } = plan.cost;
  return (
    <Rows>
      {Object.entries(amounts)
        .filter(([, lamports]) => lamports > 0n)
        .map(([label, lamports]) => (
          <Row key={label} label={say(label as keyof typeof amounts)}>
            <Sol amount={lamports} />
          </Row>
        ))}
      {forgoneSol !== 0 && (
        <Row label={say('forgone')}>
          {forgoneSol === null ? say('unknown') : say('about', { amount: solShort(forgoneSol) })}
        </Row>
      )}
    </Rows>
  );
};

/** Shows the wallet's amounts over time. Renders nothing if there are none. */
export const PlanOutcome = ({ plan }: { plan: StakePlan }) => {
  const { data: epoch = null } = useEpoch();
  const when = whenSentence(planFacts(plan), epoch, Date.now());
  return when === null ? null : <p className={styles.when}>{when}</p>;
};
