// Stores the watcher's position in the same transaction as the last events. The next leader continues after it,
// and everything before it is recorded.
import { z } from 'zod';
import type { KnownPoint } from '../../domain/stake/detect-stake-events.ts';
import { smaller } from '../../kernel/order.ts';
import type { NewEvent, Outbox } from '../../store/outbox/outbox.ts';
import type { WatchedWallets } from './search-wallet.ts';

export interface WatcherCheckpoint extends KnownPoint {
  /** The latest timestamp given to an event, in ms since the Unix epoch; 0 if there is none. */
  readonly lastEventAtMs: number;
}

const CHECKPOINT_NAME = 'watcher';

const digits = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const checkpointSchema = z.object({
  epoch: digits,
  slot: digits,
  seconds: digits,
  lastEventAtMs: z.int().nonnegative(),
});

const formatCheckpoint = ({ epoch, slot, seconds, lastEventAtMs }: WatcherCheckpoint): string =>
  JSON.stringify({ epoch: `${epoch}`, slot: `${slot}`, seconds: `${seconds}`, lastEventAtMs });

/** Parses a stored checkpoint. Returns null if it is absent or invalid. */
export const parseCheckpoint = (text: string | null): WatcherCheckpoint | null => {
  if (text === null) return null;
  try {
    return checkpointSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** Maximum number of events recorded in one transaction of the store. */
const EVENTS_AT_ONCE = 500;

/** Creates the initial checkpoint. Events before the first registration are never emitted. */
const beginningOf = ({ byWallet }: WatchedWallets): WatcherCheckpoint => {
  const all = [...byWallet.values()].flat();
  return {
    epoch: all.map(({ createdEpoch }) => createdEpoch).reduce(smaller),
    slot: all.map(({ createdSlot }) => createdSlot).reduce(smaller) - 1n,
    seconds: all.map(({ createdAtMs }) => BigInt(Math.floor(createdAtMs / 1_000))).reduce(smaller),
    lastEventAtMs: 0,
  };
};

/**
 * Records events in order, and the checkpoints in the same transaction as the last event. Returns true if any
 * event was new.
 */
export const recordAll = async (
  outbox: Pick<Outbox, 'record'>,
  events: readonly NewEvent[],
  checkpoint: WatcherCheckpoint,
  more: readonly { readonly name: string; readonly value: string }[] = [],
): Promise<boolean> => {
  let isNew = false;
  for (let at = 0; ; at += EVENTS_AT_ONCE) {
    const some = events.slice(at, at + EVENTS_AT_ONCE);
    const isLast = at + EVENTS_AT_ONCE >= events.length;
    const marks = isLast ? [{ name: CHECKPOINT_NAME, value: formatCheckpoint(checkpoint) }, ...more] : [];
    const added = await outbox.record(some, marks);
    isNew ||= added.length > 0;
    if (isLast) return isNew;
  }
};

/**
 * Loads the previous leader's checkpoint, or the start position if there is none. Throws
 * `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
 */
export const readCheckpoint = async (
  outbox: Pick<Outbox, 'checkpoint'>,
  wallets: WatchedWallets,
): Promise<WatcherCheckpoint> =>
  parseCheckpoint(await outbox.checkpoint(CHECKPOINT_NAME)) ?? beginningOf(wallets);
