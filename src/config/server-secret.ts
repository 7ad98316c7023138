// The server secret: set by the operator, read from the data folder, or created there once. Others can never
// read it, and it is never replaced.
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { SecretBytes } from '../kernel/secret-bytes.ts';
import { ensureSecretFile, readSecretFile } from './secret-file.ts';
import { ConfigError } from './start-error.ts';

const FILE_NAME = 'server-secret';
const ADVICE = 'restore it from your backup; it is never replaced';

/** The secret from which stake account keys are derived, and its source. */
interface ServerSecret {
  readonly secret: SecretBytes;
  /** Fingerprint of 16 hexadecimal characters that distinguishes secrets without revealing them. */
  readonly fingerprint: string;
  readonly source: 'setting' | 'file' | 'created';
}

/**
 * Computes the fingerprint that the store keeps: HMAC-SHA256 keyed with the secret, which reveals nothing about
 * it, as 16 hexadecimal characters.
 */
export const serverSecretFingerprint = (secret: Uint8Array): string =>
  createHmac('sha256', secret).update('holdfast server secret fingerprint').digest('hex').slice(0, 16);

/**
 * Returns the server secret: the setting if present, otherwise the file in the data folder, created with mode
 * 0600 if absent. Throws `ConfigError` if others can read the file, if it is damaged, if the folder is not
 * writable, or if the file is absent although a store exists (`isStoreThere`, determined by the caller). In
 * that case a new secret would not match the store, and would end up in the next backup.
 */
export const loadServerSecret = (
  dataDir: string,
  given: SecretBytes | undefined,
  isStoreThere = false,
): ServerSecret => {
  const describe = (secret: SecretBytes, source: ServerSecret['source']): ServerSecret =>
    Object.freeze({ secret, fingerprint: secret.use(serverSecretFingerprint), source });
  if (given) return describe(given, 'setting');
  if (isStoreThere && readSecretFile(join(dataDir, FILE_NAME), ADVICE) === undefined)
    throw new ConfigError([
      `${join(dataDir, FILE_NAME)} is missing, but the store was created with it: restore it from your backup, or set HOLDFAST_SERVER_SECRET; nothing was changed`,
    ]);
  const { secret, isNew } = ensureSecretFile(dataDir, FILE_NAME, ADVICE);
  return describe(secret, isNew ? 'created' : 'file');
};
