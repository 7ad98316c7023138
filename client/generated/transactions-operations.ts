// Inputs and answers of the operations under "Transactions".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { EpochTiming, Meta, Notice, PriorityFee, Sentence, StakePlan } from './shared-types.ts';

/** The decoded instruction in a response. */
export interface DecodedInstruction {
  /** Name of the program, e.g. `Stake`. */
  readonly program: string;
  readonly programId: string;
  /** Name of the instruction, e.g. `DelegateStake`. */
  readonly name: string;
  /** Its effect, in one sentence with addresses and amounts. */
  readonly summary: string;
  /** The sentences of summary. */
  readonly summarySentences: readonly Sentence[];
  readonly accounts: readonly InstructionAccount[];
}

/** The instruction account in a response. */
export interface InstructionAccount {
  readonly address: string;
  readonly role: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** Read from the cluster, never constants. */
export interface ChainLimits {
  /** Smallest amountSol that the cluster currently accepts: rent plus minimum delegation. */
  readonly minimumStakeSol: number;
  /** Rent-exempt minimum of a stake account, part of amountSol and not delegated. */
  readonly rentReserveSol: number;
  /** The Stake program's minimum delegation. */
  readonly minimumDelegationSol: number;
  /** Amount a wallet should keep for later fees. */
  readonly feeReserveSol: number;
}

/** The plan refusal in a response. */
export interface PlanRefusal {
  readonly errorCode: string;
  readonly reason?: string | undefined;
  /** The values in the text, by name. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly message: string;
  readonly suggestedAction: string | null;
  readonly nearestBelowSol?: number | null | undefined;
  readonly nearestAboveSol?: number | null | undefined;
  /** False if there were too many combinations to try; closer amounts may exist. */
  readonly complete?: boolean | undefined;
  readonly shortfallSol?: number | undefined;
}

/** The planned transaction in a response. */
export interface PlannedTransaction {
  /**
   * The transaction in base64, unsigned by the wallet; stake transactions already carry the signature of
   * the new stake account.
   */
  readonly transaction: string;
  /** Message format in `transaction`: legacy, or version 0. */
  readonly transactionVersion: 'legacy' | 0;
  /** The recent blockhash, or the value of the nonce. */
  readonly blockhash: string;
  /** The transaction can land up to this block height. Omitted with a nonce. */
  readonly lastValidBlockHeight?: number | undefined;
  /** Estimated time at which that height is reached. Omitted with a nonce. ISO 8601. */
  readonly estimatedExpiresAt?: string | undefined;
  /** The transaction is valid until this nonce account is used or advanced. */
  readonly nonceAccount?: string | undefined;
  /** Network fee charged to the fee payer, including the priority fee. */
  readonly networkFeeSol: number;
  /** Present if the request asked for a priority fee. */
  readonly priorityFee?: PriorityFee | undefined;
  /** Addresses that must sign; the fee payer first. */
  readonly requiredSigners: readonly string[];
  /** The instructions in the bytes above, in words. */
  readonly instructions: readonly DecodedInstruction[];
}

/** The submitted transaction in a response. */
export interface SubmittedTransaction {
  /** The confirmed transaction. */
  readonly signature: string;
  readonly explorerUrl: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  /** The stake account that was created or changed. */
  readonly stakeAccountAddress?: string | undefined;
}

/** The transaction difference in a response. */
export interface TransactionDifference {
  /** Both messages are equal byte for byte, except for the blockhash. */
  readonly onlyLifetime: boolean;
  /** Amounts, accounts and fees that differ. Empty if only the lifetime does. */
  readonly changes: readonly Sentence[];
}

/** The nonce account in a response. */
export interface NonceAccount {
  readonly nonceAccountAddress: string;
  /** The lifetime of transactions built now. */
  readonly value: string;
  /** Its rent, which closing it returns. */
  readonly sol: number;
}

/** Input of `POST /api/v1/stake/transaction`. */
export interface CreateStakeTransactionInput {
  /** The wallet that stakes, pays and holds both authorities. */
  readonly walletAddress: string;
  /** Total moved out of the wallet in SOL, rent included. Optional with from. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /**
   * Source accounts: `idle` (undelegated SOL of staked accounts, plus `amountSol`) or `inactive`
   * (deactivated stake).
   */
  readonly from?: ReadonlyArray<'idle' | 'inactive'> | undefined;
  /** An activating stake to add to instead. */
  readonly into?: string | undefined;
  /**
   * The new stake account signs `now`, or `on-submit` for wallets that change the transaction before
   * signing (submit with the same key). Default "now".
   */
  readonly cosign?: 'now' | 'on-submit' | undefined;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /**
   * A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is
   * used or advanced. Default: a recent blockhash.
   */
  readonly nonce?: string | undefined;
  /** Another address that pays the fee, and nothing else. It must sign too. Default: the wallet. */
  readonly feePayer?: string | undefined;
}

/** Answer of `POST /api/v1/stake/transaction`. */
export interface CreateStakeTransactionAnswer extends CreateRestakeTransactionAnswer {
  /** Present if several accounts or an amount were requested. */
  readonly plan?: StakePlan | undefined;
}

/** Input of `POST /api/v1/unstake/transaction`. */
export interface CreateUnstakeTransactionInput {
  /** The stake authority; it also pays the fee. */
  readonly walletAddress: string;
  /** The stake account to deactivate; with amountSol, the only account to take it from. */
  readonly stakeAccountAddress?: string | undefined;
  /**
   * Exact amount in SOL, taken from as many accounts as needed. Default: the whole account. Above 0. At
   * most 9000000.
   */
  readonly amountSol?: SolAmount | undefined;
  /** `atLeast`: the next larger amount if `amountSol` is not possible. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /**
   * `unstake` deactivates `amountSol` in addition to stake already deactivating; `withdrawAmount`: the
   * total that arrives, including withdrawable and deactivating SOL. Default "unstake".
   */
  readonly want?: 'unstake' | 'withdrawAmount' | undefined;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /**
   * A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is
   * used or advanced. Default: a recent blockhash.
   */
  readonly nonce?: string | undefined;
  /** Another address that pays the fee, and nothing else. It must sign too. Default: the wallet. */
  readonly feePayer?: string | undefined;
}

/** Answer of `POST /api/v1/unstake/transaction`. */
export type CreateUnstakeTransactionAnswer = CreateStakeTransactionAnswer;

/** Input of `POST /api/v1/withdraw/transaction`. */
export interface CreateWithdrawTransactionInput {
  /** The withdraw authority; it pays the fee and receives the SOL. */
  readonly walletAddress: string;
  /** The stake account to withdraw from. */
  readonly stakeAccountAddress?: string | undefined;
  /** SOL. If omitted or null, the full balance. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | null | undefined;
  /** Instead of an account: every inactive account. */
  readonly all?: true | undefined;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /**
   * A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is
   * used or advanced. Default: a recent blockhash.
   */
  readonly nonce?: string | undefined;
  /** Another address that pays the fee, and nothing else. It must sign too. Default: the wallet. */
  readonly feePayer?: string | undefined;
}

/** Answer of `POST /api/v1/withdraw/transaction`. */
export type CreateWithdrawTransactionAnswer = CreateStakeTransactionAnswer;

/** Input of `POST /api/v1/restake/transaction`. */
export interface CreateRestakeTransactionInput {
  /** The stake authority; it also pays the fee. */
  readonly walletAddress: string;
  /** The inactive stake account to delegate again. */
  readonly stakeAccountAddress: string;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /**
   * A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is
   * used or advanced. Default: a recent blockhash.
   */
  readonly nonce?: string | undefined;
  /** Another address that pays the fee, and nothing else. It must sign too. Default: the wallet. */
  readonly feePayer?: string | undefined;
}

/** Answer of `POST /api/v1/restake/transaction`. */
export interface CreateRestakeTransactionAnswer extends PlannedTransaction {
  /** Next step, in words for people. */
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  /** The stake account that is created or acted on. */
  readonly stakeAccountAddress?: string | undefined;
  readonly limits: ChainLimits;
  /** Send it with the submission to make repeating it safe. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Give it to the owner of the wallet, who reviews and signs this request on this service’s page. Valid
   * for 24 hours; it contains no secret. Look up the outcome by the idempotency key. Omitted if the service
   * has no page, for donations, and for more than 20 named accounts.
   */
  readonly signUrl?: string | undefined;
  /** Part of amountSol that is delegated and earns. */
  readonly delegatedSol?: number | undefined;
  /**
   * Stake builder only: rewards of the delegated part per year and per epoch once it is active, at
   * `basedOnApy` percent. An estimate from past epochs, not a promise; null while the APY is unknown.
   */
  readonly rewardsEstimate?:
    | {
        readonly estimatedAnnualSol: number;
        readonly estimatedPerEpochSol: number;
        readonly basedOnApy: number;
      }
    | null
    | undefined;
  readonly epochTiming?: EpochTiming | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/donate`. */
export interface DonateInput {
  /** The wallet that donates and pays the fee. */
  readonly walletAddress: string;
  /** Amount to donate, SOL. At least 0.001. At most 1000. */
  readonly amountSol: SolAmount;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /**
   * A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is
   * used or advanced. Default: a recent blockhash.
   */
  readonly nonce?: string | undefined;
  /** Another address that pays the fee, and nothing else. It must sign too. Default: the wallet. */
  readonly feePayer?: string | undefined;
}

/** Answer of `POST /api/v1/donate`. */
export interface DonateAnswer extends CreateRestakeTransactionAnswer {
  readonly suggestedAmounts: {
    readonly currency: 'SOL';
    /** 0.01 */
    readonly small: number;
    /** 0.1 */
    readonly medium: number;
    /** 1 */
    readonly large: number;
  };
}

/** Input of `POST /api/v1/plan`. */
export interface PlanStakeChangeInput {
  /** The wallet that pays and owns the accounts. */
  readonly walletAddress: string;
  /** Goal of the change. */
  readonly goal:
    | 'unstake'
    | 'withdraw-amount'
    | 'undo'
    | 'restake'
    | 'top-up'
    | 'tidy'
    | 'sweep'
    | 'migrate'
    | 'rescue'
    | 'withdraw-all';
  /**
   * SOL; for unstake, withdraw-amount (the total that arrives), top-up, a partial undo, or the wallet's
   * part of a sweep. Above 0. At most 9000000.
   */
  readonly amountSol?: SolAmount | undefined;
  /** `atLeast`: the next larger amount if `amountSol` is not possible. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Destination of a sweep: the wallet (default), a new stake, or an activating one. */
  readonly to?: 'wallet' | 'stake' | 'activating' | undefined;
  /** Use only these accounts. Default: all with this validator. */
  readonly stakeAccountAddresses?: readonly string[] | undefined;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /**
   * A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is
   * used or advanced. Default: a recent blockhash.
   */
  readonly nonce?: string | undefined;
}

/** Answer of `POST /api/v1/plan`. */
export interface PlanStakeChangeAnswer {
  readonly walletAddress: string;
  readonly goal:
    | 'unstake'
    | 'withdraw-amount'
    | 'undo'
    | 'restake'
    | 'top-up'
    | 'tidy'
    | 'sweep'
    | 'migrate'
    | 'rescue'
    | 'withdraw-all';
  readonly feasible: boolean;
  /** Why it is not feasible; null if it is. */
  readonly refusal: PlanRefusal | null;
  readonly plan: StakePlan | null;
  /** In order; submit each once the previous one has landed. */
  readonly transactions: readonly PlannedTransaction[];
  readonly epochTiming?: EpochTiming | undefined;
  readonly idempotencyKey: string;
  /**
   * Give it to the owner of the wallet, who reviews and signs this request on this service’s page. Valid
   * for 24 hours; it contains no secret. Look up the outcome by the idempotency key. Omitted if the service
   * has no page, for donations, and for more than 20 named accounts.
   */
  readonly signUrl?: string | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/unstake/preview`. */
export interface PreviewUnstakeInput {
  /** The wallet that holds both authorities of the accounts. */
  readonly walletAddress: string;
  /** The amount to plan, SOL. Default: only the ranges. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /**
   * `unstake` deactivates `amountSol` in addition to stake already deactivating; `withdrawAmount`: the
   * total that arrives, including withdrawable and deactivating SOL. Default "unstake".
   */
  readonly want?: 'unstake' | 'withdrawAmount' | undefined;
  /** `atLeast`: the next larger amount if `amountSol` is not possible. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Use only this account. Default: all with this validator. */
  readonly stakeAccountAddress?: string | undefined;
}

/** Answer of `POST /api/v1/unstake/preview`. */
export interface PreviewUnstakeAnswer {
  readonly walletAddress: string;
  readonly want: 'unstake' | 'withdrawAmount';
  /**
   * Amounts that can be unstaked exactly, ascending; both ends included, to the lamport; at most 502. Empty
   * if the wallet has no stake to unstake.
   */
  readonly reachable: ReadonlyArray<{
    /** Minimum. */
    readonly fromSol: number;
    /** Maximum; equal to fromSol for a single amount. */
    readonly toSol: number;
  }>;
  /**
   * False if there are too many combinations of stakes to try them all. Every amount in `reachable` is
   * possible; others may be too.
   */
  readonly complete: boolean;
  /** Minimum that may stay in an account or be split off. */
  readonly minimumDelegationSol: number;
  /** Null without `amountSol`. */
  readonly asked: {
    /** The requested amount. */
    readonly amountSol: number;
    readonly isReachable: boolean;
    /** The amount itself if it is reachable. Null if none. */
    readonly nearestBelowSol: number | null;
    /** The amount itself if it is reachable. Null if none. */
    readonly nearestAboveSol: number | null;
  } | null;
  /** Null without `amountSol`, or if refused. */
  readonly plan: StakePlan | null;
  /** Transactions to sign; null without a plan. */
  readonly transactionCount: number | null;
  /** Why the amount has no plan. */
  readonly refusal: PlanRefusal | null;
  readonly epochTiming: EpochTiming;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/unstake/undo/transaction`. */
export interface CreateUndoTransactionInput {
  /** The wallet that pays and holds both authorities of the accounts. */
  readonly walletAddress: string;
  /** The account to keep staked. Default: all that are possible. */
  readonly stakeAccountAddress?: string | undefined;
  /** Exact amount to keep staked, SOL. Default: all of it. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
}

/** Answer of `POST /api/v1/unstake/undo/transaction`. */
export type CreateUndoTransactionAnswer = CreateStakeTransactionAnswer;

/** Input of `POST /api/v1/transaction/submit`. */
export interface SubmitTransactionInput {
  /** The signed transaction in base64. */
  readonly signedTransaction?: string | undefined;
  /** Several transactions instead of one, sent one after the other. */
  readonly signedTransactions?: readonly string[] | undefined;
}

/** Answer of `POST /api/v1/transaction/submit`. */
export interface SubmitTransactionAnswer {
  /** The confirmed transaction. */
  readonly signature: string;
  readonly explorerUrl: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  /** The stake account that was created or changed. */
  readonly stakeAccountAddress?: string | undefined;
  /**
   * With `signedTransactions`: the result of each, in order. The other fields are those of the last one.
   */
  readonly transactions?: readonly SubmittedTransaction[] | undefined;
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/transaction/rebuild`. */
export interface RebuildTransactionInput {
  /** The old transaction in base64, with or without signatures. */
  readonly transaction: string;
  /** Message form: `legacy` or 0. Default: as in the old transaction. */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /**
   * Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to
   * `maxLamports`. Default: none.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
}

/** Answer of `POST /api/v1/transaction/rebuild`. */
export interface RebuildTransactionAnswer extends CreateStakeTransactionAnswer {
  readonly difference: TransactionDifference;
}

/** Input of `GET /api/v1/nonce/{walletAddress}`. */
export interface ListNonceAccountsInput {
  /** The wallet that controls the accounts. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/nonce/{walletAddress}`. */
export interface ListNonceAccountsAnswer {
  readonly walletAddress: string;
  readonly accounts: readonly NonceAccount[];
  /** How many more can be created. */
  readonly free: number;
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/nonce/create/transaction`. */
export interface CreateNonceTransactionInput {
  /** The wallet that pays the fee and controls the nonce account. */
  readonly walletAddress: string;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** Answer of `POST /api/v1/nonce/create/transaction`. */
export interface CreateNonceTransactionAnswer extends CreateRestakeTransactionAnswer {
  /** The account that is created, advanced or closed. */
  readonly nonceAccountAddress: string;
}

/** Input of `POST /api/v1/nonce/advance/transaction`. */
export interface AdvanceNonceTransactionInput {
  /** The wallet that pays the fee and controls the nonce account. */
  readonly walletAddress: string;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /** A nonce account that the wallet controls. */
  readonly nonceAccountAddress: string;
}

/** Answer of `POST /api/v1/nonce/advance/transaction`. */
export type AdvanceNonceTransactionAnswer = CreateNonceTransactionAnswer;

/** Input of `POST /api/v1/nonce/close/transaction`. */
export interface CloseNonceTransactionInput {
  /** The wallet that pays the fee and controls the nonce account. */
  readonly walletAddress: string;
  /**
   * Message format: `legacy`, which every wallet and library can read, or 0. Default: legacy, unless the
   * operator set 0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
  /** A nonce account that the wallet controls. */
  readonly nonceAccountAddress: string;
}

/** Answer of `POST /api/v1/nonce/close/transaction`. */
export type CloseNonceTransactionAnswer = CreateNonceTransactionAnswer;

/** Input of `GET /api/v1/transaction/{signature}`. */
export interface TransactionStateInput {
  /** The transaction. */
  readonly signature: string;
}

/** Answer of `GET /api/v1/transaction/{signature}`. */
export interface TransactionStateAnswer {
  readonly signature: string;
  readonly state: 'pending' | 'confirmed' | 'finalized' | 'failed' | 'expired';
  /** Slot in which it landed; null until it has landed. */
  readonly slot: number | null;
  /** The chain's error if it failed, else null. */
  readonly error: unknown;
  /** Block height up to which it can land; null if unknown here. */
  readonly lastValidBlockHeight: number | null;
  /** This service signed or sent it. */
  readonly recordedHere: boolean;
  readonly explorerUrl: string;
  /** What the state means, and what to do next. */
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/transaction`. */
export interface TransactionByKeyInput {
  /** The wallet that signs. */
  readonly walletAddress: string;
  /** As the builder returned it. */
  readonly idempotencyKey: string;
}

/** Answer of `GET /api/v1/transaction`. */
export type TransactionByKeyAnswer = TransactionStateAnswer;

/** Input of `GET /api/v1/sign-link`. */
export interface ReadSignLinkInput {
  /** The `request` parameter of the link. */
  readonly request: string;
}

/** Answer of `GET /api/v1/sign-link`. */
export interface ReadSignLinkAnswer {
  /** The wallet of the link; no other wallet can use it. */
  readonly walletAddress: string;
  readonly idempotencyKey: string;
  /** Time until which the link can be opened. ISO 8601. */
  readonly expiresAt: string;
  /**
   * `open`: not signed yet, or the signed transaction can no longer land. `pending`: submitted, outcome
   * unknown. `done`: landed.
   */
  readonly state: 'open' | 'pending' | 'done';
  /** The submitted transaction; null while open. */
  readonly signature: string | null;
  readonly explorerUrl: string | null;
  readonly _meta: Meta;
}
