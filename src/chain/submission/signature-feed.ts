// Subscribes to confirmations over one WebSocket. They are only hints: polling also works without them.
import type { Signature } from '@solana/kit';
import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { createReconnectingSocket } from '../rpc/reconnecting-socket.ts';

/** Announces confirmations of watched signatures. These are only hints: the status decides. */
export interface SignatureFeed {
  /**
   * Calls `onHint` when a node announces the signature at `confirmed`. Returns a function that ends the
   * watch.
   */
  readonly watch: (signature: Signature, onHint: () => void) => () => void;
  /**
   * True while the node has accepted subscriptions for every watched signature, so polls can be less frequent.
   */
  readonly connected: boolean;
  readonly close: () => void;
}

const HANDSHAKE_MS = 5_000;
/** Time without any watched signature after which an open socket is closed, in ms. */
const IDLE_MS = 30_000;

const messageSchema = z.union([
  z.object({ id: z.int(), result: z.int() }),
  z.object({ method: z.literal('signatureNotification'), params: z.object({ subscription: z.int() }) }),
]);

interface Watched {
  readonly signature: Signature;
  readonly onHint: () => void;
}

/** Connects lazily and switches to the next URL if one fails. Without URLs, the feed never provides hints. */
export const createSignatureFeed = (deps: {
  wsUrls: readonly string[];
  clock: Clock;
  logger: Logger;
}): SignatureFeed => {
  const { wsUrls, clock, logger } = deps;
  const closing = new AbortController();
  const watched = new Map<number, Watched>();
  /**
   * Requests by subscription, and subscriptions that sent a notification before their request was confirmed.
   */
  let requestOf = new Map<number, number>();
  let early = new Set<number>();
  /** Requests without a response. A refused one stays here until its signature is no longer watched. */
  let unanswered = new Set<number>();
  let running = false;
  let nextId = 1;

  const subscribe = (id: number, { signature }: Watched) => {
    unanswered.add(id);
    socket.request(id, 'signatureSubscribe', [signature, { commitment: 'confirmed' }]);
  };

  const unsubscribe = (subscription: number) => socket.request(0, 'signatureUnsubscribe', [subscription]);

  const accepted = (id: number, subscription: number) => {
    unanswered.delete(id);
    const each = watched.get(id);
    if (early.delete(subscription)) each?.onHint();
    else if (each === undefined) unsubscribe(subscription);
    else requestOf.set(subscription, id);
  };

  const receive = (data: unknown) => {
    let parsed: z.output<typeof messageSchema> | undefined;
    try {
      parsed = messageSchema.safeParse(JSON.parse(String(data))).data;
    } catch {
      return;
    }
    if (parsed === undefined) return;
    if ('id' in parsed) return accepted(parsed.id, parsed.result);
    const { subscription } = parsed.params;
    const id = requestOf.get(subscription);
    if (id === undefined) early.add(subscription);
    requestOf.delete(subscription);
    if (id !== undefined) watched.get(id)?.onHint();
  };

  const socket = createReconnectingSocket({
    urls: wsUrls,
    clock,
    handshakeMs: HANDSHAKE_MS,
    onOpen: () => {
      socket.noteUseful();
      requestOf = new Map();
      early = new Set();
      unanswered = new Set();
      for (const [id, each] of watched) subscribe(id, each);
    },
    onMessage: receive,
    onLost: () => {
      if (watched.size > 0) logger.debug('signature feed lost; polling continues');
    },
  });

  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      await socket.run(() => watched.size > 0, closing.signal);
    } catch (error) {
      logger.warn({ err: error }, 'signature feed failed');
    } finally {
      running = false;
    }
  };

  const closeWhenIdle = async () => {
    await clock.sleep(IDLE_MS, closing.signal);
    if (watched.size === 0) socket.drop();
  };

  return {
    watch: (signature, onHint) => {
      const id = nextId++;
      const entry = { signature, onHint };
      watched.set(id, entry);
      if (socket.isOpen) subscribe(id, entry);
      else void run();
      return () => {
        watched.delete(id);
        unanswered.delete(id);
        for (const [subscription, request] of requestOf) {
          if (request !== id) continue;
          requestOf.delete(subscription);
          unsubscribe(subscription);
        }
        if (watched.size === 0) closeWhenIdle().catch(() => undefined);
      };
    },
    get connected() {
      return socket.isOpen && unanswered.size === 0;
    },
    close: () => closing.abort(new Error('signature feed closed')),
  };
};
