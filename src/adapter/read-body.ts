// Reads a JSON body of at most 64 KiB, or says why it cannot be one.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../kernel/app-error.ts';
import { announcesBody } from './body-discard.ts';

/** The largest body taken, bytes. The largest real one, a signed transaction with its key, has under 3 KiB. */
export const MAX_BODY_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const tooLarge = (): AppError =>
  new AppError('BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes.`, {
    suggestedAction: 'Send only the members that the documentation of this endpoint lists.',
  });

/**
 * Judges a body from its headers: refuses other media types (415) and announced lengths over the limit (413).
 * Returns whether there is a body to read.
 */
export const expectsBody = (request: IncomingMessage): boolean => {
  if (!announcesBody(request)) return false;
  if (
    !JSON_TYPE.test(request.headers['content-type'] ?? '') ||
    request.headers['content-encoding'] !== undefined
  )
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'A body must be plain JSON.', {
      suggestedAction: 'Send the header Content-Type: application/json and no Content-Encoding.',
    });
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return true;
};

/** Collects the body's bytes. Rejects with `BODY_TOO_LARGE`, or with the connection's own error when the client goes away. */
export const readBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (act: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      act();
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) settle(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const onEnd = (): void =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void =>
      settle(() => reject(new Error('the client went away while sending its body')));
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
