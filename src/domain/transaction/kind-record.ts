// Types of a kind's record: the inputs of its check, the values that the check reads, and its texts.
import type { Address } from '@solana/kit';
import type { Sentence } from '../../kernel/sentence.ts';
import type { InstructionFields, OwnInstruction } from '../instruction-types.ts';
import type { CheckedField, RecordUnless } from './verifier-problems.ts';

/** The service to which the transactions should belong, and the request for this transaction if known. */
export interface Expectations {
  readonly voteAccount: Address;
  /** The only allowed recipient of donations. If absent, no transfer counts as a donation. */
  readonly donationAddress?: Address;
  /** The exact text of the memo. */
  readonly memo: string;
  /** Programs whose memos count. Default: all known ones. */
  readonly memoPrograms?: readonly Address[];
  /** `wallet`, `stakeAccount` and `lamports` are only checked if given. */
  readonly wallet?: Address;
  readonly stakeAccount?: Address;
  readonly lamports?: bigint;
  /** Required destination of a withdrawal. Default: the wallet. */
  readonly recipient?: Address;
  /** Allowed System and Stake instructions. Default: all instructions of the kind. */
  readonly allowed?: readonly OwnInstruction[];
  /** Known properties of the accounts before a rearrangement. */
  readonly accounts?: ReadonlyMap<Address, KnownAccount>;
  /**
   * The nonce account whose value may be the transaction's lifetime. Default: none, so that a transaction
   * that never expires is only signed on request.
   */
  readonly nonceAccount?: Address | 'any';
  /**
   * Another account that may pay the fee and nothing else; `any` allows any account. Default: the wallet
   * pays. Without `wallet`, the authority of the first instruction counts as the wallet.
   */
  readonly feePayer?: Address | 'any';
  /** The stake authority of a new stake of the wallet; `any` allows any address. Default: the wallet. */
  readonly stakeAuthority?: Address | 'any';
  /**
   * The withdraw authority of the accounts, if it is not the wallet. The wallet is then only their stake
   * authority. Default: the wallet holds both authorities.
   */
  readonly owner?: Address;
  /** Maximum priority fee that a wallet may have added. Default: 0.01 SOL. */
  readonly maxPriorityFeeLamports?: bigint;
  /**
   * True if a wallet returned the transaction, so it may contain assertions that the wallet added. Default:
   * false, because a transaction that no wallet has processed contains only our instructions and at most a
   * compute budget.
   */
  readonly allowWalletGuards?: boolean;
}

/** Properties of a stake account that the verifier knows. */
export interface KnownAccount {
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  /**
   * The address that can withdraw from the account without another party's consent, as read from a node that
   * the verifier trusts. Absent if unknown.
   */
  readonly withdrawer?: Address;
}

/** Input of a kind's check. `fields` contains at least the instruction that identified the kind. */
export interface KindCheckInput {
  readonly fields: readonly InstructionFields[];
  /** The wallet whose transaction this is. */
  readonly wallet: Address;
  readonly expected: Expectations;
  readonly demand: RecordUnless;
}

/** Values that a kind's check reads from the instructions. */
export interface KindFacts {
  readonly stakeAccount?: Address;
  /** The delegation target. */
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  readonly effects?: StakeEffects;
  /** The stake authority of the new stake, if it is not the wallet. */
  readonly stakeAuthority?: Address;
  /** Required signers in addition to the wallet. */
  readonly signers: readonly Address[];
}

/** The effects of a rearrangement on the wallet's lamports. */
export interface StakeEffects {
  /**
   * Lamports that go into new stakes under the wallet's own authorities, or into existing stakes through new
   * accounts.
   */
  readonly stakedLamports: bigint;
  /** Rent of new accounts that stay open in addition to the stake. It is returned when they are closed. */
  readonly rentLamports: bigint;
  readonly withdrawnLamports: bigint;
  /**
   * Part of the rent that the wallet cannot recover if another party controls the split account or if a
   * lockup applies. The transaction shows neither.
   */
  readonly atRiskLamports: bigint;
}

export type InstructionType = InstructionFields['type'];
/** Fields of an instruction of one type. Some types share their fields. */
export type Fields<Type extends InstructionType, One = InstructionFields> = One extends {
  readonly type: infer Types;
}
  ? Type extends Types
    ? One
    : never
  : never;

/** All properties specific to one kind of transaction. */
export interface KindRecord {
  /** Instructions in the required order; `chain/transactions/transaction.ts` builds them. */
  readonly layout: readonly OwnInstruction[];
  /**
   * Allows any subset of the layout's instructions, in any order and number. Default: each of them once, in
   * order.
   */
  readonly isFree?: true;
  /** An instruction that may precede the memo. Default: none. */
  readonly optional?: OwnInstruction;
  /**
   * Returns true for any transaction that appears to be of this kind, correct or not. Kinds are tried in the
   * order of the records.
   */
  readonly matches: (fields: readonly InstructionFields[], expected: Expectations) => boolean;
  /** Checks the fields of this kind: authority, account, amount, destination. */
  readonly check: (checking: KindCheckInput) => KindFacts;
  /** Fields of the check result in addition to those of all kinds. */
  readonly fields: readonly CheckedField[];
  /** Required destination of the lamports. If absent, the recipient field does not apply. */
  readonly recipient?: (expected: Expectations, wallet: Address) => Address | undefined;
  /**
   * `delegation`: the amount is the account's delegation afterwards. If absent, the transaction contains the amount.
   */
  readonly amountFrom?: 'delegation';
  /** Destination as text after "Moved …"; null if the kind moves no lamports. */
  readonly moves: string | null;
  /** Button text, such as `Stake`. */
  readonly verb: string;
  /** Past participle, such as `Staked` in `totalSolStaked`. */
  readonly pastTense: string;
  /** Noun, such as `Stake`; the plural adds an s. */
  readonly noun: string;
  /** Effect of the kind, for the person who decides. */
  readonly description: string;
  /** State after confirmation, as a sentence. */
  readonly afterwards: string;
  /**
   * Returns sentences that describe what a transaction that passed every check does, based only on its
   * contents.
   */
  readonly resultSentences: (found: Omit<KindFacts, 'signers'>) => readonly Sentence[];
}
