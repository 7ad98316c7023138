// Handles plain tool calls of protocol 2026-07-28 without the SDK, which would create a server for each request
// and take about 0.3 ms of CPU time.
import { ProtocolError } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Exchange, UNCACHED_DATA_POLICY } from '../adapter/exchange.ts';
import { callTool, type McpServing, outcomeOf, serverInfoOf } from './mcp-server.ts';
import { MCP_JSON, sendRpcError } from './transport/json-rpc-errors.ts';
import type { ReadMessages } from './transport/json-rpc-messages.ts';

const END = Buffer.from('}}');
const REVISION = '2026-07-28';
const META = 'io.modelcontextprotocol/';

const members = z.record(z.string(), z.unknown());

/**
 * Accepts only messages that the SDK would accept too, without a progress token or other fields that the SDK
 * might interpret.
 */
const plainCall = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.literal('tools/call'),
  params: z.strictObject({
    name: z.string(),
    arguments: members.optional(),
    _meta: z.strictObject({
      [`${META}protocolVersion`]: z.literal(REVISION),
      [`${META}clientInfo`]: z
        .strictObject({ name: z.string(), version: z.string(), title: z.string().optional() })
        .optional(),
      [`${META}clientCapabilities`]: z.record(z.string(), members),
    }),
  }),
});

const headersMatch = ({ headers }: Exchange['request'], name: string): boolean =>
  headers['mcp-protocol-version'] === REVISION &&
  headers['mcp-method'] === 'tools/call' &&
  headers['mcp-name'] === name &&
  headers['content-type'] === 'application/json';

/**
 * Responds to a plain tool call and returns true. Leaves all other messages, including invalid ones, to the
 * SDK.
 */
export const respondToPlainCall = async (
  serving: McpServing,
  exchange: Exchange,
  { body, secret }: ReadMessages,
): Promise<boolean> => {
  const message = plainCall.safeParse(body).data;
  if (message === undefined || !headersMatch(exchange.request, message.params.name)) return false;
  const { id, params } = message;
  const tool = serving.tools.get(params.name);
  if (tool === undefined) return false;
  try {
    const answer = await callTool(serving, tool, {
      arguments: params.arguments ?? {},
      secret,
      client: exchange.client,
      // Created lazily, because the signal is expensive and cached responses do not need it.
      get signal() {
        return exchange.signal;
      },
    });
    const outcome = outcomeOf(answer);
    const _meta = { ...outcome._meta, [`${META}serverInfo`]: serverInfoOf(serving) };
    const response = JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { ...outcome, resultType: 'complete', _meta },
    });
    // A cached response is already encoded and only copied here.
    const whole = Buffer.concat([Buffer.from(`${response.slice(0, -2)},`), answer.content, END]);
    if (!exchange.response.destroyed) exchange.send(200, MCP_JSON, whole, UNCACHED_DATA_POLICY);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    sendRpcError(exchange, 200, error.code, error.message, id);
  }
  return true;
};
