// Creates contexts for tests from the fields that a test needs. Using any other field throws.
import type { Context } from '../../src/operations/context.ts';

/** Some fields of some groups of a context. Casts allow incomplete ports. */
export type ContextParts = { readonly [Group in keyof Context]?: Partial<Context[Group]> };

const GROUPS = ['chain', 'store', 'validator', 'events', 'service'] as const;

/** Replaces fields of `base` with `parts`: individual fields of a group, but clock and logger as a whole. */
export const withParts = (base: ContextParts, parts: ContextParts): Context =>
  ({
    ...base,
    ...parts,
    ...Object.fromEntries(GROUPS.map((group) => [group, { ...base[group], ...parts[group] }])),
  }) as Context;
