// The time limit of all waits in tests, in one place. A shared machine may be ten times slower for minutes,
// and no test asserts on time.

/**
 * Milliseconds. Less than the 600 s that the runner gives one test, so that a hang is reported where it
 * occurs.
 */
export const PATIENCE_MS = 480_000;
/** Milliseconds. Less than the 900 s that the runner gives one file. */
const WHOLE_FILE_MS = 840_000;

/** Returns a signal that is aborted once a single wait, or a single test, takes too long. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

/** Returns a signal that all tests of a file share. */
export const wholeFilePatience = (): AbortSignal => AbortSignal.timeout(WHOLE_FILE_MS);
