// Reads single fields of untrusted JSON: a valid value, or null, in which case the problem is counted. Never
// coerces values.
import type { z } from 'zod';
import type { ProviderName } from './provider-failure.ts';
import type { ProviderWarning } from './provider-snapshot.ts';

/** A field of a provider's entry: its name, its type, and whether a warning is raised if it is absent. */
interface Field<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly expected: boolean;
}

/** A field that every entry should have; if absent or null, it counts as missing. */
export const expectedField = <T>(name: string, schema: z.ZodType<T>): Field<T> => ({
  name,
  schema,
  expected: true,
});

/** A field that many entries do not have. */
export const optionalField = <T>(name: string, schema: z.ZodType<T>): Field<T> => ({
  name,
  schema,
  expected: false,
});

/** Fields of an entry, keyed by our names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** A parsed entry. Every field is nullable. */
export type Read<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T | null : never;
};

/** Counts problems across the entries of one response. */
export class FieldTally {
  readonly #counts = new Map<string, ProviderWarning & { readonly count: number }>();
  readonly #provider: ProviderName;

  constructor(provider: ProviderName) {
    this.#provider = provider;
  }

  note(word: 'field-missing' | 'field-invalid' | 'row-invalid' | 'row-duplicate', field?: string): void {
    const key = `${word} ${field ?? ''}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, {
      provider: this.#provider,
      word,
      ...(field === undefined ? {} : { field }),
      count,
    });
  }

  get warnings(): readonly ProviderWarning[] {
    return [...this.#counts.values()];
  }
}

/** Reads `fields` from `entry` and ignores other fields. */
export const readFields = <F extends Fields>(
  fields: F,
  entry: Readonly<Record<string, unknown>>,
  tally: FieldTally,
): Read<F> => {
  const read: Record<string, unknown> = {};
  for (const [ours, { name, schema, expected: isExpected }] of Object.entries(fields)) {
    // Reads own properties only, so that a missing field is not taken from `Object.prototype`.
    const raw = Object.hasOwn(entry, name) ? entry[name] : null;
    read[ours] = null;
    if (raw === null || raw === undefined) {
      if (isExpected) tally.note('field-missing', name);
      continue;
    }
    const result = schema.safeParse(raw);
    if (result.success) read[ours] = result.data;
    else tally.note('field-invalid', name);
  }
  return read as Read<F>;
};
