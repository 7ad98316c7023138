// Computes the slider's track: its possible ranges, and the amount at each position.
import type { PreviewUnstakeAnswer } from '../../../../../client/generated/transactions-operations.ts';
import { type AmountRange, nearestAmounts } from '../../../../../src/domain/plan/amount-ranges.ts';
import { lamportsOf } from '../../../text/format-figures.ts';

/** Number of slider positions in addition to 0. */
export const TRACK_STEPS = 1_000;

/** Returns the possible ranges in lamports, ascending. */
export const rangesOf = ({ reachable }: Pick<PreviewUnstakeAnswer, 'reachable'>): readonly AmountRange[] =>
  reachable.map(({ fromSol, toSol }) => ({ low: lamportsOf(fromSol), high: lamportsOf(toSol) }));

/** Returns the maximum amount; 0 if nothing is possible. */
export const mostOf = (ranges: readonly AmountRange[]): bigint => ranges.at(-1)?.high ?? 0n;

const share = (lamports: bigint, most: bigint): number => Number((lamports * 100_000n) / most) / 1_000;

/** Returns the positions of the ranges on the track, in percent of its length. */
export const shadedParts = (
  ranges: readonly AmountRange[],
): readonly { readonly from: number; readonly width: number }[] => {
  const most = mostOf(ranges);
  return ranges.map(({ low, high }) => ({ from: share(low, most), width: share(high - low, most) }));
};

/** Returns the position of an amount on the slider. */
export const positionOf = (lamports: bigint | null, ranges: readonly AmountRange[]): number => {
  const most = mostOf(ranges);
  if (lamports === null || most === 0n) return 0;
  return Number(((lamports > most ? most : lamports) * BigInt(TRACK_STEPS)) / most);
};

/** Returns the step between round amounts: a thousandth of the maximum, rounded up to a power of ten. */
const stepOf = (most: bigint): bigint => 10n ** BigInt(String(most / BigInt(TRACK_STEPS)).length);

/** Returns the amount at a position: always a possible one, and a round one where there is one. */
export const amountAt = (position: number, ranges: readonly AmountRange[]): bigint => {
  const most = mostOf(ranges);
  if (position <= 0) return 0n;
  if (position >= TRACK_STEPS) return most;
  const step = stepOf(most);
  const exact = (most * BigInt(position)) / BigInt(TRACK_STEPS);
  const round = ((exact + step / 2n) / step) * step;
  const { isReachable, below, above } = nearestAmounts(ranges, round > 0n ? round : step);
  if (isReachable) return round > 0n ? round : step;
  if (below === null || above === null) return below ?? above ?? 0n;
  return exact - below < above - exact ? below : above;
};

/**
 * Returns the amount after a move to `position`. Always differs from the previous one, so no key press gets
 * stuck in a gap.
 */
export const movedAmount = (
  position: number,
  from: bigint | null,
  ranges: readonly AmountRange[],
): bigint => {
  const before = positionOf(from, ranges);
  const lamports = from ?? 0n;
  const amount = amountAt(position, ranges);
  const step = stepOf(mostOf(ranges));
  if (position > before && amount <= lamports) {
    const { above } = nearestAmounts(ranges, (lamports / step + 1n) * step);
    return above ?? mostOf(ranges);
  }
  if (position < before && amount >= lamports)
    return nearestAmounts(ranges, ((lamports - 1n) / step) * step).below ?? 0n;
  return amount;
};
