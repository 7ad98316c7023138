// A wallet's stake accounts, read and judged at one moment of the chain.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake-account.ts';
import { assessStake, type StakeAssessment } from '../../domain/stake-state.ts';
import { stakeFacts } from '../act/ground.ts';
import type { Context } from '../context.ts';
import { refuseStakeAccountAsWallet } from './stake-account-input.ts';
import type { Moment } from './stake-account-view.ts';

/** One account with the wallet's part in it. */
export interface WalletStake {
  readonly account: StakeAccount;
  readonly assessment: StakeAssessment;
  readonly role: 'owner' | 'staker';
  /** Delegated to this service's validator; only these count in totals. */
  readonly ours: boolean;
}

/**
 * `validator`: accounts delegated to our vote account whose withdraw or stake authority is the wallet. `all` adds those it may withdraw
 * from that are undelegated or delegated elsewhere. Throws `STAKE_ACCOUNT_ADDRESS_PROVIDED`, `UPSTREAM_UNAVAILABLE`.
 */
export const readWalletStakes = async (
  ctx: Context,
  wallet: Address,
  scope: 'validator' | 'all',
  signal: AbortSignal,
): Promise<{ stakes: WalletStake[]; moment: Moment }> => {
  const { voteAccount } = ctx.settings;
  const [own, ours, elsewhere, limits, position] = await Promise.all([
    ctx.reads.accounts([wallet], { signal }),
    ctx.reads.stakeAccountsOf(wallet, voteAccount, { signal }),
    scope === 'all' ? ctx.reads.stakeAccountsWithdrawableBy(wallet, { signal }) : { accounts: [] },
    ctx.cluster.limits(signal),
    ctx.cluster.epochPosition(signal),
  ]);
  refuseStakeAccountAsWallet(own.accounts[0] ?? null);
  const facts = await stakeFacts(ctx, { limits, position }, signal);
  const accounts = new Map(
    [...elsewhere.accounts, ...ours.accounts].map((account) => [account.address, account]),
  );
  const stakes = [...accounts.values()]
    .map((account) => decodeStakeAccount(account))
    .filter((account) => account !== null)
    .map((account): WalletStake => {
      const role = account.withdrawAuthority === wallet ? 'owner' : 'staker';
      return {
        account,
        assessment: assessStake(account, facts),
        role,
        ours: account.delegation?.voteAccount === voteAccount,
      };
    })
    .sort((a, b) =>
      a.account.lamports === b.account.lamports
        ? a.account.address < b.account.address
          ? -1
          : 1
        : a.account.lamports > b.account.lamports
          ? -1
          : 1,
    );
  return {
    stakes,
    moment: { position, stakeRentLamports: limits.stakeRentLamports, nowMs: ctx.clock.now() },
  };
};
