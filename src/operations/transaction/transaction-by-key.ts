// Returns the outcome of a request by its idempotency key, regardless of who signed and submitted the
// transaction.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { IntentRecord } from '../../store/intent-log.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, idempotencyKeySchema } from '../shared-schemas.ts';
import { transactionState } from './transaction-state.ts';

const operations = ['submit', 'stake', 'unstake', 'withdraw'] as const;

/**
 * Returns the intent submitted for the wallet with this idempotency key; null if there is none. Rejects with
 * `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
 */
export const intentOfKey = async (
  { store: { intents } }: Pick<Context, 'store'>,
  wallet: Address,
  key: string,
): Promise<IntentRecord | null> => {
  for (const operation of operations) {
    const found = await intents.find({ operation, wallet, key });
    if (found !== null) return found;
  }
  return null;
};

/** `GET /api/v1/transaction` */
export const transactionByKey = defineOperation({
  name: 'transactionByKey',
  summary: 'Outcome of a request by its idempotency key',
  description:
    'Finds the transaction submitted for a wallet with an idempotency key and returns its state. Use it after giving `signUrl` to a person: 404 until the transaction is signed and submitted. For a plan with several transactions, returns the first one.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet that signs.'),
    idempotencyKey: idempotencyKeySchema.unwrap().meta({
      description: 'The key, as the builder returned it.',
      examples: ['order-2026-0001'],
    }),
  }),
  output: transactionState.output,
  errors: transactionState.errors,
  presentation: { NOT_FOUND: { title: 'Transaction not found' } },
  async run(call) {
    const { walletAddress, idempotencyKey } = call.input;
    const found = await intentOfKey(call.ctx, walletAddress, idempotencyKey);
    if (found === null)
      throw new AppError(
        'NOT_FOUND',
        'Nothing has been submitted for this wallet with this idempotency key.',
        {
          reason: 'NOTHING_UNDER_KEY',
          suggestedAction: guidance`The link may still be unsigned: try again every 10 seconds. It is valid for 24 hours. If it takes longer than expected, check the key, then ask the user whether they canceled. A transaction submitted without the key is not found by it, so check ${step('walletHistory', { walletAddress })} before you build again. To get a new link, repeat the request with the same key.`,
        },
      );
    return transactionState.run({ ...call, input: { signature: found.submission.signature } });
  },
});
