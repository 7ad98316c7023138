// CPU time of a cached read over MCP compared with REST, alternating, from the same service and with the same
// response.

import { type BenchRow, median } from './benchmark-row.ts';
import { type BenchRequest, startMeasuredServer } from './measured-server.ts';

/** Length of the measurement. Default: 15 rounds of 10,016 calls over each interface. */
interface McpCallOptions {
  readonly rounds?: number;
  readonly callsPerRound?: number;
}

const GOAL = 3;

type Way = 'rest' | 'mcp';

const META = 'io.modelcontextprotocol/';
// Builds the message that the official client sends in protocol 2026-07-28.
const message = (id: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'get_validator_info',
      arguments: {},
      _meta: {
        [`${META}protocolVersion`]: '2026-07-28',
        [`${META}clientInfo`]: { name: 'bench', version: '1.0.0' },
        [`${META}clientCapabilities`]: {},
      },
    },
  });
const headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_validator_info',
};

let id = 0;
const requests: Readonly<Record<Way, () => BenchRequest>> = {
  rest: () => ({ path: '/api/v1/validator', method: 'GET' }),
  mcp: () => {
    id += 1;
    return { path: '/mcp', method: 'POST', headers, body: message(id) };
  },
};

/**
 * Measures both interfaces and alternates their order each round, so a slow phase of the machine affects both.
 */
export const benchMcpCall = async ({
  rounds = 15,
  callsPerRound = 10_016,
}: McpCallOptions = {}): Promise<BenchRow> => {
  await using server = await startMeasuredServer('mcp-call-server.ts');
  for (const way of ['rest', 'mcp'] as const) await server.ask(callsPerRound * 2, requests[way]);
  const samples: Record<Way, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second]: [Way, Way] = round % 2 === 0 ? ['rest', 'mcp'] : ['mcp', 'rest'];
    const one = await server.measure(callsPerRound, requests[first]);
    const two = await server.measure(callsPerRound, requests[second]);
    samples.push(first === 'rest' ? { rest: one, mcp: two } : { rest: two, mcp: one });
  }
  return {
    path: 'MCP call of a cached read, CPU',
    control: 'its REST twin',
    value: median(samples.map(({ mcp }) => mcp)),
    controlValue: median(samples.map(({ rest }) => rest)),
    unit: 'µs CPU',
    goal: `≤ ${GOAL}×`,
    met: median(samples.map(({ mcp, rest }) => mcp / rest)) <= GOAL,
  };
};
