// Whom the service serves, asked until it answers: without that nothing that a reload interrupted is taken up.
import type { FlowDeps } from './flow-types.ts';

/** Between two attempts to read whom the service serves. */
const HOME_RETRY_MS = 5_000;

/** What was signed before a reload must not be forgotten because one answer stayed away. Null once nobody wants it any more. */
export const readHomeAtLast = async (
  { home, sleep }: FlowDeps,
  wanted: () => boolean,
): Promise<Awaited<ReturnType<FlowDeps['home']>> | null> => {
  for (;;) {
    const read = await home().catch(() => null);
    if (!wanted()) return null;
    if (read !== null) return read;
    await sleep(HOME_RETRY_MS);
  }
};
