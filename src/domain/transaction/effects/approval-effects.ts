// Types of the effects check: the request, the data from a node, and the effects of all transactions of one
// approval.
import type { Address } from '@solana/kit';
import { type Sentence, type SentenceFigures, sentence } from '../../../kernel/sentence.ts';
import type { MachineChain } from '../../machine/stake-machine-state.ts';
import type { GoalName } from '../../plan/plan-goals.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import type { TransactionKind } from '../transaction-kinds.ts';
import type { VerifierProblem } from '../verifier-problems.ts';

/** The accounts and the chain at one slot, as read from an RPC node that the user has chosen. */
export interface NodeFacts {
  /** `voteCredits` contains at most the pinned vote account. */
  readonly chain: MachineChain;
  /**
   * Null if there is no account at the address or it is not a stake account. May include other accounts of
   * the wallet.
   */
  readonly accounts: ReadonlyMap<Address, StakeAccount | null>;
  readonly walletLamports: bigint;
}

/** The request that the transactions of one approval must match. */
export interface EffectsRequest {
  readonly wallet: Address;
  /**
   * The withdraw authority of the accounts, if the wallet is only their stake authority. Default: the wallet.
   */
  readonly owner?: Address | undefined;
  /** The only validator allowed as a delegation target. */
  readonly voteAccount: Address;
  readonly kind: Exclude<TransactionKind, 'donate'>;
  /** Only set for a rearrangement. */
  readonly goal?: GoalName | undefined;
  readonly lamports?: bigint | undefined;
  /** Default: `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Only set for a sweep. Default: the wallet. */
  readonly to?: 'wallet' | 'stake' | 'activating' | undefined;
  /** Accounts named by the user. No others may change. Default: any account of the wallet. */
  readonly accounts?: readonly Address[] | undefined;
}

/**
 * Effects that neither the transaction nor a node confirms, keyed by stable code. Each has the fact that is unknown,
 * and its text.
 */
const unknownTexts = {
  PART_TAKEN: [
    'deactivated-validator',
    'Part of its stake is moved out to be unstaked. The transaction does not show which validator it is staked with.',
  ],
  ALL_DEACTIVATED: [
    'deactivated-amount',
    'All of its stake is deactivated. The transaction does not show how much that is, or which validator it is staked with.',
  ],
  ALL_DELEGATED: [
    'staked-amount',
    'Its whole balance will be delegated to {voteAccount}. The transaction does not show how much that is.',
  ],
  ACCOUNT_MERGED: [
    'merged-accounts',
    '{from} is merged into it. The transaction does not show their states and validators.',
  ],
  NEW_STAKE_MERGED: [
    'merged-accounts',
    '{amountSol} SOL of new stake is merged into it. The transaction does not show that it is activating.',
  ],
  IDLE_STAKED: [
    'staked-source',
    'SOL withdrawn from it is staked. The transaction does not show whether that SOL was idle.',
  ],
  INACTIVE_STAKED: [
    'staked-source',
    'SOL withdrawn from it is staked. The transaction does not show whether that SOL was already inactive.',
  ],
  TAKES_OUT_ROUNDED: [
    'rounded-amount',
    'It takes out {totalSol} SOL, not {askedSol} SOL. A smaller amount may be possible.',
  ],
  DEACTIVATES_ROUNDED: [
    'rounded-amount',
    'It deactivates {totalSol} SOL, not {askedSol} SOL. A smaller amount may be possible.',
  ],
  RENT_AT_RISK: [
    'rent-at-risk',
    '{rentSol} SOL of rent goes into accounts that are split from this one and others. Someone else may be able to withdraw it or keep it locked.',
  ],
} as const;

/** Stable code of an unknown effect's text. */
export type UnknownCode = keyof typeof unknownTexts;
/** An effect that neither the transaction nor a node confirms. */
export type UnknownFact = (typeof unknownTexts)[UnknownCode][0];

/** An unknown effect on one account, in one or two sentences. The reviewer decides whether to accept it. */
export interface UnknownEffect extends Sentence {
  readonly code: UnknownCode;
  readonly account: Address;
  readonly fact: UnknownFact;
}

/** Creates an unknown effect with the text of its code. */
export const unknownEffect = (
  account: Address,
  code: UnknownCode,
  figures?: SentenceFigures,
): UnknownEffect => {
  const [fact, text] = unknownTexts[code];
  return { ...sentence(code, text, figures), code, account, fact };
};

/** The combined effects of all transactions. */
export interface ApprovalEffects {
  /** Null if the amount cannot be determined from the transaction alone. */
  readonly deactivatedLamports: bigint | null;
  /**
   * Amount of new stakes, including their rent. Null if it cannot be determined from the transaction alone.
   */
  readonly stakedLamports: bigint | null;
  /** Excludes rent and loans that the same transactions return. */
  readonly withdrawnLamports: bigint;
  /** Rent of new accounts that stay open. */
  readonly rentLamports: bigint;
  /**
   * Rent put into split-off accounts that another address may be able to withdraw or lock. Includes accounts that
   * the transactions close again, so it may exceed `rentLamports`.
   */
  readonly atRiskLamports: bigint;
  readonly feeLamports: bigint;
  readonly newAccounts: readonly Address[];
  /** Accounts that are delegated with their whole balance after others were merged or moved into them. */
  readonly fullyDelegated: readonly Address[];
  readonly transactions: number;
}

/**
 * Result of `checkEffects`. Transactions with problems are never signed, and unknown effects require a person's
 * decision.
 */
export interface EffectsCheck {
  readonly problems: readonly VerifierProblem[];
  readonly unknowns: readonly UnknownEffect[];
  readonly effects: ApprovalEffects;
}

/**
 * Effects that depend on existing accounts, either read from the transaction or computed from the accounts of
 * a node.
 */
export interface AccountEffects {
  readonly problems: readonly VerifierProblem[];
  readonly unknowns: readonly UnknownEffect[];
  readonly deactivatedLamports: bigint;
  /** False if more is deactivated, by an amount that cannot be determined from the transaction alone. */
  readonly isDeactivatedShown: boolean;
  /** Deactivated stake that the same transactions do not withdraw. */
  readonly coolingLamports: bigint;
  readonly stakedLamports: bigint;
  /** False if more is staked, by an amount that cannot be determined from the transaction alone. */
  readonly isStakedShown: boolean;
  /** Idle SOL in accounts that is staked together with the rest. */
  readonly idleStakedLamports: bigint;
  readonly atRiskLamports: bigint;
}
