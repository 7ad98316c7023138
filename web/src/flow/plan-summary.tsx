// A plan before it is signed: every changed account before and after, and the wallet's amounts over time.
import type { StakePlan } from '../../../client/generated/shared-types.ts';
import type { GoalName } from '../../../src/domain/plan/plan-goals.ts';
import { shortAddress, solShort, solText } from '../text/format-figures.ts';
import { classNames } from '../ui/class-names.ts';
import { stakeStateWord } from '../ui/pill.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { planFacts, whenSentence } from './plan-facts.ts';
import styles from './plan-summary.module.css';

type PlannedAccount = StakePlan['accounts'][number]['after'];

/** `most`: SOL that the longest bar represents. */
const Account = ({ account, none, most }: { account: PlannedAccount; none: string; most: number }) => (
  <td>
    {account === null ? (
      none
    ) : (
      <>
        <strong>{solShort(account.sol)} SOL</strong>
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
 * The accounts in a table. Below it, the number of unchanged accounts, unless the validator of some changes,
 * which `plan` does not show.
 */
export const PlanTable = ({ plan, goal }: { plan: StakePlan; goal?: GoalName | undefined }) => {
  const { changed, unchangedCount } = planFacts(plan);
  const most = Math.max(...changed.flatMap(({ before, after }) => [before?.sol ?? 0, after?.sol ?? 0]));
  if (changed.length === 0) return null;
  return (
    <div className={styles.accounts}>
      <table className={styles.table}>
        <caption className="visually-hidden">Stake accounts before and after</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changed.map(({ stakeAccountAddress, before, after }) => (
            <tr key={stakeAccountAddress}>
              <th scope="row" title={stakeAccountAddress}>
                {before === null ? 'New' : shortAddress(stakeAccountAddress)}
              </th>
              <Account account={before} none="–" most={most} />
              <Account account={after} none="Closed" most={most} />
            </tr>
          ))}
        </tbody>
      </table>
      {unchangedCount > 0 && goal !== 'migrate' && (
        <p className={styles.others}>
          {unchangedCount === 1
            ? '1 other account stays as it is.'
            : `${unchangedCount} other accounts stay as they are.`}
        </p>
      )}
    </div>
  );
};

/**
 * Lists what counts toward the amounts, and the costs. `requestedLamports`: the amount of an unstake, which
 * arrives together with the rent and the idle SOL of its accounts. `costs` adds the fee.
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
  const { nowLamports, later, countedLamports, feesLamports, rentLamports } = planFacts(plan);
  const arriving = later.reduce((sum, { lamports }) => sum + lamports, nowLamports);
  const moreLamports = requestedLamports === null ? 0n : arriving - requestedLamports;
  const { forgoneSol } = plan.cost;
  return (
    <Rows>
      {moreLamports > 0n && (
        <Row label="Included: rent and idle SOL of the accounts">{solText(moreLamports)} SOL</Row>
      )}
      {countedLamports > 0n && (
        <Row label="Already deactivating, counted">{solText(countedLamports)} SOL</Row>
      )}
      {forgoneSol !== 0 && (
        <Row label="Reward of the epoch in between, forgone">
          {forgoneSol === null ? 'Unknown' : `about ${solShort(forgoneSol)} SOL`}
        </Row>
      )}
      {costs && <Row label="Network fee">{solText(feesLamports)} SOL</Row>}
      {rentLamports > 0n && (
        <Row label="Rent of the new account, returned with it">{solText(rentLamports)} SOL</Row>
      )}
    </Rows>
  );
};

/** The wallet's amounts over time. Renders nothing if there is nothing to say. */
export const PlanOutcome = ({ plan }: { plan: StakePlan }) => {
  const when = whenSentence(planFacts(plan), Date.now());
  return when === null ? null : <p className={styles.when}>{when}</p>;
};
