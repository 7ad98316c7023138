// Defines a requested change of a wallet's stake and converts it to a planner goal.
import type { Address } from '@solana/kit';
import type { Addressing } from '../../chain/transactions/derive-stake-key.ts';
import type { SweepGoal } from '../../domain/plan/goals/plan-sweep.ts';
import type { PlanGoal } from '../../domain/plan/plan-for-goal.ts';
import { type GoalName, goalRecord, stakeAuthorityGoals } from '../../domain/plan/plan-goals.ts';
import type { SignRequest } from '../../domain/sign-request.ts';
import { validationError } from '../../kernel/app-error.ts';
import type { BuildOptions } from '../act/build-options.ts';

export interface PlanRequest extends Omit<BuildOptions, 'feePayer'> {
  readonly wallet: Address;
  /** The withdraw authority of the accounts. Default: the wallet. */
  readonly owner?: Address | undefined;
  readonly goal: GoalName;
  readonly lamports?: bigint | undefined;
  /** Default: `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Destination of a sweep. Default: the wallet. */
  readonly to?: SweepGoal['to'] | undefined;
  /** The activating account for a top-up, or for a sweep into one. Default: the largest. */
  readonly into?: Address | undefined;
  /** True if a top-up must fit into one transaction. */
  readonly isSingle?: boolean | undefined;
  /**
   * Restricts the plan to these accounts. Default: the wallet's accounts at this validator, or at any other
   * validator for a migration.
   */
  readonly accounts?: readonly Address[] | undefined;
  /** Addressing of new accounts. Default: the result of `addressingOf`. */
  readonly addressing?: Addressing | undefined;
  /** Idempotency key, from which the addresses of new accounts are derived. */
  readonly key: string;
  /** True if the caller supplied the key. Outsiders may then know the derived addresses. Default: false. */
  readonly isCallersKey?: boolean | undefined;
  /**
   * Namespace of the key. The same key derives different addresses in each namespace. Default: the builders'
   * namespace.
   */
  readonly use?: 'builder' | 'one-shot' | undefined;
}

export type PreviewRequest = Omit<
  PlanRequest,
  'key' | 'isCallersKey' | 'use' | 'transactionVersion' | 'addressing'
>;

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

/**
 * Converts the request for the page. Returns null for a sweep into a specific account and for another owner's
 * stake.
 */
export const signRequestOf = ({
  wallet,
  owner = wallet,
  goal,
  lamports,
  rounding,
  to,
  into,
  accounts,
}: PreviewRequest): SignRequest | null => {
  if (into !== undefined && goal !== 'top-up') return null;
  // The page supports only wallets that hold both authorities.
  if (owner !== wallet) return null;
  // A single named account is always the largest activating one.
  const named = into === undefined ? accounts : [into];
  return {
    kind: 'rearrange',
    walletAddress: wallet,
    amountLamports: lamports,
    change: { goal, rounding, to, accounts: named },
  };
};

/**
 * Throws `AppError('VALIDATION_ERROR')` if only the owner could make the change, but the wallet is only the
 * stake authority.
 */
export const refuseForStakeAuthority = ({
  wallet,
  owner = wallet,
  goal,
}: Pick<PlanRequest, 'wallet' | 'owner' | 'goal'>): void => {
  if (owner === wallet || goalRecord(goal).forStakeAuthority) return;
  throw validationError([
    {
      path: 'owner',
      code: 'not_for_goal',
      message: `must be omitted for ${goal}: a stake authority can only ${stakeAuthorityGoals.join(', ')}; only the owner can withdraw or take back control`,
      params: { goal, goals: stakeAuthorityGoals.join(', ') },
    },
  ]);
};

/**
 * Throws `AppError('VALIDATION_ERROR')` if a required amount is missing, or if the goal does not take the
 * given one.
 */
export const refuseAmount = ({ goal, lamports }: PlanRequest): void => {
  const { amount } = goalRecord(goal);
  const refused = (code: string, message: string) =>
    validationError([{ path: 'amountSol', code, message, params: { goal } }]);
  if (amount === 'required' && lamports === undefined)
    throw refused('amount_required', `is required to ${goal}`);
  if (amount === 'none' && lamports !== undefined)
    throw refused('amount_not_taken', `must be omitted: ${goal} always takes everything`);
};
