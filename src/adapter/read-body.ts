// Reads a JSON body of at most 64 KiB and moves any secret key out of it.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../kernel/app-error.ts';
import type { SecretBytes } from '../kernel/secret-bytes.ts';
import { hasBody } from './discard-body.ts';
import {
  bodyTooLarge,
  collectBody,
  extractSecretKey,
  mayNameSecret,
  misplacedKey,
} from './extract-secret-key.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { secretMember } from './recognize-secret-value.ts';

/**
 * Maximum size of a body, in bytes. The largest realistic one, a signed transaction with its key, is under 3
 * KiB.
 */
export const MAX_BODY_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Checks a body's headers: refuses other media types (415) and announced lengths over the limit (413).
 * Returns true if there is a body to read.
 */
export const expectsBody = (request: IncomingMessage): boolean => {
  if (!hasBody(request)) return false;
  if (
    !JSON_TYPE.test(request.headers['content-type'] ?? '') ||
    request.headers['content-encoding'] !== undefined
  )
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'A body must be plain JSON.', {
      suggestedAction: 'Send the header Content-Type: application/json and no Content-Encoding.',
    });
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
  return true;
};

export interface BodyMembers {
  readonly body: Readonly<Record<string, unknown>>;
  /** Bytes of the secret key in the `secretKey` field, or null if the field was not a string. */
  readonly provided: { readonly secretKey?: SecretBytes | null };
}

/** Parses the remaining body. Refuses any secret that is still in it, whatever the field's name. */
const parsePlain = (bytes: Buffer): BodyMembers['body'] => {
  const body = parseJsonBody(bytes);
  const name = secretMember(body);
  if (name !== null) throw misplacedKey(name);
  return body;
};

/**
 * Reads the body as a JSON object and wipes every field that contains a secret key. With `takesKey`, also
 * returns the `secretKey`, which is wiped when `secrets` is disposed.
 * @throws `AppError('BODY_TOO_LARGE')` over 64 KiB.
 * @throws `AppError('VALIDATION_ERROR')` if the body is not a JSON object or contains an unexpected key.
 */
export const readMembers = async (
  request: IncomingMessage,
  takesKey: boolean,
  secrets: DisposableStack,
): Promise<BodyMembers> => {
  const announcedBytes = Number(request.headers['content-length']);
  const bytes = await collectBody(request, MAX_BODY_BYTES, { announcedBytes });
  secrets.adopt(bytes, (read) => read.fill(0));
  if (!mayNameSecret(bytes)) return { body: parsePlain(bytes), provided: {} };
  const { secret, problem, misplaced } = extractSecretKey(bytes);
  if (secret !== null) secrets.use(secret);
  if (misplaced !== null) throw misplacedKey(misplaced);
  if (problem === 'missing') return { body: parsePlain(bytes), provided: {} };
  if (!takesKey) throw misplacedKey('secretKey');
  // A key that is not a string becomes null: present, but refused by the schema.
  return { body: parsePlain(bytes), provided: { secretKey: secret } };
};
