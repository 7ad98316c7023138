// Defines the input and error codes of both withdraw operations.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { validationError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { addressSchema, solAmount } from '../shared-schemas.ts';

export const withdrawInputShape = {
  stakeAccountAddress: addressSchema('The stake account to withdraw from.').optional(),
  amountSol: solAmount('SOL. If omitted or null, the full balance.').nullish(),
  all: z.literal(true).optional().meta({
    description: 'Instead of an account: every inactive account.',
  }),
};

type Input = z.output<z.ZodObject<typeof withdrawInputShape>>;

/** Fields of which at least one is required. */
export const withdrawRequiresOneOf = {
  members: ['stakeAccountAddress', 'all'],
  issue: {
    path: 'stakeAccountAddress',
    code: 'required',
    message: 'is required unless `all` is true',
    params: { or: 'all' },
  },
} as const;

/**
 * Returns one account, or all inactive ones. Throws `AppError('VALIDATION_ERROR')` if neither or both are
 * requested.
 */
export const requireWithdrawTarget = ({
  stakeAccountAddress,
  amountSol,
  all,
}: Input): 'all' | { readonly stakeAccount: Address; readonly lamports: bigint | null } => {
  if (all === true && (stakeAccountAddress !== undefined || amountSol != null))
    throw validationError([
      {
        path: 'all',
        code: 'not_together',
        message: 'must not be given together with stakeAccountAddress or amountSol',
        params: { or: 'stakeAccountAddress or amountSol' },
      },
    ]);
  if (all === true) return 'all';
  if (stakeAccountAddress === undefined) throw validationError([withdrawRequiresOneOf.issue]);
  return { stakeAccount: stakeAccountAddress, lamports: amountSol ?? null };
};

/** Additional error codes of a withdrawal from all accounts. */
export const withdrawAllErrors = [
  'NOTHING_TO_DO',
  'PLAN_NEEDS_SEVERAL',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
] as const satisfies readonly ErrorCode[];

/** Error codes of both withdraw operations, in addition to those of every transaction. */
export const withdrawErrors = [
  'NOT_A_STAKE_ACCOUNT',
  'AUTHORITY_MISMATCH',
  'STAKE_NOT_WITHDRAWABLE',
  'STAKE_LOCKED',
  'WITHDRAW_LEAVES_BELOW_RENT',
  'INSUFFICIENT_STAKE_BALANCE',
  'EPOCH_REWARDS_ACTIVE',
  'INSUFFICIENT_BALANCE',
  'WALLET_CANNOT_PAY',
] as const satisfies readonly ErrorCode[];
