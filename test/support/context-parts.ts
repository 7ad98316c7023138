// Contexts for tests, made from the fields that a test needs. Any other field is missing, and throws when it
// is used.
import type { Context } from '../../src/operations/context.ts';

/** Some fields of some groups of a context. Casts allow incomplete ports. */
export type ContextParts = { readonly [Group in keyof Context]?: Partial<Context[Group]> };

const GROUPS = ['chain', 'store', 'validator', 'events', 'service'] as const;

/** Replaces fields of `base` with `parts`: field by field within a group, and clock and logger as a whole. */
export const withParts = (base: ContextParts, parts: ContextParts): Context =>
  ({
    ...base,
    ...parts,
    ...Object.fromEntries(GROUPS.map((group) => [group, { ...base[group], ...parts[group] }])),
  }) as Context;
