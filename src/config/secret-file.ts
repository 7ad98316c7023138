// Secrets of 32 bytes in files of their own: made once and whole, for the owner's eyes only.
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

/** Bytes of a secret that is made here. */
const SECRET_BYTES = 32;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Reads the file, or undefined when there is none. Judged by the open handle, so that nobody can swap the file in between. Throws
 * `ConfigError` when others can read it or it holds something else; `advice` says then what to do.
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
      throw new ConfigError([`${path} does not hold ${SECRET_BYTES} bytes in hexadecimal; ${advice}`]);
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
  const draft = `${join(folder, `.${basename(path)}`)}-${randomBytes(8).toString('hex')}`;
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

/** The secret in the file `name` of `folder`, made with mode 0600 when absent. Throws `ConfigError` as `readSecretFile` does, and when the folder cannot be written. */
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
