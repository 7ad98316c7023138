// A process that campaigns to be the leader and prints when it is: `leader-process.ts <database url> <name>
// <lease times, JSON>`. It runs until it is killed.
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { systemClock } from '../../src/kernel/clock.ts';
import { createPostgresLeaderElection } from '../../src/store/engine/postgres-leader-election.ts';

const [url, name, times] = process.argv.slice(2) as [string, string, string];
const leadership = createPostgresLeaderElection({
  url,
  clock: systemClock,
  logger: pino({ level: 'silent' }),
  times: JSON.parse(times),
});
setInterval(() => {}, 60_000);
await leadership.lead(
  name,
  (signal) => {
    writeSync(1, 'leads\n');
    return new Promise((resolve) =>
      signal.addEventListener(
        'abort',
        () => {
          writeSync(1, 'stops\n');
          resolve();
        },
        { once: true },
      ),
    );
  },
  new AbortController().signal,
);
