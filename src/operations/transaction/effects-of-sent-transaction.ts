// Finds the effects of a transaction that this service sent, to describe them in responses.
import { actNounPhrases } from '../../domain/transaction/stake-acts.ts';
import { legsOf } from '../../domain/transaction/transaction-legs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import type { TransactionRecord } from '../../store/transaction-records.ts';
import { type RecognizedWire, recognizeWire, recordedKind } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';

interface SentBytes {
  readonly signature: string;
  readonly wireBytes: Uint8Array;
}

/** Effects of a transaction, in the form used by histories. */
export type KnownEffects = Pick<
  TransactionRecord,
  'type' | 'wallet' | 'stakeAccountAddress' | 'amountLamports' | 'legs'
>;

/**
 * Returns the recorded effects, or those decoded from the bytes if none are recorded. Returns null for
 * transactions in a form that is not ours.
 */
export const knownEffects = async (
  ctx: Context,
  { wire, seen }: RecognizedWire,
  signature: string,
): Promise<KnownEffects | null> => {
  const type = recordedKind(seen);
  if (type === 'other') return null;
  const recorded = await ctx.store.transactions.find([signature]).catch((error: unknown) => {
    if (isAppError(error, 'STORE_UNAVAILABLE')) return null;
    throw error;
  });
  return (
    recorded?.get(signature) ?? {
      type,
      wallet: seen.wallet,
      stakeAccountAddress: seen.stakeAccount ?? null,
      amountLamports: seen.lamports ?? 0n,
      legs: legsOf(wire.instructions),
    }
  );
};

/** Like `knownEffects`, but also returns null for bytes that this version cannot read. */
export const knownEffectsOfBytes = async (
  ctx: Context,
  { signature, wireBytes }: SentBytes,
): Promise<KnownEffects | null> => {
  try {
    return await knownEffects(ctx, recognizeWire(ctx, wireBytes), signature);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/**
 * Describes what a transaction of this service does, for callers who did not build it. Empty if its form is not
 * ours.
 */
export const effectSentences = async (
  ctx: Context,
  sent: SentBytes,
  state: string,
): Promise<readonly Sentence[]> => {
  const effects = await knownEffectsOfBytes(ctx, sent);
  if (effects === null) return [];
  const { stakeAccountAddress } = effects;
  const figures = { done: actNounPhrases(effects), state };
  return [
    stakeAccountAddress === null
      ? sentence('TRANSACTION_EFFECTS', '{done} {state}.', figures)
      : sentence('TRANSACTION_EFFECTS_ON_ACCOUNT', '{done} {state} (stake account {stakeAccountAddress}).', {
          ...figures,
          stakeAccountAddress,
        }),
  ];
};
