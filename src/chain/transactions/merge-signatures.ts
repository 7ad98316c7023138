// Merges the signatures of several people into one transaction, so that the fee payer, wallet and authority
// can sign separately, in any order.
import type { Address } from '@solana/kit';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import { encodeWire, verifySignatures, type WireTransaction } from './wire-transaction.ts';

interface Attached {
  readonly wireBytes: Uint8Array;
  /** Addresses that signed, in the order of the message. */
  readonly signed: readonly Address[];
  readonly missing: readonly Address[];
}

const refused = (
  reason: ErrorReason<'INVALID_TRANSACTION'>,
  message: string,
  signers: readonly string[] = [],
): AppError =>
  new AppError('INVALID_TRANSACTION', message, {
    reason,
    params: { signers: signers.join(', ') },
    suggestedAction:
      'Give every signer the same bytes, and attach exactly what they return. Build the transaction again if it was changed.',
  });

/**
 * Merges the signatures of `copies` of one transaction, and `signatures` by signer. Each signature is checked
 * against the message. If an address signed twice, the first signature is kept. Throws
 * `AppError('INVALID_TRANSACTION')` if the messages differ, a signature does not match, or its signer is not
 * a required signer.
 */
export const attachSignatures = (
  copies: readonly [WireTransaction, ...WireTransaction[]],
  signatures: ReadonlyMap<string, Uint8Array> = new Map(),
): Attached => {
  const [first, ...others] = copies;
  const { messageBytes, requiredSigners } = first;
  if (others.some((other) => Buffer.compare(other.messageBytes, messageBytes) !== 0))
    throw refused('NOT_COPIES', 'These are not copies of one transaction, so nothing was attached.');
  const unknown = [...signatures.keys()].filter((signer) => !first.signatures.has(signer as Address));
  if (unknown.length > 0)
    throw refused('SIGNER_UNKNOWN', 'This transaction needs no signature from {signers}.', unknown);
  const all = [...copies.map((copy) => copy.signatures), signatures as WireTransaction['signatures']];
  const invalid = all.flatMap((one) => verifySignatures({ messageBytes, signatures: one }).invalid);
  if (invalid.length > 0)
    throw refused('SIGNATURE_REFUSED', 'The signature of {signers} does not match the message.', [
      ...new Set(invalid),
    ]);
  const attached = new Map(
    requiredSigners.map((signer) => [
      signer,
      all.map((one) => one.get(signer) ?? null).find(Boolean) ?? null,
    ]),
  );
  return {
    wireBytes: encodeWire(first, attached),
    signed: requiredSigners.filter((signer) => attached.get(signer)),
    missing: requiredSigners.filter((signer) => !attached.get(signer)),
  };
};
