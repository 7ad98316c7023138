// Tests that responses from a hostile or unknown service cannot move the cursor, fake a line or cause a crash,
// whatever their fields contain.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { holdfast } from '../../test/cli/cli-runner.ts';
import { json, type ScriptedResponse, startScriptedService } from '../../test/client/scripted-service.ts';
import type { CommandCall } from '../command.ts';
import { watch } from './watch-command.ts';

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const EVIL = '\u001b[2J\u009b1m\u202ebad\nforged  line';
const account = {
  address: EVIL,
  sol: 2,
  state: EVIL,
  role: EVIL,
  withdrawableSol: 0,
  withdrawReady: false,
  deactivationEpoch: 3,
  estimatedSecondsRemaining: null,
  withdrawableAtEpoch: EVIL,
};
const notices = [
  { severity: EVIL, text: EVIL },
  { severity: 'critical', text: EVIL },
];
const summary = {
  portfolio: { liquidSol: 1, totalStakedSol: 2, activeSol: 2, activatingSol: 0, deactivatingSol: 0 },
  accounts: [account],
  recommendedAction: { action: EVIL, reason: EVIL },
  notices,
  _meta: { timestamp: EVIL },
};
const reward = { epoch: EVIL, stakeAccountAddress: EVIL, inflationSol: null, tipsSol: 0, balanceAfterSol: 1 };
const delivery = { id: EVIL, timestamp: EVIL, type: EVIL, state: EVIL, attempts: EVIL, nextAttemptAt: EVIL };
const landed = {
  verified: true,
  memo: EVIL,
  recordedHere: true,
  blockTime: EVIL,
  slot: EVIL,
  confirmationStatus: EVIL,
  checks: { delegatesToValidator: null },
  explorerUrl: EVIL,
  warnings: [],
  instructions: [{ program: EVIL, name: EVIL, summary: EVIL }],
};
const hook = {
  id: EVIL,
  status: EVIL,
  disabledReason: EVIL,
  events: [EVIL],
  callbackUrl: EVIL,
  secret: EVIL,
};

/** Arguments of each command, with the response that it receives. */
const cases: Readonly<Record<string, readonly [args: readonly string[], body: object]>> = {
  accounts: [[WALLET], { accounts: [account], totalStakedSol: 2, validatorVoteAccount: EVIL, notices }],
  summary: [[WALLET], summary],
  history: [
    [WALLET],
    {
      history: [{ type: EVIL, confirmedAt: EVIL, epoch: EVIL, amountSol: 1, signature: EVIL, legs: [] }],
      nextCursor: EVIL,
    },
  ],
  rewards: [[WALLET], { rewards: [reward], totals: {}, fromEpoch: EVIL, toEpoch: EVIL, warnings: [] }],
  epoch: [[], { currentEpoch: EVIL, progressPct: 1, estimatedEpochEnd: EVIL, slotDurationMs: 400 }],
  'epoch --end': [['1'], { epoch: EVIL }],
  verify: [['1'.repeat(88)], landed],
  'webhooks list': [[WALLET], { webhooks: [hook], nextCursor: EVIL }],
  'webhooks register': [['https://x.example', '--wallet', WALLET], hook],
  'webhooks deliveries': [['id'], { deliveries: [{ ...delivery, attemptLog: [] }], nextCursor: null }],
};
const environment = { HOLDFAST_WEBHOOK_SECRET: 'whsec_x' };
const run = async (t: TestContext, args: readonly string[], ...responses: readonly ScriptedResponse[]) => {
  const { url } = await startScriptedService(t, responses);
  return holdfast([...args, '--url', url], { environment });
};
const assertHarmless = (text: string, what: string): void => {
  assert.ok(text.includes('bad'), `${what} shows it`);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u, what);
  assert.doesNotMatch(text, /^forged/m, what);
};

for (const [command, [args, body]] of Object.entries(cases))
  test(`${command} sanitizes every field in its text output, and prints the response unchanged with --json`, async (t) => {
    const line = [...command.split(' '), ...args];
    const shown = await run(t, line, json(200, body));
    assert.equal(shown.code, 0, shown.stderr);
    assertHarmless(shown.stdout, command);
    const exact = await run(t, [...line, '--json'], json(200, body));
    assert.deepEqual(exact.json(), body);
  });

test('watch sanitizes everything that it shows, including the time', async (t) => {
  const accounts = [{ ...account, role: 'owner', sol: 3 }];
  const { url } = await startScriptedService(t, [json(200, { ...summary, accounts })]);
  const stop = new AbortController();
  let stdout = '';
  const out = (text: string): void => {
    stdout += text;
    // The watch stops before the pause after the first poll.
    stop.abort();
  };
  const terminal = { out, paintOut: (_tone: unknown, text: string) => text };
  await watch.run({
    args: [WALLET],
    values: {},
    json: false,
    terminal,
    signal: stop.signal,
    client: createHoldfastClient({ baseUrl: url }),
    walletAddress: () => WALLET,
  } as unknown as CommandCall);
  assertHarmless(stdout, 'watch');
  assert.match(stdout, /watching: 1 SOL in the wallet, 3 SOL in stake accounts\nSTAKE ACCOUNT /);
});

test('a refusal is reported safely, whatever its fields contain', async (t) => {
  for (const fields of ['text', 7, {}, [null], [7, { ok: false, field: EVIL, problem: EVIL, found: null }]])
    for (const errorCode of ['NOT_AS_ASKED', EVIL]) {
      const { code, stderr } = await run(t, ['epoch'], json(400, { errorCode, message: EVIL, fields }));
      assert.equal(code, 1);
      assertHarmless(stderr, JSON.stringify(fields));
    }
});

test("a refusal without a message is reported with the client's message, as text and as JSON", async (t) => {
  const response = json(418, { errorCode: 'OF_TOMORROW' });
  assert.match(
    (await run(t, ['epoch'], response)).stderr,
    /^✗ The service responded with status 418\.\n {2}OF_TOMORROW\n$/,
  );
  const titled = json(418, { errorCode: 'OF_TOMORROW', error: 'A title' });
  assert.equal((await run(t, ['epoch', '--json'], titled)).error().message, 'A title');
});
