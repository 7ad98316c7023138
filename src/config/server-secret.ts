// The server secret: given, read from the data folder, or made there once; never readable by others, never replaced.
import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SecretBytes } from '../kernel/secret-bytes.ts';
import { ConfigError } from './start-error.ts';

/** Bytes of a secret that is made here. */
const SECRET_BYTES = 32;
const FILE_NAME = 'server-secret';

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

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Reads the file, or undefined when there is none. Judged by the open handle, so that nobody can swap the file in between. */
const readSecretFile = (path: string): SecretBytes | undefined => {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new ConfigError([
      `${path} cannot be read (${error instanceof Error ? error.message : 'unknown reason'})`,
    ]);
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new ConfigError([`${path} is not a file`]);
    if ((stats.mode & 0o077) !== 0) {
      throw new ConfigError([
        `${path} can be read by other users (mode ${(stats.mode & 0o777).toString(8)}): treat it as exposed. If only you had access, run: chmod 600 '${path}'`,
      ]);
    }
    const text = readFileSync(handle, 'utf8').trim();
    if (!/^[0-9a-f]{64}$/.test(text)) {
      throw new ConfigError([
        `${path} does not hold ${SECRET_BYTES} bytes in hexadecimal; restore it from your backup, it is never replaced`,
      ]);
    }
    return SecretBytes.take(Buffer.from(text, 'hex'));
  } finally {
    closeSync(handle);
  }
};

const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/**
 * Makes the file whole or not at all: written beside, synced, then linked under its name. `link` never overwrites, so of several
 * starts in one folder exactly one wins and the others read what it wrote. Returns false when another was first.
 */
const createSecretFile = (folder: string, path: string): boolean => {
  const draft = join(folder, `.${FILE_NAME}-${randomBytes(8).toString('hex')}`);
  const handle = openSync(draft, 'wx', 0o600);
  try {
    try {
      fchmodSync(handle, 0o600);
      // All of it: one plain write may take only a part.
      writeFileSync(handle, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    unlinkSync(draft);
    syncFolder(folder);
  }
};

/**
 * The server secret of this start: the one given by setting, else the file in the data folder, made with mode 0600 when absent.
 * Throws `ConfigError` when the file is readable by others or damaged, or the folder cannot be written.
 */
export const loadServerSecret = (dataDir: string, given: SecretBytes | undefined): ServerSecret => {
  const describe = (secret: SecretBytes, source: ServerSecret['source']): ServerSecret =>
    Object.freeze({ secret, fingerprint: secret.use(serverSecretFingerprint), source });
  if (given) return describe(given, 'setting');
  const path = join(dataDir, FILE_NAME);
  const present = readSecretFile(path);
  if (present) return describe(present, 'file');
  let isOurs: boolean;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    isOurs = createSecretFile(dataDir, path);
  } catch (error) {
    throw new ConfigError([
      `${path} cannot be created (${error instanceof Error ? error.message : 'unknown reason'})`,
    ]);
  }
  const written = readSecretFile(path);
  if (!written) throw new ConfigError([`${path} vanished while starting`]);
  return describe(written, isOurs ? 'created' : 'file');
};
