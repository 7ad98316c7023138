// All migrations, oldest first. Append only: a released migration is never edited, renamed or removed.
import type { Migration } from '../engine/migrate.ts';
import { firstSchema } from './0001-first-schema.ts';

/** Migrations that a store of this version has applied. */
export const migrations: readonly Migration[] = [firstSchema];
