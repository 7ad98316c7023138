// A webhook receiver in a separate process. It accepts everything and counts ids and events by type. GET
// returns the counts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Counts of one event type. */
export interface TypeCounts {
  deliveries: number;
  /** Number of different ids. */
  ids: number;
  /**
   * Number of different events, each identified by path and subject. Fewer than `ids` if an event arrived under
   * two ids.
   */
  facts: number;
}

const counts: Record<string, TypeCounts> = {};
const [ids, facts] = [new Set<string>(), new Set<string>()];

const note = (path: string, body: string): void => {
  const { id, type, data } = JSON.parse(body);
  counts[type] ??= { deliveries: 0, ids: 0, facts: 0 };
  const of = counts[type];
  of.deliveries += 1;
  if (!ids.has(id)) of.ids += 1;
  ids.add(id);
  const fact = `${path} ${type} ${data.epoch ?? ''}`;
  if (!facts.has(fact)) of.facts += 1;
  facts.add(fact);
};

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(counts));
    return;
  }
  let body = '';
  request
    .setEncoding('utf8')
    .on('data', (text: string) => {
      body += text;
    })
    .on('end', () => {
      note(request.url!, body);
      response.writeHead(204).end();
    });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`);
