// Writes the inputs and responses of operations as interfaces. Fields shared with another type are inherited.
import type { Described } from './describe-routes.ts';
import { docstring, type TypeWriting, writeMembers } from './schema-types.ts';
import { baseOf, membersBeside, type NamedSchema } from './type-bases.ts';
import { capital, words } from './words.ts';

const INPUT: TypeWriting = { exactAmounts: true };
const ANSWER: TypeWriting = { exactAmounts: false };

/** Returns the response type of an operation. */
export const answerOf = ({ route, answer }: Described): NamedSchema => ({
  name: `${capital(route.operation.name)}Answer`,
  schema: answer,
});

/** Writes `type` as an interface that extends the largest matching type in `all`. */
const writeNamed = (type: NamedSchema, all: readonly NamedSchema[]): string => {
  const { name, schema } = type;
  const base = baseOf(type, all);
  if (base === undefined) return `export interface ${name} {\n${writeMembers(schema, ANSWER, '  ')}}\n`;
  const more = writeMembers(membersBeside(schema, base.schema), ANSWER, '  ');
  return more === ''
    ? `export type ${name} = ${base.name};\n`
    : `export interface ${name} extends ${base.name} {\n${more}}\n`;
};

/**
 * Writes the input and response of an operation. `parts` are the shared types, `group` the responses of its
 * tag.
 */
export const writeTypes = (
  described: Described,
  group: readonly NamedSchema[],
  parts: readonly NamedSchema[],
): string => {
  const { method, path, operation } = described.route;
  const name = capital(operation.name);
  const members = writeMembers(described.input, INPUT, '  ');
  const input =
    members === ''
      ? `export type ${name}Input = Readonly<Record<never, never>>;\n`
      : `export interface ${name}Input {\n${members}}\n`;
  const own = group.find((each) => each.schema === described.answer) as NamedSchema;
  return `/** Input of \`${method} ${path}\`. */\n${input}\n/** Answer of \`${method} ${path}\`. */\n${writeNamed(own, [...parts, ...group])}`;
};

/** Writes a type shared by several responses. */
export const writePart = (part: NamedSchema, parts: readonly NamedSchema[]): string =>
  `${docstring(part.schema.description ?? `The ${words(part.name)} in a response.`)}${writeNamed(part, parts)}`;
