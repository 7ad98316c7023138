// Tests signing with the ledger: an expired stake change is signed again only after a proof of its expiry,
// which the ledger keeps, and a refused signature leaves no record.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { NotAsAsked } from '../../client/staking/staking-errors.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import { json, type ScriptedResponse, startScriptedService } from '../../test/client/scripted-service.ts';
import {
  builds,
  built,
  changeBytes,
  confirms,
  refuses,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  VOTE_ACCOUNT,
} from '../../test/support/honest-responses.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { landedDocument } from './act-document.ts';
import { type SigningOptions, signAndSubmit } from './sign-and-submit.ts';
import { createSignatureLedger } from './signature-ledger.ts';

const { walletAddress } = signer;
const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'withdraw-all' };
const expired = refuses('BLOCKHASH_EXPIRED');

/** A plan that withdraws `lamports`. */
const plan = (lamports: bigint, more: object = {}): ScriptedResponse => {
  const [account, wallet] = [STAKE_ACCOUNT, walletAddress] as Address[];
  const operation = { type: 'withdraw' as const, account: account!, to: wallet!, authority: wallet! };
  const response = built(changeBytes({ ...operation, lamports: 1n }, { ...operation, lamports }));
  const { warnings, _meta } = response;
  return json(200, {
    feasible: true,
    refusal: null,
    plan: null,
    transactions: [response],
    warnings,
    _meta,
    ...more,
  });
};

const start = async (t: TestContext, responses: readonly ScriptedResponse[]) => {
  const server = await startScriptedService(t, responses);
  const ledger = createSignatureLedger({ XDG_CONFIG_HOME: temporaryFolder(t) }, server.url);
  const signatures: string[] = [];
  const run = (more: Partial<SigningOptions> = {}, wanted: StakingRequest = request) =>
    signAndSubmit(stakingService(createHoldfastClient({ baseUrl: server.url, retries: 0 })), wanted, {
      binding: { voteAccount: VOTE_ACCOUNT, memo: 'stake.example' },
      idempotencyKey: 'key',
      ledger,
      sign: (message) => {
        const signature = signer.sign(message);
        signatures.push(Buffer.from(signature).toString('hex'));
        return signature;
      },
      approve: async () => 'sign',
      now: () => performance.now(),
      signal: new AbortController().signal,
      ...more,
    });
  const paths = () => server.seen.map(({ url }) => url.slice('/api/v1'.length));
  return { ledger, run, signatures, paths };
};

const SUBMIT = '/transaction/submit';

test('a transaction that only the service reports as expired is not signed again without proof, in this run or the next', async (t) => {
  const here = await start(t, [
    ...[plan(5n), expired, plan(6n)],
    // The next run submits the first transaction again before it requests a new plan.
    ...[expired, plan(6n)],
    ...[expired, plan(6n), confirms],
  ]);
  await assert.rejects(here.run(), { errorCode: 'STILL_POSSIBLE' });
  const first = here.ledger.lastSigned(walletAddress, 'key')!.signature!;
  await assert.rejects(here.run({ provesExpired: async () => false }), { errorCode: 'STILL_POSSIBLE' });
  assert.equal(here.signatures.length, 1);
  const asked: string[] = [];
  const { record } = await here.run({
    provesExpired: async ({ signature }) => {
      asked.push(signature);
      return true;
    },
  });
  assert.deepEqual([asked, here.signatures.length], [[first], 2]);
  assert.deepEqual(here.paths(), [...['/plan', SUBMIT, '/plan'], SUBMIT, '/plan', SUBMIT, '/plan', SUBMIT]);
  assert.ok(record.confirmedAtMs !== undefined);
  const last = here.ledger.lastSigned(walletAddress, 'key')!.signature!;
  here.ledger.proveDead(last);
  assert.notEqual(last, first);
  assert.equal(
    here.ledger.lastSigned(walletAddress, 'key'),
    undefined,
    'the first transaction has already expired',
  );
});

test('two runs with the same key at the same time sign once, and the later one returns the outcome of the first', async (t) => {
  for (const end of ['sign', 'fail'] as const) {
    const here = await start(t, [plan(5n), plan(5n), confirms, confirms]);
    let isFirst = true;
    const { record } = await here.run({
      approve: async () => {
        if (isFirst) await here.run();
        isFirst = false;
        if (end === 'fail') throw new NotAsAsked('The account is already in use.', 'service');
        return end;
      },
    });
    assert.ok(record.confirmedAtMs !== undefined);
    assert.deepEqual([here.signatures.length, here.paths()], [1, ['/plan', '/plan', SUBMIT, SUBMIT]]);
  }
});

