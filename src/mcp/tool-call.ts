// Runs a tool with the same validation, operation and body as its REST counterpart. Failures are returned as
// results that an agent can handle.

import type { z } from 'zod';
import type { CachedResponse } from '../adapter/cached-responses.ts';
import { type CachedResponses, isCached } from '../adapter/cached-responses.ts';
import type { Endpoint } from '../adapter/describe-endpoint.ts';
import { errorResponse, toAppError } from '../adapter/error-body.ts';
import { buildMeta, type MetaSource } from '../adapter/response-meta.ts';
import { validateInput } from '../adapter/validate-input.ts';
import { AppError, type ValidationIssue, validationError } from '../kernel/app-error.ts';
import type { SecretBytes } from '../kernel/secret-bytes.ts';
import type { Context } from '../operations/context.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { cleanResponse } from './text/clean-text.ts';
import { resultText } from './text/result-text.ts';
import type { McpTool } from './tool.ts';

export interface ToolServing {
  readonly ctx: Context;
  readonly source: MetaSource;
  readonly cachedResponses: CachedResponses;
  /** Returns the REST counterpart of an operation; null if there is none. */
  readonly endpointOf: (operation: AnyOperation) => Endpoint | null;
}

export interface ToolCall {
  /** The arguments, with amounts as `JsonNumber`. Never contains the secret key. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /**
   * The key that was cut out of the body: undefined if absent, null if it is not a string, empty bytes if it
   * cannot be a key.
   */
  readonly secret: SecretBytes | null | undefined;
  readonly client: string;
  readonly signal: AbortSignal;
}

export interface ToolResponse {
  readonly isError: boolean;
  /** HTTP status that the REST counterpart would return. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as JSON. */
  readonly json: string;
  /** The body as one sentence with the key data. */
  readonly text: string;
  /** The fields `content` and `structuredContent` of the protocol's result, as JSON bytes. */
  readonly content: Buffer;
  /** Whole seconds to wait before a retry. */
  readonly retryAfterSeconds?: number | undefined;
}

const responseOf = (body: object): ToolResponse => {
  const clean = cleanResponse(body) as Readonly<Record<string, unknown>>;
  const json = JSON.stringify(clean);
  const text = resultText(clean);
  const content = Buffer.from(
    `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${json}`,
  );
  return { isError: false, status: 200, body: clean, json, text, content };
};

const ofCached = new WeakMap<CachedResponse, ToolResponse>();

/** Returns the tool response for a cached REST response. Each one is built only once. */
export const cachedToolResponse = (
  cached: CachedResponse,
  { printGuidance }: Pick<MetaSource, 'printGuidance'>,
): ToolResponse => {
  const known = ofCached.get(cached);
  if (known !== undefined) return known;
  const response = responseOf(printGuidance(cached.response, 'mcp', {}));
  ofCached.set(cached, response);
  return response;
};

type Members = Readonly<Record<string, unknown>>;

/** The parts of a tool that are needed to run it. */
export type Runnable = Pick<McpTool, 'operation' | 'instead' | 'argumentNames' | 'view' | 'carriesSecretKey'>;

/** Maps the call's arguments to the operation's input fields. */
const membersOf = (tool: Runnable, { arguments: given, secret }: ToolCall): Record<string, unknown> => {
  const members: Record<string, unknown> = { ...given };
  for (const [member, name] of Object.entries(tool.argumentNames ?? {})) {
    delete members[member];
    if (!Object.hasOwn(given, name)) continue;
    members[member] = given[name];
    delete members[name];
  }
  // A key is taken only from the bytes that were cut out of the body. A parsed string with this name is
  // ignored.
  if (tool.carriesSecretKey === true) {
    delete members.secretKey;
    if (secret !== undefined) members.secretKey = secret;
  }
  return members;
};

/**
 * Maps each missing field to the arguments that select the tool's other operation, which does not need that
 * field.
 */
const otherwiseNeeded = ({ operation, instead }: Runnable) => {
  if (instead === undefined) return undefined;
  const { shape } = instead.operation.input as z.ZodObject;
  const needed = Object.entries(shape).filter(
    ([name, schema]) =>
      !(schema as z.ZodType).safeParse(undefined).success && !(name in operation.input.shape),
  );
  return {
    names: needed.map(([name]) => name).join(' and '),
    isReplaced: ({ path, code, params }: ValidationIssue): boolean =>
      code === 'required' && params === undefined && !(path in shape),
  };
};

/** Returns the validated input. Issues use the argument names that the caller knows. */
const validate = (tool: Runnable, operation: AnyOperation, members: Record<string, unknown>) => {
  const { argumentNames = {} } = tool;
  const shapes = [tool.operation, tool.instead?.operation, tool.view].map((one) => one?.input.shape ?? {});
  const otherwise = operation === tool.operation ? otherwiseNeeded(tool) : undefined;
  try {
    return validateInput(operation, members, [], { taken: shapes.flatMap((shape) => Object.keys(shape)) });
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    throw validationError(
      error.details.map((issue) => ({
        ...issue,
        path: argumentNames[issue.path] ?? issue.path,
        ...(otherwise?.isReplaced(issue) && {
          message: `is required, unless you pass ${otherwise.names}`,
          params: { or: otherwise.names },
        }),
      })),
      // The suggestion uses the operation's field names, so it is dropped for tools that rename arguments.
      tool.argumentNames === undefined ? error.suggestedAction : undefined,
    );
  }
};

/** Returns the operation that the arguments select. */
const operationOf = ({ operation, instead }: Runnable, given: Members): AnyOperation => {
  if (instead === undefined || given[instead.member] == null) return operation;
  const foreign = Object.keys(operation.input.shape).filter(
    (member) => given[member] != null && !Object.hasOwn(instead.operation.input.shape, member),
  );
  if (foreign.length > 0)
    throw validationError(
      foreign.map((path) => ({
        path,
        code: 'unexpected',
        message: `must not be given together with ${instead.member}`,
        params: { or: instead.member },
      })),
    );
  return instead.operation;
};

/**
 * Runs `tool`. Failures that the caller can act on (every `AppError` except `INTERNAL`) are returned as
 * results with `isError` and the error body.
 * @throws any other error, which callers must not show unchanged.
 */
export const runTool = async (
  serving: ToolServing,
  tool: Runnable,
  call: ToolCall,
): Promise<ToolResponse> => {
  const { ctx, source } = serving;
  let { operation } = tool;
  let endpoint = serving.endpointOf(operation);
  try {
    if (isCached(endpoint)) {
      const cache = serving.cachedResponses(endpoint);
      return cachedToolResponse(cache.peek() ?? (await cache.refill()), source);
    }
    operation = operationOf(tool, call.arguments);
    endpoint = serving.endpointOf(operation);
    const input = validate(tool, operation, membersOf(tool, call));
    const viewed = tool.view && validateInput(tool.view, call.arguments, [], { sent: [] });
    const { signal, client } = call;
    const { body, meta } = await operation.run({ ctx, input, signal, source: 'mcp', client });
    const response = {
      ...(viewed ? tool.view?.apply(body, viewed) : body),
      _meta: buildMeta(source, endpoint, ctx.clock.now(), operation.name, meta),
    };
    return responseOf(source.printGuidance(response, 'mcp', input));
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code === 'INTERNAL') throw failure.cause ?? failure;
    const { body, status, retryAfterSeconds } = errorResponse(failure, endpoint, source, ctx.clock.now());
    return { ...responseOf(source.printGuidance(body, 'mcp', {})), isError: true, status, retryAfterSeconds };
  }
};
