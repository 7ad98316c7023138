// Builds an unsigned donation: a transfer to the service's donation address with the memo.
import { z } from 'zod';
import { buildTransaction } from '../../chain/transactions/transaction.ts';
import { formatSol, solFigure } from '../../domain/lamports.ts';
import { validationError } from '../../kernel/app-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { buildOptionsOf, membersWithFeePayer, versionOf } from '../act/build-options.ts';
import { BALANCE_UNCHECKED, checkPayers } from '../act/check-payer-balance.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { lifetimeOf, readBuildFacts } from '../act/read-build-facts.ts';
import { unsignedResponse, unsignedTransactionSchema } from '../act/unsigned-response.ts';
import { defineOperation } from '../operation.ts';
import { refuseUsedKey } from '../plan/refuse-used-key.ts';
import { addressSchema, sol, solAmount } from '../shared-schemas.ts';

/** `POST /api/v1/donate` */
export const donate = defineOperation({
  name: 'donate',
  summary: 'Build an unsigned donation',
  description:
    'Builds a transfer to the donation address of this service. Sign it with the wallet and submit it. Donations are always voluntary.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that donates and pays the fee.'),
    amountSol: solAmount('Amount to donate, SOL.', { minSol: 0.001, maxSol: 1000 }),
    ...membersWithFeePayer,
  }),
  output: unsignedTransactionSchema.extend({
    suggestedAmounts: z.object({
      currency: z.literal('SOL'),
      small: sol('0.01'),
      medium: sol('0.1'),
      large: sol('1'),
    }),
  }),
  errors: [
    'INSUFFICIENT_BALANCE',
    'WALLET_CANNOT_PAY',
    'IDEMPOTENCY_KEY_REUSED',
    'STORE_UNAVAILABLE',
    'NONCE_UNUSABLE',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const wallet = input.walletAddress;
    await refuseUsedKey(ctx, { wallet, lamports: input.amountSol }, input.idempotencyKey);
    const { donationAddress, memo } = ctx.service.settings;
    const facts = await readBuildFacts(ctx, [wallet, donationAddress], signal, {
      accountsOptional: true,
      ...buildOptionsOf(input),
    });
    const built = buildTransaction.donate({
      wallet,
      donationAddress,
      lamports: input.amountSol,
      memo,
      ...lifetimeOf(facts),
      feePayer: facts.payer?.address,
      version: versionOf(ctx, input),
      unitPrice: facts.price.unitPrice,
    });
    if (facts.accounts) {
      const [payer, recipient] = facts.accounts;
      const { walletRentLamports } = facts.limits;
      if (wallet !== donationAddress && (recipient?.lamports ?? 0n) + input.amountSol < walletRentLamports) {
        const leastSol = formatSol(walletRentLamports - (recipient?.lamports ?? 0n));
        throw validationError([
          {
            path: 'amountSol',
            code: 'too_small',
            params: { origin: 'number', minimum: leastSol },
            message: `must be at least ${leastSol}, because the donation address is still empty and the chain refuses accounts below the rent-exempt minimum`,
          },
        ]);
      }
      const feeLamports = built.networkFeeLamports;
      checkPayers(
        {
          wallet,
          account: payer ?? null,
          spendLamports: input.amountSol,
          feeLamports,
          reserveLamports: 0n,
        },
        facts,
      );
    }
    return unsignedResponse(ctx, built, facts, {
      message: sentence(
        'DONATES',
        'Donates {amountSol} SOL to this service. Sign it with {walletAddress} and submit it. Thank you.',
        { amountSol: solFigure(input.amountSol), walletAddress: wallet },
      ),
      amountLamports: input.amountSol,
      idempotencyKey: idempotencyKeyFor(input.idempotencyKey).key,
      notices: facts.accounts ? [] : [BALANCE_UNCHECKED],
      members: { suggestedAmounts: { currency: 'SOL', small: 0.01, medium: 0.1, large: 1 } as const },
    });
  },
});
