// Claims due deliveries: each goes to one process until its lease ends, however many ask at once.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import { claimRowsPostgres } from './claim-postgres.ts';
import { claimRowsEmbedded } from './claim-sqlite.ts';
import { mayBeAttempted } from './claimed-row.ts';
import { isFree, UNLEASED } from './delivery-leases.ts';
import type { ClaimedDelivery, ClaimOptions } from './outbox.ts';

/** Rows settled as dead at once. */
const MAX_GIVEN_UP = 1_000;
/** Looks within one claim while each finds only what may not be attempted any more. */
const MAX_ROUNDS = 8;

/** What `Outbox.claim` promises. Those that may not be attempted any more are settled as dead on the way. */
export const claimDue = async (
  db: Kysely<Database>,
  engine: Pick<Engine, 'name' | 'prepare'>,
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> => {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const leased = await (engine.prepare
      ? claimRowsEmbedded(db, engine.prepare, options)
      : claimRowsPostgres(db, options));
    const claimed = leased.filter((delivery) => mayBeAttempted(delivery, options.nowMs));
    const givenUp = leased.filter((delivery) => !mayBeAttempted(delivery, options.nowMs));
    if (givenUp.length > 0) await giveUp(db, engine.name, givenUp, options);
    if (claimed.length > 0 || givenUp.length === 0) return claimed;
  }
  return [];
};

/** Settles them as dead, and with them all else that is due to a registration that hears nothing any more: a ping must not wait behind it. */
const giveUp = (
  db: Kysely<Database>,
  engine: Engine['name'],
  givenUp: readonly ClaimedDelivery[],
  { owner, nowMs }: ClaimOptions,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const inactive = new Set(
      givenUp.flatMap(({ registrationId, disabled, deleted }) =>
        disabled || deleted ? [registrationId] : [],
      ),
    );
    const others =
      inactive.size === 0
        ? []
        : await transaction
            .selectFrom('deliveries')
            .innerJoin('events', 'events.key', 'deliveries.event')
            .select('deliveries.event')
            .where('deliveries.registration', 'in', [...inactive])
            .where('deliveries.state', '=', sql.lit('pending'))
            .where('deliveries.due_at_ms', '<=', BigInt(nowMs))
            .where(isFree(nowMs))
            .where('events.type', 'not in', ['ping', 'registration_deleted'])
            .limit(MAX_GIVEN_UP)
            .$if(engine === 'postgres', (query) => query.forUpdate('deliveries').skipLocked())
            .execute();
    const dead = { state: 'dead', due_at_ms: null, ...UNLEASED, settled_at_ms: BigInt(nowMs) } as const;
    await transaction
      .updateTable('deliveries')
      .set(dead)
      .where(
        'event',
        'in',
        givenUp.map(({ key }) => BigInt(key)),
      )
      // Leased a moment ago; if that took longer than the lease, the next owner gives them up.
      .where('lease_owner', '=', owner)
      .execute();
    if (others.length === 0) return;
    await transaction
      .updateTable('deliveries')
      .set(dead)
      .where(
        'event',
        'in',
        others.map(({ event }) => event),
      )
      .execute();
  });
