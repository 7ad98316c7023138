// A table of the changes to the stakers' accounts by transaction, newest first.
import { dateText } from '../text/format-figures.ts';
import { Address } from '../ui/address.tsx';
import { Sol } from '../ui/sol.tsx';
import styles from './console.module.css';
import { countWithNoun } from './count-with-noun.ts';
import { type Change, type ChangeGroup, groupChanges } from './group-changes.ts';
import { type ShortColumn, ShortTable } from './short-table.tsx';
import { WalletAddress } from './wallet-address.tsx';

/** Maximum number of addresses in a cell. */
const SHOWN = 3;

const Accounts = ({ changes }: ChangeGroup) => {
  const addresses = [...new Set(changes.map(({ stakeAccountAddress }) => stakeAccountAddress))];
  if (addresses.length > SHOWN) return countWithNoun(addresses.length, 'account');
  return (
    <span className={styles.addresses}>
      {addresses.map((address) => (
        <Address key={address} address={address} what="account address" />
      ))}
    </span>
  );
};

const columns: readonly ShortColumn<ChangeGroup>[] = [
  { key: 'at', title: 'When', cell: ({ changes: [{ at }] }) => dateText(at) },
  { key: 'epoch', title: 'Epoch', cell: ({ changes: [{ epoch }] }) => epoch, numeric: true },
  { key: 'what', title: 'What', cell: ({ title }) => title, place: 'subject' },
  {
    key: 'stake',
    title: 'Stake',
    cell: ({ lamports }) => <Sol amount={lamports} />,
    numeric: true,
    place: 'figure',
  },
  {
    key: 'wallet',
    title: 'Wallet',
    cell: ({ changes: [{ walletAddress, walletLabel }] }) => (
      <WalletAddress address={walletAddress} label={walletLabel} />
    ),
  },
  { key: 'account', title: 'Account', cell: Accounts },
  {
    key: 'signature',
    title: 'Transaction',
    cell: ({ changes: [{ signature }] }) =>
      signature === null ? '–' : <Address address={signature} what="signature" />,
    isEmpty: ({ changes: [{ signature }] }) => signature === null,
  },
];

/** Renders the table. `changes` must be sorted newest first. */
export const ChangesTable = ({ caption, changes }: { caption: string; changes: readonly Change[] }) => (
  <ShortTable caption={caption} columns={columns} rows={groupChanges(changes)} rowKey={({ key }) => key} />
);
