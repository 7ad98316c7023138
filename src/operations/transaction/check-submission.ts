// Checks a signed transaction before it is sent: its kind, every signature, and whether it can land. Adds the
// signature of a new stake account derived from the idempotency key.
import { verifySignatures, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { type Recognized, type RecognizedWire, recognizeWire } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';
import { addressingOfStake, cosign } from './cosign.ts';

export interface CheckedSubmission extends RecognizedWire {
  /** The caller's idempotency key. In a list, each transaction has its own derived key. */
  readonly key: string | undefined;
  readonly stakeSignedHere: boolean;
}

/**
 * Decodes and checks the transaction. `index` is its position in a list. Throws
 * `AppError('INVALID_TRANSACTION')` if it is malformed or lacks a valid signature, and
 * `AppError('FOREIGN_TRANSACTION')` if the service submits only its own transactions and this one lacks its
 * memo.
 */
export const checkSubmission = (
  ctx: Context,
  signedTransaction: string,
  callersKey: string | undefined,
  index = 0,
): CheckedSubmission => {
  const { wire: received, seen } = recognizeWire(
    ctx,
    new Uint8Array(Buffer.from(signedTransaction, 'base64')),
  );
  if (ctx.service.settings.submitPolicy === 'own' && !seen.hasOurMemo) throw foreign();
  refuseLateAdvance(ctx, received, seen);
  const wire = callersKey === undefined ? received : cosign(ctx, received, seen, callersKey);
  requireSignatures(wire);
  return {
    wire,
    seen,
    // Callers' keys cannot contain a space, so the derived key is unique.
    key: callersKey === undefined || index === 0 ? callersKey : `${callersKey} ${index}`,
    stakeSignedHere: callersKey !== undefined && addressingOfStake(ctx, seen, callersKey) !== null,
  };
};

/**
 * Refuses a transaction of ours if a wallet inserted something before the instruction that advances its nonce.
 * The runtime would then treat the nonce as an unknown blockhash.
 */
const refuseLateAdvance = (ctx: Context, wire: WireTransaction, seen: Recognized): void => {
  const { blockhash, durableNonce, instructions } = wire;
  if (durableNonce !== null || !seen.hasOurMemo || seen.kind === 'nonce') return;
  if (ctx.chain.cluster.lastValidBlockHeightOf(blockhash) !== undefined) return;
  if (instructions.every(({ data }) => data.type !== 'system.advanceNonceAccount')) return;
  throw new AppError(
    'INVALID_TRANSACTION',
    'The instruction that advances the nonce is not the first one, so this transaction can never land. It was not sent.',
    {
      reason: 'ADVANCE_NOT_FIRST',
      suggestedAction:
        'Sign exactly the bytes that were built, with a wallet that inserts nothing before the first instruction.',
    },
  );
};

/**
 * Throws `AppError('INVALID_TRANSACTION')` with the addresses whose signature is missing or does not match
 * the message.
 */
const requireSignatures = (wire: WireTransaction): void => {
  const { missing, invalid } = verifySignatures(wire);
  if (missing.length === 0 && invalid.length === 0) return;
  const onlyMissing = invalid.length === 0;
  const parts = [
    missing.length > 0 ? 'not signed by {missingSigners}' : '',
    invalid.length > 0 ? 'signature of {invalidSigners} does not match the message' : '',
  ].filter(Boolean);
  throw new AppError('INVALID_TRANSACTION', `The transaction cannot be sent: ${parts.join('; ')}.`, {
    reason: missing.length === 0 ? 'SIGNATURE_MISMATCH' : onlyMissing ? 'UNSIGNED' : 'UNSIGNED_AND_MISMATCH',
    params: { missingSigners: missing.join(', '), invalidSigners: invalid.join(', ') },
    suggestedAction: onlyMissing
      ? guidance`${missing.join(', ')} must sign the same bytes. Combine signatures that were made apart with ${step('attachSignatures')}. If this is the new stake account, pass the idempotency key of the build; if the wallet changes the bytes, build with cosign: on-submit. Without the wallet’s key, give the signUrl of the build to its owner.`
      : 'Sign exactly the bytes that were built. If the wallet changes them (new blockhash, priority fee), build with cosign: on-submit and pass the same idempotency key here.',
    body: { missingSigners: missing, invalidSigners: invalid },
  });
};

const foreign = (): AppError =>
  new AppError('FOREIGN_TRANSACTION', 'This service submits only transactions that end with its memo.', {
    reason: 'NO_MEMO',
    suggestedAction: 'Build the transaction with this service, or submit it through another RPC.',
  });
