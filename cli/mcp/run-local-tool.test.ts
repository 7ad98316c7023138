// Tests that the signing tools sign for one wallet only, within the budget to the lamport, and never twice with
// one idempotency key.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { json, type ScriptedResponse, startScriptedService } from '../../test/client/scripted-service.ts';
import {
  builds,
  built,
  changeBytes,
  confirms,
  OUTSIDER,
  refuses,
  restakeBytes,
  SECOND_ACCOUNT,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  unstakeBytes,
  VOTE_ACCOUNT,
  withdrawBytes,
} from '../../test/support/honest-responses.ts';
import { CLUSTER, policyText } from '../../test/support/policy-acts.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSignatureLedger } from '../act/signature-ledger.ts';
import { readPolicy } from '../policy/policy-file.ts';
import { createPolicyGuard } from '../policy/policy-guard.ts';
import { UsageError } from '../usage-error.ts';
import type { LocalToolName } from './local-tools.ts';
import { createLocalToolRunner, type LocalSigner, type LocalToolRunner } from './run-local-tool.ts';

type CallOptions = Parameters<LocalToolRunner>[2];

const { walletAddress } = signer;
const of = (sol: number): ScriptedResponse => builds(stakeBytes({ lamports: BigInt(sol * 1e9) }));

const start = async (
  t: TestContext,
  answers: readonly ScriptedResponse[],
  more: Partial<LocalSigner> = {},
) => {
  const service = await startScriptedService(t, answers);
  let signatures = 0;
  const run = createLocalToolRunner(createHoldfastClient({ baseUrl: service.url, retries: 0 }), {
    walletAddress,
    budgetLamports: undefined,
    bind: async () => ({ voteAccount: VOTE_ACCOUNT, memo: 'stake.example' }),
    node: async () => null,
    ledger: createSignatureLedger({ XDG_CONFIG_HOME: temporaryFolder(t) }, service.url),
    sign: (message) => {
      signatures += 1;
      return signer.sign(message);
    },
    ...more,
  });
  return {
    service,
    signatures: () => signatures,
    call: (
      name: LocalToolName,
      given: Record<string, unknown>,
      person: Pick<CallOptions, 'canAsk' | 'answer'> = {},
    ) => run(name, given, { signal: new AbortController().signal, onState: () => undefined, ...person }),
  };
};

test('a response describes the change as read from the signed bytes', async (t) => {
  const stakeAccountAddress = STAKE_ACCOUNT;
  const confirmed = { signature: 'sig', explorerUrl: 'https://explorer.example/tx', message: 'Confirmed.' };
  const common = {
    ...confirmed,
    walletAddress,
    voteAccount: VOTE_ACCOUNT,
    stakeAccountAddress,
    idempotencyKey: 'k',
    warnings: ['Slow.'],
  };
  for (const [name, given, transaction, body] of [
    ['stake', { amountSol: 2 }, stakeBytes(), { ...common, amountSol: 2 }],
    ['unstake', { stakeAccountAddress }, unstakeBytes(), common],
    ['stake', { stakeAccountAddress }, restakeBytes(), common],
    ['withdraw', { stakeAccountAddress }, withdrawBytes({ lamports: 7n }), { ...common, amountSol: 7e-9 }],
    ['withdraw', { stakeAccountAddress, amountSol: null }, withdrawBytes(), { ...common, amountSol: 2 }],
  ] as const) {
    const answer = json(200, { ...built(transaction), warnings: ['Slow.'] });
    const { call } = await start(t, [answer, confirms]);
    assert.deepEqual(await call(name, { ...given, idempotencyKey: 'k' }), { isError: false, body });
  }
});

test('the response for a stake states when the stake becomes active', async (t) => {
  const estimatedActiveAt = '2026-11-27T15:41:05.301Z';
  const landed = { signature: 'sig', explorerUrl: 'https://explorer.example/tx', message: 'Confirmed.' };
  const { call } = await start(t, [of(2), json(200, { ...landed, estimatedActiveAt })]);
  const { body } = await call('stake', { amountSol: 2 });
  assert.equal(body.estimatedActiveAt, estimatedActiveAt);
});

