// Converts between wire bytes and canonical base64 text.
import { invalidTransaction } from './wire-reader.ts';

/** Encodes wire bytes as base64 without copying them first. */
export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** Decodes base64 text. @throws `AppError('INVALID_TRANSACTION')` unless the text is canonical. */
export const fromBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64');
  const unpadded = text.replace(/={1,2}$/, '');
  if (bytes.length === 0 || bytes.toString('base64').replace(/=+$/, '') !== unpadded)
    throw invalidTransaction('it is not base64');
  return bytes;
};
