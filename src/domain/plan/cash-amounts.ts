// Which amounts can be brought into the wallet exactly: those that the plan for cash finds, as ranges.
import {
  activeWorld,
  boundOf,
  coolingAlready,
  freeTotal,
  idleLamports,
  neverEffective,
  releasedAccounts,
  withdrawable,
} from './cash-sources.ts';
import { stakeOf } from './divide-pool.ts';
import type { PlanWorld } from './plan.ts';
import { canBeDivided } from './plan-accounts.ts';
import { unstakeAmounts } from './plan-unstake.ts';
import { type AmountRange, joinedRanges } from './reachable-amounts.ts';

/** Of more choices of whole accounts only the widest are looked at. */
const MOST_CHOICES = 500;
/** More than there is. */
const NO_END = 1n << 64n;

/** For all amounts from `low` to `high` the same accounts are taken whole. */
interface Choice<Item> extends AmountRange {
  readonly takenLamports: bigint;
  readonly left: readonly Item[];
}

const width = ({ low, high }: AmountRange): bigint => high - low;

/** Which items an amount takes whole, one after the other as long as they fit, for every amount. */
const choicesInOrder = <Item>(
  items: readonly Item[],
  lamportsOf: (item: Item) => bigint,
): readonly Choice<Item>[] => {
  let choices: readonly Choice<Item>[] = [{ low: 0n, high: NO_END, takenLamports: 0n, left: [] }];
  for (const item of items) {
    choices = choices.flatMap(({ low, high, takenLamports, left }) => {
      const fitsFrom = takenLamports + lamportsOf(item);
      const without = {
        low,
        high: high < fitsFrom ? high : fitsFrom - 1n,
        takenLamports,
        left: [...left, item],
      };
      const withIt = { low: low > fitsFrom ? low : fitsFrom, high, takenLamports: fitsFrom, left };
      return [without, withIt].filter((one) => one.low <= one.high);
    });
    if (choices.length > MOST_CHOICES)
      choices = [...choices]
        .sort((one, other) => (width(one) > width(other) ? -1 : 1))
        .slice(0, MOST_CHOICES);
  }
  return choices;
};

/** What the range and any of the others have in common. */
const common = (range: AmountRange, others: readonly AmountRange[]): readonly AmountRange[] =>
  others
    .map(({ low, high }) => ({
      low: low > range.low ? low : range.low,
      high: high < range.high ? high : range.high,
    }))
    .filter(({ low, high }) => low <= high);

const shifted = (ranges: readonly AmountRange[], by: bigint): readonly AmountRange[] =>
  ranges.map(({ low, high }) => ({ low: low + by, high: high + by }));

/** Out of what is free: accounts that are closed, and what the others can spare. */
const freeAmounts = (world: PlanWorld): readonly AmountRange[] => {
  const released = releasedAccounts(world);
  const idle = withdrawable(world).reduce((sum, one) => sum + idleLamports(one, world), 0n);
  return joinedRanges(
    [released, [...released].reverse()].flatMap((order) =>
      choicesInOrder(order, ({ lamports }) => lamports).flatMap((choice) => {
        const closed = released.filter((one) => !choice.left.includes(one));
        const spare = closed.reduce((sum, one) => sum - idleLamports(one, world), idle);
        return common(choice, [{ low: choice.takenLamports, high: choice.takenLamports + spare }]);
      }),
    ),
  );
};

/** Where more cools down than is wanted and as much less of what is free is taken. */
const withLessOfFree = (
  free: readonly AmountRange[],
  active: readonly AmountRange[],
  freeLamports: bigint,
  coolingLamports: bigint,
): readonly AmountRange[] =>
  active.slice(1).flatMap(({ low }, index) => {
    const gap = { low: active[index]!.high + 1n, high: low - 1n };
    return common(
      { low: gap.low + coolingLamports, high: gap.high + coolingLamports },
      shifted(free, low + coolingLamports - freeLamports),
    );
  });

/** Every amount from 0 on that `planCash` has an exact plan for, in ascending order; of very many choices some are missing. */
export const cashAmounts = (world: PlanWorld): readonly AmountRange[] => {
  const minimum = world.chain.minimumDelegationLamports;
  const free = freeAmounts(world);
  const freeLamports = freeTotal(world);
  const cooling = coolingAlready(world).lamports;
  const active = unstakeAmounts(activeWorld(world));
  const beyond = choicesInOrder(neverEffective(world), (one) => boundOf(one, world)).flatMap((choice) => {
    const { takenLamports, left } = choice;
    const largest = left
      .filter((one) => canBeDivided(one, world))
      .reduce((most, one) => (stakeOf(one) > most ? stakeOf(one) : most), 0n);
    const rest = [
      { low: 0n, high: cooling },
      ...shifted(active, cooling),
      { low: minimum, high: largest - minimum },
      ...(takenLamports === 0n ? withLessOfFree(free, active, freeLamports, cooling) : []),
    ];
    return common(
      { low: choice.low > 1n ? choice.low : 1n, high: choice.high },
      shifted(rest, takenLamports),
    );
  });
  return joinedRanges([...free, ...shifted(beyond, freeLamports)]);
};