test("a person's approval covers only the same effects with the same idempotency key, and is valid once", async (t) => {
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, policyText({ approveAbove: 1 }));
  const withdraws = (lamports: bigint) => builds(withdrawBytes({ lamports }));
  const [two, three] = [withdraws(2_000_000_000n), withdraws(3_000_000_000n)];
  const { call, signatures } = await start(
    t,
    // Until the first signature, each call only builds a transaction.
    [two, two, three, two, two, two, two, two, confirms, two],
    { policy: createPolicyGuard(readPolicy(path)), cluster: async () => CLUSTER },
  );
  const withdraw = (amountSol: number, idempotencyKey: string, token?: string) =>
    call(
      'withdraw',
      { stakeAccountAddress: STAKE_ACCOUNT, amountSol, idempotencyKey },
      { canAsk: true, ...(token !== undefined && { answer: { token, isApproved: true } }) },
    );
  const first = await withdraw(2, 'key');
  assert.deepEqual([first.isError, first.body.errorCode], [true, 'POLICY_NEEDS_PERSON']);
  assert.match(first.question!.text, /2 SOL withdrawn/);
  const token = first.question!.token;
  assert.ok(
    (await withdraw(2, 'key', crypto.randomUUID())).question,
    'an approval needs an earlier question to the user',
  );
  const other = await withdraw(3, 'key', token);
  assert.match(other.question!.text, /3 SOL withdrawn/, 'other effects need another approval');
  assert.ok((await withdraw(2, 'key', token)).question, 'the token was already used');
  const again = (await withdraw(2, 'key')).question!.token;
  assert.ok((await withdraw(2, 'other key', again)).question, 'another request');
  assert.equal(signatures(), 0);
  const last = (await withdraw(2, 'third key')).question!.token;
  assert.equal(signatures(), 0);
  const auditOf = () =>
    readFileSync(`${path}.audit`, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"requested"'));
  const requested = auditOf().length;
  assert.equal((await withdraw(2, 'third key', last)).isError, false);
  assert.equal(auditOf().length, requested, 'the call with the answer is the same request');
  assert.ok((await withdraw(2, 'fourth key')).question, 'the same effects for another request');
  assert.equal(signatures(), 1);
});

test('a request that needs a person, with no one to ask here, carries the link with which the owner of the wallet can sign it', async (t) => {
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, policyText({ approveAbove: 1 }));
  const signUrl = 'https://stake.example/sign?request=x';
  const signUrlExpiresAt = '2026-11-29T05:38:53.000Z';
  const linked = json(200, { ...built(stakeBytes()), signUrl, signUrlExpiresAt });
  const { call, signatures } = await start(t, [linked, of(2)], {
    policy: createPolicyGuard(readPolicy(path)),
    cluster: async () => CLUSTER,
  });
  const { body } = await call('stake', { amountSol: 2, idempotencyKey: 'k' });
  assert.deepEqual(
    [body.errorCode, body.signUrl, body.signUrlExpiresAt],
    ['POLICY_NEEDS_PERSON', signUrl, signUrlExpiresAt],
  );
  assert.equal(body.idempotencyKey, 'k', 'the link has this key');
  assert.match(String(body.suggestedAction), /^Give signUrl to the owner of the wallet/);
  const without = (await call('stake', { amountSol: 2 })).body;
  assert.deepEqual([without.errorCode, without.signUrl], ['POLICY_NEEDS_PERSON', undefined]);
  assert.equal(signatures(), 0);
});

