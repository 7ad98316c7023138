// Opens the validator's data: the providers, the operator's profile, the shared data and the sampler.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import { createRewardReads } from '../chain/validator/reward-reads.ts';
import { readValidatorInfo } from '../chain/validator/validator-info.ts';
import { createValidatorReads } from '../chain/validator/validator-reads.ts';
import { validatorWarnings } from '../domain/alerts/validator-notices.ts';
import { type Notice, rankedNotices } from '../domain/notice.ts';
import { readValidatorRecord } from '../events/poll-validator-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { runElected } from '../kernel/run-elected.ts';
import { runRepeatedly } from '../kernel/run-repeatedly.ts';
import type { LeaderElection } from '../store/engine/leader-election.ts';
import type { Outbox } from '../store/outbox/outbox.ts';
import type { Samples } from '../store/validator-samples.ts';
import { createJito, JITO_URL } from '../upstream/jito.ts';
import { createProfileFile } from '../upstream/profile/operator-profile.ts';
import { createStakewiz, STAKEWIZ_URL } from '../upstream/stakewiz.ts';
import { scanDelegators } from '../validator/delegator-scan.ts';
import { createOnChainProfile } from '../validator/on-chain-profile.ts';
import { createStatusPoll } from '../validator/poll-validator-status.ts';
import { beginRecordingSamples } from '../validator/record-validator-samples.ts';
import { isNotListed } from '../validator/validator-chain-facts.ts';
import {
  createValidatorFacts,
  type ValidatorFacts,
  type ValidatorYield,
} from '../validator/validator-facts.ts';
import { createValidatorStatusBoard, type ValidatorStatusBoard } from '../validator/validator-status.ts';

/** The providers' URLs, which may contain keys, and the path of the operator's profile. */
export interface ProviderPlaces {
  readonly stakewizUrl?: string | undefined;
  readonly jitoUrl?: string | undefined;
  readonly profileFile?: string | undefined;
}

