// Removes what earlier sandboxes left in the data folder: their chain ended with them, so nothing can use their records again.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** As `archiveTime` writes it. */
const ARCHIVED = /^\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** By the file's own records, which are only read. What cannot be read was made by nobody knows whom. */
const isOfSandbox = (path: string): boolean => {
  // With a log beside it the file was not left by us, or not as a whole.
  if (existsSync(`${path}-wal`)) return false;
  let database: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(path);
    // Else SQLite would put files of its own beside one that it left in its log's mode.
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

/** Removes the archives of the store at `path` that a sandbox made, but for `newest`; how many those were. */
export const removeSandboxArchives = (path: string, newest: string): number => {
  const [folder, name] = [dirname(path), basename(path)];
  const old = readdirSync(folder)
    .filter((file) => file.startsWith(name) && ARCHIVED.test(file.slice(name.length)))
    .map((file) => join(folder, file))
    .filter((file) => file !== newest && isOfSandbox(file));
  for (const file of old) rmSync(file);
  return old.length;
};
