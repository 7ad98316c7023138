// Polls for results that the chain takes some time to produce.

const WITHIN_MS = 60_000;

/**
 * Polls twice a second until `ask` returns a result. Data is finalized about 32 blocks after it is confirmed.
 */
export const eventually = async <T>(ask: () => Promise<T | null>, what: string): Promise<T> => {
  for (const deadline = Date.now() + WITHIN_MS; Date.now() < deadline; ) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`timed out waiting for ${what}`);
};
