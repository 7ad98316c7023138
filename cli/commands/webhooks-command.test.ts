// Tests that webhook commands detect usage errors before anything is sent, and send each option as the field of
// the same name.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventTypes } from '../../src/domain/notification-types.ts';
import { holdfast } from '../../test/cli/cli-runner.ts';
import { json, startScriptedService } from '../../test/client/scripted-service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const start = async (t: TestContext) => {
  const service = await startScriptedService(t, [json(200, {})]);
  return {
    service,
    run: (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      holdfast(['webhooks', ...args, '--json', '--url', service.url], { environment }),
  };
};
const wallet = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const environment = { HOLDFAST_WEBHOOK_SECRET: 'whsec_env' };

test('an unknown action is a usage error, even if it is the name of an object property', async (t) => {
  const { run, service } = await start(t);
  for (const action of ['frobnicate', 'toString', 'constructor', '__proto__', 'LIST', ''])
    assert.match((await run([action, 'x'])).stderr, /one of list, register, delete/, action);
  for (const shell of ['toString', 'constructor', '__proto__', ''])
    assert.equal((await holdfast(['completion', shell])).code, 2, shell);
  assert.equal(service.seen.length, 0);
});

test('the secret file takes precedence over the environment, and its trailing line break is removed', async (t) => {
  const { run, service } = await start(t);
  const file = join(temporaryFolder(t), 'hook.secret');
  writeFileSync(file, '  whsec_file\r\n');
  await run(['ping', 'id', '--secret-file', file], environment);
  await run(['ping', 'id'], environment);
  assert.deepEqual(
    service.seen.map(({ headers }) => headers.authorization),
    ['Bearer whsec_file', 'Bearer whsec_env'],
  );
});

test('an empty file, a folder and a file with several lines are refused without printing or sending their content', async (t) => {
  const { run, service } = await start(t);
  const folder = temporaryFolder(t);
  const file = join(folder, 'hook.secret');
  for (const [path, content, problem] of [
    [file, '\n', /--secret-file is empty/],
    [file, 'whsec_hunter2\nwhsec_hunter3', /bearer must contain only printable ASCII/],
    [folder, null, /--secret-file \S+ cannot be read: EISDIR/],
  ] as const) {
    if (content !== null) writeFileSync(path, content);
    const { code, stderr } = await run(['rotate', 'id', '--secret-file', path], environment);
    assert.equal(code, 2);
    assert.match(stderr, problem);
    assert.doesNotMatch(stderr, /hunter/);
  }
  assert.equal(service.seen.length, 0);
});

test('each given option is sent as the field of the same name, and omitted options are not sent', async (t) => {
  const { run, service } = await start(t);
  const all = eventTypes;
  const callbackUrl = 'https://x.example/ž?a=b';
  for (const [args, sent] of [
    [['register', callbackUrl, '--wallet', wallet], { walletAddress: wallet, callbackUrl, events: all }],
    [
      ['register', callbackUrl, '--wallet', wallet, '--events', 'stake_activated, withdraw_ready'],
      { walletAddress: wallet, callbackUrl, events: ['stake_activated', 'withdraw_ready'] },
    ],
    [['replay', 'id', '--event', 'e'], { eventId: 'e' }],
    [
      ['replay', 'id', '--from', '2026-01-01T00:00:00Z', '--states', 'dead,delivered'],
      { from: '2026-01-01T00:00:00Z', states: ['dead', 'delivered'] },
    ],
  ] as const) {
    assert.equal((await run(args, environment)).code, 0);
    assert.deepEqual(JSON.parse(service.seen.at(-1)!.body), sent);
  }
  for (const [args, url] of [
    [
      ['list', wallet, '--limit', '7', '--cursor', 'a/b=='],
      `/api/v1/webhooks/${wallet}?limit=7&cursor=a%2Fb%3D%3D`,
    ],
    [['list', wallet], `/api/v1/webhooks/${wallet}`],
    [['deliveries', 'id', '--state', 'dead'], '/api/v1/webhooks/id/deliveries?state=dead'],
    [['delete', 'id', '--wallet', wallet], `/api/v1/webhooks/id?walletAddress=${wallet}`],
  ] as const) {
    assert.equal((await run(args, environment)).code, 0);
    assert.equal(service.seen.at(-1)!.url, url);
  }
});

test('an id cannot change the route, and options that take a list accept only known names', async (t) => {
  const { run, service } = await start(t);
  for (const args of [
    ['rotate', '..'],
    ['delete', '..', '--wallet', wallet],
    ['replay', 'id', '--from', 'x', '--states', 'pending'],
    ['register', 'https://x.example', '--wallet', wallet, '--events', ''],
    ['register', 'https://x.example', '--wallet', wallet, '--events', 'withdraw_ready,'],
    ['deliveries', 'id', '--limit', '101'],
  ])
    assert.equal((await run(args, environment)).code, 2, args.join(' '));
  assert.equal(service.seen.length, 0);
});

test('the list of webhooks fits 100 columns, and shows the selected events or "all"', async (t) => {
  const id = '0123456789abcdef0123456789abcdef';
  const webhook = { id, status: 'disabled', disabledReason: 'failing', lastDeliveryAt: null };
  const callbackUrl = 'https://hooks.example.org';
  const some = eventTypes.slice(0, 9);
  const service = await startScriptedService(t, [
    json(200, {
      webhooks: [
        { ...webhook, callbackUrl, events: eventTypes },
        { ...webhook, callbackUrl, events: some },
      ],
      nextCursor: null,
    }),
  ]);
  const { code, stdout } = await holdfast(['webhooks', 'list', wallet, '--url', service.url]);
  assert.equal(code, 0);
  assert.match(stdout, /^events +all 10 events$/m);
  for (const name of some) assert.match(stdout, new RegExp(` ${name}\\b`));
  assert.equal(stdout.match(new RegExp(`^id +${id}$`, 'gm'))?.length, 2);
  assert.ok(
    stdout.split('\n').every(({ length }) => length <= 100),
    stdout,
  );
});
