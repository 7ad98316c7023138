// Changes of the stakers' accounts, newest first.
import { dateText } from '../text/format-figures.ts';
import { Address } from '../ui/address.tsx';
import { Sol } from '../ui/sol.tsx';
import { type Column, Table } from '../ui/table.tsx';
import type { StakeFlows } from './operator-api.ts';
import { WalletAddress } from './wallet-address.tsx';

type Change = StakeFlows['changes'][number];

const KINDS: Readonly<Record<string, string>> = {
  joined: 'Joined',
  delegated: 'Staked again',
  leaving: 'Leaving',
  stayed: 'Stayed: unstake undone',
  stake_changed: 'Split, merged or moved',
  withdrawer_changed: 'Withdraw authority changed',
  staker_changed: 'Stake authority changed',
  left: 'Left',
};

const columns: readonly Column<Change>[] = [
  { key: 'at', title: 'When', cell: ({ at }) => dateText(at) },
  { key: 'epoch', title: 'Epoch', cell: ({ epoch }) => epoch, numeric: true },
  { key: 'kind', title: 'What', cell: ({ kind }) => KINDS[kind] ?? kind },
  { key: 'stake', title: 'Stake', cell: ({ stakeSol }) => <Sol amount={stakeSol} />, numeric: true },
  {
    key: 'wallet',
    title: 'Wallet',
    cell: ({ walletAddress, walletLabel }) => <WalletAddress address={walletAddress} label={walletLabel} />,
  },
  {
    key: 'account',
    title: 'Account',
    cell: ({ stakeAccountAddress }) => <Address address={stakeAccountAddress} what="account address" />,
  },
];

/** Renders the table. `changes` must be sorted newest first. */
export const ChangesTable = ({ caption, changes }: { caption: string; changes: readonly Change[] }) => (
  <Table
    caption={caption}
    columns={columns}
    rows={changes}
    rowKey={({ at, stakeAccountAddress, kind, stakeSol }) =>
      `${at} ${stakeAccountAddress} ${kind} ${stakeSol}`
    }
  />
);
