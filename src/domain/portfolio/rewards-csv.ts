// Rewards as CSV that every spreadsheet reads alike: RFC 4180, exact decimals, empty where nothing is known.
import { formatSol } from '../lamports.ts';
import type { EpochReward } from './account-rewards.ts';

/** A reward of one account with the day it was paid. */
export interface DatedReward extends EpochReward {
  readonly stakeAccountAddress: string;
  /** ISO 8601, when the epoch's inflation reward was paid; null when not known. */
  readonly paidAt: string | null;
}

const NEEDS_QUOTES = /[",\r\n]/;

/** One field. Quotes are doubled, and whatever holds a comma, a quote or a line break is put in quotes. */
const field = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Lines of fields as RFC 4180 has them: CRLF after every one, the last included. */
export const csv = (lines: readonly (readonly string[])[]): string =>
  lines.map((fields) => `${fields.map(field).join(',')}\r\n`).join('');

const sol = (lamports: bigint | null): string => (lamports === null ? '' : formatSol(lamports));

const columns: readonly (readonly [name: string, of: (reward: DatedReward) => string])[] = [
  ['epoch', ({ epoch }) => String(epoch)],
  ['paidAt', ({ paidAt }) => paidAt ?? ''],
  ['stakeAccountAddress', ({ stakeAccountAddress }) => stakeAccountAddress],
  ['inflationSol', ({ inflationLamports }) => sol(inflationLamports)],
  ['tipsSol', ({ tipsLamports }) => sol(tipsLamports)],
  ['balanceAfterSol', ({ postBalanceLamports }) => sol(postBalanceLamports)],
  ['commissionPct', ({ commissionPct }) => (commissionPct === null ? '' : String(commissionPct))],
];

/** A header and one line a reward, in the order given. */
export const rewardsCsv = (rewards: readonly DatedReward[]): string =>
  csv([columns.map(([name]) => name), ...rewards.map((reward) => columns.map(([, of]) => of(reward)))]);
