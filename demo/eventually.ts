// Asks again and again until there is something to tell, for what a chain needs time for.

const WITHIN_MS = 60_000;

/** Asks twice a second until there is something; what is final comes 32 blocks after what is confirmed. */
export const eventually = async <T>(ask: () => Promise<T | null>, what: string): Promise<T> => {
  for (const deadline = Date.now() + WITHIN_MS; Date.now() < deadline; ) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`waited in vain for ${what}`);
};
