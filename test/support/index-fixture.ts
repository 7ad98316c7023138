// Opens a stake index on a real sandbox, and creates an outside wallet's instructions for changes that the
// index must notice.
import { type Address, address, generateKeyPairSigner, type Instruction } from '@solana/kit';
import {
  getAuthorizeInstruction,
  getMergeInstruction,
  getMoveStakeInstruction,
  getSplitInstruction,
  StakeAuthorize,
} from '@solana-program/stake';
import { getCreateAccountInstruction } from '@solana-program/system';
import { STAKE_ACCOUNT_SPACE, STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { createClusterState } from '../../src/chain/cluster/cluster-state.ts';
import {
  createStakeIndex,
  type StakeChange,
  type StakeIndex,
  type StakeIndexTimes,
} from '../../src/chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../../src/chain/ports.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { PATIENCE_MS, patience } from './patience.ts';
import type { SandboxStaker } from './sandbox-staker.ts';

const logger = createLogger(process.env.LOG_LEVEL ?? 'silent');

/** Timers that never fire, so only the events that a test requests or causes occur. */
const NEVER: Partial<StakeIndexTimes> = {
  pollMs: 50,
  keyScanMs: 3_600_000,
  rescanGapMs: 0,
  retryMs: 50,
  rowAgeMs: 3_600_000,
  listAgeMs: 3_600_000,
};

export interface IndexFixture extends AsyncDisposable {
  readonly index: StakeIndex;
  readonly reads: SolanaReads;
  readonly cluster: ClusterState;
  /** All changes reported so far, oldest first. */
  readonly changes: readonly StakeChange[];
  /** Resolves with the first matching change, past or future. */
  readonly change: (fits: (change: StakeChange) => boolean) => Promise<StakeChange>;
}

/** Opens an index and waits for its first scan. */
export const openIndex = async (
  sandbox: Pick<Sandbox, 'rpcUrl' | 'wsUrl' | 'voteAccount'>,
  options: {
    times?: Partial<StakeIndexTimes>;
    rpcUrl?: string;
    wsUrls?: readonly string[];
    /** Maximum time to wait for an RPC response, in ms. */
    timeoutMs?: number;
  } = {},
): Promise<IndexFixture> => {
  await using opened = new AsyncDisposableStack();
  const lifetime = new AbortController();
  const pool = opened.adopt(
    createRpcPool({
      urls: [options.rpcUrl ?? sandbox.rpcUrl],
      timeoutMs: options.timeoutMs ?? 3_000,
      maxConcurrent: 16,
      clock,
      logger,
    }),
    (it) => it.close(),
  );
  const reads = createSolanaReads(pool);
  const cluster = opened.adopt(
    await createClusterState({ pool, reads, clock, logger, signal: patience() }),
    (it) => it.close(),
  );
  const index = opened.adopt(
    createStakeIndex({
      pool,
      reads,
      cluster,
      voteAccount: sandbox.voteAccount as Address,
      wsUrls: options.wsUrls ?? [sandbox.wsUrl],
      clock,
      logger,
      signal: lifetime.signal,
      times: { ...NEVER, ...options.times },
    }),
    (it) => it.close(),
  );
  const changes: StakeChange[] = [];
  const waiting = new Set<(change: StakeChange) => void>();
  index.onChange((change) => {
    changes.push(change);
    for (const tell of waiting) tell(change);
  });
  await until(() => index.totals() !== null, 'the first scan');
  const owned = opened.move();
  return {
    index,
    reads,
    cluster,
    changes,
    change: (fits) => {
      const past = changes.find(fits);
      if (past !== undefined) return Promise.resolve(past);
      return new Promise((resolve) => {
        const tell = (change: StakeChange) => {
          if (!fits(change)) return;
          waiting.delete(tell);
          resolve(change);
        };
        waiting.add(tell);
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

/**
 * Delay between two checks of `until`, in ms. The delay starts short and grows, because long waits must not
 * keep a core busy.
 */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [5, 100];

/** Waits until `isSo` returns true. Throws after a time that only a hanging test can reach. */
export const until = async (isSo: () => unknown, what: string): Promise<void> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; !(await isSo()); pauseMs = Math.min(1.25 * pauseMs, MAX_PAUSE_MS)) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await clock.sleep(pauseMs);
  }
};

/**
 * Returns the instructions that split `lamports` off into a new account, and its address. The instructions
 * contain the account's signer.
 */
export const splitOff = async (
  staker: SandboxStaker,
  stake: string,
  lamports: bigint,
  rentLamports: bigint,
) => {
  const target = await generateKeyPairSigner();
  const instructions: Instruction[] = [
    getCreateAccountInstruction({
      payer: staker.wallet,
      newAccount: target,
      lamports: rentLamports,
      space: STAKE_ACCOUNT_SPACE,
      programAddress: address(STAKE_PROGRAM),
    }),
    getSplitInstruction({
      stake: address(stake),
      splitStake: target.address,
      stakeAuthority: staker.wallet,
      args: lamports,
    }),
  ];
  return { address: target.address, instructions };
};

/** Merges `from`, which is closed, into `into`. */
export const mergeInto = (staker: SandboxStaker, into: string, from: string): Instruction =>
  getMergeInstruction({
    destinationStake: address(into),
    sourceStake: address(from),
    stakeAuthority: staker.wallet,
  });

/** Moves active stake between two accounts of the same wallet. */
export const moveStake = (staker: SandboxStaker, from: string, to: string, lamports: bigint): Instruction =>
  getMoveStakeInstruction({
    sourceStake: address(from),
    destinationStake: address(to),
    stakeAuthority: staker.wallet,
    args: lamports,
  });

/** Transfers one of the two authorities to another wallet. */
export const authorize = (
  staker: SandboxStaker,
  stake: string,
  to: string,
  role: 'Staker' | 'Withdrawer',
): Instruction =>
  getAuthorizeInstruction({
    stake: address(stake),
    authority: staker.wallet,
    arg0: address(to),
    arg1: StakeAuthorize[role],
  });
