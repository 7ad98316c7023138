// Checks webhooks on the command line: register, list, ping, read, rotate, delete and restore. The secret is
// never an argument.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { startScriptedService } from '../client/scripted-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast, keypairFile } from './cli-runner.ts';
import { startForwardingProxy } from './forwarding-proxy.ts';

const shared = sharedSandboxService({ before, after });

const start = async (t: TestContext) => {
  const receiver = await startScriptedService(t, [{ status: 200, body: '' }]);
  const proxy = await startForwardingProxy(t, shared().service.url);
  const wallet = keypairFile(t);
  const file = join(temporaryFolder(t), 'secret');
  const at = ['--url', proxy.url, '--keypair', wallet.path];
  const run = (...args: string[]) => holdfast(['webhooks', ...args, ...at]);
  const did = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, json, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr);
    return json();
  };
  const registered = await did(
    'register',
    `${receiver.url}/hook`,
    '--events',
    'stake_activated,withdraw_ready',
  );
  writeFileSync(file, `${registered.secret}\n`);
  return {
    receiver,
    proxy,
    wallet,
    file,
    run,
    did,
    registered,
    id: String(registered.id),
    secret: ['--secret-file', file],
  };
};

test('a complete registration: created, listed, pinged, read, replayed, rotated, deleted, restored', async (t) => {
  const { did, run, registered, id, secret, receiver, wallet, file } = await start(t);
  assert.match(String(registered.secret), /^whsec_/);
  assert.deepEqual((registered.events as string[]).toSorted(), ['stake_activated', 'withdraw_ready']);
  const [listed] = (await did('list')).webhooks as Record<string, unknown>[];
  assert.equal(listed!.id, id);
  assert.ok(!String(listed!.callbackUrl).includes('/hook'), 'only the origin without the secret');
  const [whole] = (await did('list', ...secret)).webhooks as Record<string, unknown>[];
  assert.ok(String(whole!.callbackUrl).endsWith('/hook'));

  // The registration also sends a ping.
  await receiver.arrived(1);
  const ping = await did('ping', id, ...secret);
  await receiver.arrived(2);
  assert.equal(receiver.seen[1]!.headers['webhook-id'], ping.eventId);
  const { deliveries } = (await did('deliveries', id, ...secret)) as { deliveries: { id: string }[] };
  assert.deepEqual(
    deliveries.map((delivery) => delivery.id).toSorted(),
    receiver.seen.map(({ headers }) => headers['webhook-id']).toSorted(),
  );

  const rotated = await did('rotate', id, ...secret);
  assert.notEqual(rotated.secret, registered.secret);
  writeFileSync(file, String(rotated.secret));
  await did('delete', id, ...secret);
  assert.deepEqual((await did('list', wallet.walletAddress)).webhooks, []);
  await did('restore', id, ...secret);
  const { stdout } = await run('list');
  assert.match(stdout, new RegExp(`^${id} +active +\\S*stake_activated`, 'm'));
});

test('the terminal shows tables, and the secret once with the advice to store it', async (t) => {
  const { run, receiver, id, secret } = await start(t);
  const { stdout } = await run('register', `${receiver.url}/other`);
  assert.match(stdout, /^secret +whsec_\S+$/m);
  assert.match(stdout, /Save the secret now\. It will not be shown again\./);
  await run('ping', id, ...secret);
  const { stdout: table } = await run('deliveries', id, ...secret);
  assert.match(table, /^EVENT ID +WHEN \(UTC\) +TYPE +STATE/);
  assert.match(table, / ping +/);
});

test('a list longer than a page says how to continue', async (t) => {
  const { run, receiver, id } = await start(t);
  await run('register', `${receiver.url}/other`);
  const first = await run('list', '--limit', '1');
  assert.match(first.stdout, new RegExp(`^${id} `, 'm'));
  const [, cursor] = /^For more, add --cursor (\S+)$/m.exec(first.stdout) ?? [];
  assert.ok(cursor, first.stdout);
  const { stdout } = await run('list', '--cursor', cursor);
  assert.equal(stdout.match(/ active /g)?.length, 1);
  assert.doesNotMatch(stdout, new RegExp(`${id}|For more`));
  assert.equal((await run('list', '--limit', '101')).code, 2);
});

test('commands that need the secret fail without it before any request, and a wrong one is refused', async (t) => {
  const { run, proxy, id, file } = await start(t);
  const sent = proxy.exchanges.length;
  for (const action of ['deliveries', 'ping', 'rotate', 'restore']) {
    const { code, stderr } = await run(action, id);
    assert.equal(code, 2, action);
    assert.match(stderr, /requires the webhook's secret/);
  }
  assert.equal((await run('replay', id)).code, 2);
  assert.equal((await run('replay', id, '--event', 'a', '--from', '2026-01-01T00:00:00Z')).code, 2);
  assert.equal((await run('frobnicate')).code, 2);
  assert.equal((await run('ping')).code, 2);
  assert.equal((await run('register', 'https://x.example', '--events', 'stake')).code, 2);
  assert.equal((await run('ping', id, '--secret-file', '/nowhere')).code, 2);
  assert.equal(proxy.exchanges.length, sent);
  writeFileSync(file, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  assert.equal((await run('ping', id, '--secret-file', file)).code, 1);
});
