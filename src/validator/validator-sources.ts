// Where facts about the validator come from, as narrow ports.
import type { Address } from '@solana/kit';
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import type { RewardReads } from '../chain/validator/reward-reads.ts';
import type { ValidatorReads } from '../chain/validator/validator-reads.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Samples } from '../store/validator-samples.ts';
import type { MevStatistics } from '../upstream/mev-statistics.ts';
import type { NetworkStatistics } from '../upstream/network-statistics.ts';
import type { ProfileFile } from '../upstream/profile/operator-profile.ts';

/** Who delegates, as one scan of the accounts delegated to the vote account saw it. */
export interface DelegatorScan {
  /** Wallets that are withdraw authority of at least one account without a deactivation. */
  readonly delegators: number;
  /** Accounts whose rewards stand for everybody's: the longest and largest stakes, at most 20. */
  readonly references: readonly Address[];
}

/** What the facts are made from. */
export interface ValidatorSources {
  readonly voteAccount: Address;
  readonly chain: ValidatorReads;
  readonly rewards: RewardReads;
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition' | 'stakeHistory'>;
  /** Scans the accounts delegated to the vote account. Throws `AppError('UPSTREAM_UNAVAILABLE')`. */
  readonly scan: (currentEpoch: bigint, signal: AbortSignal) => Promise<DelegatorScan>;
  /** The number of delegators where an index knows it without a scan; null while it does not. */
  readonly indexedDelegators: () => number | null;
  /** Validator statistics; null where the cluster has no such provider. */
  readonly network: NetworkStatistics | null;
  /** MEV statistics; null where the cluster has no such provider. */
  readonly mev: MevStatistics | null;
  readonly profile: ProfileFile;
  readonly samples: Samples;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the service stops. */
  readonly lifetime: AbortSignal;
}
