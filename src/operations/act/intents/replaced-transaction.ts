// Finds the transaction that landed in place of an expired one.
import type { WireTransaction } from '../../../chain/transactions/wire-transaction.ts';
import { machineOperationsOf } from '../../../domain/transaction/machine-operations.ts';
import { isAppError } from '../../../kernel/app-error.ts';
import type { IntentId, SubmissionRecord } from '../../../store/intent-log.ts';
import type { Context } from '../../context.ts';
import { type RecognizedWire, recognizeWire } from './recognize-transaction.ts';

/**
 * Serializes the effects of a transaction for comparison, without its lifetime and without anything that a
 * wallet added.
 */
export const effectsOf = (wire: WireTransaction, withAmounts = true): string =>
  JSON.stringify([wire.feePayer, machineOperationsOf(wire)], (member, value: unknown) =>
    member === 'lamports' && !withAmounts ? null : typeof value === 'bigint' ? String(value) : value,
  );

/** Decodes recorded bytes. Returns null for bytes that this version cannot read. */
const readRecorded = (ctx: Context, wireBytes: Uint8Array): RecognizedWire | null => {
  try {
    return recognizeWire(ctx, wireBytes);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/**
 * Returns the signature of another transaction with this idempotency key that landed and made the same change;
 * null if there is none.
 */
export const landedUnderKey = async (
  ctx: Context,
  id: IntentId,
  wire: WireTransaction,
): Promise<string | null> => {
  const known = await ctx.store.intents.find(id);
  if (known === null || known.submission.state !== 'confirmed') return null;
  const { signature, wireBytes } = known.submission;
  const sent = signature === wire.signature ? null : readRecorded(ctx, wireBytes);
  // The amounts of a rebuilt transaction may differ.
  return sent !== null && effectsOf(sent.wire, false) === effectsOf(wire, false) ? signature : null;
};

/**
 * Returns the signature of a transaction with the same effects that landed after this one expired, regardless
 * of its idempotency key; null if there is none.
 */
export const landedAfter = async (
  ctx: Context,
  { signature, wireBytes, lastValidBlockHeight }: SubmissionRecord,
): Promise<string | null> => {
  const expired = readRecorded(ctx, wireBytes);
  if (expired === null) return null;
  const effects = effectsOf(expired.wire);
  const { intents } = ctx.store;
  for (const bytes of await intents.bytesValidFrom(expired.seen.wallet, lastValidBlockHeight)) {
    const later = readRecorded(ctx, bytes)?.wire;
    if (!later?.signature || later.signature === signature || effectsOf(later) !== effects) continue;
    if ((await intents.findSubmission(later.signature))?.state === 'confirmed') return later.signature;
  }
  return null;
};
