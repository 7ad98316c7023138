// Subscribes to account changes over one WebSocket. Slot notifications distinguish a dead socket from a quiet
// chain.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { ChainAccount } from '../ports.ts';
import { createReconnectingSocket } from '../rpc/reconnecting-socket.ts';
import { parseRpcJson } from '../rpc/rpc-response.ts';
import { accountSchema, addressSchema, u64Schema } from '../rpc/rpc-schemas.ts';
import { delegatedToFilters } from './index-scan.ts';

interface IndexFeedOptions {
  readonly wsUrls: readonly string[];
  readonly voteAccount: Address;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Time in ms without any message after which a socket counts as dead. Slot notifications arrive constantly.
   */
  readonly silenceMs: number;
  /** Called when an account delegated to the vote account changed at `slot`. */
  readonly onAccount: (account: ChainAccount, slot: bigint) => void;
  /** Called when the node reaches a slot (processed). */
  readonly onSlot: (slot: bigint) => void;
  /** Called when `live` changes. */
  readonly onState: () => void;
}

/** A subscription to the accounts of one validator and to the slots of the chain. */
export interface IndexFeed {
  /** True while subscribed and receiving messages. */
  readonly live: boolean;
  /** Number of times the subscription became live. Updates between two sessions are lost. */
  readonly session: number;
  readonly heardAtMs: number;
  /** Closes the socket permanently. Resolves once it is closed. */
  readonly close: () => Promise<void>;
}

const PROGRAM_REQUEST = 1;
const SLOT_REQUEST = 2;

const subscribedSchema = z.object({ id: z.int(), result: z.int() });
const refusedSchema = z.object({ id: z.int(), error: z.object({ code: z.int() }) });
/** Payload of `slotSubscribe` notifications. */
export const slotSchema = z.object({
  method: z.literal('slotNotification'),
  params: z.object({ result: z.object({ slot: u64Schema }) }),
});
/** Payload of `programSubscribe` notifications. */
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

/**
 * Subscribes until closed, and switches to the next URL if one fails. Without URLs the feed is never live.
 */
export const createIndexFeed = (options: IndexFeedOptions): IndexFeed => {
  const { wsUrls, clock, logger } = options;
  const closing = new AbortController();
  const accepted = new Set<number>();
  let [live, session] = [false, 0];

  const setLive = (now: boolean) => {
    if (live === now) return;
    live = now;
    if (now) session += 1;
    options.onState();
  };

  const receive = (data: unknown) => {
    const message = parsed(data);
    if (message === undefined) return;
    if ('error' in message) return socket.drop();
    if ('id' in message) {
      accepted.add(message.id);
      if (!accepted.has(PROGRAM_REQUEST) || !accepted.has(SLOT_REQUEST)) return;
      socket.noteUseful();
      setLive(true);
    } else if (message.method === 'slotNotification') options.onSlot(message.params.result.slot);
    else {
      const { context, value } = message.params.result;
      options.onAccount({ address: value.pubkey, ...value.account }, context.slot);
    }
  };

  const socket = createReconnectingSocket({
    urls: wsUrls,
    clock,
    handshakeMs: options.silenceMs,
    silenceMs: options.silenceMs,
    onOpen: () => {
      accepted.clear();
      const filters = delegatedToFilters(options.voteAccount);
      socket.request(PROGRAM_REQUEST, 'programSubscribe', [
        STAKE_PROGRAM,
        { commitment: 'confirmed', encoding: 'base64', filters },
      ]);
      socket.request(SLOT_REQUEST, 'slotSubscribe', []);
    },
    onMessage: receive,
    onLost: () => {
      setLive(false);
      if (!closing.signal.aborted) logger.debug('stake index: subscription lost');
    },
  });
  const running = socket
    .run(() => true, closing.signal)
    .catch((error: unknown) => logger.error({ err: error }, 'stake index: subscription ended'));

  return {
    get live() {
      return live;
    },
    get session() {
      return session;
    },
    get heardAtMs() {
      return socket.heardAtMs;
    },
    close: async () => {
      closing.abort(new Error('stake index closed'));
      await running;
    },
  };
};
