// One stake account in a row: its state, its next date and its actions. Everything else unfolds.
import { useId, useState } from 'react';
import { shortAddress, solShort } from '../../../text/format-figures.ts';
import { Address } from '../../../ui/address.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill, StakeStatePill } from '../../../ui/pill.tsx';
import { nextDate } from '../accounts-table/account-order.ts';
import { AccountActions, AccountHint, type AccountItemProps } from './account-actions.tsx';
import { AccountDetails } from './account-details.tsx';
import styles from './account-item.module.css';
import { AccountTimeline } from './account-timeline.tsx';
import { accountWarnings } from './account-warnings.ts';

const nameOf = (address: string): string => `stake account ${shortAddress(address)}`;

const Warnings = ({ account, walletAddress }: Pick<AccountItemProps, 'account' | 'walletAddress'>) =>
  accountWarnings(account, walletAddress).map((warning) => (
    <Notice key={warning} tone="warn">
      {warning}
    </Notice>
  ));

const Facts = (props: AccountItemProps) => {
  const { account, walletAddress, timing } = props;
  return (
    <>
      <p className={styles.description}>{account.stateDescription}</p>
      <AccountHint {...props} />
      {timing !== null && <AccountTimeline account={account} name={nameOf(account.address)} {...timing} />}
      <AccountDetails account={account} walletAddress={walletAddress} />
    </>
  );
};

/** Everything except name, state and amount. */
export const AccountBody = (props: AccountItemProps) => (
  <>
    <Warnings {...props} />
    <AccountActions {...props} />
    <Facts {...props} />
  </>
);

/** A list item. */
export const AccountItem = (props: AccountItemProps) => {
  const { account, validatorVoteAccount, explorerUrl, timing, canAct } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
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
      </div>
      <p className={styles.next}>
        {canAct && timing?.timing.epochRewardsActive
          ? 'Rewards are being paid. Changes are possible again in a few minutes.'
          : nextDate(account, timing?.timing ?? null, Date.now()).sentence}
      </p>
      <span className={styles.amount}>{solShort(account.sol)} SOL</span>
      <div className={styles.end}>
        <AccountActions {...props} />
        <button
          type="button"
          className={styles.open}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={`Details of ${nameOf(account.address)}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="down" size={16} />
        </button>
      </div>
      <div className={styles.wide}>
        <Warnings {...props} />
      </div>
      {isOpen && (
        <div className={styles.wide} id={id}>
          <Facts {...props} />
        </div>
      )}
    </li>
  );
};
