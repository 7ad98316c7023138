// If the service cannot listen, the error message names the setting to change. Other errors stay unchanged.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listenProblem } from './listen-problem.ts';

const listening = async (t: TestContext, port: number, host: string): Promise<number> => {
  const server = createServer().listen(port, host);
  t.after(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const problemOf = (t: TestContext, port: number, host: string): Promise<string | undefined> =>
  listening(t, port, host).then(() => assert.fail('it listens'), listenProblem);

test('a port in use is reported with PORT, and an address of another machine with HOST', async (t) => {
  const taken = await listening(t, 0, '127.0.0.1');
  assert.match(
    (await problemOf(t, taken, '127.0.0.1'))!,
    new RegExp(`^Port ${taken} is already in use.*PORT=`),
  );
  // 203.0.113.0/24 is reserved for documentation.
  assert.match((await problemOf(t, 0, '203.0.113.1'))!, /^HOST is not an address of this machine/);
});

test('a port that requires privileges and a host that does not resolve are reported', () => {
  for (const [code, syscall, says] of [
    ['EACCES', 'listen', /not allowed to use the port.*PORT=/],
    ['ENOTFOUND', 'getaddrinfo', /^HOST /],
    ['EAI_AGAIN', 'getaddrinfo', /^HOST /],
  ] as const)
    assert.match(listenProblem(Object.assign(new Error('no'), { code, syscall }))!, says);
});

test('other errors are not reported as listening errors', () => {
  for (const error of [
    undefined,
    null,
    'EADDRINUSE',
    new Error('EADDRINUSE'),
    Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open' }),
    Object.assign(new Error('no'), { code: 'toString', syscall: 'listen' }),
  ])
    assert.equal(listenProblem(error), undefined);
});
