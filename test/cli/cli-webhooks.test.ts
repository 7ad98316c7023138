// Checks webhooks on the command line: create, list, ping, read, rotate, delete and restore. No command takes
// the secret as an argument.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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
  const path = `/hook-${randomUUID()}`;
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
  const registered = await did('register', receiver.url + path, '--events', 'stake_activated,withdraw_ready');
  writeFileSync(file, `${registered.secret}\n`);
  return {
    receiver,
    path,
    // Ignores deliveries to other paths: the service of another test may still be delivering to the previous
    // owner of this port.
    received: () =>
      receiver.seen.filter(({ url }) => url === path).map(({ headers }) => headers['webhook-id']),
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

test('a webhook can be created, listed, pinged, read, replayed, rotated, deleted and restored', async (t) => {
  const { did, run, registered, id, secret, receiver, path, received, wallet, file } = await start(t);
  assert.match(String(registered.secret), /^whsec_/);
  assert.deepEqual((registered.events as string[]).toSorted(), ['stake_activated', 'withdraw_ready']);
  const [listed] = (await did('list')).webhooks as Record<string, unknown>[];
  assert.equal(listed!.id, id);
  assert.ok(!String(listed!.callbackUrl).includes(path), 'without the secret, only the origin is shown');
  const [whole] = (await did('list', ...secret)).webhooks as Record<string, unknown>[];
  assert.ok(String(whole!.callbackUrl).endsWith(path));

  // Registering also sends a ping.
  const ping = await did('ping', id, ...secret);
  while (received().length < 2) await receiver.arrived(receiver.seen.length + 1);
  assert.equal(received()[1], ping.eventId);
  const { deliveries } = (await did('deliveries', id, ...secret)) as { deliveries: { id: string }[] };
  assert.deepEqual(deliveries.map((delivery) => delivery.id).toSorted(), received().toSorted());

  const rotated = await did('rotate', id, ...secret);
  assert.notEqual(rotated.secret, registered.secret);
  writeFileSync(file, String(rotated.secret));
  await did('delete', id, ...secret);
  assert.deepEqual((await did('list', wallet.walletAddress)).webhooks, []);
  await did('restore', id, ...secret);
  const { stdout } = await run('list');
  assert.match(stdout, new RegExp(`^id +${id}\\nstatus +active\\nevents +.*stake_activated`, 'm'));
});

test('the terminal shows tables, and the secret once together with the advice to save it', async (t) => {
  const { run, receiver, id, secret } = await start(t);
  const { stdout } = await run('register', `${receiver.url}/other`);
  assert.match(stdout, /^secret +whsec_\S+$/m);
  assert.match(stdout, /Save the secret now\. It will not be shown again\./);
  await run('ping', id, ...secret);
  const { stdout: table } = await run('deliveries', id, ...secret);
  assert.match(table, /^EVENT ID +WHEN +TYPE +STATE/);
  assert.match(table, / ping +/);
});

test('a list longer than one page says how to get the next page', async (t) => {
  const { run, receiver, id } = await start(t);
  await run('register', `${receiver.url}/other`);
  const first = await run('list', '--limit', '1');
  assert.match(first.stdout, new RegExp(`^id +${id}$`, 'm'));
  const [, cursor] = /^For more, add --cursor (\S+)$/m.exec(first.stdout) ?? [];
  assert.ok(cursor, first.stdout);
  const { stdout } = await run('list', '--cursor', cursor);
  assert.equal(stdout.match(/^status +active$/gm)?.length, 1);
  assert.doesNotMatch(stdout, new RegExp(`${id}|For more`));
  assert.equal((await run('list', '--limit', '101')).code, 2);
});

test('commands that need the secret fail before any request if it is missing, and a wrong secret is refused', async (t) => {
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
  const wrong = await run('ping', id, '--secret-file', file);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /Wrong id or secret\. holdfast webhooks list .* --secret-file FILE\.$/m);
  const deleted = await run('delete', id);
  assert.match(
    deleted.stdout,
    new RegExp(`restore it within 30 days: holdfast webhooks restore ${id} --secret-file FILE\n$`),
  );
  const again = await run('delete', id);
  assert.match(again.stderr, /belongs to this wallet.*\n {2}Wrong id or secret\. holdfast webhooks list /);
  assert.doesNotMatch(wrong.stderr + again.stderr, /Bearer/);
});
