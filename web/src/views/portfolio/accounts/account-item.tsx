// One stake account in a row: its state, its next date and its actions. Everything else expands on demand.
import { useId, useState } from 'react';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { alertAbove } from '../../../state/alert-above.ts';
import { useStore } from '../../../state/create-store.ts';
import { Address } from '../../../ui/address.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill, StakeStatePill } from '../../../ui/pill.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import { nextDate } from '../accounts-table/account-order.ts';
import {
  AccountActions,
  AccountHint,
  type AccountItemProps,
  DustAction,
  TakeBackAction,
} from './account-actions.tsx';
import { AccountDetails } from './account-details.tsx';
import styles from './account-item.module.css';
import { AccountTimeline } from './account-timeline.tsx';
import { accountWarnings } from './account-warnings.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

const nameOf = (address: string): string => say('accountName', { address: shortAddress(address) });

/**
 * A short label, shown while the alert above the view explains who controls the account and how to end that.
 */
export const ControlPill = () =>
  useStore(alertAbove).code === 'FOREIGN_STAKE_AUTHORITY' && (
    <Pill tone="bad">{say('controlledByOther')}</Pill>
  );

const Warnings = ({ account, walletAddress }: Pick<AccountItemProps, 'account' | 'walletAddress'>) =>
  accountWarnings(account, walletAddress, useStore(alertAbove).code).map((warning) => (
    <Notice key={warning} tone="warn">
      {warning}
    </Notice>
  ));

const Facts = (props: AccountItemProps) => {
  const { account, walletAddress, timing } = props;
  return (
    <>
      <AccountHint {...props} />
      {timing !== null && <AccountTimeline account={account} name={nameOf(account.address)} {...timing} />}
      <AccountDetails account={account} walletAddress={walletAddress} />
      <DustAction {...props} />
      <TakeBackAction {...props} />
    </>
  );
};

/** Renders everything except name, state and amount. */
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
          <span className="visually-hidden">{say('accountHeading')} </span>
          <Address address={account.address} what={say('stakeAccount')} href={explorerUrl} />
        </h3>
        <StakeStatePill state={account.state} />
        {account.role === 'staker' && <Pill>{say('unstakeOnly')}</Pill>}
        {account.voteAccount !== null && account.voteAccount !== validatorVoteAccount && (
          <Pill tone="warn">{say('otherValidator')}</Pill>
        )}
        {account.role === 'owner' && account.stakeAuthority !== props.walletAddress && <ControlPill />}
      </div>
      <p className={styles.next}>
        {canAct && timing?.timing.epochRewardsActive
          ? say('rewardsBeingPaid')
          : nextDate(account, timing?.timing ?? null, Date.now()).sentence}
      </p>
      <span className={styles.amount}>
        <Sol amount={BigInt(account.lamports)} />
      </span>
      <div className={styles.end}>
        <AccountActions {...props} />
        <button
          type="button"
          className={styles.open}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={say('detailsOf', { name: nameOf(account.address) })}
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
