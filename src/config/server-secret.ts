// The server secret: given, read from the data folder, or made there once; never readable by others, never replaced.
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { SecretBytes } from '../kernel/secret-bytes.ts';
import { ensureSecretFile, readSecretFile } from './secret-file.ts';
import { ConfigError } from './start-error.ts';

const FILE_NAME = 'server-secret';
const ADVICE = 'restore it from your backup, it is never replaced';

/** The secret that stake-account keys are derived from, and where it came from. */
interface ServerSecret {
  readonly secret: SecretBytes;
  /** 16 hexadecimal characters; tells two secrets apart without saying anything about them. */
  readonly fingerprint: string;
  readonly source: 'setting' | 'file' | 'created';
}

/** The fingerprint that the store remembers: HMAC-SHA256 under the secret, so it gives nothing away. 16 hexadecimal characters. */
export const serverSecretFingerprint = (secret: Uint8Array): string =>
  createHmac('sha256', secret).update('holdfast server secret fingerprint').digest('hex').slice(0, 16);

/**
 * The server secret of this start: the one given by setting, else the file in the data folder, made with mode 0600 when absent.
 * Throws `ConfigError` when the file is readable by others or damaged, or the folder cannot be written, and when it is absent beside a store
 * (`isStoreThere`, looked for before): another one would not fit, and would be in the next backup.
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
      `${join(dataDir, FILE_NAME)} is missing beside a store that was made with it: restore it from your backup, or set HOLDFAST_SERVER_SECRET; nothing was changed`,
    ]);
  const { secret, isNew } = ensureSecretFile(dataDir, FILE_NAME, ADVICE);
  return describe(secret, isNew ? 'created' : 'file');
};
