// Types of a kind's record: what its check is given, what it reads, and the words for it.
import type { Address } from '@solana/kit';
import type { InstructionFields, OwnInstruction } from '../instruction-types.ts';
import type { VerdictField, VerifierCheck } from './verifier-checks.ts';

/** The service whose transactions are expected, and, where it is known, the request of this one. */
export interface Expectations {
  readonly voteAccount: Address;
  /** Where a donation may go. Absent: nothing is a donation. */
  readonly donationAddress?: Address;
  /** Exact text. */
  readonly memo: string;
  /** Programs under which a memo counts. Default: all known ones. */
  readonly memoPrograms?: readonly Address[];
  /** Checked only where given. */
  readonly wallet?: Address;
  readonly stakeAccount?: Address;
  readonly lamports?: bigint;
  /** Where a withdrawal must go. Default: the wallet. */
  readonly recipient?: Address;
  /** Which instructions of System and Stake it may hold. Default: any of its kind. */
  readonly allowed?: readonly OwnInstruction[];
  /** Of a rearrangement: what is known of the accounts before it. */
  readonly accounts?: ReadonlyMap<Address, KnownAccount>;
  /** The most a wallet may have added as priority fee. Default 0.01 SOL. */
  readonly maxPriorityFeeLamports?: bigint;
  /**
   * True for bytes that a wallet returned: it may have added assertions of its own. Default false: bytes that no wallet has seen hold
   * our instructions and at most a compute budget.
   */
  readonly allowWalletGuards?: boolean;
}

/** The facts of a stake account that the verifying side knows. */
export interface KnownAccount {
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  /** The address that can withdraw from it without anybody else's consent, as read from a node that the verifier trusts. Absent: not known. */
  readonly withdrawer?: Address;
}

/** The input of a kind's check. `fields` holds at least the instruction by which the kind was recognised. */
export interface KindCheckInput {
  readonly fields: readonly InstructionFields[];
  /** The fee payer. */
  readonly wallet: Address;
  readonly expected: Expectations;
  readonly demand: (holds: boolean, check: VerifierCheck, text: string) => void;
}

/** The facts that the check of a kind reads from the instructions. */
export interface KindFacts {
  readonly stakeAccount?: Address;
  /** Where a stake is delegated to. */
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  readonly effects?: StakeEffects;
  /** Who must sign in addition to the wallet. */
  readonly signers: readonly Address[];
}

/** The effects of a rearrangement on the lamports of the wallet. */
export interface StakeEffects {
  /** Into new stakes under the wallet's own authorities, or through new accounts into stakes. */
  readonly stakedLamports: bigint;
  /** Rent of new accounts that stay beside the stake; it comes back when they are closed. */
  readonly rentLamports: bigint;
  readonly withdrawnLamports: bigint;
  /** The part of the rent that the wallet cannot get back should somebody else hold what is split, or a lockup: the bytes do not say it. */
  readonly atRiskLamports: bigint;
}

/** The type of a decoded instruction. */
export type InstructionType = InstructionFields['type'];
/** The fields of an instruction of one type; some types share their fields. */
export type Fields<Type extends InstructionType, One = InstructionFields> = One extends {
  readonly type: infer Types;
}
  ? Type extends Types
    ? One
    : never
  : never;

/** Everything that differs between one kind of transaction and another. */
export interface KindRecord {
  /** Its instructions, in the order in which they must stand; `chain/transaction.ts` builds them. */
  readonly layout: readonly OwnInstruction[];
  /** Its instructions may be some of the layout's, in any order and number. Default: all of them, once and in order. */
  readonly isFree?: true;
  /** True for any transaction that is meant as this kind, rightly made or not. Kinds are asked in the order of the record. */
  readonly matches: (fields: readonly InstructionFields[], expected: Expectations) => boolean;
  /** Checks its own fields: whose authority, whose account, how much, to whom. */
  readonly check: (checking: KindCheckInput) => KindFacts;
  /** The fields that its verdict shows beside those that every transaction has. */
  readonly fields: readonly VerdictField[];
  /** Where the lamports must go. Absent: nowhere that the recipient field speaks of. */
  readonly recipient?: (expected: Expectations, wallet: Address) => Address | undefined;
  /** `delegation`: the amount is what the account has delegated afterwards. Absent: the bytes say it. */
  readonly amountFrom?: 'delegation';
  /** Where the lamports go, in words: "Moved …". Null: it moves none. */
  readonly moves: string | null;
  /** `Stake`: what a button says. */
  readonly verb: string;
  /** `Staked`: what was done, as in `totalSolStaked`. */
  readonly pastTense: string;
  /** `Stake`: what was carried out; with an s for several. */
  readonly noun: string;
  /** What it does, for whoever decides about it. */
  readonly description: string;
  /** What follows once it is confirmed. */
  readonly afterwards: string;
  /** What a transaction does that passed every check: one sentence about these bytes. */
  readonly verdict: (found: Omit<KindFacts, 'signers'>) => string;
}
