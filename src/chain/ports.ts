// Ports to the chain for the layers above: typed reads, cluster values and submission. Types only.
import type { Address, Signature } from '@solana/kit';
import type { EpochPositionLike } from '../domain/epoch-clock.ts';
import type { StakeHistory } from '../domain/stake/stake-history.ts';

/** An account as the RPC returned it at `slot`. */
export interface ChainAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** Accounts read together; `null` where nothing exists. Same order as asked. */
export interface AccountsAtSlot {
  readonly slot: bigint;
  readonly accounts: readonly (ChainAccount | null)[];
}

/** Options of every read. */
export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Refuse answers of nodes that have not reached this slot (they are asked again or another node is). */
  readonly minContextSlot?: bigint;
  /** Default `confirmed`. */
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

/** Where a signature stands as one node sees it. `null` from `signatureStatuses` when the node has never seen it. */
export interface SignatureStatus {
  readonly slot: bigint;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
  /** The transaction error as the RPC words it, `null` when it succeeded. */
  readonly error: unknown;
}

/** Stateless typed reads. All throw `AppError('UPSTREAM_UNAVAILABLE')` when no RPC answers in time or an answer does not parse. */
export interface SolanaReads {
  readonly accounts: (addresses: readonly Address[], options: ReadOptions) => Promise<AccountsAtSlot>;
  /** Stake-program accounts of 200 bytes delegated to `voteAccount` (tag 2) whose withdrawer or staker is `wallet`. */
  readonly stakeAccountsOf: (
    wallet: Address,
    voteAccount: Address,
    options: ReadOptions,
  ) => Promise<{ slot: bigint; accounts: readonly ChainAccount[] }>;
  /** The part of `stakeAccountsOf` whose staker is `wallet`: one scan. */
  readonly stakeAccountsStakedBy: (
    wallet: Address,
    voteAccount: Address,
    options: ReadOptions,
  ) => Promise<{ slot: bigint; accounts: readonly ChainAccount[] }>;
  /** All 200-byte stake accounts, tags 1 and 2, delegated anywhere or nowhere, whose withdrawer is `wallet`. */
  readonly stakeAccountsWithdrawableBy: (
    wallet: Address,
    options: ReadOptions,
  ) => Promise<{ slot: bigint; accounts: readonly ChainAccount[] }>;
  readonly signaturesFor: (
    address: Address,
    options: ReadOptions & { limit: number; before?: Signature },
  ) => Promise<readonly AddressSignature[]>;
  /** Searches the whole history when `searchHistory`. `slot` is the context slot of the answering node. */
  readonly signatureStatuses: (
    signatures: readonly Signature[],
    options: ReadOptions & { searchHistory: boolean },
  ) => Promise<{ slot: bigint; statuses: readonly (SignatureStatus | null)[] }>;
  /** The wire bytes and outcome of a landed transaction, or null. */
  readonly transaction: (signature: Signature, options: ReadOptions) => Promise<LandedTransaction | null>;
}

/** A transaction found on chain. */
export interface LandedTransaction {
  readonly slot: bigint;
  readonly wireBytes: Uint8Array;
  /** Lamports before it, in the order of the message's accounts; absent where the node does not say them. */
  readonly preBalances?: readonly bigint[] | undefined;
  readonly error: unknown;
  readonly blockTimeSeconds: number | null;
}

/** A blockhash at `confirmed` and the last block height at which a transaction using it can land. */
export interface RecentBlockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** Height of the chain when it was read. */
  readonly blockHeight: bigint;
  readonly slot: bigint;
  /** When it expires if blocks keep coming as measured, ms since the Unix epoch. An estimate for people; heights decide. */
  readonly estimatedExpiresAtMs: number;
}

/** The numbers that move with the cluster's rules. Never constants. */
export interface ClusterLimits {
  /** The rent-exempt minimum of a stake account. */
  readonly stakeRentLamports: bigint;
  /** The rent-exempt minimum of an account without data: what a wallet must keep, or 0. */
  readonly walletRentLamports: bigint;
  /** The Stake program's `GetMinimumDelegation`. */
  readonly minimumDelegationLamports: bigint;
}

/** Where the cluster stands in its epoch, and how fast it moves. */
export interface EpochPosition extends EpochPositionLike {
  readonly absoluteSlot: bigint;
  /** The Clock sysvar's `unix_timestamp`, seconds; lockups are judged against it. */
  readonly unixTimestamp: bigint;
}

/** The chain at `position.absoluteSlot`: one answer of one node, so that epoch, freeze, rent and balances cannot be of different slots. */
export interface ChainSnapshot {
  readonly position: EpochPosition;
  readonly rent: Omit<ClusterLimits, 'minimumDelegationLamports'>;
  /** In the order asked; null where nothing exists. */
  readonly accounts: readonly (ChainAccount | null)[];
}

