// A file system of a few megabytes that a test can fill to the last byte and empty again.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from './temporary-folder.ts';

/** A small disk. */
interface SmallDisk {
  readonly folder: string;
  readonly fill: () => void;
  readonly empty: () => void;
}

/** Returns the reason why a small disk cannot be mounted here, or false if it can. */
export const smallDiskProblem = (): string | false => {
  let unmount: () => void | Promise<void> = () => {};
  try {
    mountSmallDisk({
      after: (cleanUp) => {
        unmount = cleanUp;
      },
    });
    return false;
  } catch {
    return 'a full disk was not tested: mounting a small file system needs root and a Linux that allows it';
  } finally {
    void unmount();
  }
};

/** Mounts a file system in memory. Unmounts it when the scope ends. Throws if mounting is not allowed. */
export const mountSmallDisk = (scope: Scope, megabytes = 4): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  // Unmounts lazily, because a process may still have a file open there.
  scope.after(() => {
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
    rmdirSync(folder);
  });
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => fillWith(ballast),
    empty: () => rmSync(ballast),
  };
};

const fillWith = (path: string): void => {
  const handle = openSync(path, 'a');
  try {
    for (const bytes of [Buffer.alloc(65_536), Buffer.alloc(512), Buffer.alloc(1)])
      while (writes(handle, bytes));
  } finally {
    closeSync(handle);
  }
};

const writes = (handle: number, bytes: Buffer): boolean => {
  try {
    return writeSync(handle, bytes) === bytes.length;
  } catch {
    return false;
  }
};
