// An outcome finds its intents by signature: without this index every settling would read the whole table.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const intentsBySignature: Migration = {
  name: '0002-intents-by-signature',
  up: async (db) => {
    await sql`create index intents_by_signature on intents (signature)`.execute(db);
  },
};
