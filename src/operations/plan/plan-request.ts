// A requested change of a wallet's stake, and its conversion to a goal of the planner.
import type { Address } from '@solana/kit';
import { type GoalName, goalRecord } from '../../domain/plan/plan-goals.ts';
import type { PlanGoal } from '../../domain/plan/plan-stake-change.ts';
import type { SweepGoal } from '../../domain/plan/plan-sweep.ts';
import type { SignRequest } from '../../domain/sign-request.ts';
import { validationError } from '../../kernel/app-error.ts';
import type { BuildOptions } from '../act/build-options.ts';

/** A requested change of a wallet's stake. */
export interface PlanRequest extends Omit<BuildOptions, 'feePayer'> {
  readonly wallet: Address;
  readonly goal: GoalName;
  readonly lamports?: bigint | undefined;
  /** Default `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Destination of a sweep. Default: the wallet. */
  readonly to?: SweepGoal['to'] | undefined;
  /** The activating account for a top-up, or for a sweep into one. Default: the largest. */
  readonly into?: Address | undefined;
  /** True if a top-up must fit into one transaction. */
  readonly isSingle?: boolean | undefined;
  /** Restricts the plan to these accounts. Default: the wallet's accounts at this validator, or at any validator for a migration. */
  readonly accounts?: readonly Address[] | undefined;
  /** Idempotency key, from which the addresses of new accounts are derived. */
  readonly key: string;
  /** True if the caller supplied the key, so that outsiders may know the derived addresses. Default false. */
  readonly isCallersKey?: boolean | undefined;
  /**
   * Namespace of the key. In another namespace, the same key derives other addresses. Default: that of the
   * builders.
   */
  readonly use?: 'builder' | 'one-shot' | undefined;
}

/** A request for a preview, which builds nothing. */
export type PreviewRequest = Omit<PlanRequest, 'key' | 'isCallersKey' | 'use' | 'transactionVersion'>;

/** Converts the request to the planner's goal. */
export const goalOf = ({
  goal,
  lamports,
  rounding = 'exact',
  to = 'wallet',
  into,
  isSingle = false,
  accounts,
}: PreviewRequest): PlanGoal => {
  const named = accounts === undefined ? {} : { accounts };
  const target = into === undefined ? {} : { account: into };
  switch (goal) {
    case 'unstake':
    case 'withdraw-amount':
      return { goal, lamports: lamports!, rounding };
    case 'undo':
      return { goal, ...named, ...(lamports === undefined ? {} : { lamports }) };
    case 'restake':
    case 'migrate':
    case 'rescue':
      return { goal, ...named };
    case 'top-up':
      return { goal, lamports: lamports!, isSingle, ...target };
    case 'sweep':
      if (to === 'stake') return { goal, to, addedLamports: lamports ?? 0n };
      return to === 'activating' ? { goal, to, ...target } : { goal, to };
    default:
      return { goal };
  }
};

/** Converts the request for the page. Returns null for a sweep into a named account, which plans of the page do not support. */
export const signRequestOf = ({
  wallet,
  goal,
  lamports,
  rounding,
  to,
  into,
  accounts,
}: PreviewRequest): SignRequest | null => {
  if (into !== undefined && goal !== 'top-up') return null;
  // With only one account, that account is the largest activating one.
  const named = into === undefined ? accounts : [into];
  return {
    kind: 'rearrange',
    walletAddress: wallet,
    amountLamports: lamports,
    change: { goal, rounding, to, accounts: named },
  };
};

/** Throws `VALIDATION_ERROR` if the goal needs an amount and has none, or has one that it does not take. */
export const refuseAmount = ({ goal, lamports }: PlanRequest): void => {
  const { amount } = goalRecord(goal);
  const refused = (code: string, message: string) =>
    validationError([{ path: 'amountSol', code, message, params: { goal } }]);
  if (amount === 'required' && lamports === undefined)
    throw refused('amount_required', `is required to ${goal}`);
  if (amount === 'none' && lamports !== undefined)
    throw refused('amount_not_taken', `must be omitted: ${goal} always takes everything`);
};