/** Dependencies. */
interface OpenValidatorOptions {
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly cluster: ClusterState;
  readonly index: StakeIndex | null;
  readonly samples: Samples;
  readonly outbox: Pick<Outbox, 'checkpoint'>;
  readonly leadership: LeaderElection;
  readonly voteAccount: Address;
  readonly places: ProviderPlaces;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface OpenedValidator {
  readonly facts: ValidatorFacts;
  readonly status: ValidatorStatusBoard;
  /**
   * Polls the status and returns its notices. Rejects with `AppError('UPSTREAM_UNAVAILABLE')` if the chain
   * cannot be read.
   */
  readonly noticesNow: (signal: AbortSignal) => Promise<readonly Notice[]>;
  /**
   * Returns the yield: from memory while the sampler is polling, otherwise fetched. Rejects with
   * `AppError('UPSTREAM_UNAVAILABLE')` if neither the chain nor a provider responds.
   */
  readonly yieldNow: (signal: AbortSignal) => Promise<ValidatorYield>;
  /** Stops the sampler and closes the providers' connections. */
  readonly close: () => Promise<void>;
}

const MINUTE = 60_000;
const stakewizLifetimes = { validatorsMs: 5 * MINUTE, validatorMs: MINUTE, stakeHistoryMs: 10 * MINUTE };
const jitoLifetimes = { commissionMs: 5 * MINUTE, rewardsMs: 10 * MINUTE };
// Short lifetimes, because sandbox epochs last only minutes.
const sandboxLifetimes = {
  stakewiz: { validatorsMs: 30_000, validatorMs: 10_000, stakeHistoryMs: 10_000 },
  jito: { commissionMs: 10_000, rewardsMs: 10_000 },
};

/**
 * Returns the URL of a provider. The public services cover only mainnet-beta; other clusters have a provider
 * only if one is configured.
 */
const urlOr = (given: string | undefined, publicUrl: string, clusterName: string): string | undefined =>
  given ?? (clusterName === 'mainnet-beta' ? publicUrl : undefined);

const openProviders = ({ places, cluster, voteAccount, clock, logger }: OpenValidatorOptions) => {
  const { clusterName } = cluster;
  const isPublic = clusterName === 'mainnet-beta';
  const shared = { voteAccount, clock, logger };
  const stakewizUrl = urlOr(places.stakewizUrl, STAKEWIZ_URL, clusterName);
  const jitoUrl = urlOr(places.jitoUrl, JITO_URL, clusterName);
  return {
    network:
      stakewizUrl === undefined
        ? null
        : createStakewiz({
            ...shared,
            url: stakewizUrl,
            lifetimes: isPublic ? stakewizLifetimes : sandboxLifetimes.stakewiz,
          }),
    mev:
      jitoUrl === undefined
        ? null
        : createJito({
            ...shared,
            url: jitoUrl,
            lifetimes: isPublic ? jitoLifetimes : sandboxLifetimes.jito,
          }),
  };
};

/** Poll interval, in ms: three polls within the lifetime of a status. */
const POLL_EVERY_MS = 20_000;

/** Opens the validator's data and starts polling. */
export const openValidator = (options: OpenValidatorOptions): OpenedValidator => {
  const { pool, reads, cluster, index, samples, outbox, leadership, voteAccount, clock, logger } = options;
  const providers = openProviders(options);
  const closing = new AbortController();
  const lifetime = closing.signal;
  const profile =
    options.places.profileFile === undefined
      ? createOnChainProfile({
          readInfo: async (signal) =>
            readValidatorInfo(pool, (await facts.chain.own(signal)).listed.identity, { signal }),
          lifetime,
          clock,
          logger,
        })
      : createProfileFile(options.places.profileFile);
  const status = createValidatorStatusBoard(clock);
  const read = createValidatorFacts({
    ...providers,
    profile,
    voteAccount,
    chain: createValidatorReads(pool, reads),
    rewards: createRewardReads(pool),
    reads,
    cluster,
    scan: (epoch, signal) => scanDelegators(pool, voteAccount, epoch, signal),
    indexedDelegators: () => index?.totals()?.delegators ?? null,
    samples,
    noteState: status.noteState,
    clock,
    logger,
    lifetime,
  });
  const facts: ValidatorFacts = {
    ...read,
    apy: async (given) => {
      const apy = await read.apy(given);
      status.noteApy(apy);
      return apy;
    },
  };
  const runner = { leadership, clock, logger, signal: closing.signal };
  const pollStatus = createStatusPoll({
    facts,
    board: status,
    warningsIn: async (epoch) => validatorWarnings(await readValidatorRecord(outbox), epoch),
  });
  const work = [
    runRepeatedly('validator status', POLL_EVERY_MS, pollStatus, runner),
    runElected(
      'sampler',
      POLL_EVERY_MS,
      (signal) => {
        const record = beginRecordingSamples(facts, { clock, logger });
        return () => record(signal);
      },
      runner,
    ),
  ];
  return {
    facts,
    status,
    noticesNow: async (signal) => {
      // The poll also stores the status of a validator that is not listed, and rejects.
      await pollStatus(signal).catch((error: unknown) => {
        if (!isNotListed(error)) throw error;
      });
      return status.notices();
    },
    yieldNow: async (signal) => {
      const known = status.current()?.apy ?? (await facts.apy(signal));
      const { apy, inflationPerEpoch, tipsPerEpoch, schedule, spread, notices, warnings } = known;
      return {
        apy,
        schedule,
        interval: spread.interval,
        inflationPerEpoch,
        tipsPerEpoch,
        notices: rankedNotices([...status.notices(), ...notices, ...warnings]),
      };
    },
    close: async () => {
      closing.abort(new Error('the service stopped'));
      await Promise.all(work.map(({ ended }) => ended));
      await Promise.all([providers.network?.close(), providers.mev?.close()]);
    },
  };
};
