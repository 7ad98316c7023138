// Generates the OpenAPI 3.1 document from the route table, with the same schemas that validate requests.
import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { errorBodySchema, metaSchema } from '../../adapter/response-schemas.ts';
import { errorCodes } from '../../kernel/error-codes.ts';
import { type InputPlan, pathMembers, planInput } from '../pipeline/operation-input.ts';
import type { Route } from '../pipeline/route.ts';
import { documentedErrors } from './documented-errors.ts';
import { addExamples } from './openapi-examples.ts';
import { commonHeaders, limitedHeaders, retryAfterHeader } from './openapi-headers.ts';
import type { ExampleFacts } from './openapi-operation.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

/** Version of the API, which is independent of the package's version. */
export const INTERFACE_VERSION = '1.0.0';

const TAGS: Readonly<Record<Route['tag'], string>> = {
  Wallet: 'Create wallets, read balances and identify addresses.',
  Stake: 'Stake in one call, and read the stakes of a wallet.',
  Transactions: 'Build unsigned transactions to sign yourself, and submit them.',
  Cluster: 'Cluster and epoch status.',
  Validator: 'The validator that this service stakes with.',
  Verification: 'Verify transactions and the running code.',
  Webhooks: 'Notifications about stakes.',
  Autopilot: 'Wallet-signed policies for stake offers.',
  Sandbox: 'Get SOL and end epochs on demand, only on the service’s own local cluster.',
  Service: 'The state of the service itself.',
  Operator: 'The operator console: the delegator list, stake flows, health, dead letters, submissions.',
};

const DESCRIPTION = `Native SOL staking for one Solana validator. The wallet keeps both stake and withdraw authority; no derivative token is issued.

There are no accounts or API keys; only webhooks and policies have a secret, which is needed to manage them. Amounts named \`...Sol\` are SOL, exact to the lamport. Every JSON response contains \`_meta\`, every failure has the same shape and an \`errorCode\` from a list whose codes are never removed and never change their meaning.`;

const OPERATOR_DESCRIPTION = `The operator console of a Holdfast service, on a separate listener that only the same machine can reach. Every call requires the token from the file whose path the service prints at startup.`;

const bearer = (description: string): ZodOpenApiComponentsObject => ({
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description } },
});

const BEARER = bearer('The secret returned once, when the webhook or policy was registered.');
const OPERATOR_BEARER = bearer('The contents of the file `operator-token` in the data folder.');

const pick = (plan: InputPlan, members: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(members.map((name) => [name, plan.operation.input.shape[name] as z.ZodType])));

/**
 * Builds the path parameters with the names in the documented path. The description of a renamed parameter
 * begins with the field's own name.
 */
const pathParameters = (route: Route, plan: InputPlan): z.ZodObject => {
  const names = pathMembers(route.documentedPath ?? route.path);
  return z.object(
    Object.fromEntries(
      plan.path.map((member, at) => {
        const name = names[at] as string;
        const schema = plan.operation.input.shape[member] as z.ZodType;
        const meta = schema.meta();
        return [
          name,
          name === member
            ? schema
            : schema.meta({ ...meta, description: `${member}: ${meta?.description ?? ''}` }),
        ];
      }),
    ),
  );
};
const idempotencyHeader = (plan: InputPlan): z.ZodObject =>
  z.object({
    'Idempotency-Key': (plan.operation.input.shape.idempotencyKey as z.ZodType).meta({
      description: 'Takes precedence over the field idempotencyKey.',
    }),
  });

// If the field is optional, so is the header, which an additional empty requirement expresses.
const bearerSecurity = (plan: InputPlan, member: string): oas31.SecurityRequirementObject[] =>
  isRequired(plan.operation.input.shape[member] as z.ZodType) ? [{ bearer: [] }] : [{ bearer: [] }, {}];

const isRequired = (member: z.ZodType): boolean => !member.safeParse(undefined).success;

const hasRequired = (schema: z.ZodObject): boolean =>
  Object.values(schema.shape).some((member) => isRequired(member as z.ZodType));

