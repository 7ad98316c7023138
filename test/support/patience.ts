// The time limit of all waits in tests, in one place: a shared machine may be ten times slower for minutes,
// and no test asserts on time.

/**
 * Milliseconds; less than the 600 s that the runner gives one test, so that a hang is reported where it
 * happens.
 */
export const PATIENCE_MS = 480_000;
/** Milliseconds; less than the 900 s that the runner gives one file. */
const WHOLE_FILE_MS = 840_000;

/** Aborts once a single wait, or a single test, takes too long. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

/** For a signal that all tests of a file share. */
export const wholeFilePatience = (): AbortSignal => AbortSignal.timeout(WHOLE_FILE_MS);
