// A typical webhook receiver: verifies every delivery with the official library before using it.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WebhookReceiver {
  /** URL for deliveries. */
  readonly url: string;
  /**
   * Resolves with the next delivery that `secret` verifies and `isWanted` accepts, including an earlier one
   * that has not been returned yet. Returns each delivery once. Rejects on timeout.
   */
  readonly next: (secret: string, isWanted?: (event: ReceivedEvent) => boolean) => Promise<ReceivedEvent>;
  readonly close: () => Promise<void>;
}

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Timeout of `next`. While slots advance one by one, a validator becomes delinquent after 128 slots, which
 * takes about a minute.
 */
const WAIT_MS = 120_000;
const MAX_BODY_BYTES = 65_536;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Returns the event, or null if the signature does not match this secret or is too old. */
const verified = (secret: string, { headers, body }: Delivery): ReceivedEvent | null => {
  try {
    return new Webhook(secret).verify(body, headers) as ReceivedEvent;
  } catch {
    return null;
  }
};

/** Listens on a free port of this machine. `waitMs` is the timeout of `next`, by default two minutes. */
export const startWebhookReceiver = async (waitMs = WAIT_MS): Promise<WebhookReceiver> => {
  const deliveries: Delivery[] = [];
  const watchers = new Set<() => void>();
  /**
   * Ids of returned events. A repeated delivery has the same id. The id is trusted, because the delivery was
   * verified.
   */
  const given = new Set<string>();
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const headers = request.headers as Record<string, string>;
        if (request.method === 'POST') deliveries.push({ headers, body });
        // The receiver responds before it processes the delivery, because to the service a slow response looks
        // like a hanging receiver.
        response.writeHead(204).end();
        for (const watch of [...watchers]) watch();
      },
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const take = (secret: string, isWanted: (event: ReceivedEvent) => boolean): ReceivedEvent | null => {
    for (const delivery of deliveries) {
      const event = verified(secret, delivery);
      const id = delivery.headers['webhook-id']!;
      if (event === null || given.has(id) || !isWanted(event)) continue;
      given.add(id);
      return event;
    }
    return null;
  };

  return {
    url: `http://127.0.0.1:${port}/`,
    next: (secret, isWanted = () => true) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          watchers.delete(watch);
          reject(new Error(`no matching webhook was delivered within ${waitMs / 1_000} s`));
        }, waitMs);
        const watch = (): void => {
          const event = take(secret, isWanted);
          if (event === null) return;
          clearTimeout(late);
          watchers.delete(watch);
          resolve(event);
        };
        watchers.add(watch);
        watch();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
