// Builds one stake index in its own process, so its memory can be measured, and prints the result as a line of
// JSON.
import type { Address } from '@solana/kit';
import { request } from 'undici';
import { createStakeIndex } from '../src/chain/index/stake-index.ts';
import type { EpochPosition } from '../src/chain/ports.ts';
import { createRpcPool } from '../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../src/chain/solana.ts';
import { STAKE_ACCOUNT_BYTES } from '../src/domain/stake/stake-account.ts';
import { systemClock as clock } from '../src/kernel/clock.ts';
import { createLogger } from '../src/kernel/log/logger.ts';
import { positionAt } from '../test/support/chain-snapshots.ts';
import { median } from './benchmark-row.ts';
import { BENCH_SLOT, BENCH_VOTE_ACCOUNT, generatedWallet } from './index-memory-server.ts';

/** Measured memory and times. Bytes exclude the memory in use before the index. */
export interface IndexMemoryMeasurement {
  readonly accounts: number;
  /** Size of the heap and the array buffers after a garbage collection. */
  readonly steadyBytes: number;
  readonly steadyResidentBytes: number;
  readonly peakResidentBytes: number;
  readonly scanMs: number;
  /** Time to download the same response and discard it. */
  readonly downloadMs: number;
  readonly downloadBytes: number;
  readonly scanCpuMs: number;
  /** Duration of a second scan that finds only known accounts. */
  readonly rescanMs: number;
  /** Maximum time that the scan blocked the event loop. */
  readonly longestPauseMs: number;
  readonly lookupMicroseconds: number;
}

const collect = globalThis.gc ?? (() => undefined);
const held = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const RESIDENT_UNIT = 1_024;

const download = async (url: string): Promise<{ ms: number; bytes: number }> => {
  const startedMs = performance.now();
  const params = [null, { dataSlice: { offset: 0, length: STAKE_ACCOUNT_BYTES } }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getProgramAccounts', params });
  const response = await request(url, { method: 'POST', body });
  let bytes = 0;
  for await (const chunk of response.body) bytes += (chunk as Uint8Array).length;
  if (bytes === 0) throw new Error('nothing to download');
  return { ms: performance.now() - startedMs, bytes };
};

const measure = async (url: string, accountsEach?: number): Promise<IndexMemoryMeasurement> => {
  // Keeps the process alive, which the service's own timers do not.
  const alive = setInterval(() => undefined, 1_000);
  // The index repeats a failed scan forever, so its first warning ends the measurement.
  const logger = createLogger('warn', {
    write: (line) => {
      console.log(line.trim());
      process.exit(1);
    },
  });
  const pool = createRpcPool({ urls: [url], timeoutMs: 5_000, maxConcurrent: 4, clock, logger });
  const position: EpochPosition = positionAt(BigInt(BENCH_SLOT), clock.now());
  const positions = {
    epochPosition: async () => position,
    recentEpochPosition: async () => position,
    readChainSnapshot: () => Promise.reject(new Error('wallet lookups must not access anything but memory')),
  };
  // Collects garbage before the index exists, because the later collections of a larger heap take longer.
  const downloaded = await download(url);
  for (let i = 0; i < 4; i += 1) {
    collect();
    await clock.sleep(20);
  }
  const [heldBefore, residentBefore] = [held(), process.memoryUsage.rss()];
  // On a busy machine, this process also waits for a core. A pause therefore counts only as far as this thread
  // was working.
  const worked = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longestPauseMs, lastMs, lastWorkedMs] = [0, performance.now(), worked()];
  const ticking = setInterval(() => {
    const [nowMs, workedMs] = [performance.now(), worked()];
    longestPauseMs = Math.max(longestPauseMs, Math.min(nowMs - lastMs - 5, workedMs - lastWorkedMs));
    [lastMs, lastWorkedMs] = [nowMs, workedMs];
  }, 5);
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const index = createStakeIndex({
    pool,
    reads: createSolanaReads(pool),
    cluster: positions,
    voteAccount: BENCH_VOTE_ACCOUNT as Address,
    wsUrls: [],
    clock,
    logger,
    signal: new AbortController().signal,
    times: { keyScanMs: 0 },
  });
  while (index.totals() === null) await clock.sleep(2);
  const scanMs = performance.now() - startedMs;
  const cpu = process.cpuUsage(cpuBefore);
  const { accounts } = index.totals()!;
  // The scan for closed accounts follows immediately.
  while (index.progress().phase !== 'checking') await clock.sleep(0);
  const rescanStartedMs = performance.now();
  while (index.progress().phase !== 'idle') await clock.sleep(2);
  const rescanMs = performance.now() - rescanStartedMs;
  await index.close();
  clearInterval(ticking);
  const peakResidentBytes = process.resourceUsage().maxRSS * RESIDENT_UNIT - residentBefore;
  const wallets = Array.from(
    { length: 2_000 },
    (_, i) => generatedWallet(Math.floor((i * accounts) / 2_000), accountsEach) as Address,
  );
  collect();
  const passes = Array.from({ length: 9 }, () => {
    const passStartedMs = performance.now();
    for (const wallet of wallets)
      if (index.walletRows(wallet)?.rows.length === 0) throw new Error('a wallet is missing');
    return ((performance.now() - passStartedMs) * 1_000) / wallets.length;
  });
  const lookupMicroseconds = median(passes);
  for (let i = 0; i < 4; i += 1) {
    collect();
    await clock.sleep(20);
  }
  const measured = {
    accounts,
    steadyBytes: held() - heldBefore,
    steadyResidentBytes: process.memoryUsage.rss() - residentBefore,
    peakResidentBytes,
    scanMs,
    downloadMs: downloaded.ms,
    downloadBytes: downloaded.bytes,
    scanCpuMs: (cpu.user + cpu.system) / 1_000,
    rescanMs,
    longestPauseMs,
    lookupMicroseconds,
  };
  await pool.close();
  clearInterval(alive);
  return measured;
};

if (import.meta.main)
  console.log(
    JSON.stringify(
      await measure(process.argv[2]!, process.argv[3] === undefined ? undefined : Number(process.argv[3])),
    ),
  );
