// One stake account: its state, epochs, actions and authorities.

import { shortAddress, solShort } from '../../../text/format-figures.ts';
import { Address } from '../../../ui/address.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill, StakeStatePill } from '../../../ui/pill.tsx';
import { AccountActions, type AccountItemProps } from './account-actions.tsx';
import { AccountDetails } from './account-details.tsx';
import styles from './account-item.module.css';
import { AccountTimeline } from './account-timeline.tsx';
import { accountWarnings } from './account-warnings.ts';

/** Everything except name, state and amount. */
export const AccountBody = (props: AccountItemProps) => {
  const { account, walletAddress, timing } = props;
  const name = `stake account ${shortAddress(account.address)}`;
  return (
    <>
      <p className={styles.description}>{account.stateDescription}</p>
      {timing !== null && <AccountTimeline account={account} name={name} {...timing} />}
      {accountWarnings(account, walletAddress).map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <AccountActions {...props} />
      <AccountDetails account={account} walletAddress={walletAddress} />
    </>
  );
};

/** A list item. */
export const AccountItem = (props: AccountItemProps) => {
  const { account, validatorVoteAccount, explorerUrl } = props;
  return (
    <li className={styles.account} data-account={account.address} data-state={account.state}>
      <div className={styles.head}>
        <h3 className={styles.name}>
          <span className="visually-hidden">Stake account </span>
          <Address address={account.address} what="stake account" href={explorerUrl} />
        </h3>
        <StakeStatePill state={account.state} />
        {account.role === 'staker' && <Pill>Unstake only</Pill>}
        {account.voteAccount !== null && account.voteAccount !== validatorVoteAccount && (
          <Pill tone="warn">Other validator</Pill>
        )}
        <span className={styles.amount}>{solShort(account.sol)} SOL</span>
      </div>
      <AccountBody {...props} />
    </li>
  );
};
