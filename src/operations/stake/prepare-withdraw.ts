// Prepares a withdrawal: determines the withdrawable amount to the lamport before anything is built or signed.
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { checkWithdraw } from '../../domain/stake/withdraw-rules.ts';
import { type BuildFacts, boundaryNotices } from '../act/read-build-facts.ts';
import { withdrawalNotices } from '../act/withdrawal-notices.ts';
import type { Context } from '../context.ts';
import { type AccountRequest, prepareOnAccount } from './prepare-on-account.ts';

/** A withdrawal. `lamports: null` means the full balance. */
interface WithdrawRequest extends AccountRequest {
  readonly lamports: bigint | null;
}

/**
 * Checks and builds. Throws `AppError` with `NOT_A_STAKE_ACCOUNT`, `AUTHORITY_MISMATCH`,
 * `STAKE_NOT_WITHDRAWABLE` (with epochTiming), `STAKE_LOCKED`, `WITHDRAW_LEAVES_BELOW_RENT`,
 * `INSUFFICIENT_STAKE_BALANCE`, `EPOCH_REWARDS_ACTIVE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`.
 */
export const prepareWithdraw = async (
  ctx: Context,
  request: WithdrawRequest,
  signal: AbortSignal,
): Promise<{ built: BuiltTransaction; facts: BuildFacts; lamports: bigint; notices: readonly Notice[] }> => {
  const { stake, built, facts, allowed } = await prepareOnAccount(
    ctx,
    request,
    {
      check: ({ stake, assessment, chain, facts }) =>
        checkWithdraw(stake, assessment, {
          wallet: request.wallet,
          requestedLamports: request.lamports,
          isOneShot: request.isOneShot,
          chain,
          epochTiming: epochTiming(facts.position, ctx.clock.now()),
        }),
      build: (input, { lamports, custodianNeeded }) =>
        buildTransaction.withdraw({
          ...input,
          lamports,
          ...(custodianNeeded ? { custodian: request.wallet } : {}),
        }),
      incomeLamports: ({ lamports }) => lamports,
    },
    signal,
  );
  const { lamports } = allowed;
  const closes =
    lamports === stake.lamports
      ? [
          notice(
            'ACCOUNT_CLOSES',
            'This withdraws everything. The stake account will be closed, and its address will not be used again.',
          ),
        ]
      : [];
  return {
    built,
    facts,
    lamports,
    notices: [
      ...boundaryNotices(facts.position),
      ...closes,
      ...withdrawalNotices(lamports, built.networkFeeLamports),
    ],
  };
};
