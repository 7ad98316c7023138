// Interfaces to the chain for the layers above: typed reads, cluster values and submission. Only types.
import type { Address, Signature } from '@solana/kit';
import type { EpochPositionLike } from '../domain/epoch-clock.ts';
import type { PriceLevel } from '../domain/priority-levels.ts';
import type { StakeHistory } from '../domain/stake/stake-history.ts';

/** An account as the RPC returned it at `slot`. */
export interface ChainAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** Accounts read together, in the requested order; `null` for missing accounts. */
export interface AccountsAtSlot {
  readonly slot: bigint;
  readonly accounts: readonly (ChainAccount | null)[];
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  /**
   * Refuses responses of nodes that have not reached this slot. The pool then retries or queries another
   * node.
   */
  readonly minContextSlot?: bigint;
  /** Default: `confirmed`. */
  readonly commitment?: 'processed' | 'confirmed' | 'finalized';
}

/** One row of `getSignaturesForAddress`. */
export interface AddressSignature {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly succeeded: boolean;
  readonly memo: string | null;
  readonly blockTimeSeconds: number | null;
}

/** Status of a signature on one node. `signatureStatuses` returns `null` if the node has never seen it. */
export interface SignatureStatus {
  readonly slot: bigint;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
  /** The transaction error in the RPC's format; `null` on success. */
  readonly error: unknown;
}

/**
 * Stateless typed reads. All throw `AppError('UPSTREAM_UNAVAILABLE')` if no RPC responds in time or a
 * response does not parse.
 */
export interface SolanaReads {
  readonly accounts: (addresses: readonly Address[], options: ReadOptions) => Promise<AccountsAtSlot>;
  /**
   * Returns the Stake-program accounts of 200 bytes delegated to `voteAccount` (tag 2) whose withdrawer or
   * staker is `wallet`.
   */
  readonly stakeAccountsOf: (
    wallet: Address,
    voteAccount: Address,
    options: ReadOptions,
  ) => Promise<{ slot: bigint; accounts: readonly ChainAccount[] }>;
  /** Returns the subset of `stakeAccountsOf` whose staker is `wallet`. Makes one scan. */
  readonly stakeAccountsStakedBy: (
    wallet: Address,
    voteAccount: Address,
    options: ReadOptions,
  ) => Promise<{ slot: bigint; accounts: readonly ChainAccount[] }>;
  /**
   * Returns all 200-byte stake accounts (tags 1 and 2) whose withdrawer is `wallet`, whether delegated or
   * not.
   */
  readonly stakeAccountsWithdrawableBy: (
    wallet: Address,
    options: ReadOptions,
  ) => Promise<{ slot: bigint; accounts: readonly ChainAccount[] }>;
  readonly signaturesFor: (
    address: Address,
    options: ReadOptions & { limit: number; before?: Signature },
  ) => Promise<readonly AddressSignature[]>;
  /**
   * Returns the statuses, and the context slot of the responding node. With `searchHistory`, also searches
   * the node's full history.
   */
  readonly signatureStatuses: (
    signatures: readonly Signature[],
    options: ReadOptions & { searchHistory: boolean },
  ) => Promise<{ slot: bigint; statuses: readonly (SignatureStatus | null)[] }>;
  /** Returns the wire bytes and the outcome of a landed transaction, or null. */
  readonly transaction: (signature: Signature, options: ReadOptions) => Promise<LandedTransaction | null>;
}

export interface LandedTransaction {
  readonly slot: bigint;
  readonly wireBytes: Uint8Array;
  /**
   * Lamports before the transaction, in the order of the message's accounts; absent if the node does not
   * report them.
   */
  readonly preBalances?: readonly bigint[] | undefined;
  /** Lamports after the transaction, likewise. */
  readonly postBalances?: readonly bigint[] | undefined;
  readonly error: unknown;
  readonly blockTimeSeconds: number | null;
}

