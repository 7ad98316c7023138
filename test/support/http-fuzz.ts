// Fuzzes a running service using its own OpenAPI document. Every response must be documented, match its schema,
// be no internal error, and echo no key.
import fc from 'fast-check';
import { Pool } from 'undici';
import {
  brokenRequest,
  type FuzzOperation,
  type FuzzRequest,
  leastRequest,
  type MemberValues,
  validRequest,
} from './http-arbitraries.ts';
import { type JsonSchema, schemaProblems } from './json-schema-check.ts';

interface FuzzOptions {
  readonly url: string;
  /** Number of valid requests per operation. */
  readonly valid: number;
  readonly broken: number;
  readonly seed: number;
  /** Values by field name, for example real wallets for `walletAddress`. */
  readonly known?: MemberValues;
  /**
   * Additional values for one operation, created just before its requests because they are short-lived or
   * single-use.
   */
  readonly knownOf?: (
    operationId: string,
  ) => Promise<{ readonly values: MemberValues; readonly bearer?: string | undefined }>;
  /** A bearer token sent with every second request of operations that take one. */
  readonly bearer?: string;
  /** Selects operations by id. Default: all. */
  readonly only?: (operationId: string) => boolean;
  /** Recognizes server errors that were injected on purpose. Default: none. */
  readonly expectedFailure?: (errorCode: string) => boolean;
  /** Number of concurrent requests. Default: 8. */
  readonly concurrency?: number;
}

interface FuzzOutcome {
  readonly operationId: string;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Status of a request with only one of the alternative fields, by field. */
  readonly alone: Readonly<Record<string, number>>;
  /** Every violation with the request that caused it. There must be none. */
  readonly problems: readonly string[];
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: FuzzOperation['parameters'];
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> };
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: JsonSchema }> }>;
}

/**
 * Reads the alternative fields from the description of a body. The document states them in prose, because
 * client generators do not read `anyOf` of required fields.
 */
const eitherOfBody = (body: JsonSchema | undefined): string[] =>
  /Needs at least one of: ([\w, ]+)\./.exec(String(body?.description))?.[1]?.split(', ') ?? [];

export const operationsOf = (document: {
  paths: Record<string, Record<string, DocumentedOperation>>;
}): FuzzOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      takesBearer: operation.security !== undefined,
      body: operation.requestBody?.content['application/json']?.schema ?? null,
      eitherOf: eitherOfBody(operation.requestBody?.content['application/json']?.schema),
      statuses: Object.keys(operation.responses),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, { content }]) => [
          status,
          (content['application/json'] ?? content['text/plain'])?.schema ?? {},
        ]),
      ),
      tables: Object.fromEntries(
        Object.entries(operation.responses).flatMap(([status, { content }]) =>
          content['text/csv'] ? [[status, content['text/csv'].schema]] : [],
        ),
      ),
    })),
  );

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const SECRET = /"secretKey"\s*:\s*"([^"]{20,})"/g;

const evaluate = (
  document: unknown,
  operation: FuzzOperation,
  request: FuzzRequest,
  response: Answer,
  options: FuzzOptions,
): string[] => {
  const { status, text, headers } = response;
  const contentType = String(headers['content-type']);
  const isTable = contentType.startsWith('text/csv');
  const schema = (isTable ? operation.tables : operation.responses)[String(status)];
  if (schema === undefined) return [`status ${status} is not documented: ${text.slice(0, 300)}`];
  let body: { errorCode?: string };
  try {
    // A text response is checked as a string. If JSON was promised, its schema refuses a string.
    body = isTable || contentType.startsWith('text/plain') ? text : JSON.parse(text);
  } catch {
    return [`the body of ${status} is not JSON: ${text.slice(0, 100)}`];
  }
  const echoed = [...(request.body ?? '').matchAll(SECRET)].filter(([, key = '']) => text.includes(key));
  return [
    ...schemaProblems(document, schema, body),
    ...(status >= 500 && options.expectedFailure?.(body.errorCode ?? '') !== true
      ? [`status ${status}: ${text.slice(0, 300)}`]
      : []),
    ...(headers['x-request-id'] === undefined ? ['no X-Request-Id'] : []),
    ...(echoed.length > 0 ? ['a secret key was echoed'] : []),
  ];
};

/** Runs `tasks`, at most `width` of them at a time. */
const inLanes = async <Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await run(item);
    }),
  );
};

const bearerOf = (
  { takesBearer }: FuzzOperation,
  bearer: string | undefined,
  at: number,
): Readonly<Record<string, string>> =>
  takesBearer && bearer !== undefined && at % 2 === 0 ? { authorization: `Bearer ${bearer}` } : {};

const show = ({ method, path, body }: FuzzRequest): string =>
  `${method} ${path.slice(0, 200)} ${(body ?? '').slice(0, 300)}`;

/** Fuzzes every operation of the service at `url`. The same seed generates the same requests. */
export const fuzzService = async (options: FuzzOptions): Promise<FuzzOutcome[]> => {
  const pool = new Pool(options.url, { connections: options.concurrency ?? 8, pipelining: 1 });
  try {
    const document = JSON.parse(
      await (await pool.request({ path: '/openapi.json', method: 'GET' })).body.text(),
    );
    const operations = operationsOf(document).filter(
      ({ operationId }) => options.only?.(operationId) !== false,
    );
    const knownOf = async ({ operationId }: FuzzOperation) => {
      const own = await options.knownOf?.(operationId);
      return { known: { ...options.known, ...own?.values }, bearer: own?.bearer ?? options.bearer };
    };
    const sendFor = (operation: FuzzOperation, bearer: string | undefined, problems: string[]) => {
      return async (request: FuzzRequest, at: number): Promise<number> => {
        const { statusCode, headers, body } = await pool.request({
          ...request,
          headers: { ...request.headers, ...bearerOf(operation, bearer, at) },
          method: request.method as 'GET',
        });
        const response = { status: statusCode, headers, text: await body.text() };
        for (const problem of evaluate(document, operation, request, response, options))
          problems.push(`${problem}\n    ${show(request)}`);
        return statusCode;
      };
    };
    const outcomes = operations.map(({ operationId }) => ({
      operationId,
      statuses: {} as Record<string, number>,
      alone: {} as Record<string, number>,
      problems: [] as string[],
    }));
    // Must precede the fuzzing, after which the wallet has too many accounts to withdraw all of them in one
    // transaction.
    for (const [index, operation] of operations.entries()) {
      if (operation.eitherOf.length === 0) continue;
      const { known, bearer } = await knownOf(operation);
      const { alone, problems } = outcomes[index]!;
      for (const member of operation.eitherOf) {
        const { seed } = options;
        const [request] = fc.sample(leastRequest(document, operation, known, member), { numRuns: 1, seed });
        alone[member] = await sendFor(operation, bearer, problems)(request!, 0);
      }
    }
    for (const [index, operation] of operations.entries()) {
      const { known, bearer } = await knownOf(operation);
      const requests = [
        ...fc.sample(validRequest(document, operation, known), {
          numRuns: options.valid,
          seed: options.seed,
        }),
        ...fc.sample(brokenRequest(document, operation, known), {
          numRuns: options.broken,
          seed: options.seed + 1,
        }),
      ];
      const { statuses, problems } = outcomes[index]!;
      const send = sendFor(operation, bearer, problems);
      await inLanes([...requests.entries()], options.concurrency ?? 8, async ([at, request]) => {
        const status = await send(request, at);
        statuses[status] = (statuses[status] ?? 0) + 1;
      });
    }
    return outcomes;
  } finally {
    await pool.close();
  }
};
