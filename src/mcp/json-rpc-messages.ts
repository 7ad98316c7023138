// Reads JSON-RPC messages from a request's bytes: a secret key is cut out before anything is parsed, amounts keep the caller's text.
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../adapter/parse-json-body.ts';
import { MAX_BODY_BYTES } from '../adapter/read-body.ts';
import { collectBody, extractSecretKey, mayNameSecret, misplacedKey } from '../adapter/secret-body.ts';
import { secretMember } from '../adapter/secret-value.ts';
import { type AppError, isAppError } from '../kernel/app-error.ts';
import type { SecretBytes } from '../kernel/secret-bytes.ts';
import type { McpTool } from './tool.ts';

/** What a body held. */
export interface ReadMessages {
  /** The parsed body: one message, or an array of them; not validated. */
  readonly body: unknown;
  /** As in `ToolCall.secret`; the reader's caller wipes it. Only a message that came alone can carry one. */
  readonly secret: SecretBytes | null | undefined;
  /** Name of a member that holds a key and is not the argument `secretKey` of a message that came alone. */
  readonly misplaced: string | null;
}

/** Where a tool call holds its key. */
const KEY_PLACE = ['params', 'arguments'];

/** What the bytes say; null where they are not JSON. A secret key is overwritten in them first. */
export const parseMessages = (bytes: Buffer): ReadMessages | null => {
  try {
    return parse(bytes);
  } catch (error) {
    if (isAppError(error, 'VALIDATION_ERROR')) return null;
    throw error;
  }
};

/** Names the member of the parsed body that holds a secret by its value. */
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
 * Reads the body and lets `use` have its bytes, which are wiped when that returns.
 * @throws AppError BODY_TOO_LARGE over 64 KiB.
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

/** A JSON object, or null. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;

/** Name of the tool that `message` calls; null where it calls none. */
export const calledTool = (message: unknown): string | null => {
  const members = objectOf(message);
  if (members?.method !== 'tools/call') return null;
  const name = objectOf(members.params)?.name;
  return typeof name === 'string' ? name : null;
};

/** True where `message` calls a tool that takes a secret key. */
export const callsOneShot = (message: unknown, tools: ReadonlyMap<string, McpTool>): boolean => {
  const name = calledTool(message);
  return name !== null && tools.get(name)?.carriesSecretKey === true;
};

/** Why the messages are refused: a key where none belongs; null where there is none. Everybody who carried it has seen it. */
export const keyRefusal = (
  { body, secret, misplaced }: ReadMessages,
  tools: ReadonlyMap<string, McpTool>,
): AppError | null => {
  if (misplaced !== null) return misplacedKey(misplaced);
  return secret === undefined || callsOneShot(body, tools) ? null : misplacedKey('secretKey');
};

const SENTINEL = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/;

/** The tool that the headers of a 2026-07-28 request name; null where they name none. */
export const toolInHeaders = ({ headers }: IncomingMessage): string | null => {
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  if (method !== 'tools/call' || typeof name !== 'string') return null;
  const encoded = SENTINEL.exec(name.trim())?.[1];
  return encoded === undefined ? name.trim() : Buffer.from(encoded, 'base64').toString();
};
