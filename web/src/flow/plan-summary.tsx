// A plan before it is signed: every account that changes, before and after, and what is in the wallet when.
import type { StakePlan } from '../../../client/generated/transactions-operations.ts';
import { shortAddress, solShort, solText, timeText } from '../text/format-figures.ts';
import { stakeStateWords } from '../ui/pill.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { planFacts } from './plan-facts.ts';
import styles from './plan-summary.module.css';

type PlannedAccount = StakePlan['accounts'][number]['after'];

const Account = ({ account, none }: { account: PlannedAccount; none: string }) => (
  <td>
    {account === null ? (
      none
    ) : (
      <>
        <strong>{solShort(account.sol)} SOL</strong>
        <span>{stakeStateWords[account.state]}</span>
      </>
    )}
  </td>
);

/** The accounts in a table; how many stay as they are below it. */
export const PlanTable = ({ plan }: { plan: StakePlan }) => {
  const { changed, unchangedCount } = planFacts(plan);
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
                {shortAddress(stakeAccountAddress)}
              </th>
              <Account account={before} none="New" />
              <Account account={after} none="Closed" />
            </tr>
          ))}
        </tbody>
      </table>
      {unchangedCount > 0 && (
        <p className={styles.others}>
          {unchangedCount === 1
            ? '1 other account stays as it is.'
            : `${unchangedCount} other accounts stay as they are.`}
        </p>
      )}
    </div>
  );
};

/** What is in the wallet when; `costs` adds fee and rent. */
export const PlanRows = ({ plan, costs = false }: { plan: StakePlan; costs?: boolean }) => {
  const { nowLamports, later, countedLamports, feesLamports, rentLamports } = planFacts(plan);
  return (
    <Rows>
      {nowLamports > 0n && <Row label="In your wallet at once">{solText(nowLamports)} SOL</Row>}
      {later.map(({ lamports, estimatedAt, earliestAt, latestAt }) => {
        const [from, to] = [timeText(earliestAt), timeText(latestAt)];
        return (
          <Row
            key={estimatedAt}
            label={`Can be withdrawn from ${timeText(estimatedAt)}${from === to ? '' : ` (between ${from} and ${to})`}`}
          >
            {solText(lamports)} SOL
          </Row>
        );
      })}
      {countedLamports > 0n && (
        <Row label="Already cooling down, counted">{solText(countedLamports)} SOL</Row>
      )}
      {costs && <Row label="Network fee">{solText(feesLamports)} SOL</Row>}
      {rentLamports > 0n && (
        <Row label="Rent of the new account, returned with it">{solText(rentLamports)} SOL</Row>
      )}
    </Rows>
  );
};
