// Formats the amounts in operator alerts for reading. `facts` contains the exact values.
import { formatSol } from '../lamports.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Amounts below this many lamports are too small to show. */
const SHOWN_STEP = 100_000n;

/**
 * Formats an amount with thousands separators and at most four decimals, truncated, e.g. `1,204.5`; `less
 * than 0.0001` for dust.
 */
export const shortSol = (lamports: bigint): string => {
  const magnitude = lamports < 0n ? -lamports : lamports;
  if (magnitude > 0n && magnitude < SHOWN_STEP) return 'less than 0.0001';
  const [whole, fraction] = formatSol((magnitude / SHOWN_STEP) * SHOWN_STEP).split('.');
  return `${lamports < 0n ? '-' : ''}${grouped.format(BigInt(whole!))}${fraction === undefined ? '' : `.${fraction}`}`;
};
