// Adds up the validator's own income of an epoch, and names the parts that are unknown. Pure.
import { lamportsOf } from '../../text/format-figures.ts';
import type { OwnValidator } from '../operator-api.ts';

type OwnEpoch = OwnValidator['epochs'][number];

/** Parts of the income in display order. */
export const INCOME_PARTS = [
  { key: 'commissionSol', title: 'Commission', tone: 'accent' },
  { key: 'tipsSol', title: 'Tips', tone: 'warn' },
  { key: 'blockRewardsSol', title: 'Block rewards', tone: 'info' },
] as const;

/** Returns a part of the income; null if unknown or not complete yet. */
export const completePart = (epoch: OwnEpoch, key: (typeof INCOME_PARTS)[number]['key']): number | null =>
  key === 'blockRewardsSol' && epoch.leaderSlotsUnread !== 0 ? null : epoch[key];

/**
 * The known income of an epoch in lamports (null if all of it is unknown), and the titles of unknown parts.
 */
export const incomeOf = (
  epoch: OwnEpoch,
): { readonly lamports: bigint | null; readonly unknown: readonly string[] } => {
  const parts = INCOME_PARTS.map(({ key, title }) => ({ title, sol: completePart(epoch, key) }));
  const known = parts.flatMap(({ sol }) => (sol === null ? [] : [lamportsOf(sol)]));
  return {
    lamports: known.length === 0 ? null : known.reduce((sum, lamports) => sum + lamports, 0n),
    unknown: parts.filter(({ sol }) => sol === null).map(({ title }) => title.toLowerCase()),
  };
};
