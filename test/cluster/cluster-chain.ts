// Queries the validator directly and through the solana command line, as a reference for Holdfast's
// responses.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { askRpc } from '../../scripts/cluster/test-validator.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const run = promisify(execFile);
const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111';
const ACTIVE_BYTE = 80;

/** Access to a running cluster and to the solana command line. */
export interface ClusterChain {
  readonly rpcUrl: string;
  readonly ask: <T>(method: string, params?: readonly unknown[]) => Promise<T>;
  /** Waits until the transfer is confirmed, and returns its signature. */
  readonly airdrop: (wallet: string, lamports: bigint) => Promise<string>;
  readonly balance: (address: string) => Promise<bigint>;
  readonly epoch: () => Promise<number>;
  /** Waits until the confirmed bank is in `epoch`. */
  readonly untilEpoch: (epoch: number) => Promise<void>;
  /** Waits until the epoch after `from` (default: the current epoch) has begun and its rewards are paid. */
  readonly nextEpoch: (from?: number) => Promise<number>;
  readonly rewardsActive: () => Promise<boolean>;
  /** Runs `solana …` and parses its JSON output. Throws with the output if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: the output of another program.
  readonly solana: (keypair: string, ...args: readonly string[]) => Promise<any>;
}

const confirmed = { commitment: 'confirmed' };

/** Creates access to the node at `rpcUrl`. `solanaProgram` is the path of the solana executable. */
export const createClusterChain = (rpcUrl: string, solanaProgram: string): ClusterChain => {
  const ask = <T>(method: string, params: readonly unknown[] = []) => askRpc<T>(rpcUrl, method, params);
  const until = async (holds: () => Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> => {
    const patience = AbortSignal.timeout(withinMs);
    while (!(await holds())) {
      patience.throwIfAborted();
      await delay(150);
    }
  };
  const epoch = async () => (await ask<{ epoch: number }>('getEpochInfo', [confirmed])).epoch;
  const rewardsActive = async () => {
    type Answer = { value: { data: [string, string] } | null };
    const { value } = await ask<Answer>('getAccountInfo', [
      EPOCH_REWARDS,
      { ...confirmed, encoding: 'base64' },
    ]);
    return value !== null && Buffer.from(value.data[0], 'base64')[ACTIVE_BYTE] === 1;
  };
  return {
    rpcUrl,
    ask,
    epoch,
    rewardsActive,
    airdrop: async (wallet, lamports) => {
      const signature = await ask<string>('requestAirdrop', [wallet, Number(lamports)]);
      await until(async () => {
        type Answer = { value: [{ confirmationStatus: string } | null] };
        const { value } = await ask<Answer>('getSignatureStatuses', [[signature]]);
        return value[0] !== null && value[0].confirmationStatus !== 'processed';
      });
      return signature;
    },
    balance: async (address) =>
      BigInt((await ask<{ value: number }>('getBalance', [address, confirmed])).value),
    untilEpoch: (wanted) => until(async () => (await epoch()) >= wanted),
    nextEpoch: async (from) => {
      const before = from ?? (await epoch());
      // An epoch of 500 slots took 128 s or more on a busy machine, hence the long time limit.
      await until(async () => (await epoch()) > before && !(await rewardsActive()), 4 * PATIENCE_MS);
      return epoch();
    },
    solana: async (keypair, ...args) => {
      const all = [
        '--url',
        rpcUrl,
        '--keypair',
        keypair,
        '--commitment',
        'confirmed',
        ...args,
        '--output',
        'json',
      ];
      try {
        const { stdout } = await run(solanaProgram, all, { maxBuffer: 2 ** 28 });
        return stdout.trim().startsWith('{') || stdout.trim().startsWith('[')
          ? JSON.parse(stdout)
          : stdout.trim();
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        throw new Error(`solana ${args.join(' ')}: ${stderr || stdout || String(error)}`);
      }
    },
  };
};
