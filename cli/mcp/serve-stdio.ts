// Serves one connection over this process's standard input and output, until the client closes it or the signal aborts.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createStdioServer, type StdioServing } from './stdio-server.ts';

/** Resolves when the connection is over; calls under way are then aborted. */
export const serveStdioUntilEnd = async (serving: StdioServing, signal: AbortSignal): Promise<void> => {
  const handle = serveStdio(() => createStdioServer(serving), {
    onerror: (error) => serving.report(error.message),
  });
  await new Promise<void>((end) => {
    process.stdin.once('end', end).once('close', end);
    signal.addEventListener('abort', () => end(), { once: true });
    // Stopped while it was still loading.
    if (signal.aborted) end();
  });
  await handle.close();
};