/** A blockhash at `confirmed` and the last block height at which a transaction using it can land. */
export interface RecentBlockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** Block height of the chain at the time of the read. */
  readonly blockHeight: bigint;
  readonly slot: bigint;
  /**
   * Estimated expiry at the measured block rate, in ms since the Unix epoch. Only for display; block heights
   * decide.
   */
  readonly estimatedExpiresAtMs: number;
}

/** Limits that depend on the cluster's rules. Never hard-code them. */
export interface ClusterLimits {
  /** The rent-exempt minimum of a stake account. */
  readonly stakeRentLamports: bigint;
  /**
   * Rent-exempt minimum of an account without data. A wallet must keep at least this amount, or exactly 0.
   */
  readonly walletRentLamports: bigint;
  /** The Stake program's `GetMinimumDelegation`. */
  readonly minimumDelegationLamports: bigint;
}

export interface EpochPosition extends EpochPositionLike {
  readonly absoluteSlot: bigint;
  /** The Clock sysvar's `unix_timestamp`, in seconds. Lockups are compared with this time. */
  readonly unixTimestamp: bigint;
}

/**
 * The chain at `position.absoluteSlot`, from one response of one node, so epoch, rewards freeze, rent-exempt
 * minimum and balances are from the same slot.
 */
export interface ChainSnapshot {
  readonly position: EpochPosition;
  readonly rent: Omit<ClusterLimits, 'minimumDelegationLamports'>;
  /** Accounts in the requested order; null for missing accounts. */
  readonly accounts: readonly (ChainAccount | null)[];
}

/**
 * Current values of the cluster. Read for every response, except values that are fixed for an epoch or
 * documented as cached.
 */
export interface ClusterState {
  /** Base58 genesis hash, the same for all RPC URLs. */
  readonly genesisHash: string;
  /** `mainnet-beta`, `testnet`, `devnet`, or `sandbox`/`custom` for other genesis hashes. */
  readonly clusterName: string;
  /**
   * Returns a blockhash read within the last 20 blocks, or within a third of its lifetime while no RPC
   * responds. See `BlockhashKeeper.get` for `signer`.
   */
  readonly blockhash: (signal: AbortSignal, signer?: string) => Promise<RecentBlockhash>;
  /** Records that `signer` sends a transaction with this blockhash. */
  readonly noteBlockhash: (blockhash: string, signer: string) => void;
  /** Reads a blockhash newer than `blockhash`, which later transactions will use. */
  readonly renewBlockhash: (blockhash: string, signal: AbortSignal) => Promise<void>;
  /**
   * Reads at most 96 accounts and the chain's position in one call. Identical concurrent reads share one
   * request.
   */
  readonly readChainSnapshot: (addresses: readonly Address[], options: ReadOptions) => Promise<ChainSnapshot>;
  /**
   * Returns the rent-exempt minimum, from the given snapshot or else from one at most a minute old, and the
   * minimum delegation of that snapshot's epoch.
   */
  readonly limits: (signal: AbortSignal, snapshot?: ChainSnapshot) => Promise<ClusterLimits>;
  /** Reads the position from a new snapshot without accounts. */
  readonly epochPosition: (signal: AbortSignal) => Promise<EpochPosition>;
  /**
   * Returns a position at most `mostMs` old, by default 2 s. Makes no call while the last one is valid. Reads
   * the chain when a boundary is predicted within a second, in the first second of an epoch, and while
   * rewards are active. Responses that contain or depend on a position read a snapshot instead.
   */
  readonly recentEpochPosition: (signal: AbortSignal, mostMs?: number) => Promise<EpochPosition>;
  /** Returns the newest position read so far, however old; undefined before the first one. Makes no call. */
  readonly lastEpochPosition: () => EpochPosition | undefined;
  /** False while no RPC node responds, as far as the last calls showed. Makes no call. */
  readonly isReachable: () => boolean;
  readonly stakeHistory: (epoch: bigint, signal: AbortSignal) => Promise<StakeHistory>;
  /**
   * Returns the last valid block height of a blockhash that was recently handed out or seen; undefined for
   * unknown ones.
   */
  readonly lastValidBlockHeightOf: (blockhash: string) => bigint | undefined;
  /** Mean time between blocks in ms. See `BlockhashKeeper.blockDurationMs`. */
  readonly blockDurationMs: () => number;
  /** True if it is proven that no transaction with this blockhash can land any more. See `isBlockhashExpired`. */
  readonly isBlockhashExpired: (blockhash: string, signal: AbortSignal) => Promise<boolean>;
  /** Reads the height of the newest confirmed block. */
  readonly blockHeight: (signal: AbortSignal) => Promise<bigint>;
  /**
   * Estimates the price per compute unit for a transaction that writes `accounts`. The estimate is at most 2
   * s old. Asks up to three nodes and takes the median. Rejects only if `signal` is aborted.
   */
  readonly priorityPrice: (
    accounts: readonly Address[],
    level: PriceLevel,
    signal: AbortSignal,
  ) => Promise<PriceEstimate>;
}

