// Computes the limits of the stake amount in lamports: the cluster's minimum, the balance, and the fee reserve.
import { lamportsOf, percent, solField, solText } from '../../text/format-figures.ts';
import { type ReadSol, readSol } from '../../text/read-sol.ts';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';

const { say } = defineWords('stake', stakeEnglish);

/** The current limits. Without a connected wallet, `availableLamports` is null. */
export interface AmountLimits {
  readonly minimumLamports: bigint;
  /** Balance minus the fee reserve. */
  readonly availableLamports: bigint | null;
  readonly reserveLamports: bigint;
  /** The rent-exempt minimum, which stays in the stake account and is not delegated. */
  readonly rentLamports: bigint;
}

interface BalanceLimits {
  readonly minimumStakeSol: number;
  readonly availableToStake: number;
  readonly reserveForFees: number;
}

interface SimulatedLimits {
  readonly amountSol: number;
  readonly delegatedSol: number;
  readonly feeReserve: { readonly recommendedSol: number; readonly minimumStakeSol: number };
}

/** Returns the wallet's limits; without a wallet, the cluster's limits. Null while unknown. */
export const limitsOf = (
  balance: BalanceLimits | undefined,
  simulated: SimulatedLimits | undefined,
): AmountLimits | null => {
  if (simulated === undefined) return null;
  return {
    rentLamports: lamportsOf(simulated.amountSol) - lamportsOf(simulated.delegatedSol),
    minimumLamports: lamportsOf(balance?.minimumStakeSol ?? simulated.feeReserve.minimumStakeSol),
    reserveLamports: lamportsOf(balance?.reserveForFees ?? simulated.feeReserve.recommendedSol),
    availableLamports: balance === undefined ? null : lamportsOf(balance.availableToStake),
  };
};

/** Parses the field; `problem` explains why the amount cannot be staked. */
export const readAmount = (text: string, limits: AmountLimits | null): ReadSol => {
  const read = readSol(text);
  const { lamports } = read;
  if (lamports === null || limits === null) return read;
  const { minimumLamports, availableLamports, reserveLamports } = limits;
  if (lamports < minimumLamports)
    return { lamports, problem: say('belowMinimum', { amount: solText(minimumLamports) }) };
  if (availableLamports !== null && lamports > availableLamports)
    return {
      lamports,
      problem: say('aboveAvailable', {
        amount: solText(availableLamports),
        reserve: solText(reserveLamports),
      }),
    };
  return { lamports, problem: null };
};

/** Number of slider positions. */
export const SLIDER_STEPS = 200;

/** Maximum of the slider without a connected wallet. */
const CURIOUS_LAMPORTS = 100n * 1_000_000_000n;

const rangeOf = ({ minimumLamports, availableLamports }: AmountLimits): { low: number; high: number } => {
  const high = availableLamports ?? CURIOUS_LAMPORTS;
  return { low: Number(minimumLamports), high: Number(high > minimumLamports ? high : minimumLamports) };
};

/** Rounds to three significant digits, because a slider is imprecise anyway. */
const rounded = (lamports: number): bigint => {
  const digits = Math.max(7, Math.floor(Math.log10(lamports)) - 2);
  const step = 10 ** digits;
  return BigInt(Math.round(lamports / step)) * BigInt(step);
};

const within = (lamports: bigint, low: bigint, high: bigint): bigint =>
  lamports < low ? low : lamports > high ? high : lamports;

/** Returns the amount at a position; both ends are exact. */
export const amountAt = (position: number, limits: AmountLimits): string => {
  const { low, high } = rangeOf(limits);
  const highest = limits.availableLamports ?? CURIOUS_LAMPORTS;
  if (position <= 0) return solField(limits.minimumLamports);
  if (position >= SLIDER_STEPS) return solField(within(highest, limits.minimumLamports, highest));
  const lamports = low + ((high - low) * position) / SLIDER_STEPS;
  return solField(within(rounded(lamports), limits.minimumLamports, highest));
};

/** Returns the position of an amount. */
export const positionOf = (lamports: bigint | null, limits: AmountLimits): number => {
  const { low, high } = rangeOf(limits);
  if (lamports === null || high <= low) return 0;
  const value = Math.min(high, Math.max(low, Number(lamports)));
  return Math.round(((value - low) / (high - low)) * SLIDER_STEPS);
};

/** A labeled amount on the slider's scale. */
export interface Tick {
  readonly label: string;
  readonly lamports: bigint;
  /** From 0 to 1 along the slider. */
  readonly place: number;
}

/**
 * Returns ticks at a quarter, half and three quarters of the available SOL, or of the scale without a wallet.
 * Amounts below the minimum have no tick.
 */
export const ticksOf = (limits: AmountLimits): readonly Tick[] => {
  const { low, high } = rangeOf(limits);
  return [25, 50, 75].flatMap((share) => {
    const lamports = ((limits.availableLamports ?? CURIOUS_LAMPORTS) * BigInt(share)) / 100n;
    if (lamports <= limits.minimumLamports) return [];
    return {
      label: limits.availableLamports === null ? `${solText(lamports)} SOL` : percent(share, 0),
      lamports,
      place: (Number(lamports) - low) / (high - low),
    };
  });
};
