// What both unstakes take: a stake account, or an amount out of whichever accounts that takes.
import type { Address } from '@solana/kit';
import type { z } from 'zod';
import { validationError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { addressSchema, roundingSchema, solAmount, wantSchema } from '../shared-schemas.ts';

/** The goal that plans each meaning of an amount. */
export const goalOfWant = { unstake: 'unstake', withdrawAmount: 'withdraw-amount' } as const;

/** Members of the request. */
export const unstakeWhat = {
  stakeAccountAddress: addressSchema(
    'The stake account to deactivate; with amountSol the only one to take it from.',
  ).optional(),
  amountSol: solAmount(
    'Exactly this much, SOL, out of whichever accounts that takes. Default: the whole account.',
  ).optional(),
  rounding: roundingSchema,
  want: wantSchema,
};

/** The least that a request must hold. */
export const unstakeEitherOf = {
  members: ['stakeAccountAddress', 'amountSol'],
  issue: { path: 'stakeAccountAddress', code: 'required', message: 'is required unless amountSol is given' },
} as const;

/** Failures with an amount. */
export const unstakeAmountErrors = [
  'AMOUNT_NOT_REACHABLE',
  'PLAN_NEEDS_SEVERAL',
  'NOTHING_TO_DO',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
  'STAKE_ADDRESS_OCCUPIED',
] as const satisfies readonly ErrorCode[];

/** An amount, as it is planned. */
export interface UnstakeAmount {
  readonly goal: 'unstake' | 'withdraw-amount';
  readonly lamports: bigint;
  readonly rounding: 'exact' | 'atLeast';
  readonly accounts: readonly Address[] | undefined;
}

/** `Unstakes 5 SOL.`, or the larger amount that it really comes to. */
export const unstakeSentence = (goal: UnstakeAmount['goal'], plannedSol: string): string =>
  goal === 'withdraw-amount' ? `Brings ${plannedSol} SOL into the wallet.` : `Unstakes ${plannedSol} SOL.`;

type Input = z.output<z.ZodObject<typeof unstakeWhat>>;

/** Which of the two it is. Throws `VALIDATION_ERROR` where it is neither. */
export const requireUnstakeWhat = ({
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
  if (stakeAccountAddress === undefined) throw validationError([unstakeEitherOf.issue]);
  return { stakeAccount: stakeAccountAddress };
};
