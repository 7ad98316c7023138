// Lists a wallet's stake accounts at this validator, each with its state and available actions.

import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solNumber } from '../../domain/lamports.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { noticesBody, noticesMembers } from '../notices.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, epochTimingSchema, guidanceSchema, sentenceShape, sol } from '../shared-schemas.ts';
import { foreignAuthority, stakeAccountSchema, stakeAccountView } from '../wallet/stake-account-view.ts';
import { readWalletStakes } from '../wallet/wallet-stakes.ts';

/** `GET /api/v1/stake/accounts/{walletAddress}` */
export const listStakeAccounts = defineOperation({
  name: 'listStakeAccounts',
  summary: "List a wallet's stake accounts",
  description:
    'Lists the stake accounts with this validator that the wallet may withdraw from (role owner) or only unstake (role staker, not part of the total), each evaluated exactly as by the Stake program. Also lists accounts whose whole stake was moved away (not part of the total). scope=all adds the wallet’s undelegated accounts and those delegated elsewhere (not part of the total).',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    scope: z
      .enum(['validator', 'all'])
      .default('validator')
      .meta({ description: '`all` adds undelegated and elsewhere-delegated accounts.' }),
  }),
  output: z.object({
    walletAddress: z.string(),
    validatorVoteAccount: z.string(),
    accounts: z.array(stakeAccountSchema),
    totalStakedSol: sol('Balances of the owned accounts delegated to this validator.'),
    epochTiming: epochTimingSchema.optional(),
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
    const totalLamports = stakes
      .filter((stake) => stake.ours && stake.role === 'owner')
      .reduce((total, stake) => total + stake.account.lamports, 0n);
    const foreignStakers = stakes.filter(
      (stake) => stake.role === 'owner' && stake.account.stakeAuthority !== wallet,
    );
    return {
      body: {
        walletAddress: wallet,
        validatorVoteAccount: ctx.service.settings.voteAccount,
        accounts: stakes.map(({ account, assessment, role }) =>
          stakeAccountView(account, assessment, role, moment, ctx.service.settings),
        ),
        totalStakedSol: solNumber(totalLamports),
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
        ...noticesBody(foreignStakers.map(({ account }) => foreignAuthority(account))),
      },
      meta,
    };
  },
});
