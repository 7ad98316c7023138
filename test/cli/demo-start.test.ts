// Checks that the demo, which spends SOL and ends epochs, starts only on a sandbox and otherwise explains
// what to do.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { listenLocally } from '../support/local-server.ts';
import { spawnProcess } from '../support/spawned-process.ts';

/** Starts a service that reports `cluster`; `asked` records the requests. */
const serviceOf = async (t: TestContext, cluster: string) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.url === '/health' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'No', message: 'No.', _meta: { cluster } }));
  });
  const local = await listenLocally(server);
  t.after(local.close);
  return { ...local, url: `http://127.0.0.1:${local.port}`, asked };
};
const play = async (t: TestContext, ...args: readonly string[]) => {
  const demo = spawnProcess(t, { file: 'demo/main.ts', args });
  const { code } = await demo.ended;
  return { code, said: demo.stdout + demo.stderr };
};

test('on a real cluster, the demo requests only the cluster name and exits', async (t) => {
  const { url, asked } = await serviceOf(t, 'mainnet-beta');
  const { code, said } = await play(t, url);
  assert.equal(code, 1);
  assert.match(said, /serves a real cluster\. .*only on a sandbox/);
  assert.deepEqual(asked, ['GET /health']);
});

test('without a service, the demo explains how to start one or how to select another one', async (t) => {
  const { url, down } = await serviceOf(t, 'sandbox');
  await down();
  const { code, said } = await play(t, url);
  assert.equal(code, 1);
  assert.match(said, /No Holdfast service is running at .*npm start/);
});

test('an unknown --via value ends the demo before the first step', async (t) => {
  const { url, asked } = await serviceOf(t, 'sandbox');
  const { code, said } = await play(t, '--via', 'fax', url);
  assert.deepEqual([code, said.trim(), asked], [1, '--via takes rest or mcp or cli.', ['GET /health']]);
});

test('the first unexpected result ends the demo with its message and a failure code', async (t) => {
  const { url } = await serviceOf(t, 'sandbox');
  const { code, said } = await play(t, url);
  assert.equal(code, 1);
  assert.match(said, /^\nUnexpected result: 404 No: No\.$/m);
});
