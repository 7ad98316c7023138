// Describes one route of the OpenAPI document for developers and models: fields, response, and an example to
// copy.
import type { oas31 } from 'zod-openapi';
import { pathMembers } from '../pipeline/operation-input.ts';
import type { Route } from '../pipeline/route.ts';
import type { FieldRow, SchemaReader } from './openapi-schema-reader.ts';

/** Finds the operation of `route` in `document`, which must be built from the route. */
export const operationOf = (
  document: oas31.OpenAPIObject,
  { path, documentedPath = path, method }: Pick<Route, 'path' | 'documentedPath' | 'method'>,
): oas31.OperationObject =>
  document.paths?.[documentedPath]?.[
    method.toLowerCase() as 'get' | 'post' | 'delete'
  ] as oas31.OperationObject;

/** Converts the document's name of a path parameter to the route's own name. */
export const routeParameterName = ({ path, documentedPath = path }: Route, documented: string): string => {
  const at = pathMembers(documentedPath).indexOf(documented);
  return pathMembers(path)[at] ?? documented;
};

const jsonOf = (holder: { content?: oas31.ContentObject } | undefined) =>
  holder?.content?.['application/json']?.schema;

/** Example values that the schemas do not contain. */
export interface ExampleFacts {
  /** An amount in SOL that the cluster's current limits accept. */
  stakeSol: number;
}

/** Optional fields to show in examples, and values that no schema defines; by operation. */
const SPECIAL: Readonly<Record<string, (facts: ExampleFacts) => Readonly<Record<string, unknown>>>> = {
  stake: ({ stakeSol }) => ({ amountSol: stakeSol }),
  createStakeTransaction: ({ stakeSol }) => ({ amountSol: stakeSol }),
  previewUnstake: ({ stakeSol }) => ({ amountSol: stakeSol }),
  planStakeChange: ({ stakeSol }) => ({ goal: 'unstake', amountSol: stakeSol }),
  simulateStake: ({ stakeSol }) => ({ amountSol: stakeSol }),
  donate: () => ({ amountSol: 0.01 }),
  setStakingPolicy: ({ stakeSol }) => ({
    keepLiquidSol: 1,
    minSweepSol: stakeSol,
    nonce: '<NONCE>',
    signature: '<SIGNATURE>',
  }),
  deleteStakingPolicy: () => ({ nonce: '<NONCE>', signature: '<SIGNATURE>' }),
  submitTransaction: () => ({ idempotencyKey: '<IDEMPOTENCY_KEY>' }),
  rebuildTransaction: () => ({ idempotencyKey: '<IDEMPOTENCY_KEY>' }),
  attachSignatures: () => ({ transactions: ['<TRANSACTION>', '<SIGNED_TRANSACTION>'] }),
  sandboxAirdrop: () => ({ amountSol: 5 }),
  replayDeliveries: () => ({ from: '<FROM>' }),
};

// Placeholders for values that the reader must replace, even if the schema has an example.
const OWN: Readonly<Record<string, string>> = {
  signature: '<SIGNATURE>',
  id: '<WEBHOOK_ID>',
  request: '<SIGN_LINK>',
};

const OWN_QUERY: Readonly<Record<string, string>> = { ...OWN, idempotencyKey: '<IDEMPOTENCY_KEY>' };

// Operations for which the wallet's address is enough unless the operator requires the secret.
const WITHOUT_SECRET = ['listWebhooks', 'deleteWebhook'];

/**
 * Builds the fields of a valid request. Texts in angle brackets are placeholders, for example for a wallet, a
 * signature or a secret.
 */
export const requestExample = (
  { operation: { name, eitherOf } }: Route,
  body: oas31.SchemaObject | oas31.ReferenceObject | undefined,
  reader: SchemaReader,
  facts: ExampleFacts,
): Readonly<Record<string, unknown>> => {
  const schema = (body ?? {}) as oas31.SchemaObject;
  const needed = [...(schema.required ?? []), ...(eitherOf?.members.slice(0, 1) ?? [])];
  return {
    ...Object.fromEntries(
      needed.map((member) => [member, OWN[member] ?? reader.example(schema.properties?.[member], member)]),
    ),
    ...SPECIAL[name]?.(facts),
  };
};

