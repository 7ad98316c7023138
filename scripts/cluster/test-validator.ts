// Runs one Agave test validator as a child process: starts it with short epochs, waits until it votes, stops or
// kills it, and restarts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeypairFile } from '../../cli/local/new-keypair.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import type { AgaveTools } from './agave-tools.ts';

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
/** Minimum number of slots that Agave allows. */
const MIN_SLOTS_PER_EPOCH = 32;
const DEFAULT_TICKS_PER_SLOT = 64;
const TICKS_PER_SECOND = 160;
const VOTES_WITHIN_MS = 180_000;
/** First of the validator's ports, below the range from which Linux assigns ports automatically. */
const DEFAULT_PORT = 18_899;

/** Options of the validator. All of them except the tools and the folder have defaults. */
export interface TestValidatorOptions {
  readonly tools: AgaveTools;
  /** Folder for the ledger, the log and the keypair file of the funded wallet. */
  readonly folder: string;
  /**
   * Number of slots per epoch. Default and minimum: 32. The leaders of an epoch are known once a slot of the
   * previous epoch is rooted, and the root is 32 votes behind. With 32 slots, a single skipped slot (as after a
   * kill) halts the chain forever at the end of its epoch.
   */
  readonly slotsPerEpoch?: number;
  /** Ticks per slot, at 160 ticks per second. Default: 64, for slots of 400 ms. */
  readonly ticksPerSlot?: number;
  /** JSON-RPC port. The following ports are used for WebSocket, faucet and gossip. Default: 18899. */
  readonly rpcPort?: number;
  /** Program image that replaces the bundled Stake program. */
  readonly stakeImage?: string;
  /** True (the default) starts a new chain. False continues the ledger in the folder. */
  readonly reset?: boolean;
}

/** A running validator that votes. */
interface TestValidator {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly voteAccount: string;
  readonly identity: string;
  readonly identityFile: string;
  /** Keypair file of a wallet with 500 million SOL. */
  readonly walletFile: string;
  readonly wallet: string;
  /** Duration of an epoch in ms if no slot is late. */
  readonly epochMs: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/**
 * Makes one JSON-RPC call and returns the response, even if it is a JSON-RPC error. Throws if the server does
 * not respond.
 */
export const askRpc = async <T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
  if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no result'}`);
  return result;
};

const addressOf = (keypairFile: string): string =>
  encodeBase58(Uint8Array.from(JSON.parse(readFileSync(keypairFile, 'utf8')) as number[]).subarray(32));

interface VoteAccounts {
  readonly current: readonly { votePubkey: string; nodePubkey: string; lastVote: number }[];
}

const untilItVotes = async (url: string, child: ChildProcess, log: string) => {
  const patience = AbortSignal.timeout(VOTES_WITHIN_MS);
  let firstVote: number | undefined;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The validator ended with ${child.exitCode ?? child.signalCode}; see ${log}.`);
    try {
      const finalized = await askRpc<number>(url, 'getSlot', [{ commitment: 'finalized' }]);
      const { current } = await askRpc<VoteAccounts>(url, 'getVoteAccounts');
      const [validator] = current;
      firstVote ??= validator?.lastVote;
      // After a restart, the ledger still shows earlier votes, so this waits for a new one.
      if (finalized > 0 && validator !== undefined && validator.lastVote > (firstVote ?? 0)) return validator;
    } catch {
      // The node is not listening yet.
    }
    if (patience.aborted)
      throw new Error(`The validator does not vote after ${VOTES_WITHIN_MS / 1_000} s; see ${log}.`);
    await delay(500);
  }
};

/** Starts the validator and resolves once it votes and a slot is finalized. */
export const startTestValidator = async (options: TestValidatorOptions): Promise<TestValidator> => {
  const { tools, folder, reset = true, rpcPort = DEFAULT_PORT } = options;
  const slotsPerEpoch = Math.max(options.slotsPerEpoch ?? MIN_SLOTS_PER_EPOCH, MIN_SLOTS_PER_EPOCH);
  const ticksPerSlot = options.ticksPerSlot ?? DEFAULT_TICKS_PER_SLOT;
  mkdirSync(folder, { recursive: true });
  const [ledger, log, walletFile] = ['ledger', 'validator.log', 'wallet.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const wallet = existsSync(walletFile) ? addressOf(walletFile) : createKeypairFile(walletFile);
  const args = [
    ['--ledger', ledger],
    ['--rpc-port', `${rpcPort}`],
    ['--faucet-port', `${rpcPort + 2}`],
    ['--gossip-port', `${rpcPort + 3}`],
    ['--dynamic-port-range', `${rpcPort + 4}-${rpcPort + 40}`],
    ['--bind-address', '127.0.0.1'],
    ['--mint', wallet],
    ['--slots-per-epoch', `${slotsPerEpoch}`],
    ['--ticks-per-slot', `${ticksPerSlot}`],
    ['--quiet'],
    ...(reset ? [['--reset']] : []),
    ...(options.stakeImage ? [['--upgradeable-program', STAKE_PROGRAM, options.stakeImage, 'none']] : []),
  ].flat();
  const out = openSync(log, reset ? 'w' : 'a');
  // Raises the limits on open files and locked memory. If the machine refuses this, the validator runs anyway.
  const raise = 'ulimit -n 1000000 2>/dev/null; ulimit -l unlimited 2>/dev/null; exec "$0" "$@"';
  const child = spawn('sh', ['-c', raise, tools.validator, ...args], { stdio: ['ignore', out, out] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(late);
  };
  const rpcUrl = `http://127.0.0.1:${rpcPort}`;
  try {
    const { votePubkey, nodePubkey } = await untilItVotes(rpcUrl, child, log);
    return {
      rpcUrl,
      wsUrl: `ws://127.0.0.1:${rpcPort + 1}`,
      voteAccount: votePubkey,
      identity: nodePubkey,
      identityFile: join(ledger, 'validator-keypair.json'),
      walletFile,
      wallet,
      epochMs: (slotsPerEpoch * ticksPerSlot * 1_000) / TICKS_PER_SECOND,
      ended,
      stop,
    };
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
};
