// Groups the changes of one transaction, and gives each group a title. Pure.
import { lamportsOf } from '../text/format-figures.ts';
import type { StakeFlows } from './operator-api.ts';

export type Change = StakeFlows['changes'][number];

/** The changes of one transaction. */
export interface ChangeGroup {
  readonly key: string;
  /** Title of the transaction, such as `Undo unstake`. */
  readonly title: string;
  /** The amount of stake that changed. */
  readonly lamports: bigint;
  readonly changes: readonly [Change, ...Change[]];
}

/**
 * Titles of transactions that the service does not know, by the kinds of their changes. The first of these
 * kinds that occurs determines the title. For example, splitting an account off and deactivating it counts as
 * an unstake.
 */
const TITLES = [
  ['leaving', 'Unstake'],
  ['stayed', 'Undo unstake'],
  ['delegated', 'Stake again'],
  ['joined', 'Stake'],
  ['left', 'Left'],
  ['withdrawer_changed', 'Withdraw authority changed'],
  ['staker_changed', 'Stake authority changed'],
  ['stake_changed', 'Split, merge or move'],
] as const;

/** Groups changes by transaction, or by wallet and slot if the transaction is unknown. `changes` keeps its order. */
export const groupChanges = (changes: readonly Change[]): readonly ChangeGroup[] =>
  [
    ...Map.groupBy(changes, ({ signature, walletAddress, slot }) => signature ?? `${walletAddress} ${slot}`),
  ].map(([key, group]) => {
    const [kind, title] = TITLES.find(([one]) => group.some((change) => change.kind === one)) ?? [];
    const moved = group.filter((change) => change.kind === kind);
    return {
      key,
      title: group[0]!.title ?? title ?? group[0]!.kind,
      lamports: moved.reduce((sum, { stakeSol }) => sum + lamportsOf(stakeSol), 0n),
      changes: group as [Change, ...Change[]],
    };
  });
