// What the OpenAPI document says of one route, read for people and models: members, answer, and an example that can be pasted.
import type { oas31 } from 'zod-openapi';
import { pathMembers } from '../pipeline/input.ts';
import type { Route } from '../pipeline/route.ts';
import type { FieldRow, SchemaReader } from './openapi-schema-reader.ts';

/** The operation of `route` in a document that was made from it. */
export const operationOf = (
  document: oas31.OpenAPIObject,
  { path, documentedPath = path, method }: Pick<Route, 'path' | 'documentedPath' | 'method'>,
): oas31.OperationObject =>
  document.paths?.[documentedPath]?.[
    method.toLowerCase() as 'get' | 'post' | 'delete'
  ] as oas31.OperationObject;

/** The name that the route's own path gives a parameter of the document. */
const ownName = ({ path, documentedPath = path }: Route, documented: string): string => {
  const at = pathMembers(documentedPath).indexOf(documented);
  return pathMembers(path)[at] ?? documented;
};

const jsonOf = (holder: { content?: oas31.ContentObject } | undefined) =>
  holder?.content?.['application/json']?.schema;

/** A command line that calls the endpoint with what it requires. */
export const curlExample = (
  route: Route,
  operation: oas31.OperationObject,
  reader: SchemaReader,
  publicUrl: string,
): string => {
  const parameters = (operation.parameters ?? []) as oas31.ParameterObject[];
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    String(
      reader.example(parameters.find((parameter) => ownName(route, parameter.name) === name)?.schema, name),
    ),
  );
  const body = jsonOf(operation.requestBody as oas31.RequestBodyObject | undefined);
  const required = (body as oas31.SchemaObject | undefined)?.required ?? [];
  const members = Object.entries((reader.example(body) ?? {}) as object).filter(([name]) =>
    required.includes(name),
  );
  return [
    `curl -sS${route.method === 'GET' ? '' : ` -X ${route.method}`} '${publicUrl}${path}'`,
    ...(body === undefined
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(Object.fromEntries(members))}'`]),
  ].join(' \\\n');
};

/** Every parameter and every member of the body, under the names of the route's own path. */
export const requestRows = (
  route: Route,
  operation: oas31.OperationObject,
  reader: SchemaReader,
): FieldRow[] => [
  ...((operation.parameters ?? []) as oas31.ParameterObject[]).map((parameter) => ({
    name: parameter.in === 'path' ? ownName(route, parameter.name) : parameter.name,
    type: `${parameter.in}, ${reader.typeName(parameter.schema)}`,
    required: parameter.required ?? false,
    description: (parameter.schema as oas31.SchemaObject).description ?? parameter.description ?? '',
  })),
  ...reader.rows(jsonOf(operation.requestBody as oas31.RequestBodyObject | undefined), false),
];

/** The schema of a success; undefined where that is no JSON. */
export const answerSchema = (operation: oas31.OperationObject) =>
  jsonOf((operation.responses as oas31.ResponsesObject)['200']);
