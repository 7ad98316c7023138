// Reads lists from providers: bounded, without duplicate keys, and unaffected by single invalid entries.

import { ProviderFailure, type ProviderName } from './provider-failure.ts';
import { epochNumber } from './provider-field-types.ts';
import { type Fields, FieldTally, type Read, readFields } from './provider-fields.ts';
import type { ParsedResponse } from './provider-snapshot.ts';

/** Maximum number of entries read from a list. Mainnet has never had more than about 3,400 validators. */
const MAX_ENTRIES = 20_000;

/** A JSON object. */
export type Entry = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object and not an array, otherwise null. */
export const asEntry = (value: unknown): Entry | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : null;

/** Returns the list. Throws `ProviderFailure` if it is not a list or is too long. */
export const listOf = (json: unknown): readonly unknown[] => {
  if (!Array.isArray(json)) throw new ProviderFailure('garbage');
  if (json.length > MAX_ENTRIES) throw new ProviderFailure('too-large');
  return json;
};

/**
 * Reads a list that has one entry per epoch, newest first. Throws `ProviderFailure` if it is not a list or is
 * too long.
 */
export const readEpochs = <F extends Fields>(
  provider: ProviderName,
  fields: F,
  json: unknown,
): ParsedResponse<readonly (Read<F> & { readonly epoch: number })[]> => {
  const tally = new FieldTally(provider);
  const epochs = new Map<number, Read<F> & { readonly epoch: number }>();
  for (const item of listOf(json)) {
    const entry = asEntry(item);
    const epoch = epochNumber.safeParse(entry?.epoch);
    if (entry === null || !epoch.success) tally.note('row-invalid');
    else if (epochs.has(epoch.data)) tally.note('row-duplicate');
    else epochs.set(epoch.data, { ...readFields(fields, entry, tally), epoch: epoch.data });
  }
  return { value: [...epochs.values()].sort((a, b) => b.epoch - a.epoch), warnings: tally.warnings };
};
