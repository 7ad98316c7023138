// Splits a wire transaction of any version into its signatures and its parsed message.
import { parseMessage, type WireMessage } from './wire-message.ts';
import { invalidTransaction, WireReader } from './wire-reader.ts';

export const SIGNATURE_BYTES = 64;
/** First byte of a version 1 message, and therefore of the whole transaction. */
export const VERSION_1 = 0x81;

/**
 * Returns the maximum size of a transaction that begins with these bytes: the payload of a packet, or more in
 * version 1.
 */
export const maxTransactionBytes = (bytes: Uint8Array): number => (bytes[0] === VERSION_1 ? 4096 : 1232);

interface SplitWire {
  readonly message: WireMessage;
  readonly messageBytes: Uint8Array;
  /** One signature for each required signer; 64 zero bytes for a signer that has not signed. */
  readonly signatures: readonly Uint8Array[];
}

/**
 * Splits wire bytes. @throws `AppError('INVALID_TRANSACTION')` unless they are exactly one well-formed
 * transaction.
 */
export const splitWire = (wireBytes: Uint8Array): SplitWire => {
  const isVersion1 = wireBytes[0] === VERSION_1;
  if (wireBytes.length > maxTransactionBytes(wireBytes)) throw invalidTransaction('it is too large');
  const { messageBytes, signatures } = isVersion1 ? splitVersion1(wireBytes) : split(wireBytes);
  const message = parseMessage(messageBytes);
  if ((message.version === 1) !== isVersion1)
    throw invalidTransaction('its signatures and message are in the wrong order');
  if (signatures.length !== message.requiredSigners.length)
    throw invalidTransaction('the number of signatures does not match the number of signers');
  return { message, messageBytes, signatures };
};

const takeSignatures = (reader: WireReader, count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, () => reader.take(SIGNATURE_BYTES, 'signatures'));

const split = (wireBytes: Uint8Array): Omit<SplitWire, 'message'> => {
  const reader = new WireReader(wireBytes);
  const signatures = takeSignatures(reader, reader.compact('signature count'));
  return { signatures, messageBytes: wireBytes.subarray(reader.position) };
};

// In version 1, the signatures follow the message, whose second byte is their number. The message parser
// refuses a message with missing or extra bytes.
const splitVersion1 = (wireBytes: Uint8Array): Omit<SplitWire, 'message'> => {
  const count = wireBytes[1] ?? 0;
  const end = wireBytes.length - SIGNATURE_BYTES * count;
  if (end < 0) throw invalidTransaction('it ends inside the signatures');
  return {
    signatures: takeSignatures(new WireReader(wireBytes, end), count),
    messageBytes: wireBytes.subarray(0, end),
  };
};
