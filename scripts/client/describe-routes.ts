// Reads the inputs and responses of each route from the OpenAPI document, for the client generator.
import type { oas31 } from 'zod-openapi';
import type { Route } from '../../src/http/pipeline/route.ts';

/** A route, with its description in the OpenAPI document. */
export interface DescribedRoute {
  readonly route: Route;
  readonly document: oas31.OperationObject;
  readonly input: oas31.SchemaObject;
  readonly response: oas31.SchemaObject;
}

/**
 * Returns the path, query and body fields as one object. Omits the Idempotency-Key header and the bearer token,
 * which are call options.
 */
const inputSchema = (route: Route, operation: oas31.OperationObject): oas31.SchemaObject => {
  const parameters = (operation.parameters ?? []).filter(
    (each): each is oas31.ParameterObject =>
      'in' in each && each.in !== 'header' && each.name !== route.alternative?.name,
  );
  const body = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content['application/json']
    ?.schema as oas31.SchemaObject | undefined;
  const { idempotencyKey: _, ...members } = body?.properties ?? {};
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema as oas31.SchemaObject])),
      ...members,
    },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body?.required ?? []),
    ],
  };
};

const responseSchema = (route: Route, operation: oas31.OperationObject): oas31.SchemaObject => {
  const success = operation.responses?.['200'] as oas31.ResponseObject;
  const { plainText } = route;
  if (plainText === undefined)
    return success.content?.['application/json']?.schema as unknown as oas31.SchemaObject;
  // A text response with headers becomes an object that contains both, each under its own name.
  const headers = Object.entries(plainText.headers).map(
    ([name, member]) => [member, { type: 'string', description: `From the header ${name}.` }] as const,
  );
  const text = { type: 'string', description: 'The response, byte for byte.' } as const;
  return {
    type: 'object',
    properties: { [plainText.member]: text, ...Object.fromEntries(headers) },
    required: [plainText.member, ...headers.map(([member]) => member)],
  };
};

export const describeRoutes = (routes: readonly Route[], document: oas31.OpenAPIObject): DescribedRoute[] =>
  routes.map((route) => {
    const path = document.paths?.[route.documentedPath ?? route.path] as Record<
      string,
      oas31.OperationObject
    >;
    const operation = path[route.method.toLowerCase()]!;
    return {
      route,
      document: operation,
      input: inputSchema(route, operation),
      response: responseSchema(route, operation),
    };
  });
