// Subscribes to account changes over one WebSocket: changes arrive at once, and slot notifications tell a dead socket from a quiet chain.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { STAKE_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { ChainAccount } from '../ports.ts';
import { parseRpcJson } from '../rpc/rpc-answer.ts';
import { accountSchema, addressSchema, u64Schema } from '../rpc/rpc-schemas.ts';
import { delegatedToFilters } from './index-scan.ts';

/** What a feed needs. */
export interface IndexFeedOptions {
  readonly wsUrls: readonly string[];
  readonly voteAccount: Address;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A socket without any message for this long is given up, ms. The chain's slots are subscribed, so messages never pause. */
  readonly silenceMs: number;
  /** An account delegated to the vote account changed; at `slot`, as the node says. */
  readonly onAccount: (account: ChainAccount, slot: bigint) => void;
  /** The node is at this slot (processed). */
  readonly onSlot: (slot: bigint) => void;
  /** `live` has changed. */
  readonly onState: () => void;
}

/** The subscription. */
export interface IndexFeed {
  /** True while subscribed and heard from. */
  readonly live: boolean;
  /** Counts the times that it became live; news between two sessions are lost. */
  readonly session: number;
  readonly heardAtMs: number;
  /** Resolves when the socket is closed for good. */
  readonly close: () => Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
const PROGRAM_REQUEST = 1;
const SLOT_REQUEST = 2;

const subscribedSchema = z.object({ id: z.int(), result: z.int() });
const refusedSchema = z.object({ id: z.int(), error: z.object({ code: z.int() }) });
/** What `slotSubscribe` sends. */
export const slotSchema = z.object({
  method: z.literal('slotNotification'),
  params: z.object({ result: z.object({ slot: u64Schema }) }),
});
/** What `programSubscribe` sends. */
export const accountNewsSchema = z.object({
  method: z.literal('programNotification'),
  params: z.object({
    result: z.object({
      context: z.object({ slot: u64Schema }),
      value: z.object({ pubkey: addressSchema, account: accountSchema }),
    }),
  }),
});
const messageSchema = z.union([slotSchema, accountNewsSchema, subscribedSchema, refusedSchema]);

const parsed = (data: unknown): z.output<typeof messageSchema> | undefined => {
  try {
    return messageSchema.safeParse(parseRpcJson(String(data))).data;
  } catch {
    return undefined;
  }
};

/** Subscribes until closed, one URL after the other when one fails. Without URLs it is never live. */
export const createIndexFeed = (options: IndexFeedOptions): IndexFeed => {
  const { wsUrls, clock, logger } = options;
  const closing = new AbortController();
  let [live, session, heardAtMs] = [false, 0, 0];

  const setLive = (now: boolean) => {
    if (live === now) return;
    live = now;
    if (now) session += 1;
    options.onState();
  };

  const subscribe = (socket: WebSocket) => {
    const request = (id: number, method: string, params: readonly unknown[]) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const filters = delegatedToFilters(options.voteAccount);
    request(PROGRAM_REQUEST, 'programSubscribe', [
      STAKE_PROGRAM,
      { commitment: 'confirmed', encoding: 'base64', filters },
    ]);
    request(SLOT_REQUEST, 'slotSubscribe', []);
  };

  /** One socket's life; true when it was live. */
  const serve = async (url: string): Promise<boolean> => {
    const socket = new WebSocket(url);
    const ended = Promise.withResolvers<void>();
    const accepted = new Set<number>();
    let over = false;
    // The closing handshake of a dead connection is never answered, so nobody waits for it.
    const shut = () => {
      over = true;
      socket.close();
      ended.resolve();
    };
    heardAtMs = clock.now();
    socket.addEventListener('open', () => (over ? undefined : subscribe(socket)));
    socket.addEventListener('error', shut);
    socket.addEventListener('close', shut);
    socket.addEventListener('message', ({ data }) => {
      if (over) return;
      heardAtMs = clock.now();
      const message = parsed(data);
      if (message === undefined) return;
      if ('error' in message) return shut();
      if ('id' in message) {
        accepted.add(message.id);
        setLive(accepted.has(PROGRAM_REQUEST) && accepted.has(SLOT_REQUEST));
      } else if (message.method === 'slotNotification') options.onSlot(message.params.result.slot);
      else {
        const { context, value } = message.params.result;
        options.onAccount({ address: value.pubkey, ...value.account }, context.slot);
      }
    });
    closing.signal.addEventListener('abort', shut, { once: true });
    const watched = watchSilence(shut);
    await ended.promise;
    closing.signal.removeEventListener('abort', shut);
    watched.abort();
    const wasLive = live;
    setLive(false);
    return wasLive;
  };

  /** Gives up a socket that says nothing, its handshake included. */
  const watchSilence = (shut: () => void): AbortController => {
    const watching = new AbortController();
    const watch = async () => {
      for (;;) {
        const leftMs = heardAtMs + options.silenceMs - clock.now();
        if (leftMs <= 0) return shut();
        await clock.sleep(leftMs, watching.signal);
      }
    };
    watch().catch(() => undefined);
    return watching;
  };

  const run = async () => {
    for (let [turn, failures] = [0, 0]; wsUrls.length > 0 && !closing.signal.aborted; turn += 1) {
      failures = (await serve(wsUrls[turn % wsUrls.length]!)) ? 0 : failures + 1;
      if (closing.signal.aborted) return;
      logger.debug({ failures }, 'stake index: subscription lost');
      await clock.sleep(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), closing.signal);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!closing.signal.aborted) logger.error({ err: error }, 'stake index: subscription ended');
  });

  return {
    get live() {
      return live;
    },
    get session() {
      return session;
    },
    get heardAtMs() {
      return heardAtMs;
    },
    close: async () => {
      closing.abort(new Error('stake index closed'));
      await running;
    },
  };
};