test('repeating a request that a person signed with the link returns the outcome, but not for another request with its key', async (t) => {
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, policyText({ approveAbove: 1 }));
  const signUrl = 'https://stake.example/sign?request=x';
  const stakeDone = json(409, {
    ...{ error: 'E', errorCode: 'STAKE_ADDRESS_OCCUPIED', message: 'M', reason: 'STAKE_DONE' },
    ...{ stakeAccountAddress: STAKE_ACCOUNT, signature: 'sig' },
  });
  const withdrawal = json(200, { ...built(withdrawBytes({ lamports: 2_000_000_000n })), signUrl });
  const state = json(200, { signature: 'sig', state: 'confirmed', error: null, explorerUrl: 'https://x' });
  const { call, signatures, service } = await start(
    t,
    [
      ...[json(200, { ...built(stakeBytes()), signUrl }), stakeDone, stakeDone],
      ...[withdrawal, refuses('NOT_FOUND', 404), withdrawal, state, state],
    ],
    { policy: createPolicyGuard(readPolicy(path)), cluster: async () => CLUSTER },
  );
  const stake = (amountSol: number) => call('stake', { amountSol, idempotencyKey: 'k' });
  assert.equal((await stake(2)).body.signUrl, signUrl);
  const { isError, body } = await stake(2);
  assert.deepEqual(
    [isError, body.replayed, body.signature, body.stakeAccountAddress],
    [false, true, 'sig', STAKE_ACCOUNT],
  );
  assert.equal((await stake(1)).body.errorCode, 'STAKE_ADDRESS_OCCUPIED');
  const withdraw = () =>
    call('withdraw', { stakeAccountAddress: STAKE_ACCOUNT, amountSol: 2, idempotencyKey: 'w' });
  for (const when of ['first', 'not signed yet'])
    assert.equal((await withdraw()).body.errorCode, 'POLICY_NEEDS_PERSON', when);
  const done = await withdraw();
  assert.deepEqual([done.isError, done.body.replayed, done.body.signature], [false, true, 'sig']);
  assert.match(service.seen.at(-2)!.url, /transaction\?.*idempotencyKey=w/);
  assert.equal(signatures(), 0);
});

for (const limit of ['the policy', 'the budget'] as const)
  test(`repeating a request that was signed returns its outcome even if ${limit} or the freeze file would refuse it now, and anything new is still refused`, async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'policy.json');
    writeFileSync(
      path,
      policyText({
        approveAbove: 2,
        freezeFile: 'freeze',
        ...(limit === 'the policy' && { limits: { stake: { day: 4 } } }),
      }),
    );
    const signUrl = 'https://stake.example/sign?request=x';
    const linked = json(200, { ...built(stakeBytes({ lamports: 2_500_000_000n })), signUrl });
    const stakeDone = json(409, {
      ...{ error: 'E', errorCode: 'STAKE_ADDRESS_OCCUPIED', message: 'M', reason: 'STAKE_DONE' },
      ...{ stakeAccountAddress: STAKE_ACCOUNT, signature: 'sig' },
    });
    const { call, signatures, service } = await start(
      t,
      [linked, of(1.9), confirms, stakeDone, linked, stakeDone, stakeDone, of(1.9)],
      {
        policy: createPolicyGuard(readPolicy(path)),
        cluster: async () => CLUSTER,
        ...(limit === 'the budget' && { budgetLamports: 4_000_000_000n }),
      },
    );
    const stake = async (amountSol: number, idempotencyKey: string) => {
      const { body } = await call('stake', { amountSol, idempotencyKey });
      return body.replayed ? body.signature : body.errorCode;
    };
    assert.equal(await stake(2.5, 'by a person'), 'POLICY_NEEDS_PERSON');
    assert.equal(await stake(1.9, 'by this key'), undefined);
    assert.equal(await stake(2.5, 'by a person'), 'sig');
    const refused = limit === 'the policy' ? 'POLICY_LIMIT' : 'MAX_STAKE_EXCEEDED';
    assert.equal(await stake(2.5, 'by a person'), refused, 'the service builds it again');
    writeFileSync(join(folder, 'freeze'), '');
    for (const [amount, key] of [
      [2.5, 'by a person'],
      [1.9, 'by this key'],
    ] as const)
      assert.equal(await stake(amount, key), 'sig', key);
    const asked = service.seen.length;
    assert.equal(await stake(0.1, 'new'), 'POLICY_FROZEN');
    assert.equal(service.seen.length, asked, 'nothing is built for a new request');
    assert.equal(await stake(1.9, 'by this key'), 'POLICY_FROZEN', 'the service builds it again');
    assert.equal(signatures(), 1);
  });

