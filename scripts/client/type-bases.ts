// Finds which type says already what another one holds, so that members and their words stand in one place.
import type { oas31 } from 'zod-openapi';

/** A type under its name. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: oas31.SchemaObject;
}

/** Fewer members are not worth a name to look up. */
const MANY_MEMBERS = 6;

const memberCount = ({ schema }: NamedSchema): number => Object.keys(schema.properties ?? {}).length;

const sameMember = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Holds every member of `part`, alike. */
const contains = (whole: oas31.SchemaObject, part: oas31.SchemaObject): boolean =>
  Object.entries(part.properties ?? {}).every(
    ([name, member]) =>
      sameMember(whole.properties?.[name], member) &&
      (whole.required?.includes(name) ?? false) === (part.required?.includes(name) ?? false),
  );

/** The type that `given` extends: of many members, all of them alike, the largest such; of equals the first. `all` holds `given` itself. */
export const baseOf = (given: NamedSchema, all: readonly NamedSchema[]): NamedSchema | undefined =>
  all
    .filter((each, at) => {
      if (each === given || memberCount(each) < MANY_MEMBERS) return false;
      const isBefore = memberCount(each) < memberCount(given) || at < all.indexOf(given);
      return isBefore && contains(given.schema, each.schema);
    })
    .toSorted((a, b) => memberCount(b) - memberCount(a))
    .at(0);

/** `whole` without the members that `part` has. */
export const membersBeside = (whole: oas31.SchemaObject, part: oas31.SchemaObject): oas31.SchemaObject => ({
  ...whole,
  properties: Object.fromEntries(
    Object.entries(whole.properties ?? {}).filter(([name]) => part.properties?.[name] === undefined),
  ),
});
