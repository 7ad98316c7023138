// Many rows as one parameter of PostgreSQL: the statement's text stays the same whatever their number, and is built once.
import { type RawBuilder, sql } from 'kysely';
import type { PlainValue } from '../schema.ts';

/** The columns of the rows in order, and what they hold. */
export type JsonColumns = Readonly<Record<string, 'text' | 'integer'>>;

/** A select that gives `rows`; to stand in brackets or behind `insert into`. */
export const jsonRows = (
  columns: JsonColumns,
  rows: readonly (readonly PlainValue[])[],
): RawBuilder<unknown> =>
  sql`select ${sql.join(
    Object.entries(columns).map(
      ([name, type], index) =>
        sql`cast(value ->> ${sql.lit(index)} as ${sql.raw(type === 'text' ? 'text' : 'bigint')}) as ${sql.ref(name)}`,
    ),
  )} from jsonb_array_elements(cast(${JSON.stringify(rows)} as jsonb))`;