test('a stake is not signed while there is a critical notice, which a person may overrule with the link', async (t) => {
  const signUrl = 'https://stake.example/sign?request=x';
  const noticed = (severity: string) =>
    json(200, { ...built(stakeBytes()), signUrl, notices: [{ severity, text: 'It does not vote.' }] });
  const { call, signatures } = await start(t, [noticed('critical'), noticed('warning'), confirms]);
  const { isError, body } = await call('stake', { amountSol: 2 });
  assert.deepEqual([isError, body.errorCode, body.signUrl], [true, 'POLICY_NEEDS_PERSON', signUrl]);
  assert.match(String(body.message), /^It does not vote\. .*Nothing was signed/);
  assert.equal(signatures(), 0);
  assert.equal((await call('stake', { amountSol: 2 })).isError, false);
  assert.equal(signatures(), 1);
});

test('while there is a critical notice, for example because someone else may unstake, what delegates nothing is signed', async (t) => {
  const notices = [{ severity: 'critical', text: 'Someone else may unstake a stake of this wallet.' }];
  const noticed = (transaction: string) => json(200, { ...built(transaction), notices });
  const given = { stakeAccountAddress: STAKE_ACCOUNT };
  const { call, signatures } = await start(t, [
    ...[noticed(withdrawBytes()), confirms, noticed(unstakeBytes()), confirms, noticed(restakeBytes())],
  ]);
  assert.equal((await call('withdraw', given)).body.errorCode, undefined);
  assert.equal((await call('unstake', given)).body.errorCode, undefined);
  assert.equal((await call('stake', given)).body.errorCode, 'POLICY_NEEDS_PERSON');
  assert.equal(signatures(), 2);
});

test('the message of a change in several transactions contains every confirmation', async (t) => {
  const part = (name: string) => {
    const operation = {
      type: 'withdraw',
      account: name,
      to: walletAddress,
      authority: walletAddress,
      lamports: 1n,
    };
    return built(changeBytes(operation as Parameters<typeof changeBytes>[0]));
  };
  const transactions = [part(STAKE_ACCOUNT), part(SECOND_ACCOUNT)];
  const { warnings, _meta } = transactions[0]!;
  const done = (signature: string) =>
    json(200, { signature, explorerUrl: 'https://x', message: `${signature} confirmed.` });
  const { call } = await start(t, [
    json(200, { feasible: true, refusal: null, plan: null, transactions, warnings, _meta }),
    ...[done('first'), done('second')],
  ]);
  const { body } = await call('change_stake', { goal: 'withdraw-all' });
  assert.deepEqual([body.signature, body.message], ['second', 'first confirmed. second confirmed.']);
});

test('missing or invalid arguments are refused before any request to the service', async (t) => {
  const { call, service } = await start(t, [confirms]);
  for (const [name, given] of [
    ['stake', {}],
    ['stake', { amountSol: null }],
    ['stake', { amountSol: 0 }],
    ['stake', { amountSol: '1e3' }],
    ['stake', { amountSol: 0.1 + 0.2 }],
    ['stake', { amountSol: Number.POSITIVE_INFINITY }],
    ['stake', { amountSol: true }],
    ['unstake', {}],
    ['unstake', { stakeAccountAddress: '' }],
    ['unstake', { stakeAccountAddress: 7 }],
    ['withdraw', { stakeAccountAddress: STAKE_ACCOUNT, amountSol: -1 }],
    ['stake', { amountSol: 2, walletAddress: OUTSIDER }],
    ['stake', { amountSol: 2, walletAddress: null }],
    ['stake', { amountSol: 2, stakeAccountAddress: STAKE_ACCOUNT }],
  ] as const) {
    const { isError, body } = await call(name, given);
    assert.deepEqual([isError, body.errorCode], [true, 'VALIDATION_ERROR'], JSON.stringify(given));
  }
  assert.equal(service.seen.length, 0);
});

test('every response contains the idempotency key, either the given one or a new one', async (t) => {
  const { call } = await start(t, [refuses('INSUFFICIENT_BALANCE')]);
  const keyOf = async (idempotencyKey: unknown) =>
    String((await call('stake', { amountSol: 2, idempotencyKey })).body.idempotencyKey);
  assert.equal(await keyOf('mine'), 'mine');
  const made = [await keyOf(undefined), await keyOf(''), await keyOf(7)];
  assert.equal(new Set(made).size, 3);
  for (const key of made) assert.match(key, /^mcp-[0-9a-f-]{36}$/);
});

