// The time limit of all waits in tests. A shared machine may be ten times slower for minutes, and no test
// asserts on time.

/** In milliseconds. Below the runner's limit of 600 s per test, so a hang is reported where it occurs. */
export const PATIENCE_MS = 480_000;
/** In milliseconds. Below the runner's limit of 900 s per file. */
const WHOLE_FILE_MS = 840_000;

/** Returns a signal that is aborted if a single wait, or a single test, takes too long. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

/** Returns a signal that all tests of a file share. */
export const wholeFilePatience = (): AbortSignal => AbortSignal.timeout(WHOLE_FILE_MS);
