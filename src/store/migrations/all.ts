// All migrations, oldest first. Only append to this list: a released migration is never edited, renamed or
// removed.
import type { Migration } from '../engine/migrate.ts';
import { firstSchema } from './0001-first-schema.ts';

export const migrations: readonly Migration[] = [firstSchema];