test('the budget can be spent to the last lamport, but not exceeded', async (t) => {
  const other = builds(stakeBytes({ lamports: 1_000_000_000n, stakeAccount: OUTSIDER }));
  const { call, service } = await start(t, [of(2), confirms, other, confirms], {
    budgetLamports: 3_000_000_000n,
  });
  assert.equal((await call('stake', { amountSol: 2 })).isError, false);
  const over = await call('stake', { amountSol: 1.000000001 });
  assert.match(
    String(over.body.message),
    /^The user allowed stakes of 3 SOL in any 24 hours, of which 1 SOL is left\.$/,
  );
  assert.ok(Date.parse(String(over.body.freesAt)) > 0, 'the refusal says when more is left');
  assert.equal(service.seen.length, 2, 'the user was not asked');
  assert.equal((await call('stake', { amountSol: 1 })).isError, false);
  const { message, freesAt, suggestedAction } = (await call('stake', { amountSol: 0.000000001 })).body;
  assert.match(String(message), /, of which 0 SOL/);
  assert.ok(String(suggestedAction).startsWith(`Wait until ${freesAt} at the earliest, or ask the user`));
});

test('a refusal before the signature uses none of the budget', async (t) => {
  const { call, signatures } = await start(
    t,
    [refuses('INSUFFICIENT_BALANCE'), builds(stakeBytes({ voteAccount: OUTSIDER })), 'drop', of(2), confirms],
    { budgetLamports: 2_000_000_000n },
  );
  for (const errorCode of ['INSUFFICIENT_BALANCE', 'NOT_AS_ASKED', 'NETWORK'])
    assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, errorCode);
  assert.equal(signatures(), 0);
  assert.equal((await call('stake', { amountSol: 2 })).isError, false);
});

test('a signature counts toward the budget whatever its outcome, while withdrawals and unstakes do not count', async (t) => {
  const { call } = await start(t, [of(2), refuses('SUBMISSION_FAILED'), builds(unstakeBytes()), confirms], {
    budgetLamports: 2_000_000_000n,
  });
  assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, 'SUBMISSION_FAILED');
  assert.match(String((await call('stake', { amountSol: 1 })).body.message), /, of which 0 SOL is left/);
  assert.equal((await call('unstake', { stakeAccountAddress: STAKE_ACCOUNT })).isError, false);
});

test('repeating a stake of unknown outcome with its key counts it once, and another amount is refused', async (t) => {
  const lost: ScriptedResponse[] = [of(2), 'drop'];
  const other = builds(stakeBytes({ stakeAccount: OUTSIDER, lamports: 1_000_000_000n }));
  const pending = json(200, { state: 'pending', error: null, explorerUrl: 'https://x' });
  const { call, signatures } = await start(t, [...lost, ...lost, pending, of(2), confirms, other, confirms], {
    budgetLamports: 3_000_000_000n,
  });
  const again = (amountSol: number) => call('stake', { amountSol, idempotencyKey: 'k' });
  for (let time = 0; time < 2; time += 1) assert.equal((await again(2)).body.errorCode, 'NETWORK');
  const { body } = await again(3);
  assert.deepEqual([body.errorCode, body.idempotencyKey], ['IDEMPOTENCY_KEY_REUSED', 'k']);
  assert.match(
    String(body.message),
    /^The idempotency key k was used for another request: stake of 2 SOL \(transaction \w+, state: pending\)\. Nothing was signed for the stake of 3 SOL requested now\.$/,
  );
  assert.match(String(body.suggestedAction), /^Repeat the first request with this key until/);
  assert.equal((await again(2)).isError, false);
  assert.equal(signatures(), 3);
  assert.equal((await call('stake', { amountSol: 1 })).isError, false, 'one SOL more was left');
  assert.match(String((await call('stake', { amountSol: 1 })).body.message), /, of which 0 SOL is left/);
});

