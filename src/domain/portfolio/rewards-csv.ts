// Formats rewards as CSV that all spreadsheets read the same way: exact decimals, and empty fields for unknown
// values, with the reason in `unknownReason`.
import { formatCsv } from '../format-csv.ts';
import { formatSol } from '../lamports.ts';
import { balancesAround, type EpochReward } from './account-rewards.ts';

export interface DatedReward extends EpochReward {
  readonly stakeAccountAddress: string;
  /** ISO 8601 time at which the epoch's inflation reward was paid; null if unknown. */
  readonly paidAt: string | null;
}

const sol = (lamports: bigint | null): string => (lamports === null ? '' : formatSol(lamports));

const columns: readonly (readonly [name: string, of: (reward: DatedReward) => string])[] = [
  ['epoch', ({ epoch }) => String(epoch)],
  ['paidAt', ({ paidAt }) => paidAt ?? ''],
  ['stakeAccountAddress', ({ stakeAccountAddress }) => stakeAccountAddress],
  ['balanceBeforeSol', (reward) => sol(balancesAround(reward).beforeLamports)],
  ['inflationSol', ({ inflationLamports }) => sol(inflationLamports)],
  ['tipsSol', ({ tipsLamports }) => sol(tipsLamports)],
  ['balanceAfterSol', (reward) => sol(balancesAround(reward).afterLamports)],
  ['commissionPct', ({ commissionPct }) => (commissionPct === null ? '' : String(commissionPct))],
  ['unknownReason', ({ unknownReason }) => unknownReason ?? ''],
];

/**
 * Builds the header and one line per reward, in the given order. The last column is the validator's vote account,
 * because a table read later must not pass for all rewards of its stake accounts.
 */
export const rewardsCsv = (rewards: readonly DatedReward[], voteAccount: string): string =>
  formatCsv([
    [...columns.map(([name]) => name), 'voteAccount'],
    ...rewards.map((reward) => [...columns.map(([, of]) => of(reward)), voteAccount]),
  ]);
