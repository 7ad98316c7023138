// The wallets as a table. A wallet expands to show its accounts.
import { Fragment, useState } from 'react';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { dateText, percent } from '../../text/format-figures.ts';
import { classNames } from '../../ui/class-names.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Sol } from '../../ui/sol.tsx';
import table from '../../ui/table.module.css';
import compact from '../console-table.module.css';
import { TableFrame } from '../console-table.tsx';
import { countWithNoun } from '../count-with-noun.ts';
import type { Account } from '../operator-api.ts';
import type { Staker, StakerSort } from './group-stakers.ts';
import { interfaceWords } from './interface-words.ts';
import styles from './stakers-table.module.css';
import { StatePill } from './state-pill.tsx';

/** Sort order of the list. */
export interface Sorting {
  readonly sort: StakerSort;
  readonly order: 'asc' | 'desc';
}

const COLUMNS: readonly { readonly title: string; readonly sort?: StakerSort; readonly numeric?: true }[] = [
  { title: 'Wallet', sort: 'wallet' },
  { title: 'Accounts', sort: 'accounts', numeric: true },
  { title: 'Stake', sort: 'stake', numeric: true },
  { title: 'Share', numeric: true },
  { title: 'State' },
  { title: 'Staked since', sort: 'since' },
  { title: 'Through this service' },
  { title: 'First seen', sort: 'firstSeen' },
];

const shareText = (share: number): string => (share === 0 ? '–' : percent(share));

const sinceText = (epoch: number | null | undefined): string =>
  epoch === undefined ? '–' : epoch === null ? 'Genesis' : `Epoch ${epoch}`;

/** Describes when an account or a wallet was first seen. */
export const firstSeenText = (iso: string | null): string => (iso === null ? '–' : dateText(iso));

/** Describes through which interface of this service the account was created, if it was. */
export const createdThroughText = ({ throughThisService, wayIn }: Account): string =>
  throughThisService === null
    ? 'Unknown'
    : throughThisService
      ? `Yes, ${interfaceWords[wayIn ?? ''] ?? wayIn}`
      : 'No';

/** Renders an address with `label` above it. */
const AddressButton = ({
  address,
  label = null,
  onClick,
}: {
  address: string;
  label?: string | null;
  onClick: () => void;
}) => (
  <button type="button" className={styles.address} title={address} onClick={onClick}>
    {label !== null && <span className={styles.label}>{foreignText(label)}</span>}
    {shortAddress(address)}
    <span className="visually-hidden">: show history</span>
  </button>
);

const AccountRow = ({ account, onDetails }: { account: Account; onDetails: (address: string) => void }) => (
  <tr className={styles.account} data-account={account.stakeAccountAddress}>
    <td className={compact.subject}>
      <AddressButton
        address={account.stakeAccountAddress}
        onClick={() => onDetails(account.stakeAccountAddress)}
      />
    </td>
    <td />
    <td className={classNames(table.numeric, compact.figure)}>
      {account.state === 'inactive' ? '–' : <Sol amount={account.stakeSol} />}
    </td>
    <td className={table.numeric} data-label="Share">
      {shareText(account.sharePct)}
    </td>
    <td>
      <StatePill state={account.state} />
    </td>
    <td data-label="Staked since">
      {account.state === 'inactive' ? '–' : sinceText(account.activationEpoch)}
    </td>
    <td data-label="Through this service">{createdThroughText(account)}</td>
    <td data-label="First seen">{firstSeenText(account.firstSeenAt)}</td>
  </tr>
);

const WalletCells = ({ staker }: { staker: Staker }) => {
  const states = Map.groupBy(staker.accounts, ({ state }) => state);
  const through = staker.accounts.filter(({ throughThisService }) => throughThisService).length;
  return (
    <>
      <td className={table.numeric} data-label="Accounts">
        {staker.accounts.length}
      </td>
      <td className={classNames(table.numeric, compact.figure)}>
        {staker.stakeLamports === 0n ? '–' : <Sol amount={staker.stakeLamports} />}
      </td>
      <td className={table.numeric} data-label="Share">
        {shareText(staker.sharePct)}
      </td>
      <td>
        <span className={styles.states}>
          {[...states].map(([state, accounts]) => (
            <StatePill key={state} state={state} accounts={accounts.length} />
          ))}
        </span>
      </td>
      <td data-label="Staked since">{sinceText(staker.sinceEpoch)}</td>
      <td data-label="Through this service">
        {staker.accounts.some(({ throughThisService }) => throughThisService === null)
          ? 'Unknown'
          : through === 0
            ? 'No'
            : through === staker.accounts.length
              ? 'Yes'
              : countWithNoun(through, 'account')}
      </td>
      <td data-label="First seen">{firstSeenText(staker.firstSeenAt)}</td>
    </>
  );
};

/** Renders the table. `onDetails` receives the address of a wallet or an account. */
export const StakersTable = ({
  stakers,
  sorting,
  onSort,
  onDetails,
}: {
  stakers: readonly Staker[];
  sorting: Sorting;
  onSort: (sort: StakerSort) => void;
  onDetails: (address: string) => void;
}) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (wallet: string): void =>
    setOpen(
      open.has(wallet) ? new Set([...open].filter((one) => one !== wallet)) : new Set([...open, wallet]),
    );
  return (
    <TableFrame caption="Stakers">
      <thead className={compact.kept}>
        <tr>
          {COLUMNS.map(({ title, sort, numeric }) => (
            <th
              key={title}
              scope="col"
              className={classNames(numeric && table.numeric, sort === undefined && compact.unsorted)}
              aria-sort={
                sort === sorting.sort ? (sorting.order === 'asc' ? 'ascending' : 'descending') : undefined
              }
            >
              {sort === undefined ? (
                title
              ) : (
                <button type="button" className={styles.sort} onClick={() => onSort(sort)}>
                  {title}
                  <span aria-hidden="true">
                    {sort !== sorting.sort ? '' : sorting.order === 'asc' ? ' ▲' : ' ▼'}
                  </span>
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stakers.map((staker) => {
          const { walletAddress, label, accounts } = staker;
          const isOpen = open.has(walletAddress);
          return (
            <Fragment key={walletAddress}>
              <tr data-wallet={walletAddress}>
                <td className={compact.subject}>
                  <span className={styles.wallet}>
                    <Button
                      kind="quiet"
                      size="s"
                      icon="down"
                      className={classNames(styles.toggle, isOpen && styles.open)}
                      aria-expanded={isOpen}
                      aria-label={`Accounts of ${shortAddress(walletAddress)}`}
                      onClick={() => toggle(walletAddress)}
                    />
                    <AddressButton
                      address={walletAddress}
                      label={label}
                      onClick={() => onDetails(walletAddress)}
                    />
                  </span>
                </td>
                <WalletCells staker={staker} />
              </tr>
              {isOpen &&
                accounts.map((account) => (
                  <AccountRow key={account.stakeAccountAddress} account={account} onDetails={onDetails} />
                ))}
            </Fragment>
          );
        })}
      </tbody>
    </TableFrame>
  );
};
