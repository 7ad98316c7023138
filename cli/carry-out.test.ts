// Carrying out: signed only what was verified and approved, built again only where the chain says that it expired, always the same stake account, never more often than five times.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createHoldfastClient } from '../client/holdfast-client.ts';
import { isHoldfastError } from '../client/holdfast-error.ts';
import { fromBase64 } from '../src/chain/transactions/wire-base64.ts';
import { decodeWire } from '../src/chain/transactions/wire-transaction.ts';
import { json, type ScriptedAnswer, startScriptedService } from '../test/client/scripted-service.ts';
import {
  builds,
  confirms,
  refuses,
  STAKE_ACCOUNT,
  STRANGER,
  signer,
  stakeBytes,
  unstakeBytes,
  VOTE_ACCOUNT,
  withdrawBytes,
} from '../test/support/honest-answers.ts';
import { type CarryOutOptions, carryOut } from './carry-out.ts';
import { Declined, NotAsAsked } from './not-signed.ts';
import type { Wish } from './wish.ts';

const { walletAddress } = signer;
const stake: Wish = { kind: 'stake', walletAddress, amountSol: '2' };
const expired = refuses('BLOCKHASH_EXPIRED');

/** Carries `wish` out against these answers, and keeps what was signed and told. */
const start = async (t: TestContext, answers: readonly ScriptedAnswer[]) => {
  const service = await startScriptedService(t, answers);
  const client = createHoldfastClient({ baseUrl: service.url, retries: 0 });
  const signed: Uint8Array[] = [];
  const steps: string[] = [];
  const run = (wish: Wish, more: Partial<CarryOutOptions> = {}) =>
    carryOut(client, wish, {
      voteAccount: VOTE_ACCOUNT,
      idempotencyKey: 'key',
      sign: (message) => {
        signed.push(message);
        return signer.sign(message);
      },
      approve: async () => true,
      onProgress: ({ step }) => void steps.push(step),
      now: () => 0,
      signal: new AbortController().signal,
      ...more,
    });
  return {
    service,
    signed,
    steps,
    run,
    paths: () => service.seen.map(({ url }) => url.slice('/api/v1'.length)),
  };
};

test('each wish goes to its builder with exactly its members, and comes back signed by the wallet', async (t) => {
  const ed25519 = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), signer.publicKeyBytes]),
    format: 'der',
    type: 'spki',
  });
  const at = { walletAddress, stakeAccountAddress: STAKE_ACCOUNT };
  for (const [wish, transaction, body] of [
    [stake, stakeBytes(), { walletAddress, amountSol: 2 }],
    [{ kind: 'unstake', ...at }, unstakeBytes(), at],
    [{ kind: 'withdraw', ...at, amountSol: '2' }, withdrawBytes(), { ...at, amountSol: 2 }],
    [{ kind: 'withdraw', ...at, amountSol: undefined }, withdrawBytes(), at],
  ] as const) {
    const { run, service, steps, paths } = await start(t, [builds(transaction), confirms]);
    const { answer, prepared } = await run(wish);
    assert.equal(answer.message, 'Confirmed.');
    assert.equal(prepared.verdict.recognised.stakeAccount, STAKE_ACCOUNT);
    assert.deepEqual(paths(), [`/${wish.kind}/transaction`, '/transaction/submit']);
    assert.deepEqual(steps, ['built', 'signed', 'confirmed']);
    assert.deepEqual(JSON.parse(service.seen[0]!.body), body);
    for (const { headers } of service.seen)
      assert.ok([undefined, 'key'].includes(headers['idempotency-key'] as string | undefined));
    const { signedTransaction } = JSON.parse(service.seen[1]!.body) as { signedTransaction: string };
    const wire = decodeWire(fromBase64(signedTransaction));
    assert.ok(verify(null, wire.messageBytes, ed25519, wire.signatures.get(wire.feePayer)!));
  }
});

test('the validator is the one that was pinned; only without one is the service asked', async (t) => {
  const pinned = await start(t, [builds(stakeBytes())]);
  await assert.rejects(pinned.run(stake, { voteAccount: STRANGER }), NotAsAsked);
  assert.deepEqual([pinned.paths(), pinned.signed], [['/stake/transaction'], []]);
  const named = await start(t, [
    json(200, { validatorVoteAccount: VOTE_ACCOUNT }),
    builds(stakeBytes()),
    confirms,
  ]);
  await named.run(stake, { voteAccount: undefined });
  assert.equal(named.paths()[0], `/stake/accounts/${walletAddress}`);
});

test('what was not approved is neither signed nor sent', async (t) => {
  const { run, signed, steps, service } = await start(t, [builds(stakeBytes()), confirms]);
  await assert.rejects(run(stake, { approve: async () => false }), Declined);
  assert.deepEqual([signed, steps, service.seen.length], [[], ['built'], 1]);
});

