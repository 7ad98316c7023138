// Writes the generated files of the typed client from the routes and their OpenAPI document: types, methods
// and the table of calls.
import type { oas31 } from 'zod-openapi';
import { createOpenApiDocument } from '../../src/http/openapi/openapi.ts';
import type { Route } from '../../src/http/pipeline/route.ts';
import { type ErrorCode, errorCodes } from '../../src/kernel/error-codes.ts';
import { describeRoutes } from './describe-routes.ts';
import { type AnySchema, neededComponents } from './schema-types.ts';
import type { NamedSchema } from './type-bases.ts';
import { typesOfCalls, writeCalls } from './write-calls.ts';
import { answerOf, writePart, writeTypes } from './write-types.ts';

/** File texts by file name. */
export type GeneratedFiles = ReadonlyMap<string, string>;

const NOTE = 'Made by scripts/client-generate.ts from the route tables; never edited by hand.';

const importLine = (names: readonly string[], from: string): string =>
  names.length === 0 ? '' : `import type { ${[...names].sort().join(', ')} } from '${from}';\n`;

/** Lists the names from `names` that `text` uses as types. */
const used = (text: string, names: readonly string[]): string[] =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')));

const writeErrorCodes = (): string => {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const lines = codes.map((code) => `  | '${code}'`).join('\n');
  const retryable = codes.filter((code) => errorCodes[code].retryable);
  return `// The error codes of the service, and which of them may pass without a change.
// ${NOTE}

/** The service's own list; it only grows. */
export type ServiceErrorCode =
${lines};

/** The same request may succeed later without anything changed by the caller. */
export const retryableCodes: ReadonlySet<string> = new Set<ServiceErrorCode>(${JSON.stringify(retryable)});
`;
};

const writeSharedTypes = (shared: readonly NamedSchema[]): string => {
  const types = shared.map((part) => writePart(part, shared)).join('\n');
  return `// Parts of answers shared by several operations.
// ${NOTE}
${importLine(['ServiceErrorCode'], './error-codes.ts')}
${types.replace(/readonly errorCode: [^;]+;/, 'readonly errorCode: ServiceErrorCode;')}`;
};

const writeAllOperations = (tags: readonly string[]): string => {
  const imports = tags.map((tag) => {
    const lower = tag.toLowerCase();
    return `import { type ${tag}Methods, ${lower}Operations } from './${lower}-calls.ts';\n`;
  });
  return `// Every operation of the service, as methods and as calls.
// ${NOTE}
${imports.join('')}
/** One method per operation. */
export interface HoldfastMethods extends ${tags.map((tag) => `${tag}Methods`).join(', ')} {}

/** How each operation is called. */
export const operations = {
${tags.map((tag) => `  ...${tag.toLowerCase()}Operations,\n`).join('')}} as const;

/** Name of an operation. */
export type OperationName = keyof typeof operations;
`;
};

/** Lists the names of the shared parts that `schemas` use, directly or indirectly. */
const partsIn = (
  schemas: readonly unknown[],
  components: Readonly<Record<string, AnySchema>>,
): ReadonlySet<string> =>
  schemas.reduce<Set<string>>((found, schema) => neededComponents(schema, components, found), new Set());

/** Returns every generated file for these routes, not yet formatted. */
export const writeGeneratedFiles = (given: readonly Route[]): GeneratedFiles => {
  // In the document, similar paths must share one parameter name. The client uses the original names.
  const routes = given.map(({ documentedPath: _, ...route }) => route);
  const document = JSON.parse(
    JSON.stringify(createOpenApiDocument(routes, 'http://127.0.0.1:3000')),
  ) as oas31.OpenAPIObject;
  const components = (document.components?.schemas ?? {}) as Record<string, AnySchema>;
  const parts = Object.entries(components).map(([name, schema]) => ({
    name,
    schema: schema as oas31.SchemaObject,
  }));
  const byTag = Map.groupBy(describeRoutes(routes, document), ({ route }) => route.tag);
  const groups = [...byTag].map(([tag, group]) => ({
    tag,
    group,
    names: partsIn(
      group.flatMap(({ input, answer }) => [input, answer]),
      components,
    ),
  }));
  const isShared = (name: string): boolean =>
    name === 'ErrorBody' || groups.filter(({ names }) => names.has(name)).length > 1;
  const sharing = Object.keys(components).filter(isShared);
  const sharedNames = new Set([
    ...sharing,
    ...partsIn(
      sharing.map((name) => components[name]),
      components,
    ),
  ]);
  const shared = parts.filter(({ name }) => sharedNames.has(name));
  const files = new Map([
    ['shared-types.ts', writeSharedTypes(shared)],
    ['error-codes.ts', writeErrorCodes()],
  ]);
  for (const { tag, group, names } of groups) {
    const own = parts.filter(({ name }) => names.has(name) && !sharedNames.has(name));
    const known = [...shared, ...own];
    const answers = group.map(answerOf);
    const types = [
      ...own.map((part) => writePart(part, known)),
      ...group.map((each) => writeTypes(each, answers, known)),
    ].join('\n');
    const lower = tag.toLowerCase();
    files.set(
      `${lower}-operations.ts`,
      `// Inputs and answers of the operations under "${tag}".\n// ${NOTE}\n${importLine(used(types, ['SolAmount']), '../sol-amount.ts')}${importLine(used(types, [...sharedNames]), './shared-types.ts')}\n${types}`,
    );
    files.set(
      `${lower}-calls.ts`,
      `// Methods and calls of the operations under "${tag}".\n// ${NOTE}\n${importLine(['CallOptions', 'OperationTable'], '../operation-facts.ts')}${importLine(typesOfCalls(group), `./${lower}-operations.ts`)}\n${writeCalls(tag, group)}`,
    );
  }
  files.set('all-operations.ts', writeAllOperations([...byTag.keys()]));
  return files;
};
