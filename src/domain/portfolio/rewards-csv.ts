// Formats rewards as CSV that all spreadsheets read the same way: exact decimals, and empty fields for unknown
// values, with the reason in the last column.
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

/** Builds the header and one line per reward, in the given order. */
export const rewardsCsv = (rewards: readonly DatedReward[]): string =>
  formatCsv([columns.map(([name]) => name), ...rewards.map((reward) => columns.map(([, of]) => of(reward)))]);
