// Summarizes a wallet: liquid and staked SOL by state, rewards, and the recommended action.

import { z } from 'zod';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import type { ClusterLimits } from '../../chain/ports.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solNumber } from '../../domain/lamports.ts';
import { criticalNotice } from '../../domain/notice.ts';
import { estimatedDailyReward } from '../../domain/portfolio/projection.ts';
import { recommendAction } from '../../domain/portfolio/recommended-action.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import { atLeastApy } from '../../domain/validator/realized-apy.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, epochTimingSchema, printedStep, sentenceShape, sol } from '../shared-schemas.ts';
import { foreignAuthority, stakeAccountSchema, stakeAccountView } from '../wallet/stake-account-view.ts';
import {
  delegatedSolSchema,
  readWalletStakes,
  stakedLamports,
  totalStakedSolSchema,
  type WalletStake,
} from '../wallet/wallet-stakes.ts';
import { readStakingYield, type StakingYield } from './staking-yield.ts';

const portfolioSchema = z
  .object({
    liquidSol: sol('Balance of the wallet itself.'),
    totalStakedSol: totalStakedSolSchema,
    delegatedSol: delegatedSolSchema,
    activeSol: sol('Effective stake, without rent: `stayingActiveSol` + `deactivatingSol`.'),
    activatingSol: sol('Warming up.'),
    deactivatingSol: sol('Deactivating stake: still earning, not yet withdrawable.'),
    stayingActiveSol: sol('Effective stake that is not deactivating.'),
    undelegatedSol: sol('The rest of the balances: rent, inactive accounts and `excessSol`.'),
    withdrawableSol: sol('Total that can be withdrawn now.'),
    excessSol: sol('Balance beyond stake and rent, while the account is staked.'),
  })
  .meta({
    id: 'Portfolio',
    description:
      'Totals in SOL. Four of them are disjoint and add up exactly, in lamports: `totalStakedSol` = `stayingActiveSol` + `activatingSol` + `deactivatingSol` + `undelegatedSol`. `delegatedSol` is the sum of the first three.',
  });

const recommendedActionSchema = z
  .object({
    action: z.enum(['STAKE', 'FUND', 'HOLD', 'WAIT', 'WITHDRAW']),
    ...sentenceShape('reason'),
    method: z.string(),
    endpoint: z.string(),
    amountSol: sol('Present if the step has an amount.').optional(),
    stakeAccountAddress: z.string().optional().meta({ description: 'The account to withdraw from.' }),
    all: z.literal(true).optional().meta({
      description: 'Used instead of an account: pass all: true to include every account that is ready.',
    }),
  })
  .meta({ id: 'RecommendedAction', description: 'The next step, with the endpoint to call for it.' });

const apySchema = z
  .object({
    stakingApy: z.number().nullable(),
    jitoMevApy: z.number().nullable(),
    totalApy: z.number().nullable(),
    atLeastApy: z.number().nullable().meta({
      description:
        'Lower bound of the yield: `totalApy`, or `stakingApy` (without tips) if `jitoMevApy` is null.',
    }),
  })
  .meta({ id: 'SummaryApy', description: 'Percent a year; null if unknown.' });

const accountSchema = stakeAccountSchema
  .extend({
    estimatedDailyRewardSol: z.number().nullable().meta({
      description: 'Daily rewards of its effective stake at current rates; null while unknown.',
    }),
  })
  .meta({ id: 'SummarisedStakeAccount' });

