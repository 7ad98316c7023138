// Secrets of 32 bytes, in files that only the owner can read. Each file is created once, atomically.
import { randomBytes } from 'node:crypto';
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
import { basename, join } from 'node:path';
import { SecretBytes } from '../kernel/secret-bytes.ts';
import { ConfigError } from './start-error.ts';

const SECRET_BYTES = 32;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Reads the file, or returns undefined if it does not exist. Checks permissions on the open file handle, so
 * that the file cannot be swapped between the check and the read. Throws `ConfigError` with `advice` if
 * others can read it or its content is invalid.
 */
export const readSecretFile = (path: string, advice: string): SecretBytes | undefined => {
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
      throw new ConfigError([`${path} does not contain ${SECRET_BYTES} bytes in hexadecimal; ${advice}`]);
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
 * Creates the file atomically: writes and syncs a temporary file, then links it to its final name. `link`
 * never overwrites, so if several processes start concurrently, exactly one succeeds and the others read its
 * secret. Returns false if another process was first.
 */
const createSecretFile = (folder: string, path: string): boolean => {
  const draft = `${join(folder, `.${basename(path)}`)}-${randomBytes(8).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    try {
      fchmodSync(handle, 0o600);
      // `writeFileSync` writes everything; a single write may be partial.
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
 * Returns the secret in the file `name` of `folder`, creating it with mode 0600 if absent. Throws
 * `ConfigError` if the folder is not writable or if `readSecretFile` does.
 */
export const ensureSecretFile = (
  folder: string,
  name: string,
  advice: string,
): { readonly path: string; readonly secret: SecretBytes; readonly isNew: boolean } => {
  const path = join(folder, name);
  const present = readSecretFile(path, advice);
  if (present) return { path, secret: present, isNew: false };
  let isNew: boolean;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    isNew = createSecretFile(folder, path);
  } catch (error) {
    throw new ConfigError([
      `${path} cannot be created (${error instanceof Error ? error.message : 'unknown reason'})`,
    ]);
  }
  const secret = readSecretFile(path, advice);
  if (!secret) throw new ConfigError([`${path} vanished while starting`]);
  return { path, secret, isNew };
};
