// Plans a withdrawal: what may leave the account now, to the lamport, is known before anything is built or signed.
import type { Address } from '@solana/kit';
import {
  type BuiltTransaction,
  buildTransaction,
  type TransactionVersion,
} from '../../chain/transactions/transaction.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { assessStake } from '../../domain/stake/stake-state.ts';
import { checkWithdraw } from '../../domain/stake/withdraw-rules.ts';
import { type BuildFacts, boundaryWarnings, readBuildFacts, stakeFacts } from '../act/build-facts.ts';
import { checkPayer } from '../act/check-payer.ts';
import type { Context } from '../context.ts';
import { requireStakeAccount } from './stake-account-input.ts';

/** What is to be withdrawn; null means the full balance. */
export interface WithdrawRequest {
  readonly wallet: Address;
  readonly stakeAccount: Address;
  readonly lamports: bigint | null;
  /** Default: that of the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
}

/**
 * Checks and builds. Throws `NOT_A_STAKE_ACCOUNT`, `AUTHORITY_MISMATCH`, `STAKE_NOT_WITHDRAWABLE` (with epochTiming), `STAKE_LOCKED`,
 * `WITHDRAW_LEAVES_BELOW_RENT`, `INSUFFICIENT_STAKE_BALANCE`, `EPOCH_REWARDS_ACTIVE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`.
 */
export const planWithdraw = async (
  ctx: Context,
  request: WithdrawRequest,
  signal: AbortSignal,
): Promise<{ built: BuiltTransaction; facts: BuildFacts; lamports: bigint; warnings: string[] }> => {
  const { wallet, stakeAccount } = request;
  const facts = await readBuildFacts(ctx, [wallet, stakeAccount], signal);
  const [walletAccount, account] = facts.accounts!;
  const stake = requireStakeAccount(account ?? null, stakeAccount, wallet);
  const chain = await stakeFacts(ctx, facts, signal);
  const { lamports, custodianNeeded } = checkWithdraw(stake, assessStake(stake, chain), {
    wallet,
    requestedLamports: request.lamports,
    chain,
    epochTiming: epochTiming(facts.position, ctx.clock.now()),
  });
  const built = buildTransaction.withdraw({
    wallet,
    stakeAccount,
    lamports,
    ...(custodianNeeded ? { custodian: wallet } : {}),
    memo: ctx.settings.memo,
    blockhash: facts.blockhash.blockhash,
    version: request.transactionVersion ?? ctx.settings.transactionVersion,
  });
  checkPayer({
    wallet,
    account: walletAccount ?? null,
    spendLamports: 0n,
    incomeLamports: lamports,
    feeLamports: built.networkFeeLamports,
    reserveLamports: 0n,
    walletRentLamports: facts.limits.walletRentLamports,
  });
  const closes =
    lamports === stake.lamports
      ? ['This withdraws everything: the stake account closes and its address is not used again.']
      : [];
  return { built, facts, lamports, warnings: [...boundaryWarnings(facts.position), ...closes] };
};
