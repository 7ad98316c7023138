// Writes what operations take and give as interfaces; members that another type has alike are said by its name.
import type { Described } from './describe-routes.ts';
import { docstring, type TypeWriting, writeMembers } from './schema-types.ts';
import { baseOf, membersBeside, type NamedSchema } from './type-bases.ts';
import { capital, words } from './words.ts';

const INPUT: TypeWriting = { exactAmounts: true };
const ANSWER: TypeWriting = { exactAmounts: false };

/** The answer of an operation under its name. */
export const answerOf = ({ route, answer }: Described): NamedSchema => ({
  name: `${capital(route.operation.name)}Answer`,
  schema: answer,
});

/** `type` as an interface, on top of the one of `all` that says most of it. */
const writeNamed = (type: NamedSchema, all: readonly NamedSchema[]): string => {
  const { name, schema } = type;
  const base = baseOf(type, all);
  if (base === undefined) return `export interface ${name} {\n${writeMembers(schema, ANSWER, '  ')}}\n`;
  const more = writeMembers(membersBeside(schema, base.schema), ANSWER, '  ');
  return more === ''
    ? `export type ${name} = ${base.name};\n`
    : `export interface ${name} extends ${base.name} {\n${more}}\n`;
};

/** What an operation takes and gives. `parts` are those that its file knows, `group` the answers of its operations. */
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
  return `/** What \`${method} ${path}\` takes. */\n${input}\n/** What \`${method} ${path}\` answers. */\n${writeNamed(own, [...parts, ...group])}`;
};

/** A part of answers. */
export const writePart = (part: NamedSchema, parts: readonly NamedSchema[]): string =>
  `${docstring(part.schema.description ?? `Part of an answer: ${words(part.name)}.`)}${writeNamed(part, parts)}`;
