// What the operations under "Transactions" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { EpochTiming, Meta } from './shared-types.ts';

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
  /** What this service asks a wallet to keep for later fees. */
  readonly feeReserveSol: number;
}

/** What `POST /api/v1/stake/transaction` takes. */
export interface CreateStakeTransactionInput {
  /** The wallet that stakes, pays and keeps both authorities. */
  readonly walletAddress: string;
  /** Total moved into the new stake account, rent included, SOL. Above 0. At most 9000000. */
  readonly amountSol: SolAmount;
  /**
   * When the new stake account signs: `now`, or `on-submit` for wallets that change what they sign (submit
   * with the same idempotency key then adds it). Default "now".
   */
  readonly cosign?: 'now' | 'on-submit' | undefined;
  /**
   * Form of the message: `legacy`, which every library and wallet reads, or 0. Both do the same. Default:
   * legacy, unless the operator set HOLDFAST_TRANSACTION_VERSION=0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/stake/transaction` answers. */
export interface CreateStakeTransactionAnswer {
  /**
   * The transaction in base64, unsigned by the wallet; stake transactions already carry the signature of
   * the new stake account.
   */
  readonly transaction: string;
  /** Form of the message in `transaction`: legacy, or version 0. */
  readonly transactionVersion: 'legacy' | 0;
  /** What to do with it, for people. */
  readonly message: string;
  /** The stake account that is created or acted on. */
  readonly stakeAccountAddress?: string | undefined;
  readonly blockhash: string;
  /** The transaction can land up to this block height. */
  readonly lastValidBlockHeight: number;
  /** When that height is expected to pass. ISO 8601. */
  readonly estimatedExpiresAt: string;
  /** What the network charges the fee payer. */
  readonly networkFeeSol: number;
  /** Addresses that must sign; the fee payer first. */
  readonly requiredSigners: readonly string[];
  /** Decoded from the bytes above. */
  readonly instructions: readonly DecodedInstruction[];
  readonly limits: ChainLimits;
  /** Send it with the submit to make that repeatable. */
  readonly idempotencyKey?: string | undefined;
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
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `POST /api/v1/unstake/transaction` takes. */
export interface CreateUnstakeTransactionInput {
  /** The stake authority; it also pays the fee. */
  readonly walletAddress: string;
  /** The stake account to deactivate. */
  readonly stakeAccountAddress: string;
  /**
   * Form of the message: `legacy`, which every library and wallet reads, or 0. Both do the same. Default:
   * legacy, unless the operator set HOLDFAST_TRANSACTION_VERSION=0.
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
  readonly stakeAccountAddress: string;
  /** Amount to withdraw, SOL; omitted or null withdraws the full balance. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | null | undefined;
  /**
   * Form of the message: `legacy`, which every library and wallet reads, or 0. Both do the same. Default:
   * legacy, unless the operator set HOLDFAST_TRANSACTION_VERSION=0.
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
   * Form of the message: `legacy`, which every library and wallet reads, or 0. Both do the same. Default:
   * legacy, unless the operator set HOLDFAST_TRANSACTION_VERSION=0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/restake/transaction` answers. */
export type CreateRestakeTransactionAnswer = CreateStakeTransactionAnswer;

/** What `POST /api/v1/donate` takes. */
export interface DonateInput {
  /** The wallet that donates and pays the fee. */
  readonly walletAddress: string;
  /** Amount to donate, SOL. At least 0.001. At most 1000. */
  readonly amountSol: SolAmount;
  /**
   * Form of the message: `legacy`, which every library and wallet reads, or 0. Both do the same. Default:
   * legacy, unless the operator set HOLDFAST_TRANSACTION_VERSION=0.
   */
  readonly transactionVersion?: 'legacy' | 0 | undefined;
}

/** What `POST /api/v1/donate` answers. */
export interface DonateAnswer extends CreateStakeTransactionAnswer {
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

/** What `POST /api/v1/transaction/submit` takes. */
export interface SubmitTransactionInput {
  /** The signed transaction in base64. */
  readonly signedTransaction: string;
}

/** What `POST /api/v1/transaction/submit` answers. */
export interface SubmitTransactionAnswer {
  /** The confirmed transaction. */
  readonly signature: string;
  readonly explorerUrl: string;
  readonly message: string;
  /** The stake account that was created or acted on. */
  readonly stakeAccountAddress?: string | undefined;
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
