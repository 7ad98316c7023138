// Reports a wallet's balance, and whether it is sufficient for staking under the cluster's current limits.

import { z } from 'zod';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { lamportsNumber, solNumber } from '../../domain/lamports.ts';
import { criticalNotice } from '../../domain/notice.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import { step } from '../../kernel/guidance.ts';
import { mostSpendLamports } from '../act/check-payer-balance.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, lamports, sol } from '../shared-schemas.ts';
import { refuseStakeAccountAsWallet } from './stake-account-input.ts';

/** `GET /api/v1/wallet/balance/{walletAddress}` */
export const balance = defineOperation({
  name: 'balance',
  summary: 'Check a wallet balance',
  description:
    'Reads the balance of a wallet and compares it with the current cost of staking: rent and minimum delegation as read from the cluster, plus the fee reserve.',
  effect: 'read',
  input: z.object({ walletAddress: addressSchema('The wallet.') }),
  output: z.object({
    walletAddress: z.string(),
    lamports: lamports('Balance in lamports.'),
    sol: sol('Balance.'),
    balanceSol: sol('The same value under an older name, for older plugins.'),
    readyToStake: z
      .boolean()
      .meta({ description: 'True if the balance covers the minimum stake and the fee reserve.' }),
    minimumStakeSol: sol('Current rent plus minimum delegation.'),
    availableToStake: sol('Balance minus the fee reserve, SOL.'),
    reserveForFees: sol('Amount to keep in the wallet for later fees, SOL.'),
    ...noticesMembers,
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const snapshot = await ctx.chain.cluster.readChainSnapshot([input.walletAddress], { signal });
    const limits = await ctx.chain.cluster.limits(signal, snapshot);
    const account = snapshot.accounts[0] ?? null;
    refuseStakeAccountAsWallet(account);
    // Only a plain System account can fund a stake and pay the fee.
    const isWallet = account === null || (account.owner === SYSTEM_PROGRAM && account.data.length === 0);
    const held = account?.lamports ?? 0n;
    const { feeReserveLamports } = ctx.service.settings;
    const minimum = minimumStakeLamports(limits);
    const most = mostSpendLamports(held, {
      feeLamports: LAMPORTS_PER_SIGNATURE,
      reserveLamports: feeReserveLamports,
      walletRentLamports: limits.walletRentLamports,
    });
    const notices = ctx.validator.status.notices();
    const readyToStake = isWallet && most >= minimum;
    return {
      body: {
        walletAddress: input.walletAddress,
        lamports: lamportsNumber(held),
        sol: solNumber(held),
        balanceSol: solNumber(held),
        readyToStake,
        minimumStakeSol: solNumber(minimum),
        availableToStake: solNumber(isWallet && most > 0n ? most : 0n),
        reserveForFees: solNumber(feeReserveLamports),
        ...noticesBody(notices),
      },
      meta: {
        nextSteps: !isWallet
          ? { address: step('addressType', { address: input.walletAddress }) }
          : readyToStake
            ? stakeSteps(input.walletAddress, criticalNotice(notices) === undefined)
            : fundSteps(input.walletAddress),
      },
    };
  },
});

const stakeSteps = (walletAddress: string, isAdvised: boolean) => ({
  ...(isAdvised && { stake: step('createStakeTransaction') }),
  accounts: step('listStakeAccounts', { walletAddress }),
});

const fundSteps = (walletAddress: string) => ({
  fund: `Send SOL to ${walletAddress}`,
  checkBalance: step('balance', { walletAddress }),
});
