// Writes the schemas of the OpenAPI document as readable TypeScript types: fields with descriptions, ranges and
// defaults.
import type { oas31 } from 'zod-openapi';

/** A schema, or a reference to a component of the document. */
export type AnySchema = oas31.SchemaObject | oas31.ReferenceObject;

/** Differences between input fields and response fields. */
export interface TypeStyle {
  /** True for inputs. Amounts may then be decimal text, which is not rounded as doubles are. */
  readonly exactAmounts: boolean;
}

const LINE_CHARS = 108;

const wrapped = (text: string, chars: number): string[] => {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 1 > chars) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
};

/**
 * Formats `text`, which has one paragraph per line, as a docstring with this indentation. Returns an empty
 * string for an empty text.
 */
export const docstring = (text: string, indent = ''): string => {
  const safe = text.replaceAll('*/', '*\\/').trim();
  if (safe === '') return '';
  if (!safe.includes('\n') && safe.length + indent.length + 7 <= LINE_CHARS)
    return `${indent}/** ${safe} */\n`;
  const lines = safe
    .split('\n')
    .flatMap((paragraph) => wrapped(paragraph, LINE_CHARS - indent.length - 3))
    .map((line) => `${indent} * ${line}`.trimEnd().concat('\n'));
  return `${indent}/**\n${lines.join('')}${indent} */\n`;
};

const limits = (schema: oas31.SchemaObject): string => {
  const parts = [
    schema.exclusiveMinimum === undefined ? undefined : `Above ${schema.exclusiveMinimum}.`,
    // Zod sets the limits of safe integers on every integer.
    schema.minimum === undefined || Math.abs(schema.minimum) === Number.MAX_SAFE_INTEGER
      ? undefined
      : `At least ${schema.minimum}.`,
    schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER
      ? undefined
      : `At most ${schema.maximum}.`,
    schema.default === undefined ? undefined : `Default ${JSON.stringify(schema.default)}.`,
    schema.format === 'date-time' ? 'ISO 8601.' : undefined,
  ].filter((part) => part !== undefined);
  return parts.join(' ');
};

const description = (schema: AnySchema): string => {
  const own = schema as oas31.SchemaObject;
  const alternatives = own.anyOf ?? own.oneOf ?? [];
  if (own.description === undefined && alternatives.length > 0)
    return alternatives.map(description).find((text) => text !== '') ?? '';
  return [own.description ?? '', limits(own)].filter((part) => part !== '').join(' ');
};

const literals = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))).join(' | ');

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns the name of the component that the schema refers to, if any. */
const referencedName = (schema: AnySchema): string | undefined => schema.$ref?.split('/').at(-1);

/** Writes the fields of an object schema with their docstrings, with this indentation. */
export const writeMembers = (schema: oas31.SchemaObject, writing: TypeStyle, indent: string): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isOptional = !schema.required?.includes(name);
      const type = writeType(member, writing, indent, name);
      return `${docstring(description(member), indent)}${indent}readonly ${memberName(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};\n`;
    })
    .join('');

/** Writes the type of `schema`. `name` is the field that contains it. */
export const writeType = (schema: AnySchema, writing: TypeStyle, indent: string, name = ''): string => {
  const reference = referencedName(schema);
  if (reference !== undefined) return reference;
  const own = schema as oas31.SchemaObject;
  const alternatives = own.anyOf ?? own.oneOf;
  if (alternatives)
    return [...new Set(alternatives.map((each) => writeType(each, writing, indent, name)))].join(' | ');
  if (own.const !== undefined) return literals([own.const]);
  if (own.enum) return literals(own.enum);
  if (Array.isArray(own.type))
    return own.type.map((type) => writeType({ ...own, type }, writing, indent, name)).join(' | ');
  if (own.type === 'array') {
    const item = own.items ? writeType(own.items, writing, indent) : 'unknown';
    return /[ |{]/.test(item) ? `ReadonlyArray<${item}>` : `readonly ${item}[]`;
  }
  if (own.type === 'object' && own.properties)
    return `{\n${writeMembers(own, writing, `${indent}  `)}${indent}}`;
  if (own.type === 'object') {
    const { additionalProperties: value } = own;
    const type = typeof value === 'object' ? writeType(value, writing, indent) : 'unknown';
    return `Readonly<Record<string, ${type}>>`;
  }
  if (own.type === 'number' && writing.exactAmounts && name.endsWith('Sol')) return 'SolAmount';
  return SCALARS[own.type ?? ''] ?? 'unknown';
};

/** Lists the names of all components that a schema uses, directly or indirectly. */
export const neededComponents = (
  schema: unknown,
  components: Readonly<Record<string, AnySchema>>,
  found: Set<string> = new Set(),
): Set<string> => {
  if (typeof schema !== 'object' || schema === null) return found;
  const reference = '$ref' in schema ? referencedName(schema as AnySchema) : undefined;
  if (reference !== undefined && !found.has(reference)) {
    found.add(reference);
    neededComponents(components[reference], components, found);
  }
  for (const value of Object.values(schema)) neededComponents(value, components, found);
  return found;
};