test('a stake repeated with its key after confirmation returns the first result, without a second signature', async (t) => {
  const stakeDone = json(409, {
    ...{ error: 'E', errorCode: 'STAKE_ADDRESS_OCCUPIED', message: 'M', reason: 'STAKE_DONE' },
    ...{ stakeAccountAddress: STAKE_ACCOUNT, signature: 'sig' },
  });
  const { call, signatures } = await start(t, [of(2), confirms, stakeDone, stakeDone]);
  const first = await call('stake', { amountSol: 2, idempotencyKey: 'k' });
  const again = await call('stake', { amountSol: 2, idempotencyKey: 'k' });
  const figures = ({ signature, stakeAccountAddress, amountSol }: typeof first.body) => [
    ...[signature, stakeAccountAddress, amountSol],
  ];
  assert.deepEqual([again.isError, figures(again.body)], [false, figures(first.body)]);
  assert.match(String(again.body.message), /^This stake was signed before under the same idempotency key/);
  assert.equal((await call('stake', { amountSol: 3, idempotencyKey: 'k' })).isError, true);
  assert.equal(signatures(), 1);
});

test('a withdrawal repeated with its key says first that it was signed before', async (t) => {
  const { call, signatures } = await start(t, [builds(withdrawBytes()), confirms, confirms]);
  const withdraw = async () =>
    (await call('withdraw', { stakeAccountAddress: STAKE_ACCOUNT, idempotencyKey: 'k' })).body.message;
  assert.equal(await withdraw(), 'Confirmed.');
  assert.equal(
    await withdraw(),
    'This request was signed before under the same idempotency key and is confirmed. Nothing was signed in this call. Confirmed.',
  );
  assert.equal(signatures(), 1);
});

test('an unreachable service is reported with advice that an agent can follow, because it cannot choose another service', async (t) => {
  const { call } = await start(t, ['drop', of(2), 'drop']);
  const before = (await call('stake', { amountSol: 2, idempotencyKey: 'k' })).body;
  assert.match(String(before.message), /^No response from .* Nothing was signed in this call\.$/);
  assert.match(String(before.suggestedAction), /^Repeat this call later with the same arguments/);
  const after = (await call('stake', { amountSol: 2, idempotencyKey: 'k' })).body;
  assert.doesNotMatch(String(after.message), /Nothing was signed/);
  assert.match(String(after.suggestedAction), /may still land/);
  for (const { errorCode, suggestedAction } of [before, after]) {
    assert.equal(errorCode, 'NETWORK');
    assert.doesNotMatch(String(suggestedAction), /--/);
  }
});

test('with one idempotency key only one stake account is signed for, and a different key allows a second one', async (t) => {
  const elsewhere = builds(stakeBytes({ stakeAccount: OUTSIDER }));
  // The repetition requests a second build, in case the first stake has landed in the meantime.
  const lies = [elsewhere, elsewhere];
  const { call, signatures } = await start(t, [builds(stakeBytes()), 'drop', ...lies, elsewhere, confirms]);
  await call('stake', { amountSol: 2, idempotencyKey: 'k' });
  const again = await call('stake', { amountSol: 2, idempotencyKey: 'k' });
  assert.equal(again.body.errorCode, 'NOT_AS_ASKED');
  assert.equal(signatures(), 1);
  assert.equal((await call('stake', { amountSol: 2, idempotencyKey: 'other' })).isError, false);
});

test("a key that cannot sign uses no budget, and a user's mistake becomes an error result while a bug is thrown", async (t) => {
  const failures: Error[] = [new UsageError('the key no longer belongs to the wallet'), new TypeError('bug')];
  const { call } = await start(t, [of(2), of(2), of(2), confirms], {
    budgetLamports: 2_000_000_000n,
    sign: (message) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return signer.sign(message);
    },
  });
  const mistaken = await call('stake', { amountSol: 2 });
  assert.deepEqual(
    [mistaken.isError, mistaken.body.message],
    [true, 'the key no longer belongs to the wallet'],
  );
  await assert.rejects(call('stake', { amountSol: 2 }), TypeError);
  assert.equal((await call('stake', { amountSol: 2 })).isError, false);
});
