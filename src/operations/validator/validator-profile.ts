// Combines the validator's profile from the chain, the operator and statistics providers.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import { creditsEarned, obtainableCredits } from '../../domain/validator/validator-score.ts';
import { isUrl, type OperatorProfile } from '../../upstream/profile/operator-profile-schema.ts';
import { mevCommission } from '../../validator/mev-commission.ts';
import { NO_NETWORK_PROVIDER } from '../../validator/mev-rates.ts';
import {
  EPOCH_UNAVAILABLE,
  type Part,
  part,
  providerPart,
  RANK_UNAVAILABLE,
  requireAny,
  warningsOf,
} from '../../validator/response-part.ts';
import { commissionPct, type OwnVoteAccount } from '../../validator/validator-chain-facts.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { integer, sol } from '../shared-schemas.ts';
import { apyBody } from './validator-apy.ts';
import { performanceBody } from './validator-performance.ts';
import {
  apySchema,
  nullableInteger,
  nullablePercent,
  nullableSol,
  nullableText,
  performanceSchema,
} from './validator-response-schemas.ts';

/** Maximum wait for the number of delegators, in ms. Counting them may require a scan of several minutes. */
const MAX_COUNT_MS = 5_000;

const voteCreditRankSchema = z
  .object({
    rank: integer('Rank by vote credits; 1 is best, and ties share the better rank.'),
    total: integer('Number of ranked validators.'),
    epoch: integer('The epoch whose credits are ranked.'),
    missedCredits: nullableInteger('Credits that could have been earned but were not.'),
    avgLatency: z.number().nullable().meta({
      description: 'Average number of slots between a block and the vote for it, over the last 31 votes.',
    }),
    source: z.string(),
  })
  .nullable()
  .meta({ description: 'Ranking by vote credits; null while no RPC node lists the validators.' });

const voteStateSchema = z
  .object({
    inflationCommissionBps: integer('Commission on inflation rewards, basis points.'),
    blockRevenueCommissionBps: integer(
      'Share of block revenue that is not paid to delegators, basis points.',
    ),
    inflationCollector: z
      .string()
      .meta({ description: 'Account that receives the commission on inflation rewards.' }),
    blockRevenueCollector: z
      .string()
      .meta({ description: 'Account that receives the share of block revenue.' }),
    pendingDelegatorRewardsSol: sol('Block revenue not yet paid to the delegators.'),
    hasBlsKey: z.boolean().meta({
      description:
        'True if the account has a BLS key. A cluster with admission tickets does not admit validators without one.',
    }),
    balanceSol: sol('Balance of the account, from which a cluster with admission tickets takes the fees.'),
  })
  .nullable()
  .meta({
    description: 'The vote account, decoded from its bytes; null if its layout is not the current one.',
  });

const voteStateBody = (state: OwnVoteAccount['state']): z.input<typeof voteStateSchema> =>
  state?.layout4
    ? {
        inflationCommissionBps: state.inflationCommissionBps,
        blockRevenueCommissionBps: state.layout4.blockRevenueCommissionBps,
        inflationCollector: state.layout4.inflationCollector,
        blockRevenueCollector: state.layout4.blockRevenueCollector,
        pendingDelegatorRewardsSol: solNumber(state.layout4.pendingDelegatorRewardsLamports),
        hasBlsKey: state.layout4.hasBlsKey,
        balanceSol: solNumber(state.balanceLamports),
      }
    : null;

const readProfile = async (ctx: Context, signal: AbortSignal): Promise<Part<OperatorProfile>> => {
  const reading = await ctx.validator.facts.sources.profile.read(signal);
  return reading.ok
    ? { value: reading.profile, warnings: [] }
    : {
        value: null,
        warnings: [notice('PROFILE_UNREADABLE', "The operator's profile file cannot be read.")],
      };
};

const countDelegators = async (ctx: Context, signal: AbortSignal): Promise<Part<number>> => {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(MAX_COUNT_MS)]);
  try {
    return await part(
      ctx.validator.facts.chain.delegators(patience),
      notice(
        'DELEGATORS_UNCOUNTABLE',
        'No RPC node lists the stake accounts, so delegators cannot be counted.',
      ),
    );
  } catch (error) {
    if (signal.aborted || !patience.aborted) throw error;
    return {
      value: null,
      warnings: [notice('DELEGATORS_BEING_COUNTED', 'The delegators are still being counted.')],
    };
  }
};

const readVoteCreditRank = async (ctx: Context, signal: AbortSignal) => {
  const { chain, sources } = ctx.validator.facts;
  const position = await sources.cluster.recentEpochPosition(signal);
  const { epoch } = position;
  const [own, { stakeRank, creditRank }, blocks] = await Promise.all([
    chain.own(signal, epoch),
    chain.ranking(epoch, signal),
    part(chain.blocks(position, signal), EPOCH_UNAVAILABLE),
  ]);
  const earned = creditsEarned(own.listed.epochCredits, epoch) ?? 0n;
  const missed = blocks.value === null ? null : Number(obtainableCredits(blocks.value.blocks) - earned);
  return {
    stakeRank,
    voteCreditRank: creditRank && {
      rank: creditRank.rank,
      total: creditRank.total,
      epoch: Number(epoch),
      // Votes from the end of the previous epoch are credited in the current one, so the credits may exceed the
      // maximum.
      missedCredits: missed === null ? null : Math.max(0, missed),
      avgLatency: own.state?.meanVoteLatencySlots ?? null,
      source: 'Number of vote accounts in the cluster',
    },
  };
};