test('a stake that lands between its second build and the check returns its outcome, while a false build is refused', async (t) => {
  const stake: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 2_000_000_000n };
  const body = { errorCode: 'STAKE_ADDRESS_OCCUPIED', signature: 'sig', stakeAccountAddress: STAKE_ACCOUNT };
  const build = builds(stakeBytes());
  const here = await start(t, [build, confirms, build, json(409, body), build, build]);
  await here.run({}, stake);
  const taken = {
    acceptEarlier: true,
    approve: async (): Promise<never> => {
      throw new NotAsAsked('The account is already in use.', 'service');
    },
  };
  const { record } = await here.run(taken, stake);
  assert.deepEqual([record.signature, here.signatures.length], ['sig', 1]);
  await assert.rejects(here.run(taken, stake), NotAsAsked);
  assert.equal(here.signatures.length, 1);
});

test('an idempotency key that was used on another chain is refused before anything is requested', async (t) => {
  const here = await start(t, [plan(5n), confirms]);
  await here.run({ cluster: 'first' });
  const before = here.paths();
  await assert.rejects(here.run({ cluster: 'second' }), {
    errorCode: 'IDEMPOTENCY_KEY_REUSED',
    message: /another chain \(genesis hash first\).*now on second/,
  });
  assert.deepEqual([here.paths(), here.signatures.length], [before, 1]);
});

test('a stake whose idempotency key was already used for a different request is refused with the outcome of the first, before anything is built', async (t) => {
  const refused = refuses('IDEMPOTENCY_KEY_REUSED');
  const landed = json(200, { state: 'finalized', error: null, explorerUrl: 'https://x' });
  const here = await start(t, [plan(5n), confirms, landed, 'drop', confirms, refused]);
  await here.run();
  const { signature } = here.ledger.lastSigned(walletAddress, 'key')!;
  const before = here.paths();
  const stake: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 2_000_000_000n };
  for (const [outcome, advice] of [
    ['confirmed', /^Use a new idempotency key only if you want the stake of 2 SOL in addition/],
    ['state: unknown', /^Repeat the first request with this key/],
  ] as const)
    await assert.rejects(here.run({}, stake), {
      errorCode: 'IDEMPOTENCY_KEY_REUSED',
      message: `The idempotency key key was used for another request: stake change (withdraw-all) (transaction ${signature}, ${outcome}). Nothing was signed for the stake of 2 SOL requested now.`,
      suggestedAction: advice,
    });
  const asked = `/transaction/${signature}`;
  assert.deepEqual([here.paths(), here.signatures.length], [[...before, asked, asked], 1]);
  assert.equal((await here.run()).record.signature, 'sig', 'the first request can still be repeated');
  assert.equal(here.signatures.length, 1);
  here.ledger.proveDead(signature!);
  await assert.rejects(here.run({}, stake), { errorCode: 'IDEMPOTENCY_KEY_REUSED' });
});

test('the JSON document of a signed request contains the warnings of the service, and that of its repetition none', async (t) => {
  const warnings = ['The validator does not vote.'];
  const here = await start(t, [plan(5n, { warnings }), confirms, confirms]);
  const facts = {
    action: 'withdraw',
    idempotencyKey: 'key',
    binding: { voteAccount: VOTE_ACCOUNT, memo: 'stake.example' },
    hasService: true,
    listed: null,
  };
  const documentOf = async () => {
    const done = await here.run();
    return landedDocument(facts, done, done.response, here.ledger.lastSigned(walletAddress, 'key'));
  };
  assert.deepEqual((await documentOf()).warnings, warnings);
  assert.deepEqual((await documentOf()).warnings, []);
});

test('the ledger stays empty if the key does not sign', async (t) => {
  const here = await start(t, [plan(5n), plan(5n), confirms]);
  const refusal = new Error('no');
  await assert.rejects(
    here.run({
      sign: () => {
        throw refusal;
      },
    }),
    refusal,
  );
  assert.equal(here.ledger.lastSigned(walletAddress, 'key'), undefined);
  await here.run();
  assert.equal(here.signatures.length, 1);
});
