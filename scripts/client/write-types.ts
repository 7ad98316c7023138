// Writes the inputs and responses of operations as interfaces. Fields shared with another type are inherited.
import type { oas31 } from 'zod-openapi';
import type { DescribedRoute } from './describe-routes.ts';
import { docstring, type TypeStyle, writeMembers } from './schema-types.ts';
import { capitalized, spacedName } from './spell-names.ts';
import { baseOf, membersBeside, type NamedSchema } from './type-bases.ts';

const INPUT: TypeStyle = { exactAmounts: true };
const ANSWER: TypeStyle = { exactAmounts: false };

export const responseOf = ({ route, response }: DescribedRoute): NamedSchema => ({
  name: `${capitalized(route.operation.name)}Answer`,
  schema: response,
});

/** Writes `type` as an interface that extends the largest matching type in `parts`. */
const writeNamed = (type: NamedSchema, parts: readonly NamedSchema[]): string => {
  const { name, schema } = type;
  const base = baseOf(type, parts);
  if (base === undefined) return `export interface ${name} {\n${writeMembers(schema, ANSWER, '  ')}}\n`;
  const more = writeMembers(membersBeside(schema, base.schema), ANSWER, '  ');
  return more === ''
    ? `export type ${name} = ${base.name};\n`
    : `export interface ${name} extends ${base.name} {\n${more}}\n`;
};

/**
 * Writes the input and response of an operation. `parts` contains the shared types, and `group` the responses
 * of the operation's tag.
 */
export const writeTypes = (
  described: DescribedRoute,
  group: readonly NamedSchema[],
  parts: readonly NamedSchema[],
): string => {
  const { method, path, operation } = described.route;
  const name = capitalized(operation.name);
  const members = writeMembers(described.input, INPUT, '  ');
  const call = `\`${method} ${path}\``;
  const input =
    members === ''
      ? `export type ${name}Input = Readonly<Record<never, never>>;\n`
      : operation.eitherOf === undefined
        ? `export interface ${name}Input {\n${members}}\n`
        : `export type ${name}Input = AtLeastOne<${name}Fields, ${operation.eitherOf.members.map((one) => `'${one}'`).join(' | ')}>;\n\n/** Fields of ${call}. */\nexport interface ${name}Fields {\n${members}}\n`;
  const own = group.find((each) => each.schema === described.response) as NamedSchema;
  // Responses do not extend each other merely because they share some fields.
  const sameFields = group.filter(({ schema }) => JSON.stringify(schema) === JSON.stringify(own.schema));
  return `/** Input of ${call}. */\n${input}\n/** Answer of ${call}. */\n${writeNamed(own, [...parts, ...sameFields])}`;
};

/** Writes the body of each webhook delivery, and their union by `type`. */
export const writeWebhookEvents = (webhooks: Readonly<Record<string, unknown>>): string => {
  const events = Object.entries(webhooks).map(([type, item]) => {
    const { summary, requestBody } = (item as oas31.PathItemObject).post!;
    const { schema } = (requestBody as oas31.RequestBodyObject).content['application/json']!;
    const name = `${type.split('_').map(capitalized).join('')}Event`;
    const members = writeMembers(schema as oas31.SchemaObject, ANSWER, '  ');
    return { name, text: `/** ${summary}. */\nexport interface ${name} {\n${members}}\n` };
  });
  return `/** The body of any delivery. Its \`type\` determines its \`data\`. */
export type WebhookEvent = ${events.map(({ name }) => name).join(' | ')};

${events.map(({ text }) => text).join('\n')}`;
};

/** Writes a type shared by several responses. */
export const writePart = (part: NamedSchema, parts: readonly NamedSchema[]): string =>
  `${docstring(part.schema.description ?? `The ${spacedName(part.name)} in a response.`)}${writeNamed(part, parts)}`;