/** What is true of the cluster now: read for every answer, but for what holds for an epoch or is said to be cached. */
export interface ClusterState {
  /** Base58 genesis hash, equal over all RPC URLs. */
  readonly genesisHash: string;
  /** `mainnet-beta`, `testnet`, `devnet`, or `sandbox`/`custom` for other genesis hashes. */
  readonly clusterName: string;
  /** Read within the last 20 blocks, within a third of its life while no RPC answers; see `BlockhashKeeper.get` for `signer`. */
  readonly blockhash: (signal: AbortSignal, signer?: string) => Promise<RecentBlockhash>;
  /** Notes that `signer` sends a transaction under this blockhash. */
  readonly noteBlockhash: (blockhash: string, signer: string) => void;
  /** At most 96 accounts and where the chain stands, in one call; identical reads under way are one. */
  readonly readChainSnapshot: (addresses: readonly Address[], options: ReadOptions) => Promise<ChainSnapshot>;
  /** Rent as of the snapshot, without one as of the last that was read within a minute; the minimum delegation of its epoch. */
  readonly limits: (signal: AbortSignal, snapshot?: ChainSnapshot) => Promise<ClusterLimits>;
  /** A snapshot's position, without accounts. */
  readonly epochPosition: (signal: AbortSignal) => Promise<EpochPosition>;
  /**
   * At most 2 s old, without a round trip while it holds; read anew when a boundary is predicted within a second, in the first
   * second of an epoch and while rewards are active. Answers that show a position or judge by it read a snapshot.
   */
  readonly recentEpochPosition: (signal: AbortSignal) => Promise<EpochPosition>;
  readonly stakeHistory: (epoch: bigint, signal: AbortSignal) => Promise<StakeHistory>;
  /** The last valid block height of a blockhash handed out or seen recently; undefined for unknown ones. */
  readonly lastValidBlockHeightOf: (blockhash: string) => bigint | undefined;
  /** The height of the newest confirmed block, read now. */
  readonly blockHeight: (signal: AbortSignal) => Promise<bigint>;
}

/** A fully signed transaction on its way. */
export interface Submission {
  readonly wireBytes: Uint8Array;
  readonly signature: Signature;
  /** Its recent blockhash, where this process read the bytes or made them. */
  readonly blockhash?: string;
  /** The last block height at which it can land; for durable-nonce transactions only a bound on how long one waits. */
  readonly lastValidBlockHeight: bigint;
  /** Set for durable-nonce transactions: expires only when the nonce account's value moved. */
  readonly nonce?: { readonly account: Address; readonly value: string };
  /** These bytes may have been sent before, by an earlier process or by somebody else: they are never `refused`, only proven expired. Default false. */
  readonly maybeSentBefore?: boolean;
  /**
   * Not one of this service's own kinds: it is sent in a lane of its own and rebroadcast at growing pauses, so that it costs our own
   * transactions nothing. Default false.
   */
  readonly relayed?: boolean;
  /** It rests on what landed in this slot: a node that has not seen it is not asked for its preflight. Default: any node. */
  readonly minContextSlot?: bigint;
}

/** How a submission ended. Only these are ever claimed. */
export type SubmissionOutcome =
  | { readonly kind: 'confirmed'; readonly slot: bigint }
  /** Landed in a block, and failed there. */
  | { readonly kind: 'failed'; readonly slot: bigint; readonly error: unknown }
  /**
   * Refused by preflight, and no node was given it: `error` is the `TransactionError` as the RPC words it, `BlockhashNotFound` also
   * for a blockhash that expired before the first sending.
   */
  | { readonly kind: 'refused'; readonly error: unknown; readonly logs: readonly string[] }
  /** Proven never to have landed and never to land. */
  | { readonly kind: 'expired' }
  /** Every RPC stayed away until the deadline; what is true is not known. */
  | { readonly kind: 'unresolved' };

/** Sends the same bytes until the chain says how it ended. Never signs. */
export interface Submitter {
  /**
   * Joins a submission of the same signature that is already under way. `signal` ends the waiting, not the submission. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` when certainly nothing was sent because no RPC could be reached.
   */
  readonly submit: (submission: Submission, signal: AbortSignal) => Promise<SubmissionOutcome>;
  /** Asks without sending: `null` while it can still land, `unresolved` when no RPC answers. Never `refused`. */
  readonly settle: (
    submission: Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>,
    signal: AbortSignal,
  ) => Promise<SubmissionOutcome | null>;
  /** Resolves when nothing is in flight any more, or when `signal` aborts. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  readonly inFlight: number;
}