export interface PriceEstimate {
  /** Micro-lamports per compute unit; null if no node returned an estimate. */
  readonly microLamports: bigint | null;
  /** True if the nodes' estimates differ by more than a factor of ten. */
  readonly differs: boolean;
}

/** A fully signed transaction to submit. */
export interface Submission {
  readonly wireBytes: Uint8Array;
  readonly signature: Signature;
  /** Recent blockhash of the transaction, if this process built or decoded it. */
  readonly blockhash?: string;
  /**
   * Last block height at which the transaction can land. For durable-nonce transactions, it only limits how
   * long the service waits.
   */
  readonly lastValidBlockHeight: bigint;
  /** Set for durable-nonce transactions, which only expire when the value of the nonce account changes. */
  readonly nonce?: { readonly account: Address; readonly value: string };
  /**
   * True if another process or client may have sent the same transaction before. The outcome is then never
   * `refused`; expiry must be proven. Default: false.
   */
  readonly maybeSentBefore?: boolean;
  /**
   * True for transactions built by others. They are sent in a separate lane and rebroadcast at growing
   * intervals, so that they do not slow down our own. Default: false.
   */
  readonly relayed?: boolean;
  /**
   * Slot of the transaction on which this one depends. Nodes that have not reached it are not used for
   * preflight. Default: any node.
   */
  readonly minContextSlot?: bigint;
}

/** Final outcome of a submission. */
export type SubmissionOutcome =
  | { readonly kind: 'confirmed'; readonly slot: bigint }
  /** Landed in a block, and failed there. */
  | { readonly kind: 'failed'; readonly slot: bigint; readonly error: unknown }
  /**
   * Refused by preflight and not received by any node. `error` is the RPC's `TransactionError`; also
   * `BlockhashNotFound` if the blockhash expired before the first send.
   */
  | { readonly kind: 'refused'; readonly error: unknown; readonly logs: readonly string[] }
  /** Proven not to have landed, and unable to land any more. */
  | { readonly kind: 'expired' }
  /**
   * The outcome is unknown: no RPC responded in time, the chain halted, or a transaction with a durable nonce has
   * not landed so far.
   */
  | { readonly kind: 'unresolved' };

/** Sends the same transaction until the chain shows the outcome. Never signs. */
export interface Submitter {
  /**
   * Joins a running submission of the same signature. `signal` ends the wait, not the submission. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` if no RPC could be reached and it is certain that nothing was sent.
   */
  readonly submit: (submission: Submission, signal: AbortSignal) => Promise<SubmissionOutcome>;
  /**
   * Reads the outcome without sending: `null` while the transaction can still land, `unresolved` if no RPC
   * responds. Never `refused`.
   */
  readonly settle: (
    submission: Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>,
    signal: AbortSignal,
  ) => Promise<SubmissionOutcome | null>;
  readonly inFlight: number;
}
