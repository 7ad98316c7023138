// Everything that operations may use, in groups of narrow ports. `app.ts` builds it once; tests build only the
// groups that they need, from real parts.
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads, Submitter } from '../chain/ports.ts';
import type { SearchBudget } from '../chain/rpc/search-budget.ts';
import type { SubmissionCaps } from '../chain/submission/submission-caps.ts';
import type { StakeKeys } from '../chain/transactions/derive-stake-key.ts';
import type { LandedStakeTransactions } from '../chain/transactions/landed-stake-transactions.ts';
import type { RewardMemory } from '../chain/validator/reward-cache.ts';
import type { RewardReads } from '../chain/validator/reward-reads.ts';
import type { Notice } from '../domain/notice.ts';
import type { WebhookSecrets } from '../events/delivery/webhook-secret.ts';
import type { ActiveAlarm } from '../events/operator/alarm-watch.ts';
import type { AppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { FirstSeenMemory } from '../store/first-seen-memory.ts';
import type { Store } from '../store/store.ts';
import type { ValidatorFacts, ValidatorYield } from '../validator/validator-facts.ts';
import type { ValidatorStatusBoard } from '../validator/validator-status.ts';
import type { IntentsInFlight } from './act/intents/intents-in-flight.ts';
import type {
  DependencyHealth,
  NetworkLoad,
  SandboxControl,
  ServedPackage,
  ServiceSettings,
  SourceCode,
} from './service-ports.ts';
import type { SignLinks } from './transaction/sign-link.ts';

interface ChainPorts {
  readonly reads: SolanaReads;
  readonly cluster: ClusterState;
  readonly submitter: Submitter;
  readonly submissionCaps: SubmissionCaps;
  /** Contains every account delegated to our vote account. Null if the index is off. */
  readonly index: StakeIndex | null;
  readonly rewardReads: RewardReads;
  /** Cached reads of past rewards and transactions, which never change. */
  readonly rewardMemory: RewardMemory;
  readonly landedTransactions: LandedStakeTransactions;
  /** Budget of RPC calls for searches of past transactions, shared by all callers. */
  readonly searchBudget: SearchBudget;
  readonly stakeKeys: StakeKeys;
}

/** Records on disk, and the caches that belong to them. */
interface StorePorts
  extends Pick<
    Store,
    'intents' | 'transactions' | 'settledRewards' | 'webhooks' | 'outbox' | 'policies' | 'delegators'
  > {
  /** Intents that this process is currently performing. */
  readonly flights: IntentsInFlight;
  /** First epoch in which each delegated account was seen. Used only for the operator. */
  readonly firstSeen: FirstSeenMemory;
  /**
   * Number of completed calls by `METHOD /path`, across all runs and replicas. Rejects with
   * `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
   */
  readonly endpointCounts: () => Promise<ReadonlyMap<string, number>>;
}

interface ValidatorPorts {
  readonly facts: ValidatorFacts;
  /** Validator warnings shown before signing, read only from memory. */
  readonly status: ValidatorStatusBoard;
  /**
   * Reads the validator again, for `status` too, and returns its notices, most severe first. Rejects with
   * `AppError('UPSTREAM_UNAVAILABLE')` if the chain cannot be read.
   */
  readonly noticesNow: (signal: AbortSignal) => Promise<readonly Notice[]>;
  /**
   * Returns the yield; null if it is unknown. Rejects with `AppError('UPSTREAM_UNAVAILABLE')` if neither the
   * chain nor a provider responds.
   */
  readonly yieldNow: ((signal: AbortSignal) => Promise<ValidatorYield>) | null;
}

/** Webhook delivery and the autopilot. */
interface EventPorts {
  readonly webhookSecrets: Pick<WebhookSecrets, 'of' | 'matches' | 'registrationIdOf' | 'offerKeyOf'>;
  /** Returns the reason why a callback URL may not be registered; null if it may. */
  readonly callbackTargets: { readonly validate: (callbackUrl: string) => AppError | null };
  /** Delivers new events immediately instead of at the next poll. */
  readonly wakeDelivery: () => void;
  /** Registration ids of the configured destinations of operator alerts. */
  readonly alertDestinations: readonly string[];
  /** Makes the autopilot read its policies immediately. */
  readonly wakeAutopilot: () => void;
}

interface ServicePorts {
  readonly settings: ServiceSettings;
  /** Null on a real cluster. */
  readonly sandbox: SandboxControl | null;
  readonly source: SourceCode;
  /** Packages included in this installation. */
  readonly packages: () => readonly ServedPackage[];
  /** Base URL for callers, without a trailing slash. Empty until the service is listening. */
  readonly publicUrl: () => string;
  /** Links to the page; null if there is no page. */
  readonly signLinks: SignLinks | null;
  readonly dependencies: () => Promise<Readonly<Record<string, DependencyHealth>>>;
  readonly network: {
    readonly read: () => Promise<NetworkLoad>;
    /**
     * Returns the last measurement; null before the first. Also starts a new one in the background if the last
     * is older than `maxAgeMs`.
     */
    readonly last: (maxAgeMs: number) => NetworkLoad | null;
  };
  /** Alarms that are active in this process. */
  readonly alarms: () => readonly ActiveAlarm[];
  /** True from the first SIGTERM. */
  readonly draining: () => boolean;
  /**
   * Aborted when the service stops waiting for submissions. Use this signal for work that must outlive its
   * caller.
   */
  readonly lifetime: AbortSignal;
}

/** All ports. An operation takes only the groups that it uses. */
export interface Context {
  readonly chain: ChainPorts;
  readonly store: StorePorts;
  readonly validator: ValidatorPorts;
  readonly events: EventPorts;
  readonly service: ServicePorts;
  readonly clock: Clock;
  readonly logger: Logger;
}
