// Counts registrations for the caps: in total; per client network, alone and with the wallet; per site; and per
// callback host.
import { createHash } from 'node:crypto';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { siteOf } from '../kernel/network/client-network.ts';
import type { NewRegistration } from './registration-rows.ts';
import type { Database, Engine } from './schema.ts';

/**
 * Caps on registrations. Deleted ones still count for 24 hours after their creation. An omitted cap means no
 * limit.
 */
export interface RegistrationCaps {
  /** Cap per wallet and client network. */
  readonly perWalletAndClient: number;
  /** Cap per client network. */
  readonly perClient: number;
  /** Cap per IPv6 /48 of the client. */
  readonly perSite?: number;
  /** Cap on registrations created within 24 hours for one callback host that has not responded yet. */
  readonly perHost?: number;
  /** Cap on all registrations. */
  readonly inAll?: number;
}

/**
 * Prevents concurrent counting until the end of the transaction. SQLite transactions do this implicitly. All
 * caps share one lock, because they overlap.
 */
export const lockRegistrations = async (db: Kysely<Database>, engine: Engine['name']): Promise<void> => {
  if (engine !== 'postgres') return;
  const key = createHash('sha256').update('holdfast webhooks').digest().readBigInt64BE();
  await sql`select pg_advisory_xact_lock(${key})`.execute(db);
};

const COUNTED_MS = 24 * 60 * 60 * 1000;

/**
 * SQL condition: the row counts towards a cap. Deleted registrations count for 24 hours after their creation.
 */
export const countsTowardsCap =
  (nowMs: number) =>
  (eb: ExpressionBuilder<Database, 'webhooks'>): Expression<SqlBool> =>
    eb.or([eb('deleted_at_ms', 'is', null), eb('created_at_ms', '>', BigInt(nowMs - COUNTED_MS))]);

/**
 * Returns the key range [from, to), in byte order, of clients in the same IPv6 /48; null for IPv4, which has no
 * sites.
 */
const siteRange = (client: string): { readonly from: string; readonly to: string } | null => {
  const groups = siteOf(client)?.replace('::/48', '');
  return groups === undefined ? null : { from: `${groups}:`, to: `${groups};` };
};

/**
 * Returns the cap that another registration would exceed, or null. Only registrations of kind `events` have
 * caps.
 */
export const metCap = async (
  db: Kysely<Database>,
  { id, kind, client, walletAddress, callbackUrl }: NewRegistration,
  caps: RegistrationCaps,
  nowMs: number,
): Promise<keyof RegistrationCaps | null> => {
  if (kind !== 'events') return null;
  const since = BigInt(nowMs - COUNTED_MS);
  const others = db
    .selectFrom('webhooks')
    .where('kind', '=', sql.lit('events'))
    .where('id', '<>', id)
    .where(countsTowardsCap(nowMs))
    .select((eb) => eb.fn.countAll<bigint>().as('count'));
  const isMet = async (most: number | undefined, counted: typeof others): Promise<boolean> =>
    most !== undefined && Number((await counted.executeTakeFirstOrThrow()).count) >= most;
  const ofClient = others.where('client', '=', client);
  if (await isMet(caps.perWalletAndClient, ofClient.where('wallet', '=', walletAddress)))
    return 'perWalletAndClient';
  if (await isMet(caps.perClient, ofClient)) return 'perClient';
  const site = siteRange(client);
  if (
    site &&
    (await isMet(caps.perSite, others.where('client', '>=', site.from).where('client', '<', site.to)))
  )
    return 'perSite';
  const ofHost = others
    .where('awaits_answer', '=', sql.lit(1n))
    .where('callback_host', '=', new URL(callbackUrl).hostname)
    .where('created_at_ms', '>', since);
  if (await isMet(caps.perHost, ofHost)) return 'perHost';
  return (await isMet(caps.inAll, others)) ? 'inAll' : null;
};