const errorResponses = (route: Route): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(documentedErrors(route), ({ status }) => status);
  // 408 and 431 are sent before the rate limit counts the request.
  const uncounted = (status: number): boolean => route.unlimited === true || status === 408 || status === 431;
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      String(status),
      {
        description: errors.map(({ code, title }) => `\`${code}\` (${title})`).join(', '),
        headers: (uncounted(status) ? commonHeaders : limitedHeaders).extend(
          errors.some(({ code }) => errorCodes[code].retryable) ? retryAfterHeader : {},
        ),
        content: { 'application/json': { schema: errorBodySchema } },
      },
    ]),
  );
};

const success = (route: Route): ZodOpenApiResponsesObject['200'] => {
  const { operation, plainText } = route;
  const headers = route.unlimited === true ? commonHeaders : limitedHeaders;
  if (plainText === undefined)
    return {
      description: operation.summary,
      headers,
      content: {
        'application/json': { schema: z.object({ ...operation.output.shape, _meta: metaSchema }) },
        ...(route.alternative ? { [route.alternative.type]: { schema: z.string() } } : {}),
      },
    };
  const { shape } = operation.output;
  return {
    description: operation.summary,
    headers: headers.extend(
      Object.fromEntries(Object.entries(plainText.headers).map(([name, member]) => [name, shape[member]])),
    ),
    content: { 'text/plain': { schema: shape[plainText.member] } },
  };
};

const describe = (route: Route): ZodOpenApiOperationObject => {
  const { operation } = route;
  const plan = planInput(route);
  const queryOnly = plan.query.filter((name) => !plan.path.includes(name));
  const { eitherOf } = operation;
  const body = pick(plan, plan.body)
    .strict()
    .meta(
      // Not expressed as `anyOf: [{ required }]`, because code generators create no types from a body with bare
      // alternatives.
      eitherOf === undefined ? {} : { description: `Needs at least one of: ${eitherOf.members.join(', ')}.` },
    );
  const bodyMembers = Object.keys(body.shape).length;
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: operation.description,
    tags: [route.tag],
    requestParams: {
      ...(plan.path.length > 0 ? { path: pathParameters(route, plan) } : {}),
      ...(queryOnly.length > 0 ? { query: pick(plan, queryOnly) } : {}),
      ...(plan.takesIdempotencyKey ? { header: idempotencyHeader(plan) } : {}),
    },
    ...(route.bearer === undefined ? {} : { security: bearerSecurity(plan, route.bearer) }),
    ...(bodyMembers > 0
      ? {
          requestBody: {
            required: hasRequired(body) || eitherOf !== undefined,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: {
      '200': success(route),
      ...errorResponses(route),
    },
  };
};

const describePaths = (routes: readonly Route[]): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = route.documentedPath ?? route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) };
  }
  return paths;
};

/** Builds the document of these routes for the service at `publicUrl`. */
export const createOpenApiDocument = (
  routes: readonly Route[],
  publicUrl: string,
  facts: ExampleFacts = { stakeSol: 2 },
): oas31.OpenAPIObject => {
  const isConsole = routes.some(({ tag }) => tag === 'Operator');
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: isConsole ? 'Holdfast operator console' : 'Holdfast',
        version: INTERFACE_VERSION,
        description: isConsole ? OPERATOR_DESCRIPTION : DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this service' },
      },
      servers: [{ url: publicUrl }],
      security: isConsole ? [{ bearer: [] }] : [],
      tags: Object.entries(TAGS)
        .filter(([name]) => routes.some(({ tag }) => tag === name))
        .map(([name, description]) => ({ name, description })),
      ...(isConsole
        ? { components: OPERATOR_BEARER }
        : routes.some((route) => route.bearer !== undefined)
          ? { components: BEARER }
          : {}),
      paths: describePaths(routes),
      ...(routes.some(({ tag }) => tag === 'Webhooks') ? { webhooks: describeWebhooks() } : {}),
    },
    {
      // Amounts and keys are validated by code; the enclosing schema describes their format.
      allowEmptySchema: { custom: true },
      // Responses allow additional properties, so later versions may add fields without breaking clients that
      // validate strictly.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    },
  );
  addExamples(document, routes, publicUrl, facts);
  return document;
};
