// The short way takes a call only where nothing about it is unusual; whatever is goes to the SDK, which knows what to say of it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type McpFixture, startMcpFixture } from '../../test/support/mcp-fixture.ts';
import { MCP_ENVELOPE, type McpEra, mcpHeaders, toolMessage } from '../../test/support/mcp-rpc.ts';
import type { Exchange } from '../adapter/exchange.ts';
import { createCachedToolCall } from './cached-tool-call.ts';

const META = 'io.modelcontextprotocol/';
const ERAS: readonly McpEra[] = ['modern', 'legacy'];
let fixture: McpFixture;

before(async () => {
  const closers: (() => void | Promise<void>)[] = [];
  fixture = await startMcpFixture({ after: (close) => void closers.push(close) });
  await fetch(new URL('/cached', fixture.url));
  for (const close of closers) await close();
});

/** What is sent for this message, parsed; null where it is left to the SDK. */
const asked = (message: object, headers: Record<string, string | undefined>): string | null => {
  let sent: string | null = null;
  const exchange = {
    request: { headers },
    send: (_status: number, _type: string, parts: readonly Buffer[]) => {
      sent = Buffer.concat(parts).toString();
    },
  } as unknown as Exchange;
  const answered = createCachedToolCall(fixture.serving)(exchange, message);
  assert.equal(answered, sent !== null);
  return sent;
};
// biome-ignore lint/suspicious/noExplicitAny: messages are bent in ways that no type allows.
type Any = any;
const plain = (era: McpEra): Any => JSON.parse(toolMessage(era, 'get_cached', '{}', 5));
const plainHeaders = (era: McpEra) => mcpHeaders(era, 'tools/call', 'get_cached');

/** As `asked`, of a plain message that `bend` changes first. */
const bent = (era: McpEra, bend: (message: Any, headers: Any) => void): string | null => {
  const [message, headers] = [plain(era), plainHeaders(era)];
  bend(message, headers);
  return asked(message, headers);
};

test('a plain call of each era is answered under its id, with or without arguments', () => {
  for (const era of ERAS) {
    const answer = JSON.parse(asked(plain(era), plainHeaders(era)) ?? 'null');
    assert.deepEqual([answer.jsonrpc, answer.id, answer.result.structuredContent.fills], ['2.0', 5, 1]);
    assert.equal(answer.result.resultType, era === 'modern' ? 'complete' : undefined);
    assert.notEqual(
      bent(era, ({ params }) => delete params.arguments),
      null,
    );
    assert.match(
      bent(era, (message) => {
        message.id = 'é"';
      }) ?? '',
      /"id":"é\\""/,
    );
  }
});

test('whatever is unusual about the message is left to the SDK', () => {
  const unusual: Record<string, (message: Any) => void> = {
    'another protocol': (message) => {
      message.jsonrpc = '1.0';
    },
    'another method': (message) => {
      message.method = 'tools/list';
    },
    'no id': (message) => {
      delete message.id;
    },
    'a broken id': (message) => {
      message.id = 1.5;
    },
    'an id that no double holds': (message) => {
      message.id = 2 ** 53;
    },
    'no parameters': (message) => {
      delete message.params;
    },
    'a list of parameters': (message) => {
      message.params = [];
    },
    'a name that is none': ({ params }) => {
      params.name = 7;
    },
    'another tool': ({ params }) => {
      params.name = 'wait';
    },
    'a list of arguments': ({ params }) => {
      params.arguments = [];
    },
    'a parameter more': ({ params }) => {
      params.task = {};
    },
    'a member more': (message) => {
      message.more = 1;
    },
    'an envelope that is text': ({ params }) => {
      params._meta = 'x';
    },
    'a token for progress': ({ params }) => {
      params._meta = { ...params._meta, progressToken: 1 };
    },
  };
  for (const era of ERAS)
    for (const [what, bend] of Object.entries(unusual))
      assert.equal(bent(era, bend), null, `${era}: ${what}`);
});

test('an envelope of 2026 must be plainly in order', () => {
  const enveloped = (change: object): string | null =>
    bent('modern', ({ params }) => {
      params._meta = { ...MCP_ENVELOPE, ...change };
    });
  assert.notEqual(enveloped({}), null);
  assert.notEqual(enveloped({ [`${META}clientInfo`]: { name: 'n', version: '1', title: 't' } }), null);
  assert.notEqual(enveloped({ [`${META}clientInfo`]: undefined }), null);
  assert.notEqual(enveloped({ [`${META}clientCapabilities`]: { roots: {} } }), null);
  for (const change of [
    { [`${META}protocolVersion`]: '2025-11-25' },
    { [`${META}clientCapabilities`]: undefined },
    { [`${META}clientCapabilities`]: { roots: 1 } },
    { [`${META}clientInfo`]: 'me' },
    { [`${META}clientInfo`]: { name: 'n' } },
    { [`${META}clientInfo`]: { name: 1, version: '1' } },
    { [`${META}clientInfo`]: { name: 'n', version: '1', title: 2 } },
    { [`${META}clientInfo`]: { name: 'n', version: '1', icons: [] } },
    { [`${META}logLevel`]: 'info' },
  ])
    assert.equal(enveloped(change), null, JSON.stringify(change));
});

test('headers must be plainly those of the call', () => {
  const modern = (change: Record<string, string | undefined>) =>
    bent('modern', (_message, headers) => Object.assign(headers, change));
  assert.equal(modern({ 'mcp-name': 'wait' }), null);
  assert.equal(modern({ 'mcp-method': undefined }), null);
  assert.equal(modern({ 'mcp-protocol-version': '2025-11-25' }), null);
  assert.equal(modern({ accept: 'application/json' }), null);
  assert.equal(modern({ accept: 'text/event-stream' }), null);
  const legacy = (version: string | undefined) =>
    bent('legacy', (_message, headers) => Object.assign(headers, { 'mcp-protocol-version': version }));
  for (const version of [undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
    assert.notEqual(legacy(version), null, String(version));
  for (const version of ['2026-07-28', '2023-01-01', '']) assert.equal(legacy(version), null, version);
});
