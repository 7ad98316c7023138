// Loaded into a service by `--import`. Writes its memory, handles and event-loop delay as a line of JSON every
// two seconds.
import { appendFileSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env.SOAK_PROBE_FILE;
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const open = (): string[] => {
    try {
      return readdirSync('/proc/self/fd');
    } catch {
      return [];
    }
  };
  setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    const line = {
      atMs: Date.now(),
      rss,
      heapUsed,
      handles: resources.length,
      sockets: resources.filter((name) => name.startsWith('TCPSocket')).length,
      descriptors: open().length,
      // Delay beyond the sampling interval, in ms.
      delayP50Ms: delay.percentile(50) / 1e6 - 10,
      delayP99Ms: delay.percentile(99) / 1e6 - 10,
    };
    delay.reset();
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }, 2_000).unref();
}
