// Sends one delivery over plain HTTP and one to a server with an untrusted certificate, with the environment
// variables of its start, and prints the results.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createGuardedAgent } from '../../src/events/callbacks/guarded-agent.ts';
import { createNameResolver } from '../../src/events/callbacks/guarded-dns-lookup.ts';
import { createSendAttempt } from '../../src/events/delivery/send-attempt.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { selfSigned } from './self-signed-certificate.ts';

const plain = createServer((_request, response) => response.end());
const secured = createTlsServer(selfSigned(['127.0.0.1']), (_request, response) => response.end());
const agent = createGuardedAgent({
  mayReach: () => true,
  resolve: createNameResolver({ hostsFile: false }),
});
const send = createSendAttempt(agent, systemClock);

const outcomeAt = async (scheme: string, server: typeof plain | typeof secured): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const callbackUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { outcome } = await send({ callbackUrl, headers: {}, body: '{}' }, new AbortController().signal);
  return outcome;
};

const outcomes = [await outcomeAt('http', plain), await outcomeAt('https', secured)];
process.stdout.write(`outcomes plain ${outcomes[0]}, self-signed ${outcomes[1]}\n`);
await agent.destroy();
for (const server of [plain, secured]) {
  server.closeAllConnections();
  server.close();
}