/** `GET /api/v1/validator` */
export const validatorProfile = defineOperation({
  name: 'validatorProfile',
  summary: 'The validator',
  description:
    'Name, addresses, commissions, stake, delegators, rank, software and location of the validator, with its APY and performance. Stake, commission, credits, rank, software and delegators come from the chain, name and location from its operator or a statistics provider, MEV commission from an MEV provider. Unavailable values are null, with a warning.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: nullableText('Name.'),
    identity: nullableText('Identity address.'),
    voteAccount: z.string().meta({ description: 'Address of the vote account to which stake is delegated.' }),
    website: nullableText('Website.'),
    description: nullableText('Description by the operator.'),
    commission: nullablePercent('Commission on inflation rewards, read from the chain, percent.'),
    blockRevenueCommission: nullablePercent(
      'Share of block revenue that is not paid to delegators, percent; null if its layout has no such field.',
    ),
    voteState: voteStateSchema,
    jitoCommissionBps: nullableInteger('Commission on MEV tips, basis points.'),
    jitoCommissionEpoch: nullableInteger('Epoch of that commission.'),
    activatedStakeSol: nullableSol('Stake that is active this epoch.'),
    delegatorCount: nullableInteger('Wallets with at least one account delegated here and not deactivated.'),
    rank: nullableInteger('Rank by stake; 1 is the largest.'),
    voteCreditRank: voteCreditRankSchema,
    software: nullableText('Software version announced by the validator.'),
    jitoEnabled: z.boolean().nullable().meta({ description: 'True if it takes part in MEV tips.' }),
    location: nullableText('Location of the machine.'),
    iconUrl: nullableText('Picture.'),
    apy: apySchema,
    performance: performanceSchema,
    ...noticesMembers,
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const { chain, sources } = ctx.validator.facts;
    // All at once: while the RPC hangs, each step in a row would add seconds, up to the client's time limit.
    const [own, rank, software, delegators, provider, profile, jito, apy, performance] = await Promise.all([
      part(
        chain.own(signal),
        notice(
          'STAKE_AND_COMMISSION_UNAVAILABLE',
          'No RPC node is responding, so stake and commission cannot be read from the chain.',
        ),
      ),
      part(readVoteCreditRank(ctx, signal), RANK_UNAVAILABLE),
      part(
        chain.software(signal),
        notice(
          'SOFTWARE_UNAVAILABLE',
          'No RPC node lists the cluster nodes, so the software version cannot be read from the chain.',
        ),
      ),
      countDelegators(ctx, signal),
      providerPart(sources.network?.validator(signal), NO_NETWORK_PROVIDER),
      readProfile(ctx, signal),
      mevCommission(ctx.validator.facts.sources, signal),
      apyBody(ctx, signal),
      performanceBody(ctx, signal),
    ]);
    requireAny([own, provider]);
    const listed = own.value?.listed;
    const place = [provider.value?.city, provider.value?.country].filter((name) => name != null).join(', ');
    // Returns the URL of a file on this service, which is the sandbox validator's only website.
    const ofSandbox = (path: string): string | null =>
      ctx.service.sandbox === null || ctx.service.publicUrl() === ''
        ? null
        : `${ctx.service.publicUrl()}${path}`;
    const { logo = null, icon = null } = profile.value ?? {};
    const ownIcon = logo === null ? icon : isUrl(logo) ? logo : `${ctx.service.publicUrl()}/icon`;
    const blockRevenueBps = own.value?.state?.layout4?.blockRevenueCommissionBps ?? null;
    return {
      body: {
        name: profile.value?.name ?? provider.value?.name ?? null,
        identity: listed?.identity ?? provider.value?.identity ?? null,
        voteAccount: ctx.service.settings.voteAccount,
        website: profile.value?.website ?? provider.value?.website ?? ofSandbox(''),
        description: profile.value?.description ?? provider.value?.description ?? null,
        commission: own.value && commissionPct(own.value),
        blockRevenueCommission: blockRevenueBps === null ? null : blockRevenueBps / 100,
        voteState: voteStateBody(own.value?.state ?? null),
        jitoCommissionBps: jito.value?.commissionBps ?? null,
        jitoCommissionEpoch: jito.value?.epoch ?? null,
        activatedStakeSol: listed
          ? solNumber(listed.activatedStakeLamports)
          : (provider.value?.activatedStakeSol ?? null),
        delegatorCount: delegators.value,
        rank: rank.value?.stakeRank.rank ?? null,
        voteCreditRank: rank.value?.voteCreditRank ?? null,
        software: software.value ?? provider.value?.softwareVersion ?? null,
        jitoEnabled: jito.value?.runsJito ?? null,
        location: profile.value?.location ?? (place === '' ? null : place),
        iconUrl: ownIcon ?? provider.value?.iconUrl ?? ofSandbox('/icon'),
        apy,
        performance,
        ...noticesBody(
          warningsOf(
            own,
            rank,
            software,
            delegators,
            provider,
            profile,
            jito,
            { value: null, warnings: apy.notices },
            { value: null, warnings: performance.notices },
          ),
        ),
      },
    };
  },
});
