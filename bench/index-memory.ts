// The stake index of a large validator: memory per account, pauses during a scan, and lookups whose time does
// not grow with the index.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchRow } from './benchmark-row.ts';
import type { IndexMemoryMeasurement } from './index-memory-client.ts';

/**
 * Minimum data of an account: address, balance, two authorities and four numbers of the delegation. Lockups
 * are rare.
 */
const RAW_ACCOUNT_BYTES = 32 + 8 + 32 + 32 + 4 * 8;
/** Goal: maximum index memory per account. */
export const MAX_ACCOUNT_BYTES = 500;
/** Goal: maximum pause of the event loop during a scan, in ms. The response is parsed as it arrives. */
const MAX_PAUSE_MS = 100;
const MAX_RATIO = 2.5;
const MEGABYTE = 1_000_000;

const firstLine = async (child: ChildProcess, file: string): Promise<string> => {
  const lines = createInterface({ input: child.stdout! });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${String(code)}`))),
  ]);
  lines.close();
  return line;
};

const start = (file: string, args: readonly string[], flags: readonly string[] = []): ChildProcess => {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
};

/**
 * Generates `accounts` in one process, indexes them over HTTP in another, and returns the measurement. Throws
 * with the reason if they cannot be indexed. Each wallet has `accountsEach` accounts. By default, some have one
 * and some have two.
 */
export const measureIndexMemory = async (
  accounts: number,
  accountsEach?: number,
): Promise<IndexMemoryMeasurement> => {
  const each = accountsEach === undefined ? [] : [String(accountsEach)];
  const server = start('index-memory-server.ts', [String(accounts), ...each]);
  try {
    const [, port] = (await firstLine(server, 'the node')).split(' ');
    const client = start('index-memory-client.ts', [`http://127.0.0.1:${port}`, ...each], ['--expose-gc']);
    try {
      const line = JSON.parse(await firstLine(client, 'the index'));
      if ('level' in line) throw new Error([line.msg, line.err?.message].filter(Boolean).join(': '));
      return line as IndexMemoryMeasurement;
    } finally {
      client.kill();
    }
  } finally {
    server.kill();
  }
};

/**
 * Measures a large index and one a twentieth of its size. With the default of 200,000 accounts, this takes 30
 * s.
 */
export const benchIndexMemory = async ({ accounts = 200_000 } = {}): Promise<readonly BenchRow[]> => {
  const small = await measureIndexMemory(Math.ceil(accounts / 20));
  const large = await measureIndexMemory(accounts);
  const raw = accounts * RAW_ACCOUNT_BYTES;
  const name = `index of ${accounts.toLocaleString('en')} stake accounts`;
  const control = `raw bytes of the stored fields (${RAW_ACCOUNT_BYTES} each)`;
  const row = (
    what: string,
    [value, controlValue]: readonly [number, number],
    rest: Pick<BenchRow, 'control' | 'unit' | 'goal'>,
    met: boolean,
  ): BenchRow => ({ path: `${name}, ${what}`, value, controlValue, ...rest, met });
  return [
    row(
      'steady memory',
      [large.steadyBytes / MEGABYTE, raw / MEGABYTE],
      { control, unit: 'MB', goal: `≤ ${MAX_ACCOUNT_BYTES} bytes per account` },
      large.accounts === accounts && large.steadyBytes <= MAX_ACCOUNT_BYTES * accounts,
    ),
    row(
      'peak resident',
      [large.peakResidentBytes / MEGABYTE, raw / MEGABYTE],
      { control, unit: 'MB', goal: 'printed' },
      true,
    ),
    row(
      'first scan',
      [large.scanMs, large.downloadMs],
      { control: 'the same response, read and discarded', unit: 'ms', goal: 'printed' },
      true,
    ),
    row(
      'longest pause during a scan',
      [large.longestPauseMs, MAX_PAUSE_MS],
      { control: 'the goal', unit: 'ms', goal: '≤ 1×' },
      large.longestPauseMs <= MAX_PAUSE_MS,
    ),
    row(
      'wallet lookup',
      [large.lookupMicroseconds, small.lookupMicroseconds],
      { control: 'a twentieth of the accounts', unit: 'µs', goal: '≤ 2.5×' },
      large.lookupMicroseconds <= MAX_RATIO * small.lookupMicroseconds,
    ),
  ];
};

if (import.meta.main) console.table(await benchIndexMemory());
