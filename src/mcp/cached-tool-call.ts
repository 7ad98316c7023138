// Answers a cached tool call with the bytes that the SDK would send, without building a server.
import type { CachedAnswer } from '../adapter/cached-answers.ts';
import { isCached } from '../adapter/cached-answers.ts';
import { type Exchange, UNCACHED_DATA_POLICY } from '../adapter/exchange.ts';
import { MCP_JSON } from './json-rpc-errors.ts';
import { objectOf } from './json-rpc-messages.ts';
import { type McpServing, serverInfoOf } from './mcp-server.ts';
import type { McpTool } from './tool.ts';
import { cachedToolAnswer } from './tool-call.ts';

/** The revision whose requests carry their envelope in `_meta`. */
const MODERN = '2026-07-28';
/** The earlier revisions; a request without a version header uses one of them. */
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const META = 'io.modelcontextprotocol/';

type Members = Readonly<Record<string, unknown>>;

/** Answers a parsed message immediately if possible and returns true. Leaves all others to the SDK, which also reports errors in them. */
type QuickCall = (exchange: Exchange, body: unknown) => boolean;

/** The parts of a call in its body, without the headers. */
interface Understood {
  readonly id: string | number;
  readonly name: string;
  readonly era: Era;
}

type Era = 'modern' | 'legacy';

const onlyHas = (members: Members, names: readonly string[]): boolean => {
  for (const name in members) if (!names.includes(name)) return false;
  return true;
};

const isObject = (value: unknown): boolean => objectOf(value) !== null;

const isModernEnvelope = (meta: Members): boolean => {
  const client = meta[`${META}clientInfo`];
  const info = objectOf(client);
  const capabilities = objectOf(meta[`${META}clientCapabilities`]);
  return (
    meta[`${META}protocolVersion`] === MODERN &&
    onlyHas(meta, [`${META}protocolVersion`, `${META}clientInfo`, `${META}clientCapabilities`]) &&
    capabilities !== null &&
    Object.values(capabilities).every(isObject) &&
    (client === undefined ||
      (info !== null &&
        typeof info.name === 'string' &&
        typeof info.version === 'string' &&
        onlyHas(info, ['name', 'version', 'title']) &&
        (info.title === undefined || typeof info.title === 'string')))
  );
};

/** The revision that an envelope belongs to; null if the envelope is not clearly valid. */
const eraOf = (meta: unknown): Era | null => {
  if (meta === undefined) return 'legacy';
  if (!isObject(meta)) return null;
  if (onlyHas(meta as Members, [])) return 'legacy';
  return isModernEnvelope(meta as Members) ? 'modern' : null;
};

/** True if the headers clearly belong to such a call. */
const headersFit = ({ headers }: Exchange['request'], { name, era }: Understood): boolean => {
  if (!acceptsBoth(headers.accept)) return false;
  const version = headers['mcp-protocol-version'];
  return era === 'modern'
    ? version === MODERN && headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === name
    : version === undefined || LEGACY.includes(String(version));
};

/** The call if the message is clearly a tool call, else null. */
const readCall = (body: unknown): Understood | null => {
  const message = objectOf(body);
  if (message?.jsonrpc !== '2.0' || message.method !== 'tools/call') return null;
  const { id } = message;
  const params = objectOf(message.params);
  if (params === null || (typeof id !== 'string' && !Number.isSafeInteger(id))) return null;
  const { name, arguments: given, _meta: meta } = params;
  const era = eraOf(meta);
  const plain =
    typeof name === 'string' &&
    (given === undefined || isObject(given)) &&
    onlyHas(params, ['name', 'arguments', '_meta']) &&
    onlyHas(message, ['jsonrpc', 'id', 'method', 'params']);
  return plain && era !== null ? { id: id as string | number, name, era } : null;
};

const acceptsBoth = (accept: string | undefined): boolean =>
  accept?.includes('application/json') === true && accept.includes('text/event-stream');

/** Creates the fast path for the tools whose REST twin caches its answer. */
export const createCachedToolCall = (serving: McpServing): QuickCall => {
  const results = {
    modern: new WeakMap<CachedAnswer, Buffer>(),
    legacy: new WeakMap<CachedAnswer, Buffer>(),
  };
  const cachedTools = new Map<string, { tool: McpTool; peek: () => CachedAnswer | null }>();
  for (const tool of serving.tools.values()) {
    const endpoint = serving.endpointOf(tool.operation);
    if (!isCached(endpoint)) continue;
    const cache = serving.cachedAnswers(endpoint);
    cachedTools.set(tool.name, { tool, peek: () => cache.peek() });
  }

  /** The response after its id. */
  const tailOf = (cached: CachedAnswer, era: 'modern' | 'legacy'): Buffer => {
    const known = results[era].get(cached);
    if (known !== undefined) return known;
    const { body, text } = cachedToolAnswer(cached, serving.source);
    const result = {
      content: [{ type: 'text', text }],
      structuredContent: body,
      ...(era === 'modern'
        ? { resultType: 'complete', _meta: { [`${META}serverInfo`]: serverInfoOf(serving) } }
        : {}),
    };
    const tail = Buffer.from(`,"result":${JSON.stringify(result)}}`);
    results[era].set(cached, tail);
    return tail;
  };

  return (exchange, body) => {
    const call = readCall(body);
    const one = call === null ? undefined : cachedTools.get(call.name);
    if (call === null || one === undefined || !headersFit(exchange.request, call)) return false;
    const cached = one.peek();
    if (cached === null) return false;
    const startedMs = serving.monotonicMs();
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)}`);
    exchange.send(200, MCP_JSON, [head, tailOf(cached, call.era)], UNCACHED_DATA_POLICY);
    serving.onCall({ tool: one.tool, status: 200, durationMs: serving.monotonicMs() - startedMs });
    return true;
  };
};
