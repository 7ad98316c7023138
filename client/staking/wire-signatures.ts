// Locates the signatures in a transaction, without decoding the rest of it.
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

interface WireParts {
  /** Offset of the first signature. */
  readonly signaturesAt: number;
  readonly message: Uint8Array<ArrayBuffer>;
  /** Addresses of the required signers, the fee payer first. */
  readonly signers: readonly string[];
}

/** Splits a transaction into its parts. Throws `RangeError` if the bytes are not a transaction. */
export const takeApart = (wire: Uint8Array): WireParts => {
  if (wire[0] === VERSION_1) return splitVersion1(wire);
  const count = compact(wire, 0);
  const message = Uint8Array.from(wire.subarray(count.next + count.value * SIGNATURE_BYTES));
  const first = message[0];
  if (first === undefined || first > 0x80)
    throw new RangeError('the version of the transaction is not supported');
  const header = first === 0x80 ? 1 : 0;
  const signerCount = message[header] ?? 0;
  const accounts = compact(message, header + 3);
  if (signerCount !== count.value || accounts.value < signerCount)
    throw new RangeError('its signatures do not match its signers');
  return { signaturesAt: count.next, message, signers: signersAt(message, accounts.next, signerCount) };
};

const signersAt = (message: Uint8Array, start: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    encodeBase58(message.subarray(start + index * 32, start + (index + 1) * 32)),
  );

const VERSION_1 = 0x81;
/** Offset of the addresses in version 1: they follow the version, the header, the configuration mask, the blockhash and two counts. */
const VERSION_1_ACCOUNTS_AT = 42;

// The signatures follow the message.
const splitVersion1 = (wire: Uint8Array): WireParts => {
  const signerCount = wire[1] ?? 0;
  const signaturesAt = wire.length - signerCount * SIGNATURE_BYTES;
  if (signerCount === 0 || signaturesAt < VERSION_1_ACCOUNTS_AT + signerCount * 32)
    throw new RangeError('its signatures do not match its signers');
  const message = Uint8Array.from(wire.subarray(0, signaturesAt));
  return { signaturesAt, message, signers: signersAt(message, VERSION_1_ACCOUNTS_AT, signerCount) };
};

/** Returns the transaction with the signature of `signer` added. Throws `RangeError` if `signer` is not a required signer. */
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