export const parameterExample = (
  name: string,
  schema: oas31.SchemaObject | oas31.ReferenceObject | undefined,
  reader: SchemaReader,
): unknown => OWN[name] ?? reader.example(schema, name);

/** A valid call of an operation, from which the examples in all languages are built. */
export interface ExampleCall {
  /** Path with its parameters filled in. */
  readonly path: string;
  /** Values of the path's parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Null if no body is sent. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Placeholder of the bearer token; null if none is needed. */
  readonly bearer: string | null;
}

/** Builds the call of `route` with its required input. */
export const exampleCall = (
  route: Route,
  operation: oas31.OperationObject,
  reader: SchemaReader,
  facts: ExampleFacts,
): ExampleCall => {
  const { name } = route.operation;
  const documented = (operation.parameters ?? []) as oas31.ParameterObject[];
  const parameters = Object.fromEntries(
    pathMembers(route.path).map((member) => [
      member,
      parameterExample(
        member,
        documented.find((parameter) => routeParameterName(route, parameter.name) === member)?.schema,
        reader,
      ),
    ]),
  );
  const schema = route.method === 'POST' || route.bearer === undefined ? requestBody(operation) : undefined;
  const body = requestExample(route, schema, reader, facts);
  return {
    path: route.path.replaceAll(/\{(\w+)\}/g, (_match, member: string) => String(parameters[member])),
    parameters,
    // The wallet of a webhook is sent in the query, because some proxies refuse a DELETE with a body.
    query:
      name === 'deleteWebhook'
        ? { walletAddress: '<WALLET_ADDRESS>' }
        : Object.fromEntries(
            documented
              .filter((parameter) => parameter.in === 'query' && parameter.required === true)
              .map((parameter) => [
                parameter.name,
                OWN_QUERY[parameter.name] ?? reader.example(parameter.schema, parameter.name),
              ]),
          ),
    body: schema === undefined || (Object.keys(body).length === 0 && route.method !== 'POST') ? null : body,
    bearer:
      route.tag === 'Operator'
        ? '<OPERATOR_TOKEN>'
        : route.bearer !== undefined && !WITHOUT_SECRET.includes(name)
          ? '<SECRET>'
          : null,
  };
};

/** Returns the URL of a call: path and query. */
export const callTarget = ({ path, query }: ExampleCall): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
};

/** Formats an example body as JSON, with numeric placeholders without quotes. */
export const exampleJson = (body: unknown): string => JSON.stringify(body).replaceAll('"<NONCE>"', '<NONCE>');

/** Builds a curl command that calls the endpoint with its required input. */
export const curlExample = (
  route: Route,
  operation: oas31.OperationObject,
  reader: SchemaReader,
  publicUrl: string,
  facts: ExampleFacts,
): string => {
  const call = exampleCall(route, operation, reader, facts);
  return [
    `curl -sS${route.method === 'GET' ? '' : ` -X ${route.method}`} '${publicUrl}${callTarget(call)}'`,
    ...(call.bearer === null ? [] : [`  -H 'Authorization: Bearer ${call.bearer}'`]),
    ...(call.body === null
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d '${exampleJson(call.body)}'`]),
  ].join(' \\\n');
};

/** Returns the schema of the request body; undefined if the route takes none. */
export const requestBody = (operation: oas31.OperationObject) =>
  jsonOf(operation.requestBody as oas31.RequestBodyObject | undefined);

/** Lists every parameter and every field of the body, under the names in the route's own path. */
export const requestRows = (
  route: Route,
  operation: oas31.OperationObject,
  reader: SchemaReader,
): FieldRow[] => [
  ...((operation.parameters ?? []) as oas31.ParameterObject[]).map((parameter) => ({
    name: parameter.in === 'path' ? routeParameterName(route, parameter.name) : parameter.name,
    type: `${parameter.in}, ${reader.typeName(parameter.schema)}`,
    required: parameter.required ?? false,
    description: (parameter.schema as oas31.SchemaObject).description ?? parameter.description ?? '',
  })),
  ...reader.rows(jsonOf(operation.requestBody as oas31.RequestBodyObject | undefined), false),
];

/** Returns the schema of a successful response; undefined if it is not JSON. */
export const responseSchema = (operation: oas31.OperationObject) =>
  jsonOf((operation.responses as oas31.ResponsesObject)['200']);
