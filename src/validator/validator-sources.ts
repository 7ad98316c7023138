// Interfaces to the sources of data about the validator.
import type { Address } from '@solana/kit';
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import type { RewardReads } from '../chain/validator/reward-reads.ts';
import type { ValidatorReads } from '../chain/validator/validator-reads.ts';
import type { EarningState } from '../domain/validator/stake-earnings.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { Samples } from '../store/validator-samples.ts';
import type { MevStatistics } from '../upstream/mev-statistics.ts';
import type { NetworkStatistics } from '../upstream/network-statistics.ts';
import type { ProfileFile } from '../upstream/profile/operator-profile.ts';

/** Delegators found in one scan of the accounts delegated to the vote account. */
export interface DelegatorScan {
  /** Number of wallets with withdraw authority over at least one account that has not been deactivated. */
  readonly delegators: number;
  /**
   * Sample accounts whose rewards represent those of all accounts: the oldest and largest stakes, at most 20.
   */
  readonly references: readonly Address[];
}

/** Sources of data about the validator. */
export interface ValidatorSources {
  readonly voteAccount: Address;
  readonly chain: ValidatorReads;
  readonly rewards: RewardReads;
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition' | 'stakeHistory'>;
  /**
   * Scans the accounts delegated to the vote account. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC
   * node returns a usable response.
   */
  readonly scan: (currentEpoch: bigint, signal: AbortSignal) => Promise<DelegatorScan>;
  /** Returns the number of delegators if an index knows it without a scan; otherwise null. */
  readonly indexedDelegators: () => number | null;
  /** Source of validator statistics; null if the cluster has no such provider. */
  readonly network: NetworkStatistics | null;
  /** Source of MEV statistics; null if the cluster has no such provider. */
  readonly mev: MevStatistics | null;
  readonly profile: ProfileFile;
  readonly samples: Samples;
  /** Called with every state of the vote account that is read. Default: ignored. */
  readonly noteState?: (state: EarningState | 'closed') => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted when the service stops. */
  readonly lifetime: AbortSignal;
}
