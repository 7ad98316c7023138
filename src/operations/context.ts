// Everything an operation may use, as narrow ports. Built once in `app.ts`; tests build it from real parts.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads, Submitter } from '../chain/ports.ts';
import type { SearchBudget } from '../chain/rpc/search-budget.ts';
import type { SubmissionCaps } from '../chain/submission/submission-caps.ts';
import type { LandedStakeTransactions } from '../chain/transactions/landed-stake-transactions.ts';
import type { TransactionVersion } from '../chain/transactions/transaction.ts';
import type { RewardMemory } from '../chain/validator/reward-memory.ts';
import type { RewardReads } from '../chain/validator/reward-reads.ts';
import type { Notice } from '../domain/notice.ts';
import type { Apy } from '../domain/validator/apy.ts';
import type { WebhookSecrets } from '../events/delivery/webhook-secret.ts';
import type { AppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { DelegatorBook } from '../store/delegator-book.ts';
import type { FirstSeenMemory } from '../store/first-seen-memory.ts';
import type { IntentLog } from '../store/intent-log.ts';
import type { IntentsInFlight } from '../store/intents-in-flight.ts';
import type { Outbox } from '../store/outbox/outbox.ts';
import type { Policies } from '../store/policies.ts';
import type { SettledRewards } from '../store/settled-rewards.ts';
import type { TransactionRecords } from '../store/transaction-records.ts';
import type { Webhooks } from '../store/webhooks.ts';
import type { ValidatorFacts } from '../validator/validator-facts.ts';
import type { ValidatorStatusBoard } from '../validator/validator-status.ts';

/** What the operator decided, as far as operations need it. */
export interface ServiceSettings {
  readonly voteAccount: Address;
  readonly donationAddress: Address;
  /** Exact text of the memo that ends every transaction built here. */
  readonly memo: string;
  /** Lamports that stay in a wallet after staking so that it can pay for later transactions. */
  readonly feeReserveLamports: bigint;
  /** Base of explorer links, no trailing slash. */
  readonly explorerUrl: string;
  /** Appended to explorer links: which cluster they mean, e.g. `?cluster=devnet`; empty on mainnet. */
  readonly explorerQuery: string;
  /** Where secret keys are taken: `on` everywhere, `rest` over REST alone, `off` nowhere. */
  readonly oneShot: 'on' | 'rest' | 'off';
  /** What builders and one-shot operations make where the caller does not say. */
  readonly transactionVersion: TransactionVersion;
  /** `own`: submit takes only transactions that carry our memo. `any`: every valid transaction. */
  readonly submitPolicy: 'any' | 'own';
  /** First word of the texts that set and end autopilot policies. */
  readonly autopilotPrefix: string;
  /** What deleting a webhook demands: the wallet's address, or the registration's secret too. */
  readonly webhookDelete: 'wallet' | 'secret';
  /** Most registrations made within 24 hours for one callback host that has not answered them. */
  readonly webhooksPerHost: number;
  /** Most registrations in all. */
  readonly webhooksInAll: number;
  /** Where the source code of the running version is published. */
  readonly sourceUrl?: string | undefined;
}

/** A derived stake-account key: it creates one account once and controls nothing afterwards. */
interface StakeKey extends Disposable {
  readonly address: Address;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** Derives the stake-account key of one intent; the same arguments give the same key on every replica. */
export type DeriveStakeKey = (intent: {
  use: 'one-shot' | 'builder';
  wallet: Address;
  idempotencyKey: string;
}) => StakeKey;

/** One dependency as `/ready` shows it. Errors are words, never URLs. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly ageSeconds: number | null;
  readonly error: string | null;
  /** The service serves without it, slower or with less. Default false. */
  readonly optional?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The sandbox's control interface; absent on a real cluster. */
export interface SandboxControl {
  readonly state: (
    signal: AbortSignal,
  ) => Promise<{ rpcUrl: string; wsUrl: string; epoch: number; voteAccount: string; faucetAddress: string }>;
  readonly airdrop: (
    walletAddress: Address,
    lamports: bigint,
    signal: AbortSignal,
  ) => Promise<{ signature: string }>;
  readonly endEpochs: (count: number, signal: AbortSignal) => Promise<{ epoch: number }>;
  /** Has its validator behave otherwise; members that are missing stay as they are. */
  readonly setValidator: (
    conduct: { commissionBps?: number; votes?: boolean; ticketLamports?: number },
    signal: AbortSignal,
  ) => Promise<{
    commissionBps: number;
    votes: boolean;
    ticketLamports: bigint;
    admitted: boolean;
    balanceLamports: bigint;
  }>;
}

/** A published source file as it was when the process started. */
export interface SourceFile {
  readonly name: string;
  /** Relative to the project folder. */
  readonly path: string;
  /** Of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** UTF-8; its encoding is the file byte for byte. */
  readonly text: string;
}

/** What is known of the sources that this process runs. */
export interface SourceCode {
  /** Null when nothing proves it. */
  readonly gitCommit: string | null;
  /** By name. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Over every file under `src/`, as `sha256sum` would list them. */
  readonly treeSha256: string;
  readonly lockfileSha256: string | null;
  /** Whether the bytes loaded at the start differ from `gitCommit`; null if unknown. */
  readonly isDirty: () => Promise<boolean | null>;
  /** Per published file: the disk holds other bytes now than were loaded. Reads them anew. */
  readonly changedOnDisk: () => Promise<Readonly<Record<string, boolean>>>;
}

/** A package that this service hands out: the typed client, or the command line. */
export interface HandedPackage {
  readonly name: string;
  readonly version: string;
  /** Served under this name. */
  readonly file: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** The yield of staking here. Unknown parts are null, with a notice. */
export interface ValidatorYield {
  readonly apy: Apy;
  /** Shares of the effective stake per epoch. */
  readonly inflationPerEpoch: number | null;
  readonly tipsPerEpoch: number | null;
  /** Critical: nothing is to be projected. */
  readonly notices: readonly Notice[];
}

/** The ports of every operation. */
export interface Context {
  readonly settings: ServiceSettings;
  readonly reads: SolanaReads;
  readonly cluster: ClusterState;
  readonly submitter: Submitter;
  /** Knows every account delegated to our vote account; null where it is not run. */
  readonly index: StakeIndex | null;
  readonly rewardReads: RewardReads;
  /** What the chain and the providers say of the validator. */
  readonly validator: ValidatorFacts;
  /** What must be said of the validator before anybody signs, from memory alone. */
  readonly validatorStatus: ValidatorStatusBoard;
  /** Null where it is not known by any means. Rejects with `UPSTREAM_UNAVAILABLE`. */
  readonly validatorYield: ((signal: AbortSignal) => Promise<ValidatorYield>) | null;
  readonly intents: IntentLog;
  /** What landed, for histories and statistics. */
  readonly transactions: TransactionRecords;
  /** Answered calls by `METHOD /path`, of all runs and replicas. Rejects with `STORE_UNAVAILABLE`. */
  readonly endpointCounts: () => Promise<ReadonlyMap<string, number>>;
  /** What finalized transactions did to stake accounts. */
  readonly landedTransactions: LandedStakeTransactions;
  /** The RPC calls that searches of the past may make, for all callers together. */
  readonly searchBudget: SearchBudget;
  /** Rewards and transactions of the past that were read before. */
  readonly rewardMemory: RewardMemory;
  /** Rewards that cannot change any more, of every wallet that asked. */
  readonly settledRewards: SettledRewards;
  /** Webhook registrations. */
  readonly webhooks: Webhooks;
  /** Events and their deliveries. */
  readonly outbox: Outbox;
  readonly webhookSecrets: Pick<WebhookSecrets, 'of' | 'matches' | 'registrationIdOf' | 'offerKeyOf'>;
  /** Says why a callback URL may not be registered; null where it may. */
  readonly callbackTargets: { readonly validate: (callbackUrl: string) => AppError | null };
  /** Something new is due: deliver it now rather than at the next look. */
  readonly wakeDelivery: () => void;
  /** The autopilot's policies. */
  readonly policies: Policies;
  /** Tells the autopilot that a policy was set. */
  readonly wakeAutopilot: () => void;
  /** Who delegates to the validator, and since when; for the operator alone. */
  readonly book: DelegatorBook;
  readonly firstSeen: FirstSeenMemory;
  readonly flights: IntentsInFlight;
  /** Bounds what is submitted at once. */
  readonly submissionCaps: SubmissionCaps;
  readonly deriveStakeKey: DeriveStakeKey;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sandbox: SandboxControl | null;
  readonly source: SourceCode;
  /** Those that lie there. */
  readonly packages: () => readonly HandedPackage[];
  /** Where callers reach the service, no trailing slash; empty until it listens. */
  readonly publicUrl: () => string;
  readonly dependencies: () => Promise<Readonly<Record<string, DependencyHealth>>>;
  /** True from the first SIGTERM on. */
  readonly draining: () => boolean;
  /** Aborts when the service stops waiting for submissions. Work that must outlive its caller waits on this. */
  readonly lifetime: AbortSignal;
}
