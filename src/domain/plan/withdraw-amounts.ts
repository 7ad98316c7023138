// Computes, as ranges, the amounts for which the withdraw planner has an exact plan.

import type { StakeAccount } from '../stake/stake-account.ts';
import { type AmountRange, joinedRanges, MAX_SUMS, type ReachableAmounts } from './amount-ranges.ts';
import { reachableAmounts } from './divide-amount.ts';
import { unstakeAmounts } from './goals/plan-unstake.ts';
import type { PlanInputs } from './plan.ts';
import { payableAccounts } from './plan-accounts.ts';
import {
  activeWorld,
  alreadyDeactivating,
  balanceWithoutIdle,
  freeTotal,
  idleLamports,
  neverEffective,
  neverEffectiveGroups,
  releasedAccounts,
  withdrawableAccounts,
} from './withdraw-amount-sources.ts';

/**
 * Limits on the combinations of whole accounts. If there are more combinations, only the widest ranges are
 * kept.
 */
const MAX_CHOICES_MADE = 10_000;
const MAX_CHOICES = 500;
/** Exceeds the total supply. */
const NO_END = 1n << 64n;

/** Amounts from `low` to `high` for which the same accounts are taken as a whole. */
interface Choice<Left> extends AmountRange {
  readonly takenLamports: bigint;
  readonly left: Left;
}

const width = ({ low, high }: AmountRange): bigint => high - low;

/**
 * Divides the range of all amounts according to the items that are taken as a whole, in order, as long as
 * they fit. `left` starts as `all`; `leave` and `take` return its value after an item is left or taken.
 */
const choicesInOrder = <Item, Left>(
  items: readonly Item[],
  lamportsOf: (item: Item) => bigint,
  all: Left,
  { leave, take }: Readonly<Record<'leave' | 'take', (left: Left, item: Item) => Left>>,
): { readonly choices: readonly Choice<Left>[]; readonly isComplete: boolean } => {
  const most = Math.max(8, Math.min(MAX_CHOICES, Math.floor(MAX_CHOICES_MADE / Math.max(1, items.length))));
  let isComplete = true;
  let choices: readonly Choice<Left>[] = [{ low: 0n, high: NO_END, takenLamports: 0n, left: all }];
  for (const item of items) {
    choices = choices.flatMap(({ low, high, takenLamports, left }) => {
      const fitsFrom = takenLamports + lamportsOf(item);
      const without = {
        low,
        high: high < fitsFrom ? high : fitsFrom - 1n,
        takenLamports,
        left: leave(left, item),
      };
      const withIt = {
        low: low > fitsFrom ? low : fitsFrom,
        high,
        takenLamports: fitsFrom,
        left: take(left, item),
      };
      return [without, withIt].filter((one) => one.low <= one.high);
    });
    if (choices.length <= most) continue;
    isComplete = false;
    choices = [...choices].sort((one, other) => (width(one) > width(other) ? -1 : 1)).slice(0, most);
  }
  return { choices, isComplete };
};

/** Intersects the range with the others, which are in ascending order. */
const common = (range: AmountRange, others: readonly AmountRange[]): readonly AmountRange[] => {
  const found: AmountRange[] = [];
  for (const { low, high } of others) {
    if (low > range.high) break;
    if (high < range.low) continue;
    found.push({ low: low > range.low ? low : range.low, high: high < range.high ? high : range.high });
  }
  return found;
};

const shifted = (ranges: readonly AmountRange[], by: bigint): readonly AmountRange[] =>
  ranges.map(({ low, high }) => ({ low: low + by, high: high + by }));

/**
 * Lists the amounts that free SOL can provide, by closing accounts and withdrawing idle lamports from the
 * others.
 */
const freeAmounts = (world: PlanInputs): ReachableAmounts => {
  const released = releasedAccounts(world);
  const idle = withdrawableAccounts(world).reduce((sum, one) => sum + idleLamports(one, world), 0n);
  const spare = {
    leave: (left: bigint) => left,
    take: (left: bigint, one: StakeAccount) => left - idleLamports(one, world),
  };
  const found = [released, [...released].reverse()].map((order) =>
    choicesInOrder(order, ({ lamports }) => lamports, idle, spare),
  );
  return joinedRanges(
    found.flatMap(({ choices }) =>
      choices.flatMap((choice) =>
        common(choice, [{ low: choice.takenLamports, high: choice.takenLamports + choice.left }]),
      ),
    ),
    found.every(({ isComplete }) => isComplete),
  );
};

/**
 * Lists the amounts for which more stake is deactivated than needed, and correspondingly less free SOL is
 * taken.
 */
const withLessOfFree = (
  free: readonly AmountRange[],
  active: readonly AmountRange[],
  freeLamports: bigint,
  coolingLamports: bigint,
): ReachableAmounts => {
  const most = Math.max(8, Math.floor(MAX_SUMS / free.length));
  const found = active.slice(1, most + 1).flatMap(({ low }, index) => {
    const gap = { low: active[index]!.high + 1n, high: low - 1n };
    return common(
      { low: gap.low + coolingLamports, high: gap.high + coolingLamports },
      shifted(free, low + coolingLamports - freeLamports),
    );
  });
  return joinedRanges(found, active.length - 1 <= most);
};

/** Lists all amounts, including 0, for which `planWithdrawAmount` has an exact plan. */
export const withdrawAmounts = (world: PlanInputs): ReachableAmounts => {
  const free = freeAmounts(world);
  const freeLamports = freeTotal(world);
  const cooling = alreadyDeactivating(world).lamports;
  const active = unstakeAmounts(activeWorld(world));
  const less = withLessOfFree(free.ranges, active.ranges, freeLamports, cooling);
  const later = joinedRanges([{ low: 0n, high: cooling }, ...shifted(active.ranges, cooling)]);
  const laterWithLess = joinedRanges([...later.ranges, ...less.ranges]);
  const nothing = { leave: () => null, take: () => null };
  const never = choicesInOrder(neverEffective(world), (one) => balanceWithoutIdle(one, world), null, nothing);
  const atOnce = reachableAmounts(neverEffectiveGroups(world, payableAccounts(activeWorld(world))));
  const most = Math.max(8, Math.floor(MAX_SUMS / later.ranges.length));
  const beyond = never.choices.slice(0, most).flatMap(({ low, high, takenLamports }) => {
    const rest = takenLamports === 0n ? laterWithLess : later;
    return common({ low: low > 1n ? low : 1n, high }, shifted(rest.ranges, takenLamports));
  });
  return joinedRanges(
    [...free.ranges, ...shifted([...atOnce.ranges, ...beyond], freeLamports)],
    [free, active, less, later, laterWithLess, never, atOnce].every(({ isComplete }) => isComplete) &&
      never.choices.length <= most,
  );
};
