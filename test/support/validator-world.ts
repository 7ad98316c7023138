// All parts that read the validator, real ones on a sandbox, without a service and with a clock that a test
// controls.
import type { Address } from '@solana/kit';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { createClusterState } from '../../src/chain/cluster/cluster-state.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { createRewardReads } from '../../src/chain/validator/reward-reads.ts';
import { createValidatorReads } from '../../src/chain/validator/validator-reads.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import type { Store } from '../../src/store/store.ts';
import { createJito } from '../../src/upstream/jito.ts';
import { createProfileFile } from '../../src/upstream/profile/operator-profile.ts';
import { createStakewiz } from '../../src/upstream/stakewiz.ts';
import { scanDelegators } from '../../src/validator/delegator-scan.ts';
import { createStatusPoll } from '../../src/validator/poll-validator-status.ts';
import { beginRecordingSamples } from '../../src/validator/record-validator-samples.ts';
import { createValidatorFacts, type ValidatorFacts } from '../../src/validator/validator-facts.ts';
import type { ValidatorSources } from '../../src/validator/validator-sources.ts';
import {
  createValidatorStatusBoard,
  type ValidatorStatusBoard,
} from '../../src/validator/validator-status.ts';
import { patience } from './patience.ts';
import { QUICK_SANDBOX } from './sandbox-fixture.ts';
import { createRunningClock, type SteerableClock } from './steerable-clock.ts';
import { openTestStore } from './store-fixture.ts';
import type { Scope } from './temporary-folder.ts';

/** Polls the status and records samples, like two background loops of the service. */
interface Sampler {
  readonly poll: (signal: AbortSignal) => Promise<void>;
}

/** The parts. */
export interface ValidatorWorld {
  readonly sandbox: Sandbox;
  readonly clock: SteerableClock;
  readonly store: Store;
  readonly sources: ValidatorSources;
  readonly facts: ValidatorFacts;
  readonly board: ValidatorStatusBoard;
  readonly sampler: Sampler;
}

/** Opens the parts for one test. `change` replaces sources. */
export const openValidatorWorld = async (
  scope: Scope,
  options: SandboxOptions = {},
  change: (sources: ValidatorSources) => Partial<ValidatorSources> = () => ({}),
): Promise<ValidatorWorld> => {
  const closing: (() => unknown)[] = [];
  scope.after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options });
  closing.push(() => sandbox.close());
  const clock = createRunningClock();
  const logger = createLogger('silent');
  const pool = createRpcPool({ urls: [sandbox.rpcUrl], timeoutMs: 2_000, maxConcurrent: 8, clock, logger });
  closing.push(() => pool.close());
  const reads = createSolanaReads(pool);
  const voteAccount = sandbox.voteAccount as Address;
  const cluster = await createClusterState({
    pool,
    reads,
    clock,
    logger,
    signal: patience(),
    voteAccount,
    unknownClusterName: 'sandbox',
  });
  closing.push(() => cluster.close());
  const store = await openTestStore({ after: (close) => void closing.push(close) });
  const provider = { voteAccount, clock, logger };
  const network = createStakewiz({
    ...provider,
    url: sandbox.stakewizUrl,
    lifetimes: { validatorsMs: 5_000, validatorMs: 5_000, stakeHistoryMs: 5_000 },
  });
  const mev = createJito({
    ...provider,
    url: sandbox.jitoUrl,
    lifetimes: { commissionMs: 5_000, rewardsMs: 5_000 },
  });
  closing.push(
    () => network.close(),
    () => mev.close(),
  );
  const lifetime = new AbortController();
  closing.push(() => lifetime.abort(new Error('the test ended')));
  const real: ValidatorSources = {
    voteAccount,
    chain: createValidatorReads(pool, reads),
    rewards: createRewardReads(pool),
    reads,
    cluster,
    scan: (epoch, signal) => scanDelegators(pool, voteAccount, epoch, signal),
    indexedDelegators: () => null,
    network,
    mev,
    profile: createProfileFile(sandbox.profileFile),
    samples: store.samples,
    clock,
    logger,
    lifetime: lifetime.signal,
  };
  const sources = { ...real, ...change(real) };
  const facts = createValidatorFacts(sources);
  const board = createValidatorStatusBoard(clock);
  const pollStatus = createStatusPoll({ facts, board, warningsIn: async () => [] });
  const record = beginRecordingSamples(facts, sources);
  const sampler: Sampler = {
    poll: async (signal) => {
      for (const work of [pollStatus, record])
        await work(signal).catch((error: unknown) => {
          if (!isAppError(error)) throw error;
        });
    },
  };
  return { sandbox, clock, store, sources, facts, board, sampler };
};
