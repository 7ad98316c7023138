// Reads stake accounts that a landed transaction changed, with their states as of this response.
import type { Address } from '@solana/kit';
import type { EpochPosition } from '../../chain/ports.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { assessStake, type StakeAssessment } from '../../domain/stake/stake-state.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { stakeFacts } from './read-build-facts.ts';

/** Accounts that still exist, and the position at which they were read. */
interface AssessedAccounts {
  readonly position: EpochPosition;
  readonly stakes: readonly { readonly account: StakeAccount; readonly assessment: StakeAssessment }[];
}

/**
 * Reads the accounts at `slot` or later. Returns null if they cannot be read. Never rejects, because the
 * transaction has already landed.
 */
export const assessAccountsNow = async (
  ctx: Context,
  addresses: readonly Address[],
  slot: bigint | null,
): Promise<AssessedAccounts | null> => {
  const signal = ctx.service.lifetime;
  try {
    const snapshot = await ctx.chain.cluster.readChainSnapshot(addresses, {
      signal,
      ...(slot === null ? {} : { minContextSlot: slot }),
    });
    const { position } = snapshot;
    const limits = await ctx.chain.cluster.limits(signal, snapshot);
    const facts = await stakeFacts(ctx, { position, limits }, signal);
    const accounts = snapshot.accounts.flatMap((account) => (account && decodeStakeAccount(account)) ?? []);
    return {
      position,
      stakes: accounts.map((account) => ({ account, assessment: assessStake(account, facts) })),
    };
  } catch (error) {
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE'))
      ctx.logger.warn({ err: error }, 'the accounts that a landed transaction changed could not be read');
    return null;
  }
};
