// Names the commit that a folder of sources stands on, by what lies there: the repository's own files, or the mark that an archive was given.
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A commit, and the repository that has it; null where the sources came as an archive. */
export interface SourceCommit {
  readonly hash: string;
  readonly gitDir: string | null;
}

/** Git writes the commit into this file when it makes an archive (`export-subst` in `.gitattributes`). */
const ARCHIVE_MARK = 'source-commit.txt';
const GIT_TIMEOUT_MS = 5_000;
const MOST_LISTING_BYTES = 16 * 1024 * 1024;
/** Symbolic references may point at one another; more than this is a circle. */
const MOST_REFERENCES = 5;

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const asHash = (text: string | null | undefined): string | null =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.exec(text?.trim() ?? '')?.[0] ?? null;

/** `.git` is a folder, or in worktrees and submodules a file that names one. */
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
  for (let step = 0; step < MOST_REFERENCES; step += 1) {
    const name = /^ref: (\S+)\s*$/.exec(text ?? '')?.[1];
    if (name === undefined) return asHash(text);
    text = readReference(gitDir, commonDir, name);
  }
  return null;
};

/** The commit of the sources at `root`; null when nothing there proves one. A repository around `root` says nothing about it. */
export const readSourceCommit = (root: string): SourceCommit | null => {
  const gitDir = findGitDir(root);
  const head = gitDir === null ? null : readHead(gitDir);
  if (gitDir !== null && head !== null) return { hash: head, gitDir };
  const marked = asHash(readText(join(root, ARCHIVE_MARK)));
  return marked === null ? null : { hash: marked, gitDir: null };
};

/**
 * Git's own names (SHA-1 of `blob <length>\0` and the content) of the files that a commit has at `paths`, by path. Null where the
 * repository is absent, names content otherwise, or git cannot be asked. Reads objects only: no index, no hook, no configured program.
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
  new Promise((answer) => {
    const limits = { timeout: GIT_TIMEOUT_MS, maxBuffer: MOST_LISTING_BYTES };
    execFile('git', args, limits, (error, stdout) => answer(error === null ? stdout : null));
  });
