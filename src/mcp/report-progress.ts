// Reports progress to clients that requested it while a call waits for the cluster.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../kernel/clock.ts';
import type { McpTool } from './tool.ts';

/** Interval between reports, in ms. A confirmation takes one to a few seconds, an expiry about a minute. */
export const PROGRESS_INTERVAL_MS = 2_000;

type Request = ServerContext['mcpReq'];

/**
 * Runs `work`. If the tool changes the chain and the request carries a progress token, reports the elapsed time
 * every two seconds.
 */
export const whileReporting = async <Result>(
  tool: McpTool,
  request: Request,
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> => {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined || tool.operation.effect !== 'act') return work();
  const done = new AbortController();
  const report = async (): Promise<void> => {
    for (let beats = 0; !done.signal.aborted; beats += 1) {
      const message =
        beats === 0
          ? 'Checking, then sending to the cluster.'
          : `Waiting for the cluster to confirm, ${(beats * PROGRESS_INTERVAL_MS) / 1_000} s.`;
      // Failed notifications are ignored, because the call itself notices a disconnected client.
      await request
        .notify({ method: 'notifications/progress', params: { progressToken, progress: beats, message } })
        .catch(() => undefined);
      await clock.sleep(PROGRESS_INTERVAL_MS, done.signal).catch(() => undefined);
    }
  };
  const reporting = report();
  try {
    return await work();
  } finally {
    done.abort();
    await reporting;
  }
};