/** `GET /api/v1/stake/summary/{walletAddress}` */
export const summary = defineOperation({
  name: 'stakingSummary',
  summary: "A wallet's staking summary",
  description:
    'Everything about a wallet in one call: liquid balance, stake by state, every account with its estimated daily reward, and `recommendedAction`: STAKE, FUND, HOLD, WAIT or WITHDRAW with the endpoint to call next. Totals include the accounts that the wallet may withdraw from.',
  effect: 'read',
  input: z.object({ walletAddress: addressSchema('The wallet.') }),
  output: z.object({
    walletAddress: z.string(),
    validatorVoteAccount: z.string(),
    totalStakedSol: sol(
      'The same as in `portfolio`: balances of the accounts, with rent and inactive accounts.',
    ),
    walletBalanceSol: sol('`liquidSol` of `portfolio`.'),
    portfolio: portfolioSchema,
    accounts: z.array(accountSchema),
    apy: apySchema.optional(),
    epochTiming: epochTimingSchema,
    recommendedAction: printedStep(recommendedActionSchema),
    ...noticesMembers,
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const wallet = input.walletAddress;
    const [read, staking] = await Promise.all([
      readWalletStakes(ctx, wallet, 'validator', signal),
      readStakingYield(ctx, signal),
    ]);
    const { stakes, moment, limits, liquidLamports, isWallet, meta } = read;
    const owned = stakes.filter(({ role }) => role === 'owner');
    const foreign = owned.filter(({ account }) => account.stakeAuthority !== wallet);
    const recommended = recommendAction({
      wallet,
      liquidLamports,
      stakes: owned,
      ...thresholds(ctx, limits),
      epochRewardsActive: moment.position.epochRewardsActive,
      criticalNotice: criticalNotice(staking.notices) ?? null,
    });
    const { amountLamports, stakeAccountAddress, all, reason, ...step } = recommended;
    const portfolio = portfolioOf(liquidLamports, owned);
    return {
      body: {
        walletAddress: wallet,
        validatorVoteAccount: ctx.service.settings.voteAccount,
        // Agent plugins expect these two fields at the top level.
        totalStakedSol: portfolio.totalStakedSol,
        walletBalanceSol: portfolio.liquidSol,
        portfolio,
        accounts: stakes.map(({ account, assessment, role }) => ({
          ...stakeAccountView(account, assessment, role, moment, ctx.service.settings),
          estimatedDailyRewardSol: dailySol(assessment.activeLamports, staking, moment.position),
        })),
        ...(staking.apy.stakingApy === null && staking.apy.jitoMevApy === null
          ? {}
          : { apy: { ...staking.apy, atLeastApy: atLeastApy(staking.apy) } }),
        epochTiming: epochTiming(moment.position, moment.nowMs),
        recommendedAction: {
          ...(isWallet ? { ...step, ...sentenceMembers('reason', reason) } : notAWallet(wallet)),
          ...(amountLamports === null || !isWallet ? {} : { amountSol: solNumber(amountLamports) }),
          ...(stakeAccountAddress === null || !isWallet ? {} : { stakeAccountAddress }),
          ...(all && isWallet ? { all: true as const } : {}),
        },
        ...noticesBody([...staking.notices, ...foreign.map(({ account }) => foreignAuthority(account))]),
      },
      meta,
    };
  },
});

/**
 * Returns the recommended action for an address owned by a program (for example a vote account), which can
 * neither fund a stake nor pay fees.
 */
const notAWallet = (address: string) => ({
  action: 'HOLD' as const,
  ...sentenceMembers(
    'reason',
    sentence(
      'NOT_A_WALLET',
      'This address is owned by a program. It is not a wallet and cannot stake or pay fees.',
    ),
  ),
  ...step('addressType', { address }),
});

const thresholds = (ctx: Context, limits: ClusterLimits) => ({
  minimumStakeLamports: minimumStakeLamports(limits),
  feeReserveLamports: ctx.service.settings.feeReserveLamports,
  walletRentLamports: limits.walletRentLamports,
  feeLamports: LAMPORTS_PER_SIGNATURE,
});

const portfolioOf = (
  liquidLamports: bigint,
  owned: readonly WalletStake[],
): z.input<typeof portfolioSchema> => {
  const total = (of: (stake: WalletStake) => bigint): number =>
    solNumber(owned.reduce((sum, stake) => sum + of(stake), 0n));
  return {
    liquidSol: solNumber(liquidLamports),
    totalStakedSol: total(({ account, ours }) => (ours ? account.lamports : 0n)),
    delegatedSol: total(stakedLamports),
    activeSol: total(({ assessment }) => assessment.activeLamports),
    activatingSol: total(({ assessment }) => assessment.activatingLamports),
    deactivatingSol: total(({ assessment }) => assessment.deactivatingLamports),
    stayingActiveSol: total(({ assessment }) => assessment.activeLamports - assessment.deactivatingLamports),
    undelegatedSol: total((stake) => (stake.ours ? stake.account.lamports - stakedLamports(stake) : 0n)),
    withdrawableSol: total(({ assessment }) => assessment.withdrawableLamports),
    excessSol: total(({ assessment }) => assessment.excessLamports),
  };
};

const dailySol = (
  activeLamports: bigint,
  { rates }: StakingYield,
  position: Parameters<typeof estimatedDailyReward>[2],
): number | null =>
  rates === null ? null : solNumber(estimatedDailyReward(activeLamports, rates, position));
