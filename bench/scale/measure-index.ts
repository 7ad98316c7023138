// The stake index and the delegator list of a very large validator, from a synthetic RPC node.
import { benchDelegators } from '../delegators.ts';
import { measureIndexMemory } from '../index-memory.ts';
import { formatFigure } from './load-world.ts';
import type { Measurement, ScaleCosts } from './scale-costs.ts';

/**
 * Indexes increasing numbers of accounts, up to `accounts` or until an index no longer fits, and fills the
 * delegator list.
 */
export const measureIndex = async ({
  accounts,
  delegators,
  say,
}: {
  readonly accounts: number;
  readonly delegators: number;
  readonly say: (text: string) => void;
}): Promise<Measurement> => {
  const rows: string[][] = [];
  let costs: Partial<ScaleCosts> = {};
  const accountsEach = accounts / delegators;
  for (const count of [accounts / 10, accounts / 4, accounts / 2, accounts].map(Math.round)) {
    try {
      const one = await measureIndexMemory(count, accountsEach);
      const { steadyBytes, peakResidentBytes, scanMs, scanCpuMs, downloadMs, longestPauseMs } = one;
      rows.push([
        count.toLocaleString('en'),
        Math.ceil(count / accountsEach).toLocaleString('en'),
        `${formatFigure(steadyBytes / 1e6, 'MB')} (${Math.round(steadyBytes / count)} bytes each)`,
        formatFigure(peakResidentBytes / 1e6, 'MB'),
        `${formatFigure(scanMs / 1_000, 's')} (${formatFigure(downloadMs / 1_000, 's')} of it to download)`,
        formatFigure(scanCpuMs / 1_000, 's'),
        formatFigure(longestPauseMs, 'ms'),
        formatFigure(one.lookupMicroseconds, 'µs'),
      ]);
      costs = {
        indexBytes: steadyBytes / count,
        scanPeakBytes: peakResidentBytes / count,
        scanCpuUs: (scanCpuMs * 1_000) / count,
        scanUpstreamBytes: one.downloadBytes / count,
      };
      say(`${count} accounts: ${JSON.stringify(one)}`);
    } catch (error) {
      rows.push([
        count.toLocaleString('en'),
        '',
        `**does not fit**: the response of one scan, about ${formatFigure((count * (costs.scanUpstreamBytes ?? 0)) / 1e6, 'MB')}, was not read (${(error as Error).message})`,
        '',
        '',
        '',
        '',
        '',
      ]);
      say(`${count} accounts: ${String(error)}`);
    }
  }
  const [, boundary, , pause] = await benchDelegators({ accounts: delegators });
  const list = `delegator list of ${delegators.toLocaleString('en')}: an epoch's changes recorded in ${formatFigure(boundary!.value / 1_000, 's')}, longest pause ${formatFigure(pause!.value, 'ms')}`;
  return {
    title: `index of up to ${accounts.toLocaleString('en')} stake accounts of ${delegators.toLocaleString('en')} delegators`,
    head: [
      'accounts',
      'wallets',
      'memory',
      'peak while scanning',
      'first scan',
      'its CPU',
      'longest pause',
      'lookup of a wallet',
    ],
    rows: [...rows, [list, '', '', '', '', '', '', '']],
    costs: { ...costs, delegatorsBoundaryUs: (boundary!.value * 1_000) / delegators },
  };
};
