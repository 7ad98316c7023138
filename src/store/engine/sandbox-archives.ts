// Removes old sandbox stores from the data folder. Their chain no longer exists, so their records are useless.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Suffix of an archive's name, in the format of `archiveTime`. */
const ARCHIVED = /^\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/**
 * True if the file is the archive of a sandbox. An archive that cannot be read has an unknown creator and is
 * kept.
 */
const isOfSandbox = (path: string): boolean => {
  // A file with a write-ahead log next to it was not archived by this service, or not completely.
  if (existsSync(`${path}-wal`)) return false;
  let database: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(path);
    // Without this, SQLite would create its own files next to an archive in write-ahead-log mode.
    url.searchParams.set('immutable', '1');
    database = new DatabaseSync(url, { readOnly: true });
    const row = database.prepare("select value from identity where name = 'madeFor'").get();
    return row?.value === 'sandbox';
  } catch {
    return false;
  } finally {
    database?.close();
  }
};

/**
 * Removes the sandbox archives of the store at `path`, except `newest`. Returns the number of removed
 * archives.
 */
export const removeSandboxArchives = (path: string, newest: string): number => {
  const [folder, name] = [dirname(path), basename(path)];
  const old = readdirSync(folder)
    .filter((file) => file.startsWith(name) && ARCHIVED.test(file.slice(name.length)))
    .map((file) => join(folder, file))
    .filter((file) => file !== newest && isOfSandbox(file));
  for (const file of old) rmSync(file);
  return old.length;
};
