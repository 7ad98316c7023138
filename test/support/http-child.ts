// Runs a server with the test operations as a separate process. Prints its port, and stops on SIGTERM like the
// service.
import { setTimeout as delay } from 'node:timers/promises';
import { createTestRoutes, startTestServer } from './http-operations.ts';

// Duration of a simulated submission, in milliseconds.
const ACT_MS = Number(process.argv[2] ?? 0);

const routes = createTestRoutes({
  entered: () => {},
  get open() {
    return delay(ACT_MS);
  },
});
const server = await startTestServer({ routes });
process.once('SIGTERM', () => {
  void server.close().then(() => console.log('drained'));
});
console.log(`port ${server.port}`);
