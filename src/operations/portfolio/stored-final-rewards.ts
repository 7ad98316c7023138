// Combines stored final rewards with newly computed ones. Loads the stored ones first, so known rewards are not
// queried again, and fills gaps afterwards.
import type { Address } from '@solana/kit';
import { paymentKey } from '../../chain/validator/reward-cache.ts';
import type { DatedReward } from '../../domain/portfolio/rewards-csv.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { SettledReward } from '../../store/settled-rewards.ts';
import type { Context } from '../context.ts';

const keyOf = ({ stakeAccountAddress, epoch }: Pick<SettledReward, 'stakeAccountAddress' | 'epoch'>) =>
  paymentKey(stakeAccountAddress, epoch);

/** Returns `otherwise` if the store fails, because most data can be read from the chain again. */
const withoutStore = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error, 'STORE_UNAVAILABLE') || isAppError(error, 'UPSTREAM_UNAVAILABLE')) return otherwise;
    throw error;
  }
};

/** Returns the accounts of `wallet` with stored final rewards; empty while the store is unavailable. */
export const settledAccountsOf = (ctx: Context, wallet: Address): Promise<readonly Address[]> =>
  withoutStore(ctx.store.settledRewards.accountsOf(wallet) as Promise<readonly Address[]>, []);

/** Loads the stored rewards, keyed by `paymentKey`, and adds them to the payment cache. */
export const readSettled = async (
  ctx: Context,
  addresses: readonly Address[],
  fromEpoch: bigint,
): Promise<ReadonlyMap<string, SettledReward>> => {
  const settled = await withoutStore(ctx.store.settledRewards.find(addresses, fromEpoch), []);
  const { payments, paidAtSeconds } = ctx.chain.rewardMemory;
  for (const reward of settled) {
    const { epoch, inflationLamports, postBalanceLamports, effectiveSlot, paidAtMs } = reward;
    if (inflationLamports === null || payments.has(keyOf(reward))) continue;
    if (postBalanceLamports === null) payments.set(keyOf(reward), null);
    else if (effectiveSlot !== null)
      payments.set(keyOf(reward), {
        epoch,
        effectiveSlot,
        postBalanceLamports,
        lamports: inflationLamports,
        commissionPct: reward.commissionPct,
      });
    if (paidAtMs !== null && !paidAtSeconds.has(epoch)) paidAtSeconds.set(epoch, paidAtMs / 1_000);
  }
  return new Map(settled.map((reward) => [keyOf(reward), reward]));
};

/** Completes `computed` with stored values: fills in unknown values and adds missing rewards. */
export const completeWithStored = (
  computed: readonly DatedReward[],
  settled: ReadonlyMap<string, SettledReward>,
): DatedReward[] => {
  const lacking = new Map(settled);
  const filled = computed.map((reward): DatedReward => {
    const known = settled.get(keyOf(reward));
    lacking.delete(keyOf(reward));
    return known === undefined
      ? reward
      : {
          ...reward,
          ...withReason(
            reward.inflationLamports ?? known.inflationLamports,
            reward.tipsLamports ?? known.tipsLamports,
            reward.unknownReason,
          ),
          postBalanceLamports: reward.postBalanceLamports ?? known.postBalanceLamports,
          commissionPct: reward.commissionPct ?? known.commissionPct,
          paidAt: reward.paidAt ?? dateOf(known.paidAtMs),
        };
  });
  const restored = [...lacking.values()].map(
    ({ effectiveSlot: _slot, wallet: _wallet, paidAtMs, ...reward }): DatedReward => ({
      ...reward,
      ...withReason(reward.inflationLamports, reward.tipsLamports, 'TRANSACTIONS_UNREAD'),
      tipsSettled: reward.tipsLamports !== null,
      paidAt: dateOf(paidAtMs),
    }),
  );
  return [...filled, ...restored];
};

/** Returns the amounts, and `reason` if one of them is unknown. */
const withReason = (
  inflationLamports: bigint | null,
  tipsLamports: bigint | null,
  reason: DatedReward['unknownReason'],
) => ({
  inflationLamports,
  tipsLamports,
  unknownReason: inflationLamports === null || tipsLamports === null ? reason : null,
});

const dateOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Stores the final values in `computed` that are not stored yet. Does not reject if the store fails. */
export const storeSettled = async (
  ctx: Context,
  wallet: Address,
  computed: readonly DatedReward[],
  settled: ReadonlyMap<string, SettledReward>,
): Promise<void> => {
  const news = computed.flatMap((reward): SettledReward[] => {
    const tipsLamports = reward.tipsSettled ? reward.tipsLamports : null;
    const { epoch, stakeAccountAddress, inflationLamports, postBalanceLamports, commissionPct } = reward;
    const known = settled.get(keyOf(reward));
    const isNew =
      (inflationLamports !== null && known?.inflationLamports !== inflationLamports) ||
      (tipsLamports !== null && known?.tipsLamports !== tipsLamports) ||
      (reward.paidAt !== null && known?.paidAtMs == null);
    if (!isNew) return [];
    const paid = ctx.chain.rewardMemory.payments.get(keyOf(reward));
    const paidAtMs = reward.paidAt === null ? null : Date.parse(reward.paidAt);
    return [
      {
        stakeAccountAddress,
        epoch,
        wallet,
        inflationLamports,
        tipsLamports,
        postBalanceLamports,
        commissionPct,
        effectiveSlot: paid?.effectiveSlot ?? null,
        paidAtMs,
      },
    ];
  });
  if (news.length > 0) await withoutStore(ctx.store.settledRewards.record(news), undefined);
};
