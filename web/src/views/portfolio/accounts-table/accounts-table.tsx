// A compact table for many stake accounts, with sorting, details, and selection for bulk actions.
import { Fragment, memo, useMemo, useRef, useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { Address } from '../../../ui/address.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Pill, StakeStatePill } from '../../../ui/pill.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import type { AccountItemProps } from '../accounts/account-actions.tsx';
import { AccountBody, ControlPill } from '../accounts/account-item.tsx';
import { type AccountColumn, type AccountOrder, nextDate, orderAccounts } from './account-order.ts';
import styles from './accounts-table.module.css';
import { SelectionBar } from './selection-bar.tsx';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

const COLUMNS = [
  ['account', 'columnAccount'],
  ['state', 'columnState'],
  ['sol', 'columnSol'],
  ['since', 'columnSince'],
  ['next', 'columnNext'],
] as const satisfies readonly (readonly [AccountColumn, keyof typeof portfolioAccountsEnglish])[];

type Shared = Omit<AccountItemProps, 'account' | 'explorerUrl'>;

interface RowProps extends Shared {
  readonly account: StakeAccount;
  readonly isTicked: boolean;
  readonly isOpen: boolean;
  readonly onTick: (address: string) => void;
  readonly onOpen: (address: string) => void;
}

const AccountRow = memo(({ account, isTicked, isOpen, onTick, onOpen, ...shared }: RowProps) => {
  const { timing, canAct, validatorVoteAccount } = shared;
  const { address, state, voteAccount, role, stakeAuthority } = account;
  const name = say('accountName', { address: shortAddress(address) });
  return (
    <Fragment>
      <tr className={styles.row} data-account={address} data-state={state}>
        {canAct && (
          <td className={styles.tick}>
            <input
              type="checkbox"
              aria-label={say('select', { name })}
              checked={isTicked}
              onChange={() => onTick(address)}
            />
          </td>
        )}
        <th scope="row" className={styles.account}>
          {/* Rendered without effects, because hundreds of rows may move together. */}
          <a
            href={account.explorerUrl}
            title={address}
            aria-label={say('opensExplorer', { address: shortAddress(address) })}
            target="_blank"
            rel="noopener noreferrer"
          >
            {shortAddress(address)}
          </a>
          {role === 'staker' && <Pill>{say('unstakeOnly')}</Pill>}
          {voteAccount !== null && voteAccount !== validatorVoteAccount && (
            <Pill tone="warn">{say('otherValidator')}</Pill>
          )}
          {role === 'owner' && stakeAuthority !== shared.walletAddress && <ControlPill />}
        </th>
        <td className={styles.state}>
          <StakeStatePill state={state} />
        </td>
        <td className={styles.sol}>
          <Sol amount={BigInt(account.lamports)} unit={false} />
        </td>
        <td className={styles.since}>{account.activationEpoch ?? '–'}</td>
        <td className={styles.next}>{nextDate(account, timing?.timing ?? null, Date.now()).words}</td>
        <td className={styles.more}>
          <button
            type="button"
            className={styles.open}
            aria-expanded={isOpen}
            aria-label={say('detailsOf', { name })}
            onClick={() => onOpen(address)}
          >
            <Icon name="down" size={16} />
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.opened}>
          <td colSpan={COLUMNS.length + 2}>
            <div className={styles.body}>
              <Address address={address} what={say('stakeAccount')} whole />
              <AccountBody {...shared} account={account} explorerUrl={account.explorerUrl} />
            </div>
          </td>
        </tr>
      )}
    </Fragment>
  );
});

const toggled = (set: ReadonlySet<string>, one: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
};

const NONE: ReadonlySet<string> = new Set();

/** A set of addresses that a row can change without being rendered again. */
const useSet = () => {
  const [set, change] = useState(NONE);
  const toggle = useRef((address: string) => change((now) => toggled(now, address))).current;
  return [set, toggle, change] as const;
};

export const AccountsTable = ({
  accounts,
  ...shared
}: Shared & {
  accounts: readonly StakeAccount[];
}) => {
  const [order, setOrder] = useState<AccountOrder>({ by: 'state', descending: false });
  const [ticked, onTick, setTicked] = useSet();
  const [open, onOpen] = useSet();
  const rows = useMemo(() => orderAccounts(accounts, order), [accounts, order]);
  const selected = rows.filter(({ address }) => ticked.has(address));
  const { timing, canAct, walletAddress, validatorVoteAccount } = shared;
  const isEach = selected.length === rows.length;
  return (
    <>
      {canAct && timing !== null && (
        <SelectionBar
          selected={selected}
          where={{ walletAddress, validatorVoteAccount, timing: timing.timing }}
          onClear={() => setTicked(NONE)}
        />
      )}
      <table className={styles.table}>
        <caption className="visually-hidden">{say('title')}</caption>
        <thead>
          <tr>
            {canAct && (
              <th scope="col" className={styles.tick}>
                <input
                  type="checkbox"
                  aria-label={say('selectAll')}
                  checked={isEach}
                  ref={(box) => {
                    if (box) box.indeterminate = selected.length > 0 && !isEach;
                  }}
                  onChange={() => setTicked(isEach ? NONE : new Set(rows.map(({ address }) => address)))}
                />
              </th>
            )}
            {COLUMNS.map(([key, title]) => {
              const isBy = order.by === key;
              return (
                <th
                  key={key}
                  scope="col"
                  className={styles[key]}
                  aria-sort={isBy ? (order.descending ? 'descending' : 'ascending') : undefined}
                >
                  <button
                    type="button"
                    className={classNames(styles.sort, isBy && styles.by, order.descending && styles.down)}
                    onClick={() => setOrder({ by: key, descending: isBy && !order.descending })}
                  >
                    {say(title)}
                    <Icon name="down" size={12} />
                  </button>
                </th>
              );
            })}
            <th scope="col" className={styles.more}>
              <span className="visually-hidden">{say('columnDetails')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((account) => (
            <AccountRow
              key={account.address}
              {...shared}
              account={account}
              isTicked={ticked.has(account.address)}
              isOpen={open.has(account.address)}
              onTick={onTick}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
    </>
  );
};
