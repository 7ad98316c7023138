// A change of a wallet's stake as callers ask for it, and the goal that the planner makes of it.
import type { Address } from '@solana/kit';
import type { TransactionVersion } from '../../chain/transactions/transaction.ts';
import { type GoalName, goalRecord } from '../../domain/plan/plan-goals.ts';
import type { PlanGoal } from '../../domain/plan/plan-stake-change.ts';
import type { SweepGoal } from '../../domain/plan/plan-sweep.ts';
import { validationError } from '../../kernel/app-error.ts';

/** A change of a wallet's stake, as callers ask for it. */
export interface PlanRequest {
  readonly wallet: Address;
  readonly goal: GoalName;
  readonly lamports?: bigint | undefined;
  /** Default `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Of a sweep; default: the wallet. */
  readonly to?: SweepGoal['to'] | undefined;
  /** The activating account of a top-up, or of a sweep into one. Default: the largest. */
  readonly into?: Address | undefined;
  /** Of a top-up: one transaction has to do. */
  readonly isSingle?: boolean | undefined;
  /** Nothing but these. Default: what the wallet has at this validator, with a migration what it has anywhere. */
  readonly accounts?: readonly Address[] | undefined;
  /** Leads to the addresses of new accounts. */
  readonly key: string;
  /** The key came from the caller, so outsiders may know the addresses that it leads to. Default false. */
  readonly isCallersKey?: boolean | undefined;
  /** The namespace of the key: the same key leads to other addresses. Default: the builders'. */
  readonly use?: 'builder' | 'one-shot' | undefined;
  /** Default: that of the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
}

/** The same where nothing is built. */
export type PreviewRequest = Omit<PlanRequest, 'key' | 'isCallersKey' | 'use' | 'transactionVersion'>;

/** The goal as the planner takes it. */
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

/** Throws `VALIDATION_ERROR` for an amount that the goal lacks or does not take. */
export const refuseAmount = ({ goal, lamports }: PlanRequest): void => {
  const { amount } = goalRecord(goal);
  const problem =
    amount === 'required' && lamports === undefined
      ? `is required to ${goal}`
      : amount === 'none' && lamports !== undefined
        ? `must not be given: ${goal} concerns all there is`
        : null;
  if (problem !== null) throw validationError([{ path: 'amountSol', code: 'custom', message: problem }]);
};
