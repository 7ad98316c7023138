// The folder for data that persists between runs. It is readable only by its owner, and files are written
// atomically.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../usage-error.ts';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Returns the path of a file in the folder: under `XDG_CONFIG_HOME` or, if unset, under `~/.config`. */
export const localPath = (
  environment: Readonly<Record<string, string | undefined>>,
  ...names: readonly string[]
): string => join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'holdfast', ...names);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);

/**
 * Reads the file's JSON; undefined if there is no file. Throws `UsageError` if the file cannot be read, so it
 * is never overwritten by accident.
 */
export const readLocalJson = (path: string): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${codeOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is damaged. Repair it or move it elsewhere`);
  }
};

/** Replaces the file with JSON atomically. Throws `UsageError` if it cannot be written. */
export const replaceLocalJson = (path: string, value: unknown): void =>
  replaceLocalText(path, `${JSON.stringify(value, null, 2)}\n`);

/** Replaces the file atomically. Throws `UsageError` if it cannot be written. */
export const replaceLocalText = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const file = openSync(draft, 'w', OWNER_ONLY_FILE);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${codeOf(error)}`);
  } finally {
    rmSync(draft, { force: true });
  }
};
