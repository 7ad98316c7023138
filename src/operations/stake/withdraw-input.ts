// What both withdrawals take and can fail with.
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { solAmount } from '../shared-schemas.ts';

/** Omitted or null withdraws the full balance. */
export const withdrawAmount = solAmount(
  'Amount to withdraw, SOL; omitted or null withdraws the full balance.',
).nullish();

/** Failures of both withdrawals besides those of any transaction. */
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
