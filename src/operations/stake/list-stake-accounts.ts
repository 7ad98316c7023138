// Lists a wallet's stake accounts at this validator, each with its state and the available actions.

import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solNumber } from '../../domain/lamports.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, epochTimingSchema, guidanceSchema, sentenceShape, sol } from '../shared-schemas.ts';
import { foreignAuthority, stakeAccountSchema, stakeAccountView } from '../wallet/stake-account-view.ts';
import {
  delegatedSolSchema,
  readWalletStakes,
  stakedLamports,
  totalStakedSolSchema,
  type WalletStake,
} from '../wallet/wallet-stakes.ts';

/** `GET /api/v1/stake/accounts/{walletAddress}` */
export const listStakeAccounts = defineOperation({
  name: 'listStakeAccounts',
  summary: "List a wallet's stake accounts",
  description:
    'Lists the stake accounts with this validator that the wallet may withdraw from (role owner) or only unstake (role staker, not part of the total), each evaluated exactly as the Stake program does. Also lists accounts whose whole stake was moved away (not part of the total). scope=all adds the wallet’s undelegated accounts and those delegated elsewhere (not part of the total).',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    scope: z
      .enum(['validator', 'all'])
      .default('validator')
      .meta({ description: '`all` adds accounts that are undelegated or delegated elsewhere.' }),
  }),
  output: z.object({
    walletAddress: z.string(),
    validatorVoteAccount: z.string(),
    accounts: z.array(stakeAccountSchema),
    totalStakedSol: totalStakedSolSchema,
    delegatedSol: delegatedSolSchema,
    withdrawableSol: sol('Total that the wallet can withdraw now from the listed accounts.'),
    epochTiming: epochTimingSchema,
    ...z.object(sentenceShape('message')).partial().shape,
    nextSteps: z
      .object({ checkBalance: guidanceSchema, stake: guidanceSchema, simulate: guidanceSchema })
      .optional(),
    ...noticesMembers,
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const wallet = input.walletAddress;
    const { stakes, moment, meta } = await readWalletStakes(ctx, wallet, input.scope, signal);
    const owned = stakes.filter(({ role }) => role === 'owner');
    const total = (of: (stake: WalletStake) => bigint): number =>
      solNumber(owned.reduce((sum, stake) => sum + of(stake), 0n));
    const foreignStakers = owned.filter(({ account }) => account.stakeAuthority !== wallet);
    return {
      body: {
        walletAddress: wallet,
        validatorVoteAccount: ctx.service.settings.voteAccount,
        accounts: stakes.map(({ account, assessment, role }) =>
          stakeAccountView(account, assessment, role, moment, ctx.service.settings),
        ),
        totalStakedSol: total(({ account, ours }) => (ours ? account.lamports : 0n)),
        delegatedSol: total(stakedLamports),
        withdrawableSol: total(({ assessment }) => assessment.withdrawableLamports),
        epochTiming: epochTiming(moment.position, moment.nowMs),
        ...(stakes.length > 0
          ? {}
          : {
              ...sentenceMembers(
                'message',
                sentence('NO_STAKE_ACCOUNTS', 'This wallet has no stake accounts with this validator.'),
              ),
              nextSteps: {
                checkBalance: step('balance', { walletAddress: wallet }),
                stake: step('createStakeTransaction'),
                simulate: step('simulateStake'),
              },
            }),
        ...noticesBody([
          ...ctx.validator.status.notices(),
          ...foreignStakers.map(({ account }) => foreignAuthority(account)),
        ]),
      },
      meta,
    };
  },
});
