// Finds a type that another type can extend, so shared fields are described only once.
import type { oas31 } from 'zod-openapi';

/** A named type. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: oas31.SchemaObject;
}

/** Minimum number of fields of a base. A smaller type is not worth extending. */
const MANY_MEMBERS = 6;

const memberCount = ({ schema }: NamedSchema): number => Object.keys(schema.properties ?? {}).length;

const sameMember = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const contains = (whole: oas31.SchemaObject, part: oas31.SchemaObject): boolean =>
  Object.entries(part.properties ?? {}).every(
    ([name, member]) =>
      sameMember(whole.properties?.[name], member) &&
      (whole.required?.includes(name) ?? false) === (part.required?.includes(name) ?? false),
  );

/**
 * Returns the type that `given` can extend: the largest one whose fields are all in `given`, unchanged. Of
 * equal types, only the first is a base. `all` includes `given` itself.
 */
export const baseOf = (given: NamedSchema, all: readonly NamedSchema[]): NamedSchema | undefined =>
  all
    .filter((each, at) => {
      if (each === given || memberCount(each) < MANY_MEMBERS) return false;
      const isBefore = memberCount(each) < memberCount(given) || at < all.indexOf(given);
      return isBefore && contains(given.schema, each.schema);
    })
    .toSorted((a, b) => memberCount(b) - memberCount(a))
    .at(0);

/** Returns `whole` without the fields of `part`. */
export const membersBeside = (whole: oas31.SchemaObject, part: oas31.SchemaObject): oas31.SchemaObject => ({
  ...whole,
  properties: Object.fromEntries(
    Object.entries(whole.properties ?? {}).filter(([name]) => part.properties?.[name] === undefined),
  ),
});
