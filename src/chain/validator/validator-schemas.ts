// Schemas of RPC responses about validators, leaders, rewards and supply.
import { z } from 'zod';
import { addressSchema, u64Schema } from '../rpc/rpc-schemas.ts';

const voteAccountSchema = z
  .object({
    votePubkey: addressSchema,
    nodePubkey: addressSchema,
    activatedStake: u64Schema,
    epochVoteAccount: z.boolean().optional(),
    commission: z.number().min(0).max(255).nullable().optional(),
    lastVote: u64Schema,
    rootSlot: u64Schema,
    epochCredits: z.array(z.tuple([u64Schema, u64Schema, u64Schema])),
  })
  .transform((entry) => ({
    voteAccount: entry.votePubkey,
    identity: entry.nodePubkey,
    activatedStakeLamports: entry.activatedStake,
    inEpoch: entry.epochVoteAccount ?? true,
    commissionPct: entry.commission ?? null,
    lastVoteSlot: entry.lastVote,
    rootSlot: entry.rootSlot,
    epochCredits: entry.epochCredits.map(([epoch, credits, previousCredits]) => ({
      epoch,
      credits,
      previousCredits,
    })),
  }));

/** `getVoteAccounts`: merges both lists and marks the delinquent entries. */
export const voteAccountsSchema = z
  .object({ current: z.array(voteAccountSchema), delinquent: z.array(voteAccountSchema) })
  .transform(({ current, delinquent }) => [
    ...current.map((entry) => ({ ...entry, delinquent: false })),
    ...delinquent.map((entry) => ({ ...entry, delinquent: true })),
  ]);

/** `getBlockProduction`: leader slots and blocks by identity over a range of slots. */
export const blockProductionSchema = z.object({
  context: z.object({ slot: u64Schema }),
  value: z.object({
    byIdentity: z.record(
      z.string(),
      z
        .tuple([z.int().nonnegative(), z.int().nonnegative()])
        .refine(([slots, blocks]) => blocks <= slots, 'more blocks than slots'),
    ),
    range: z.object({ firstSlot: u64Schema, lastSlot: u64Schema }),
  }),
});

/** `getLeaderSchedule`: slot indexes within the epoch by identity; null if the node has no schedule. */
export const leaderScheduleSchema = z.record(z.string(), z.array(z.int().nonnegative())).nullable();

/** The part of `getClusterNodes` that we use. */
export const clusterNodesSchema = z.array(
  z.object({ pubkey: addressSchema, version: z.string().max(100).nullable().optional() }),
);

/** `getInflationReward`: in the requested order, null if nothing was paid. */
export const inflationRewardsSchema = z.array(
  z
    .object({
      epoch: u64Schema,
      effectiveSlot: u64Schema,
      amount: u64Schema,
      postBalance: u64Schema,
      commission: z.number().min(0).max(255).nullable().optional(),
      commissionBps: z.int().min(0).max(65_535).nullable().optional(),
    })
    .refine(({ amount, postBalance }) => amount <= postBalance, 'the payment exceeds the balance after it')
    // Since SIMD-0291, Agave reports only basis points; before, it reported percentages.
    .transform(({ commission, commissionBps, ...reward }) => ({
      ...reward,
      commissionPct: commission ?? (commissionBps == null ? null : commissionBps / 100),
    }))
    .nullable(),
);

/** `getInflationRate`: shares of the supply per year. */
export const inflationRateSchema = z.object({
  epoch: u64Schema,
  total: z.number().min(0).max(1),
  validator: z.number().min(0).max(1),
});

/** `getInflationGovernor`: the schedule of inflation. */
export const inflationGovernorSchema = z.object({
  terminal: z.number().min(0).max(1),
  taper: z.number().min(0).max(1),
});

/** `getSupply`, in lamports. */
export const supplySchema = z.object({
  context: z.object({ slot: u64Schema }),
  value: z.object({ total: u64Schema, circulating: u64Schema }),
});

/** `getBlockTime`: seconds since the Unix epoch; null if the block has no time. */
export const blockTimeSchema = z.int().nonnegative().nullable();

/** The part of `getBlock` with rewards that we use. Rewards of types other than `Fee` may be negative. */
export const blockRewardsSchema = z.object({
  rewards: z.array(
    z.object({
      lamports: z.union([z.int(), z.bigint()]).transform((value) => BigInt(value)),
      rewardType: z.string().nullable().optional(),
    }),
  ),
});
