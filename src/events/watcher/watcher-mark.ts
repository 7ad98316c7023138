// How far the watcher came, as it is kept beside the events: everything up to this point is told, and the next leader goes on after it.
import { z } from 'zod';
import type { KnownPoint } from '../../domain/stake/stake-facts.ts';
import type { NewEvent, Outbox } from '../../store/outbox/outbox.ts';
import type { WatchedWallets } from './watched-wallets.ts';

/** How far the watcher came. */
export interface WatcherMark extends KnownPoint {
  /** The latest time that an event was given, ms since the Unix epoch; 0: none was. */
  readonly toldAtMs: number;
}

/** The mark's name in the outbox. */
const MARK_NAME = 'watcher';

const digits = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
// Versions before this one kept no time.
const toldAtMs = z.int().nonnegative().default(0);
const markSchema = z.object({ epoch: digits, slot: digits, seconds: digits, toldAtMs });

/** The mark as text. */
const formatMark = ({ epoch, slot, seconds, toldAtMs }: WatcherMark): string =>
  JSON.stringify({ epoch: `${epoch}`, slot: `${slot}`, seconds: `${seconds}`, toldAtMs });

/** The mark of a text; null where there is none, or one that no version wrote. */
export const parseMark = (text: string | null): WatcherMark | null => {
  if (text === null) return null;
  try {
    return markSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** Events of one transaction of the store. */
const EVENTS_AT_ONCE = 500;

/** Where watching begins that never was: nothing is told from before the first registration. */
const beginningOf = ({ byWallet }: WatchedWallets): WatcherMark => {
  const all = [...byWallet.values()].flat();
  const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b));
  return {
    epoch: least(all.map(({ createdEpoch }) => createdEpoch)),
    slot: least(all.map(({ createdSlot }) => createdSlot)) - 1n,
    seconds: least(all.map(({ createdAtMs }) => BigInt(Math.floor(createdAtMs / 1_000)))),
    toldAtMs: 0,
  };
};

/** Records in order, the mark with the last ones; true where something was new. */
export const recordAll = async (
  outbox: Pick<Outbox, 'record'>,
  events: readonly NewEvent[],
  mark: WatcherMark,
): Promise<boolean> => {
  let isNew = false;
  for (let at = 0; ; at += EVENTS_AT_ONCE) {
    const some = events.slice(at, at + EVENTS_AT_ONCE);
    const isLast = at + EVENTS_AT_ONCE >= events.length;
    const marks = isLast ? [{ name: MARK_NAME, value: formatMark(mark) }] : [];
    const added = await outbox.record(some, marks);
    isNew ||= added.length > 0;
    if (isLast) return isNew;
  }
};

/** The mark of an earlier leader, or where watching begins that never was. Throws `STORE_UNAVAILABLE`. */
export const readMark = async (outbox: Pick<Outbox, 'mark'>, wallets: WatchedWallets): Promise<WatcherMark> =>
  parseMark(await outbox.mark(MARK_NAME)) ?? beginningOf(wallets);
