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

/** The known income of an epoch, and the titles of unknown parts. */
interface KnownIncome {
  readonly lamports: bigint;
  readonly unknown: readonly string[];
  /** True if a part is unknown and all known parts are 0, so the sum is meaningless. */
  readonly isUnknown: boolean;
}

export const incomeOf = (epoch: OwnEpoch): KnownIncome => {
  const parts = INCOME_PARTS.map(({ key, title }) => ({ title, sol: completePart(epoch, key) }));
  const lamports = parts.reduce((sum, { sol }) => sum + (sol === null ? 0n : lamportsOf(sol)), 0n);
  const unknown = parts.filter(({ sol }) => sol === null).map(({ title }) => title.toLowerCase());
  return { lamports, unknown, isUnknown: unknown.length > 0 && lamports === 0n };
};

type OwnFacts = Pick<OwnValidator, 'apy' | 'blockRewardsOffered'>;

/** Lists the unknown parts, separated into those that can be read later and those that never can. */
const unreadTexts = (unknown: readonly string[], { blockRewardsOffered }: OwnFacts): readonly string[] => {
  const later = unknown.filter((part) => blockRewardsOffered || part !== 'block rewards');
  return [
    ...(later.length === 0 ? [] : [`Currently unavailable: ${later.join(', ')}`]),
    ...(later.length === unknown.length
      ? []
      : ['Block rewards are unknown, because your RPC node does not serve them']),
  ];
};

/** Explains what the validator earns if it charges no commission. */
const withoutCommission = ({ apy }: OwnFacts): readonly string[] =>
  apy?.commission === 0 ? ['Your commission is 0%, so you earn block rewards and tips'] : [];

/** Describes what is unknown about the income of an epoch, and explains a missing commission. */
export const incomeNote = ({ unknown }: KnownIncome, own: OwnFacts): string | undefined =>
  [...unreadTexts(unknown, own), ...withoutCommission(own)].join('. ') || undefined;

/**
 * Explains why there is no chart of the income. Returns null if there is one. `epochs` must be ended epochs.
 */
export const missingIncome = (
  epochs: readonly OwnEpoch[],
  own: OwnFacts,
): { readonly title: string; readonly text: string } | null => {
  const incomes = epochs.map(incomeOf);
  if (incomes.some(({ lamports }) => lamports > 0n)) return null;
  if (incomes.length === 0)
    return { title: 'No income yet', text: 'It is recorded after the end of each epoch.' };
  const [{ unknown }] = incomes as [KnownIncome];
  const texts = [...withoutCommission(own), ...unreadTexts(unknown, own)];
  return {
    title: unknown.length === 0 ? 'No income in these epochs' : 'No known income',
    text: texts.map((text) => `${text}.`).join(' '),
  };
};
