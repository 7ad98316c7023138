// The folder in which the command line remembers things between two runs: readable by its owner alone, written whole or not at all.
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../usage-error.ts';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Path of a file in it: below `XDG_CONFIG_HOME`, else below `~/.config`. */
export const localPath = (
  environment: Readonly<Record<string, string | undefined>>,
  ...names: readonly string[]
): string => join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'holdfast', ...names);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);

/** The file's JSON; undefined where there is none. Throws `UsageError` for what cannot be read: it is never overwritten unseen. */
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
    throw new UsageError(`${path} is damaged: repair it or move it away`);
  }
};

/** Writes the text beside its place and lets `publish` put it there: whole or not at all. */
const writeWhole = (path: string, text: string, publish: (draft: string) => void): void => {
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
    publish(draft);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    throw new UsageError(`${path} cannot be written: ${codeOf(error)}`);
  } finally {
    rmSync(draft, { force: true });
  }
};

/** Writes it over what is there. Throws `UsageError`. */
export const replaceLocalJson = (path: string, value: unknown): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, (draft) => renameSync(draft, path));

/** Writes it where nothing is yet; false where another was first. Throws `UsageError`. */
export const createLocalJson = (path: string, value: unknown): boolean => {
  try {
    writeWhole(path, `${JSON.stringify(value)}\n`, (draft) => linkSync(draft, path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

/** Deletes what was last written before `beforeMs` (Unix). What cannot be deleted stays: nothing depends on it. */
export const pruneLocalFolder = (path: string, beforeMs: number): void => {
  try {
    for (const name of readdirSync(path)) {
      const file = join(path, name);
      if (statSync(file).mtimeMs < beforeMs) rmSync(file);
    }
  } catch {
    // Another run deletes at the same time, or the folder is read-only.
  }
};

/** A file name for texts of any length and letters. */
export const fileNameOf = (...texts: readonly string[]): string =>
  `${createHash('sha256').update(JSON.stringify(texts)).digest('hex')}.json`;
