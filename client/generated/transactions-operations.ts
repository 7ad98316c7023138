// What the operations under "Transactions" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { EpochTiming, Meta, Notice, StakePlan } from './shared-types.ts';

/** Part of an answer: decoded instruction. */
export interface DecodedInstruction {
  /** Name of the program, e.g. `Stake`. */
  readonly program: string;
  readonly programId: string;
  /** Name of the instruction, e.g. `DelegateStake`. */
  readonly name: string;
  /** What it does, in one sentence with addresses and amounts. */
  readonly summary: string;
  readonly accounts: readonly InstructionAccount[];
}

/** Part of an answer: instruction account. */
export interface InstructionAccount {
  readonly address: string;
  readonly role: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** Read from the cluster, never constants. */
export interface ChainLimits {
  /** Smallest amountSol the cluster accepts now: rent plus minimum delegation. */
  readonly minimumStakeSol: number;
  /** Rent-exempt minimum of a stake account, part of amountSol and not delegated. */
  readonly rentReserveSol: number;
  /** The Stake program's minimum delegation. */
  readonly minimumDelegationSol: number;
  /** What a wallet should keep for later fees. */
  readonly feeReserveSol: number;
}

/** Part of an answer: plan refusal. */
export interface PlanRefusal {
  readonly errorCode: string;
  readonly message: string;
  readonly suggestedAction: string | null;
  readonly nearestBelowSol?: number | null | undefined;
  readonly nearestAboveSol?: number | null | undefined;
  /** False: there were too many sums to try, and nearer amounts may exist. */
  readonly complete?: boolean | undefined;
  readonly shortfallSol?: number | undefined;
}

/** Part of an answer: planned transaction. */
export interface PlannedTransaction {
  /**
   * The transaction in base64, unsigned by the wallet; stake transactions already carry the signature of
   * the new stake account.
   */
  readonly transaction: string;
  /** Form of the message in `transaction`: legacy, or version 0. */
  readonly transactionVersion: 'legacy' | 0;
  readonly blockhash: string;
  /** The transaction can land up to this block height. */
  readonly lastValidBlockHeight: number;
  /** When that height is expected to pass. ISO 8601. */
  readonly estimatedExpiresAt: string;
  /** What the network charges the fee payer. */
  readonly networkFeeSol: number;
  /** Addresses that must sign; the fee payer first. */
  readonly requiredSigners: readonly string[];
  /** The instructions of the bytes above, in words. */
  readonly instructions: readonly DecodedInstruction[];
}

/** Part of an answer: submitted transaction. */
export interface SubmittedTransaction {
  /** The confirmed transaction. */
  readonly signature: string;
  readonly explorerUrl: string;
  readonly message: string;
  /** The stake account that was created or acted on. */
  readonly stakeAccountAddress?: string | undefined;
}

/** What `POST /api/v1/stake/transaction` takes. */
export interface CreateStakeTransactionInput {
  /** The wallet that stakes, pays and keeps both authorities. */
  readonly walletAddress: string;
  /** Total moved out of the wallet, SOL, rent included. Optional with from. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /** Stake what lies in accounts: `idle` beside stakes (plus amountSol), or `inactive`, cooled down. */
  readonly from?: ReadonlyArray<'idle' | 'inactive'> | undefined;
  /** An activating stake that grows instead. */
  readonly into?: string | undefined;
  /**
   * When the new stake account signs: `now`, or `on-submit` for wallets that change what they sign (submit
   * under the same key then adds it). Default "now".
   */
  readonly cosign?: 'now' | 'on-submit' | undefined;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/stake/transaction` answers. */
export interface CreateStakeTransactionAnswer extends CreateRestakeTransactionAnswer {
  /** Where several accounts or an amount were asked for. */
  readonly plan?: StakePlan | undefined;
}

/** What `POST /api/v1/unstake/transaction` takes. */
export interface CreateUnstakeTransactionInput {
  /** The stake authority; it also pays the fee. */
  readonly walletAddress: string;
  /** The stake account to deactivate; with amountSol the only one to take it from. */
  readonly stakeAccountAddress?: string | undefined;
  /**
   * Exactly this much, SOL, out of whichever accounts that takes. Default: the whole account. Above 0. At
   * most 9000000.
   */
  readonly amountSol?: SolAmount | undefined;
  /** `atLeast`: the next larger amount where amountSol cannot be had. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /**
   * `unstake` deactivates amountSol in addition to what is deactivating; `withdrawAmount`: the total that
   * arrives, what can be withdrawn and what is deactivating included. Default "unstake".
   */
  readonly want?: 'unstake' | 'withdrawAmount' | undefined;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/unstake/transaction` answers. */
export type CreateUnstakeTransactionAnswer = CreateStakeTransactionAnswer;

/** What `POST /api/v1/withdraw/transaction` takes. */
export interface CreateWithdrawTransactionInput {
  /** The withdraw authority; it pays the fee and receives the SOL. */
  readonly walletAddress: string;
  /** The stake account to withdraw from. */
  readonly stakeAccountAddress?: string | undefined;
  /** SOL; omitted or null: the full balance. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | null | undefined;
  /** Instead of an account: all that has cooled down. */
  readonly all?: true | undefined;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/withdraw/transaction` answers. */
export type CreateWithdrawTransactionAnswer = CreateStakeTransactionAnswer;

/** What `POST /api/v1/restake/transaction` takes. */
export interface CreateRestakeTransactionInput {
  /** The stake authority; it also pays the fee. */
  readonly walletAddress: string;
  /** The inactive stake account to delegate again. */
  readonly stakeAccountAddress: string;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/restake/transaction` answers. */
export interface CreateRestakeTransactionAnswer extends PlannedTransaction {
  /** What to do with it, for people. */
  readonly message: string;
  /** The stake account that is created or acted on. */
  readonly stakeAccountAddress?: string | undefined;
  readonly limits: ChainLimits;
  /** Send it with the submit to make that repeatable. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Give it to the owner of the wallet, who reviews and signs this request on the page of this service.
   * Valid for 24 hours; it holds no secret. Find the outcome by the idempotency key. Absent without a page,
   * for donations, and with more than 20 named accounts.
   */
  readonly signUrl?: string | undefined;
  /** Part of amountSol that is delegated and earns. */
  readonly delegatedSol?: number | undefined;
  /**
   * Stake builder only: what the delegated part earns in a year and an epoch once it is effective, at
   * basedOnApy percent. An estimate from the past, not a promise; null while the APY is not known.
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
  /** The most severe first. Critical: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** What `POST /api/v1/donate` takes. */
export interface DonateInput {
  /** The wallet that donates and pays the fee. */
  readonly walletAddress: string;
  /** Amount to donate, SOL. At least 0.001. At most 1000. */
  readonly amountSol: SolAmount;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/donate` answers. */
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

/** What `POST /api/v1/plan` takes. */
export interface PlanStakeChangeInput {
  /** The wallet; it pays, and the accounts are its own. */
  readonly walletAddress: string;
  /** What is wanted. */
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
   * SOL; for unstake, withdraw-amount (the total that arrives), top-up, part of an undo, or what the wallet
   * adds to a sweep. Above 0. At most 9000000.
   */
  readonly amountSol?: SolAmount | undefined;
  /** `atLeast`: the next larger amount where amountSol cannot be had. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Where a sweep goes: the wallet (default), a new stake, or one that activates. */
  readonly to?: 'wallet' | 'stake' | 'activating' | undefined;
  /** Use these accounts and no others. Default: all at this validator. */
  readonly stakeAccountAddresses?: readonly string[] | undefined;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/plan` answers. */
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
  /** Why it is not feasible; null where it is. */
  readonly refusal: PlanRefusal | null;
  readonly plan: StakePlan | null;
  /** In order; submit the next once the one before landed. */
  readonly transactions: readonly PlannedTransaction[];
  readonly epochTiming?: EpochTiming | undefined;
  readonly idempotencyKey: string;
  /**
   * Give it to the owner of the wallet, who reviews and signs this request on the page of this service.
   * Valid for 24 hours; it holds no secret. Find the outcome by the idempotency key. Absent without a page,
   * for donations, and with more than 20 named accounts.
   */
  readonly signUrl?: string | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** The most severe first. Critical: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** What `POST /api/v1/unstake/preview` takes. */
export interface PreviewUnstakeInput {
  /** The wallet; both authorities of the accounts are its own. */
  readonly walletAddress: string;
  /** The amount to plan, SOL. Default: the ranges alone. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /**
   * `unstake` deactivates amountSol in addition to what is deactivating; `withdrawAmount`: the total that
   * arrives, what can be withdrawn and what is deactivating included. Default "unstake".
   */
  readonly want?: 'unstake' | 'withdrawAmount' | undefined;
  /** `atLeast`: the next larger amount where amountSol cannot be had. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Only from this account. Default: all at this validator. */
  readonly stakeAccountAddress?: string | undefined;
}

/** What `POST /api/v1/unstake/preview` answers. */
export interface PreviewUnstakeAnswer {
  readonly walletAddress: string;
  readonly want: 'unstake' | 'withdrawAmount';
  /**
   * Amounts that can be had exactly, ascending; both ends included, to the lamport; at most 502. Empty:
   * nothing is staked that this wallet could unstake.
   */
  readonly reachable: ReadonlyArray<{
    /** The least. */
    readonly fromSol: number;
    /** The most; the same for a single amount. */
    readonly toSol: number;
  }>;
  /**
   * False: there are too many sums of stakes to try them all. Every amount in `reachable` can be had, and
   * others may be possible.
   */
  readonly complete: boolean;
  /** Least that an account may be left with, or that can be set apart. */
  readonly minimumDelegationSol: number;
  /** Null without amountSol. */
  readonly asked: {
    /** As asked for. */
    readonly amountSol: number;
    readonly isReachable: boolean;
    /** The amount itself where it is reachable. Null: none. */
    readonly nearestBelowSol: number | null;
    /** The amount itself where it is reachable. Null: none. */
    readonly nearestAboveSol: number | null;
  } | null;
  /** Null without amountSol, or with a refusal. */
  readonly plan: StakePlan | null;
  /** Transactions to sign; null without a plan. */
  readonly transactionCount: number | null;
  /** Why there is no plan for the amount. */
  readonly refusal: PlanRefusal | null;
  readonly epochTiming: EpochTiming;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** The most severe first. Critical: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** What `POST /api/v1/unstake/undo/transaction` takes. */
export interface CreateUndoTransactionInput {
  /** The wallet; it pays, and both authorities of the accounts are its own. */
  readonly walletAddress: string;
  /** The account that is to stay staked. Default: all that can. */
  readonly stakeAccountAddress?: string | undefined;
  /** Exactly this much stake stays, SOL. Default: all of it. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /**
   * Message form: `legacy`, which every wallet and library reads, or 0. Default: legacy, or what the
   * operator set.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/unstake/undo/transaction` answers. */
export type CreateUndoTransactionAnswer = CreateStakeTransactionAnswer;

/** What `POST /api/v1/transaction/submit` takes. */
export interface SubmitTransactionInput {
  /** The signed transaction in base64. */
  readonly signedTransaction?: string | undefined;
  /** Instead of one: several, sent one after the other. */
  readonly signedTransactions?: readonly string[] | undefined;
}

/** What `POST /api/v1/transaction/submit` answers. */
export interface SubmitTransactionAnswer {
  /** The confirmed transaction. */
  readonly signature: string;
  readonly explorerUrl: string;
  readonly message: string;
  /** The stake account that was created or acted on. */
  readonly stakeAccountAddress?: string | undefined;
  /** With signedTransactions: each of them, in order. The members beside are those of the last. */
  readonly transactions?: readonly SubmittedTransaction[] | undefined;
  readonly _meta: Meta;
}

/** What `GET /api/v1/transaction/{signature}` takes. */
export interface TransactionStateInput {
  /** The transaction. */
  readonly signature: string;
}

/** What `GET /api/v1/transaction/{signature}` answers. */
export interface TransactionStateAnswer {
  readonly signature: string;
  readonly state: 'pending' | 'confirmed' | 'finalized' | 'failed' | 'expired';
  /** Slot in which it landed; null while it has not. */
  readonly slot: number | null;
  /** The chain's error when it failed, else null. */
  readonly error: unknown;
  /** It can land up to this block height; null where that is not known here. */
  readonly lastValidBlockHeight: number | null;
  /** This service signed it, or was given it to send. */
  readonly recordedHere: boolean;
  readonly explorerUrl: string;
  readonly _meta: Meta;
}

/** What `GET /api/v1/transaction` takes. */
export interface TransactionByKeyInput {
  /** The wallet that signs. */
  readonly walletAddress: string;
  /** As the builder returned it. */
  readonly idempotencyKey: string;
}

/** What `GET /api/v1/transaction` answers. */
export type TransactionByKeyAnswer = TransactionStateAnswer;

/** What `GET /api/v1/sign-link` takes. */
export interface ReadSignLinkInput {
  /** The member `request` of the link. */
  readonly request: string;
}

/** What `GET /api/v1/sign-link` answers. */
export interface ReadSignLinkAnswer {
  /** The only wallet that the link is for. */
  readonly walletAddress: string;
  readonly idempotencyKey: string;
  /** The link can be opened until then. ISO 8601. */
  readonly expiresAt: string;
  /**
   * `open`: not signed yet, or what was signed can no longer land. `pending`: submitted, its outcome is not
   * known. `done`: it landed.
   */
  readonly state: 'open' | 'pending' | 'done';
  /** The submitted transaction; null while open. */
  readonly signature: string | null;
  readonly explorerUrl: string | null;
  readonly _meta: Meta;
}
