// Tests that `call` sends fields as written, keeps values as text if parsing them as numbers would change them,
// offers no operation that takes a secret key, and prints complete responses.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { holdfast } from '../../test/cli/cli-runner.ts';
import { json, type ScriptedResponse, startScriptedService } from '../../test/client/scripted-service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createKeypairFile } from '../local/new-keypair.ts';

const start = async (t: TestContext, response: ScriptedResponse = json(200, {})) => {
  const service = await startScriptedService(t, [response]);
  return {
    service,
    call: (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      holdfast(['call', ...args, '--url', service.url], { environment }),
  };
};

test('fields of a body are read as numbers, booleans, null, JSON or text, depending on their form', async (t) => {
  const { call, service } = await start(t);
  for (const [written, sent] of [
    ['5', 5],
    ['-1.5', -1.5],
    ['true', true],
    ['null', null],
    ['["stake_activated"]', ['stake_activated']],
    ['{"a":1}', { a: 1 }],
    ['"7"', '7'],
    ['trueish', 'trueish'],
    ['[not json', '[not json'],
    ['a=b', 'a=b'],
    ['', ''],
    ['zwei\nZeilen ž漢', 'zwei\nZeilen ž漢'],
  ] as const) {
    const { code, stderr } = await call(['registerWebhook', `callbackUrl=${written}`]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(service.seen.at(-1)!.body), { callbackUrl: sent }, written);
  }
});

test('walletAddress is the wallet of the keypair file, unless another is passed or the operation has none', async (t) => {
  const { call, service } = await start(t);
  const file = join(temporaryFolder(t), 'wallet.json');
  const address = createKeypairFile(file);
  const sent = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await call(args, { HOLDFAST_KEYPAIR: file });
    assert.equal(code, 0, stderr);
    const { url, body } = service.seen.at(-1)!;
    return `${url} ${body}`.trim();
  };
  assert.equal(
    await sent('planStakeChange', 'goal=tidy'),
    `/api/v1/plan {"walletAddress":"${address}","goal":"tidy"}`,
  );
  assert.equal(await sent('balance'), `/api/v1/wallet/balance/${address}`);
  assert.equal(await sent('balance', 'walletAddress=w'), '/api/v1/wallet/balance/w');
  assert.equal(await sent('epoch'), '/api/v1/epoch');
});

test('values that would change as a number stay text: addresses, ids, trailing zeros, exponents', async (t) => {
  const { call, service } = await start(t);
  for (const text of [
    '1'.repeat(32),
    '12345678901234567890',
    `${'1'.repeat(20)}e${'1'.repeat(11)}`,
    '1.50',
    '007',
  ]) {
    await call(['addressType', `address=${text}`]);
    assert.equal(service.seen.at(-1)!.url, `/api/v1/address/${text}/type`);
  }
});

test('an amount is sent exactly as written, and an invalid amount is not sent', async (t) => {
  const { call, service } = await start(t);
  assert.equal((await call(['simulateStake', 'amountSol=8999999.000000001', 'durationDays=30'])).code, 0);
  assert.equal(service.seen[0]!.body, '{"amountSol":8999999.000000001,"durationDays":30}');
  for (const amount of ['1e3', '-1', 'true', '1.0000000001'])
    assert.equal((await call(['simulateStake', `amountSol=${amount}`])).code, 2, amount);
  assert.equal(service.seen.length, 1);
});

test('empty names and names of inherited object properties are usage errors', async (t) => {
  const { call, service } = await start(t);
  for (const name of ['blance', 'toString', 'constructor', '__proto__'])
    assert.equal((await call([name])).code, 2, name);
  for (const member of ['walletAddress', '=x', 'wallet address=x', '-=x'])
    assert.match(
      (await call(['balance', '--', member])).stderr,
      /is not a parameter; write name=value/,
      member,
    );
  const { stderr } = await call(['stake', 'secretKey=5Vhunter2']);
  assert.match(stderr, /takes a secret key; use holdfast stake/);
  assert.doesNotMatch(stderr, /hunter2/);
  assert.equal(service.seen.length, 0);
});

test('unknown fields are refused with the closest known name, and nothing is sent', async (t) => {
  const { call, service } = await start(t);
  for (const [args, words] of [
    [['walletHistory', 'walletAddress=w', 'limt=5'], /walletHistory has no field limt. Did you mean limit\?/],
    [['epoch', 'wallet=w'], /epoch has no field wallet\.$/m],
    [['createStakeTransaction', 'idempotencyKey=k'], /Use --idempotency-key\./],
    [['balance', 'walletAddress=w', 'constructor=x'], /balance has no field constructor/],
  ] as const) {
    const { code, stderr } = await call(args);
    assert.equal(code, 2);
    assert.match(stderr, words);
  }
  assert.equal(service.seen.length, 0);
});

test('the list of operations omits every operation that takes a secret key', async (t) => {
  const { call } = await start(t);
  const names = JSON.parse((await call(['--json'])).stdout) as string[];
  assert.ok(names.includes('createStakeTransaction') && names.includes('epoch'));
  for (const name of ['stake', 'unstake', 'withdraw']) assert.ok(!names.includes(name), name);
  assert.deepEqual(names, names.toSorted());
});

test("a webhook's secret from the environment is sent only to operations that need a webhook secret", async (t) => {
  const { call, service } = await start(t);
  const environment = { HOLDFAST_WEBHOOK_SECRET: 'whsec_hunter2' };
  await call(['pingWebhook', 'id=a'], environment);
  await call(['epoch'], environment);
  await call(['pingWebhook', 'id=a'], { HOLDFAST_WEBHOOK_SECRET: '' });
  assert.deepEqual(
    service.seen.map(({ headers }) => headers.authorization),
    ['Bearer whsec_hunter2', undefined, undefined],
  );
});

test('a secret that cannot be sent in a header is refused and never printed', async (t) => {
  const { call, service } = await start(t);
  for (const more of [[], ['--json']]) {
    const { code, stdout, stderr } = await call(['pingWebhook', 'id=a', ...more], {
      HOLDFAST_WEBHOOK_SECRET: 'whsec_hunter2\nwhsec_hunter3',
    });
    assert.deepEqual([code, stdout], [2, '']);
    assert.doesNotMatch(stderr, /hunter/);
  }
  assert.equal(service.seen.length, 0);
});

test('--json prints the response unchanged; for users, it is indented, complete and free of control characters', async (t) => {
  const text = '{"big":12345678901234567890,"name":"a\u009b2J\u202eb\u{e0041}ž"}';
  const { call } = await start(t, { status: 200, body: text });
  assert.equal((await call(['epoch', '--json'])).stdout, `${text}\n`);
  const { stdout } = await call(['epoch']);
  assert.match(stdout, /^\{\n {2}"big": /);
  assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  assert.equal((JSON.parse(stdout) as { name: string }).name, 'a\u009b2J\u202eb\u{e0041}ž');
});
