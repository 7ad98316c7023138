// Reads the sources of this process and their commit once at startup, so reports describe the running code.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { StartError } from '../config/start-error.ts';
import type { SourceCode, SourceFile } from '../operations/service-ports.ts';
import { PUBLISHED_FILES } from '../operations/verify/published-files.ts';

const SOURCES = 'src';
const LOCKFILE = 'package-lock.json';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Computes Git's blob hash of a file's content. */
const blobId = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

interface ReadFile {
  /** Path relative to the root, separated by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const readTree = (root: string): readonly ReadFile[] =>
  readdirSync(join(root, SOURCES), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(root, path)) }));

const readLockfile = (root: string): readonly ReadFile[] => {
  try {
    return [{ path: LOCKFILE, bytes: readFileSync(join(root, LOCKFILE)) }];
  } catch {
    return [];
  }
};

/**
 * Computes the output of `find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum`, which anyone can
 * reproduce.
 */
const treeHash = (tree: readonly ReadFile[]): string =>
  sha256(tree.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join(''));

const publish = (tree: readonly ReadFile[]): Map<string, SourceFile> => {
  const published = new Map<string, SourceFile>();
  for (const name of PUBLISHED_FILES) {
    const found = tree.find(({ path }) => path.endsWith(`/${name}`));
    if (found === undefined) continue;
    const text = Buffer.from(found.bytes).toString('utf8');
    if (!Buffer.from(text).equals(found.bytes)) throw new StartError(`${found.path} is not UTF-8 text.`);
    published.set(name, { name, path: found.path, sha256: sha256(found.bytes), text });
  }
  return published;
};

/** The files to read, and when the process began to load its modules. */
interface SourceCodeOptions {
  /** The project folder. */
  readonly root: string;
  /** Time when the process began to load its modules, in ms since the Unix epoch. */
  readonly processStartedAtMs: number;
  readonly nowMs: number;
}

/**
 * Reads the sources, which takes about 10 ms (2026-11). Call it as early as possible: a file that changes
 * between the start of the process and this call may have been loaded in its previous version, and is reported
 * as changed. Throws `StartError` for a published file that is not text.
 */
export const hashSourceCode = ({ root, processStartedAtMs, nowMs }: SourceCodeOptions): SourceCode => {
  const commit = readSourceCommit(root);
  const tree = readTree(root);
  const lockfile = readLockfile(root);
  const files = publish(tree);
  const wroteMeanwhile = ({ path }: SourceFile): boolean => {
    const { ctimeMs } = statSync(join(root, path));
    return ctimeMs > processStartedAtMs && ctimeMs <= nowMs;
  };
  const doubtful = new Set([...files.values()].filter(wroteMeanwhile).map(({ name }) => name));
  const blobIds = new Map([...tree, ...lockfile].map(({ path, bytes }) => [path, blobId(bytes)]));

  const isChanged = async ({ name, path, sha256: loaded }: SourceFile): Promise<boolean> =>
    doubtful.has(name) ||
    (await readFile(join(root, path)).then(
      (bytes) => sha256(bytes) !== loaded,
      () => true,
    ));

  const compare = async (): Promise<boolean | null> => {
    const committed = await listCommitted(commit, [SOURCES, LOCKFILE]);
    if (committed === null) return null;
    return committed.size !== blobIds.size || [...blobIds].some(([path, id]) => committed.get(path) !== id);
  };
  let compared: Promise<boolean | null> | undefined;

  return {
    gitCommit: commit?.hash ?? null,
    files,
    treeSha256: treeHash(tree),
    lockfileSha256: lockfile[0] === undefined ? null : sha256(lockfile[0].bytes),
    isDirty: () => {
      compared ??= compare();
      return compared;
    },
    changedOnDisk: async () =>
      Object.fromEntries(
        await Promise.all([...files.values()].map(async (file) => [file.name, await isChanged(file)])),
      ),
  };
};

/** A commit and the repository that contains it. `gitDir` is null if the sources came as an archive. */
interface SourceCommit {
  readonly hash: string;
  readonly gitDir: string | null;
}

/** File into which Git writes the commit when it creates an archive (`export-subst` in `.gitattributes`). */
const ARCHIVE_MARK = 'source-commit.txt';
const GIT_TIMEOUT_MS = 5_000;
const MAX_LISTING_BYTES = 16 * 1024 * 1024;
/** Maximum number of symbolic references to follow, because they may form a cycle. */
const MAX_REFERENCES = 5;

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const asHash = (text: string | null | undefined): string | null =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.exec(text?.trim() ?? '')?.[0] ?? null;

/**
 * Returns the Git folder. `.git` is that folder itself, or in worktrees and submodules a file that contains
 * its path.
 */
const findGitDir = (root: string): string | null => {
  const path = join(root, '.git');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return path;
  const named = /^gitdir: (.+)$/m.exec(readText(path) ?? '')?.[1];
  return named === undefined ? null : resolve(root, named);
};

const readReference = (gitDir: string, commonDir: string, name: string): string | null => {
  const loose = readText(join(gitDir, name)) ?? readText(join(commonDir, name));
  if (loose !== null) return loose;
  const lines = readText(join(commonDir, 'packed-refs'))?.split('\n') ?? [];
  return lines.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? null;
};

const readHead = (gitDir: string): string | null => {
  const commonDir = resolve(gitDir, readText(join(gitDir, 'commondir'))?.trim() ?? '.');
  let text = readText(join(gitDir, 'HEAD'));
  for (let step = 0; step < MAX_REFERENCES; step += 1) {
    const name = /^ref: (\S+)\s*$/.exec(text ?? '')?.[1];
    if (name === undefined) return asHash(text);
    text = readReference(gitDir, commonDir, name);
  }
  return null;
};

/**
 * Returns the commit of the sources at `root`; null if it cannot be determined. A repository in a parent
 * folder does not count.
 */
export const readSourceCommit = (root: string): SourceCommit | null => {
  const gitDir = findGitDir(root);
  const head = gitDir === null ? null : readHead(gitDir);
  if (gitDir !== null && head !== null) return { hash: head, gitDir };
  const marked = asHash(readText(join(root, ARCHIVE_MARK)));
  return marked === null ? null : { hash: marked, gitDir: null };
};

/**
 * Returns Git's blob hashes (SHA-1 of `blob <length>\0` and the content) of a commit's files at `paths`, by
 * path. Null if the repository is absent or uses another hash, or if git cannot run. Only reads objects,
 * without using the index, hooks or configured programs.
 */
export const listCommitted = async (
  commit: SourceCommit | null,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string> | null> => {
  if (commit === null || commit.gitDir === null || commit.hash.length !== 40) return null;
  const listing = await runGit([
    `--git-dir=${commit.gitDir}`,
    ...['ls-tree', '-r', '-z', '--full-tree', commit.hash, '--', ...paths],
  ]);
  if (listing === null) return null;
  return new Map(
    [...listing.matchAll(/\d+ blob ([0-9a-f]{40})\t([^\0]+)\0/g)].map(([, id, path]) => [path!, id!]),
  );
};

const runGit = (args: readonly string[]): Promise<string | null> =>
  new Promise((response) => {
    const limits = { timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_LISTING_BYTES };
    execFile('git', args, limits, (error, stdout) => response(error === null ? stdout : null));
  });
