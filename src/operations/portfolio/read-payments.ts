// Reads the inflation payments to a wallet's accounts in a range of epochs. Queries each epoch once, newest
// first.
import type { Address } from '@solana/kit';
import { paymentKey } from '../../chain/validator/reward-cache.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import type { PaymentsByEpoch } from '../../domain/portfolio/account-rewards.ts';
import type { Search } from './search-address-history.ts';

export interface ReadPayments {
  readonly of: (address: Address) => PaymentsByEpoch;
  /** ISO 8601 payment time of each epoch; null if unknown. */
  readonly paidAt: (epoch: bigint) => string | null;
  readonly notices: readonly Notice[];
}

const ADDRESSES_PER_CALL = 100;

const DISTRIBUTING = notice(
  'REWARDS_DISTRIBUTING',
  'The last epoch’s rewards are being distributed and will be available in a few minutes.',
);
const NOT_RETAINED = notice(
  'REWARDS_NOT_RETAINED',
  'No RPC node has the rewards for some older epochs, so they are left empty.',
);
const BUDGET_SPENT = notice(
  'REWARDS_LIMITED',
  'Too many epochs were requested at once, so some are left empty. Try again in a minute.',
);

/**
 * Reads the payments that are not cached yet. Those of `lastCompleted` are only available once the first block
 * of the next epoch is final. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node
 * responds. Without `isDated`, reads no payment times.
 */
export const readPayments = async (
  search: Search,
  addresses: readonly Address[],
  epochs: readonly bigint[],
  lastCompleted: bigint,
  isDated = true,
): Promise<ReadPayments> => {
  const { ctx, budget, signal } = search;
  const { payments, paidAtSeconds } = ctx.chain.rewardMemory;
  const notices = new Set<Notice>();
  const wanted: bigint[] = [];
  const missing = new Set<Address>();
  for (const epoch of epochs) {
    const lacking = addresses.filter((address) => !payments.has(paymentKey(address, epoch)));
    if (lacking.length === 0) continue;
    const calls = Math.ceil(Math.max(lacking.length, missing.size) / ADDRESSES_PER_CALL);
    if (!Array.from({ length: calls }, () => budget.take()).every(Boolean)) {
      notices.add(BUDGET_SPENT);
      break;
    }
    wanted.push(epoch);
    for (const address of lacking) missing.add(address);
  }
  const responses =
    wanted.length === 0
      ? []
      : await ctx.chain.rewardReads.inflationPayments([...missing], wanted, { signal });
  for (const response of responses) {
    if (response.state === 'distributing') notices.add(DISTRIBUTING);
    else if (response.state === 'unavailable')
      notices.add(response.epoch === lastCompleted ? DISTRIBUTING : NOT_RETAINED);
    else
      for (const [address, paid] of response.payments)
        payments.set(paymentKey(address, response.epoch), paid);
  }
  const of = (address: Address): PaymentsByEpoch =>
    new Map(
      epochs.flatMap((epoch) => {
        const key = paymentKey(address, epoch);
        return payments.has(key) ? [[epoch, payments.get(key) ?? null] as const] : [];
      }),
    );
  for (const epoch of isDated ? epochs : []) {
    if (paidAtSeconds.has(epoch)) continue;
    const paid = addresses
      .map((address) => payments.get(paymentKey(address, epoch)))
      .find((payment) => payment != null);
    if (!paid || !budget.take()) continue;
    const seconds = await ctx.chain.rewardReads.blockTimeSeconds(paid.effectiveSlot, { signal });
    if (seconds !== null) paidAtSeconds.set(epoch, seconds);
  }
  return {
    of,
    paidAt: (epoch) => {
      const seconds = paidAtSeconds.get(epoch);
      return seconds === undefined ? null : new Date(seconds * 1_000).toISOString();
    },
    notices: [...notices],
  };
};