test('what expired while a person thought is built and asked for again, unsigned; what just lives is signed', async (t) => {
  for (const [thinkMs, asked] of [
    [60_000, 2],
    [59_999, 1],
  ] as const) {
    const { run, signed, steps } = await start(t, [
      ...Array<ScriptedAnswer>(asked).fill(builds(stakeBytes())),
      confirms,
    ]);
    let nowMs = 0;
    let questions = 0;
    await run(stake, {
      now: () => nowMs,
      approve: async () => {
        if (questions++ === 0) nowMs += thinkMs;
        return true;
      },
    });
    assert.deepEqual([questions, signed.length], [asked, 1]);
    assert.equal(steps.filter((step) => step === 'expired').length, asked - 1);
  }
});

test('what the chain let expire is built again under the same key, at most five times', async (t) => {
  const round = [builds(stakeBytes()), expired];
  const once = await start(t, [...round, builds(stakeBytes()), confirms]);
  await once.run(stake);
  assert.deepEqual(once.steps, ['built', 'signed', 'expired', 'built', 'signed', 'confirmed']);
  assert.deepEqual(
    once.service.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? []),
    Array(4).fill('key'),
  );
  const often = await start(t, Array<ScriptedAnswer[]>(9).fill(round).flat());
  await assert.rejects(often.run(stake), { errorCode: 'BLOCKHASH_EXPIRED' });
  assert.equal(often.signed.length, 5);
  assert.equal(often.service.seen.length, 10);
});

test('built again it must be the same stake account, and for a repeated intent the one of before', async (t) => {
  const moved = builds(stakeBytes({ stakeAccount: STRANGER }));
  const { run, signed } = await start(t, [builds(stakeBytes()), expired, moved, confirms]);
  await assert.rejects(run(stake), NotAsAsked);
  assert.equal(signed.length, 1);
  const repeated = await start(t, [moved, confirms]);
  await assert.rejects(repeated.run(stake, { stakeAccount: STAKE_ACCOUNT }), NotAsAsked);
  assert.equal(repeated.signed.length, 0);
});

test('where nobody knows how it ended, the failure names the signature and the key; where it ended, it stays as it is', async (t) => {
  for (const [answer, errorCode, isOpen] of [
    ['drop', 'NETWORK', true],
    [{ status: 502, body: '<html>' }, 'BAD_ANSWER', true],
    [refuses('SUBMISSION_UNRESOLVED', 504), 'SUBMISSION_UNRESOLVED', true],
    [refuses('INTERNAL', 500), 'INTERNAL', true],
    [refuses('A_NEWER_CODE', 503), 'A_NEWER_CODE', true],
    [refuses('SUBMISSION_FAILED', 502), 'SUBMISSION_FAILED', false],
    [refuses('EPOCH_REWARDS_ACTIVE', 502), 'EPOCH_REWARDS_ACTIVE', false],
    [refuses('STAKE_BALANCE_CHANGED'), 'STAKE_BALANCE_CHANGED', false],
    [refuses('INSUFFICIENT_BALANCE'), 'INSUFFICIENT_BALANCE', false],
  ] as const) {
    const { run } = await start(t, [builds(stakeBytes()), answer]);
    let signature = '';
    const onProgress: CarryOutOptions['onProgress'] = (progress) => {
      if (progress.step === 'signed') ({ signature } = progress);
    };
    await assert.rejects(run(stake, { onProgress }), (error) => {
      assert.ok(isHoldfastError(error, errorCode), `${errorCode}: ${error}`);
      assert.equal(error.body?.signature, isOpen ? signature : undefined);
      assert.equal(error.suggestedAction?.includes(`holdfast verify ${signature}`) ?? false, isOpen);
      if (isOpen) assert.equal(error.body?.idempotencyKey, 'key');
      return true;
    });
  }
});

/** Waits for no retry, and gives no attempt up. */
const impatient = {
  now: () => 0,
  sleep: (ms: number) => (ms < 30_000 ? Promise.resolve() : new Promise<void>(() => undefined)),
};

test('an answer that was lost is not forgotten because a later attempt was refused for another reason', async (t) => {
  for (const [code, status] of [
    ['SHUTTING_DOWN', 503],
    ['STORE_UNAVAILABLE', 503],
    ['UPSTREAM_UNAVAILABLE', 502],
    ['RATE_LIMITED', 429],
  ] as const) {
    const service = await startScriptedService(t, [builds(stakeBytes()), 'drop', refuses(code, status)]);
    const client = createHoldfastClient({ baseUrl: service.url, retries: 1, clock: impatient });
    const run = carryOut(client, stake, {
      ...{ voteAccount: VOTE_ACCOUNT, idempotencyKey: 'key', sign: signer.sign, approve: async () => true },
      ...{ onProgress: () => undefined, now: () => 0, signal: new AbortController().signal },
    });
    await assert.rejects(run, (error) => {
      assert.ok(isHoldfastError(error, code), String(error));
      assert.deepEqual([typeof error.body?.signature, error.body?.idempotencyKey], ['string', 'key']);
      return true;
    });
    assert.equal(service.seen.length, 3);
  }
});

test('a builder’s refusal is the outcome: nothing was signed, and nothing is said of a signature', async (t) => {
  const { run, signed, steps } = await start(t, [refuses('SUBMISSION_UNRESOLVED')]);
  await assert.rejects(run(stake), (error) => isHoldfastError(error) && error.body?.signature === undefined);
  assert.deepEqual([signed, steps], [[], []]);
});
