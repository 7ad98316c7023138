// Lists which of a wallet's stake accounts can be withdrawn now, and when the others can be withdrawn.

import { z } from 'zod';
import { step } from '../../kernel/guidance.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer } from '../shared-schemas.ts';
import { readinessShape, readinessView } from '../wallet/stake-account-view.ts';
import { readWalletStakes } from '../wallet/wallet-stakes.ts';

/** `GET /api/v1/stake/accounts/{walletAddress}/withdraw-ready` */
export const withdrawReadiness = defineOperation({
  name: 'withdrawReadiness',
  summary: 'Check which stake accounts are ready to withdraw',
  description:
    'Checks every stake account of the wallet with this validator for activation, deactivation, lockup and rewards distribution, and estimates when a deactivating one becomes withdrawable. Poll this after unstaking; once `withdrawReady` is true, withdraw.',
  effect: 'read',
  input: z.object({ walletAddress: addressSchema('The wallet.') }),
  output: z.object({
    walletAddress: z.string(),
    accounts: z.array(z.object(readinessShape).meta({ id: 'WithdrawReadiness' })),
    anyReady: z.boolean(),
    readyCount: integer('Accounts ready now.'),
    totalAccounts: integer('Accounts listed.'),
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const { stakes, moment, meta } = await readWalletStakes(ctx, input.walletAddress, 'validator', signal);
    const accounts = stakes
      .filter((stake) => stake.role === 'owner')
      .map(({ account, assessment }) => readinessView(account, assessment, moment));
    const readyCount = accounts.filter((account) => account.withdrawReady).length;
    return {
      body: {
        walletAddress: input.walletAddress,
        accounts,
        anyReady: readyCount > 0,
        readyCount,
        totalAccounts: accounts.length,
      },
      meta: readyCount > 0 ? { ...meta, nextSteps: { withdraw: step('createWithdrawTransaction') } } : meta,
    };
  },
});
