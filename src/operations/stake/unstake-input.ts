// Defines the input of both unstake operations: a stake account, or an amount taken from the most suitable
// accounts.
import type { Address } from '@solana/kit';
import type { z } from 'zod';
import { validationError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { addressSchema, roundingSchema, solAmount, wantSchema } from '../shared-schemas.ts';

/** The planner's goal for each meaning of an amount. */
export const goalOfWant = { unstake: 'unstake', withdrawAmount: 'withdraw-amount' } as const;

export const unstakeInputShape = {
  stakeAccountAddress: addressSchema(
    'The stake account to deactivate; with amountSol, the only account to take it from.',
  ).optional(),
  amountSol: solAmount(
    'Exact amount in SOL, taken from as many accounts as needed. Default: the whole account.',
  ).optional(),
  rounding: roundingSchema,
  want: wantSchema,
};

/** Fields of which at least one is required. */
export const unstakeRequiresOneOf = {
  members: ['stakeAccountAddress', 'amountSol'],
  issue: {
    path: 'stakeAccountAddress',
    code: 'required',
    message: 'is required unless amountSol is given',
    params: { or: 'amountSol' },
  },
} as const;

/** Additional error codes with an amount. */
export const unstakeAmountErrors = [
  'AMOUNT_NOT_REACHABLE',
  'PLAN_NEEDS_SEVERAL',
  'NOTHING_TO_DO',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
  'STAKE_ADDRESS_OCCUPIED',
] as const satisfies readonly ErrorCode[];

/** A requested amount as the planner's input. */
export interface UnstakeAmount {
  readonly goal: 'unstake' | 'withdraw-amount';
  readonly lamports: bigint;
  readonly rounding: 'exact' | 'atLeast';
  readonly accounts: readonly Address[] | undefined;
}

/**
 * Returns a sentence such as `Unstakes 5 SOL.` The amount is the one actually unstaked, which may be larger
 * than requested.
 */
export const unstakeSentence = (goal: UnstakeAmount['goal'], amountSol: string): Sentence =>
  goal === 'withdraw-amount'
    ? sentence('BRINGS_AMOUNT', 'Moves {amountSol} SOL into the wallet.', { amountSol })
    : sentence('UNSTAKES_AMOUNT', 'Unstakes {amountSol} SOL.', { amountSol });

type Input = z.output<z.ZodObject<typeof unstakeInputShape>>;

/**
 * Returns the requested stake account or amount. Throws `AppError('VALIDATION_ERROR')` if neither is given.
 */
export const requireUnstakeTarget = ({
  stakeAccountAddress,
  amountSol,
  rounding,
  want,
}: Input): { readonly stakeAccount: Address } | UnstakeAmount => {
  if (amountSol !== undefined)
    return {
      goal: goalOfWant[want],
      lamports: amountSol,
      rounding: rounding ?? 'exact',
      accounts: stakeAccountAddress === undefined ? undefined : [stakeAccountAddress],
    };
  if (stakeAccountAddress === undefined) throw validationError([unstakeRequiresOneOf.issue]);
  return { stakeAccount: stakeAccountAddress };
};
