// Reads JSON-RPC messages from a request's bytes. Cuts out secret keys before parsing, and keeps amounts as
// text.
import type { IncomingMessage } from 'node:http';
import {
  collectBody,
  extractSecretKey,
  mayNameSecret,
  misplacedKey,
} from '../../adapter/extract-secret-key.ts';
import { parseJson } from '../../adapter/parse-json-body.ts';
import { MAX_BODY_BYTES } from '../../adapter/read-body.ts';
import { secretMember } from '../../adapter/recognize-secret-value.ts';
import { type AppError, isAppError } from '../../kernel/app-error.ts';
import type { SecretBytes } from '../../kernel/secret-bytes.ts';
import type { McpTool } from '../tool.ts';

/** The content of a request body. */
export interface ReadMessages {
  /** The parsed body: one message or an array of messages, not validated. */
  readonly body: unknown;
  /**
   * The secret key, as in `ToolCall.secret`. The caller must wipe it. Only a single message can have a key,
   * never a batch.
   */
  readonly secret: SecretBytes | null | undefined;
  /** Name of a field that contains a key but is not the argument `secretKey` of a single message. */
  readonly misplaced: string | null;
}

/** Path of the tool arguments, which contain the key. */
const KEY_PLACE = ['params', 'arguments'];

/** Parses the bytes after overwriting any secret key in them. Returns null if they are not JSON. */
export const parseMessages = (bytes: Buffer): ReadMessages | null => {
  try {
    return parse(bytes);
  } catch (error) {
    if (isAppError(error, 'VALIDATION_ERROR')) return null;
    throw error;
  }
};

/** Sets `misplaced` to the name of a field in the parsed body that contains a secret, if there is one. */
const withoutSecrets = (read: ReadMessages): ReadMessages => ({
  ...read,
  misplaced: read.misplaced ?? secretMember(read.body),
});

const parse = (bytes: Buffer): ReadMessages => {
  if (!mayNameSecret(bytes))
    return withoutSecrets({ body: parseJson(bytes), secret: undefined, misplaced: null });
  const { secret, problem, misplaced } = extractSecretKey(bytes, KEY_PLACE);
  try {
    const body = parseJson(bytes);
    return withoutSecrets({ body, secret: problem === 'missing' ? undefined : secret, misplaced });
  } catch (error) {
    secret?.[Symbol.dispose]();
    throw error;
  }
};

/**
 * Reads the body, passes its bytes to `use`, and wipes them when `use` returns.
 * @throws `AppError('BODY_TOO_LARGE')` over 64 KiB.
 */
export const readBytes = async <Result>(
  request: IncomingMessage,
  use: (bytes: Buffer) => Result,
): Promise<Result> => {
  const announcedBytes = Number(request.headers['content-length']);
  const bytes = await collectBody(request, MAX_BODY_BYTES, { announcedBytes });
  try {
    return use(bytes);
  } finally {
    bytes.fill(0);
  }
};

/** Returns `value` if it is a JSON object, else null. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;

/** Returns the name of the tool that `message` calls; null if it is not a tool call. */
export const calledTool = (message: unknown): string | null => {
  const members = objectOf(message);
  if (members?.method !== 'tools/call') return null;
  const name = objectOf(members.params)?.name;
  return typeof name === 'string' ? name : null;
};

/** True if `message` calls a tool that takes a secret key. */
export const callsOneShot = (message: unknown, tools: ReadonlyMap<string, McpTool>): boolean => {
  const name = calledTool(message);
  return name !== null && tools.get(name)?.carriesSecretKey === true;
};

/**
 * Returns the refusal of messages with a misplaced key; null if there is none. Such a key is compromised,
 * because every hop on the way has seen it.
 */
export const keyRefusal = (
  { body, secret, misplaced }: ReadMessages,
  tools: ReadonlyMap<string, McpTool>,
): AppError | null => {
  if (misplaced !== null) return misplacedKey(misplaced);
  return secret === undefined || callsOneShot(body, tools) ? null : misplacedKey('secretKey');
};

const SENTINEL = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/;

/** Returns the tool name in the headers of a 2026-07-28 request; null if absent. */
export const toolInHeaders = ({ headers }: IncomingMessage): string | null => {
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  if (method !== 'tools/call' || typeof name !== 'string') return null;
  const encoded = SENTINEL.exec(name.trim())?.[1];
  return encoded === undefined ? name.trim() : Buffer.from(encoded, 'base64').toString();
};
