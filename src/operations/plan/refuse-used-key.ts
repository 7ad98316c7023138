// Refuses to build a change again with an idempotency key whose transaction has landed, and an amount also while
// it may still land, because nothing that is read from the chain shows that the amount was already moved.

import type { Address } from '@solana/kit';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Context } from '../context.ts';

/**
 * Throws `AppError('IDEMPOTENCY_KEY_REUSED')` with the signature, or `AppError('STORE_UNAVAILABLE')`. A request
 * without an amount is allowed while the transaction is in flight or the store is down, because repeating it has
 * no further effect. Does nothing without a caller's key, because every request then has a new one.
 */
export const refuseUsedKey = async (
  ctx: Context,
  { wallet, lamports }: { readonly wallet: Address; readonly lamports?: bigint | undefined },
  callersKey: string | undefined,
): Promise<void> => {
  if (callersKey === undefined) return;
  const known = await ctx.store.intents
    .find({ operation: 'submit', wallet, key: callersKey })
    .catch((error: unknown) => {
      if (lamports === undefined && isAppError(error, 'STORE_UNAVAILABLE')) return null;
      throw error;
    });
  if (known === null) return;
  const { state, signature } = known.submission;
  if (state !== 'confirmed' && (state !== 'signed' || lamports === undefined)) return;
  throw state === 'signed' ? keyInFlight(signature) : keyDone(signature);
};

/** Creates the error for a key whose transaction has landed. */
export const keyDone = (signature: string): AppError =>
  new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'A transaction with this idempotency key has already landed: {signature}. Nothing was built.',
    {
      reason: 'AMOUNT_DONE',
      params: { signature },
      suggestedAction: guidance`${step('transactionState', { signature })} shows what it did. Use a new idempotency key for anything else.`,
      body: { signature },
    },
  );

/** Creates the error for a key whose transaction may still land. */
export const keyInFlight = (signature: string): AppError =>
  new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'A transaction with this idempotency key is in flight: {signature}. Nothing else will be built until its outcome is known.',
    {
      reason: 'AMOUNT_IN_FLIGHT',
      params: { signature },
      suggestedAction: guidance`Poll ${step('transactionState', { signature })} until it is settled, then repeat this request.`,
      body: { signature },
    },
  );
