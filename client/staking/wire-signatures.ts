// Locates signatures in a transaction: just enough to sign it and to read its signature.
import { encodeBase58 } from '../../src/kernel/base58.ts';

const SIGNATURE_BYTES = 64;

const compact = (bytes: Uint8Array, start: number): { value: number; next: number } => {
  let value = 0;
  for (let at = start, shift = 0; ; at += 1, shift += 7) {
    const byte = bytes[at];
    if (byte === undefined || shift > 14) throw new RangeError('the transaction ends too early');
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
};

/** The parts of a legacy or version 0 transaction. */
interface WireParts {
  /** Offset of the first signature. */
  readonly signaturesAt: number;
  readonly message: Uint8Array<ArrayBuffer>;
  /** Addresses of the required signers, the fee payer first. */
  readonly signers: readonly string[];
}

/** Splits a transaction into its parts. Throws `RangeError` if the bytes are not a transaction. */
export const takeApart = (wire: Uint8Array): WireParts => {
  const count = compact(wire, 0);
  const message = Uint8Array.from(wire.subarray(count.next + count.value * SIGNATURE_BYTES));
  const first = message[0];
  if (first === undefined || first > 0x80)
    throw new RangeError('only legacy and version 0 transactions are supported');
  const header = first === 0x80 ? 1 : 0;
  const signerCount = message[header] ?? 0;
  const accounts = compact(message, header + 3);
  if (signerCount !== count.value || accounts.value < signerCount)
    throw new RangeError('its signatures do not match its signers');
  const signers = Array.from({ length: signerCount }, (_, index) =>
    encodeBase58(message.subarray(accounts.next + index * 32, accounts.next + (index + 1) * 32)),
  );
  return { signaturesAt: count.next, message, signers };
};

/** Returns the transaction with the signature of `signer`. Throws `RangeError` if `signer` is not a required signer. */
export const withSignature = (
  wire: Uint8Array,
  signer: string,
  signature: Uint8Array,
): Uint8Array<ArrayBuffer> => {
  const { signaturesAt, signers } = takeApart(wire);
  const index = signers.indexOf(signer);
  if (index < 0) throw new RangeError('this wallet is not a required signer');
  const signed = Uint8Array.from(wire);
  signed.set(signature, signaturesAt + index * SIGNATURE_BYTES);
  return signed;
};

/** Returns the fee payer's signature, which identifies the transaction on chain; null if missing. */
export const signatureOf = (wire: Uint8Array): string | null => {
  const { signaturesAt } = takeApart(wire);
  const bytes = wire.subarray(signaturesAt, signaturesAt + SIGNATURE_BYTES);
  return bytes.some((byte) => byte !== 0) ? encodeBase58(bytes) : null;
};
