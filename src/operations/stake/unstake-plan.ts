// Plans an unstake: authority, state, fee and epoch are checked before anything is built or signed.
import type { Address } from '@solana/kit';
import {
  type BuiltTransaction,
  buildTransaction,
  type TransactionVersion,
} from '../../chain/transactions/transaction.ts';
import { assessStake } from '../../domain/stake/stake-state.ts';
import { checkUnstake } from '../../domain/stake/unstake-rules.ts';
import { type BuildFacts, boundaryWarnings, readBuildFacts, stakeFacts } from '../act/build-facts.ts';
import { checkPayer } from '../act/check-payer.ts';
import type { Context } from '../context.ts';
import { requireStakeAccount } from './stake-account-input.ts';

/** What is to be deactivated, by whom. */
export interface UnstakeRequest {
  readonly wallet: Address;
  readonly stakeAccount: Address;
  /** Default: that of the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
}

/** A deactivation that nothing known stands against. */
export interface UnstakePlan {
  readonly built: BuiltTransaction;
  readonly facts: BuildFacts;
  /** False where nothing of it is effective yet: then it can be withdrawn at once. */
  readonly coolsDown: boolean;
  readonly warnings: string[];
}

/**
 * Checks and builds. Throws `NOT_A_STAKE_ACCOUNT`, `AUTHORITY_MISMATCH`, `STAKE_NOT_DELEGATED`, `STAKE_ALREADY_DEACTIVATED`,
 * `EPOCH_REWARDS_ACTIVE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`, `UPSTREAM_UNAVAILABLE`.
 */
export const planUnstake = async (
  ctx: Context,
  { wallet, stakeAccount, transactionVersion }: UnstakeRequest,
  signal: AbortSignal,
): Promise<UnstakePlan> => {
  const facts = await readBuildFacts(ctx, [wallet, stakeAccount], signal);
  const [walletAccount, account] = facts.accounts!;
  const stake = requireStakeAccount(account ?? null, stakeAccount, wallet);
  const assessment = assessStake(stake, await stakeFacts(ctx, facts, signal));
  checkUnstake(stake, assessment, { wallet });
  const { blockhash } = facts.blockhash;
  const built = buildTransaction.unstake({
    ...{ wallet, stakeAccount, memo: ctx.settings.memo, blockhash },
    version: transactionVersion ?? ctx.settings.transactionVersion,
  });
  checkPayer({
    wallet,
    account: walletAccount ?? null,
    spendLamports: 0n,
    feeLamports: built.networkFeeLamports,
    reserveLamports: 0n,
    walletRentLamports: facts.limits.walletRentLamports,
  });
  const elsewhere =
    stake.delegation && stake.delegation.voteAccount !== ctx.settings.voteAccount
      ? [`This stake is delegated to another validator (${stake.delegation.voteAccount}).`]
      : [];
  const foreign =
    stake.withdrawAuthority !== wallet
      ? [`Only ${stake.withdrawAuthority} can withdraw from this account afterwards.`]
      : [];
  return {
    built,
    facts,
    coolsDown: assessment.activeLamports > 0n,
    warnings: [...boundaryWarnings(facts.position), ...elsewhere, ...foreign],
  };
};
