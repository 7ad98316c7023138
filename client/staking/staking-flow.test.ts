// Tests that only verified and approved transactions are signed, and that expired ones are rebuilt for the same
// stake account, at most five times.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { fromBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { json, type ScriptedResponse } from '../../test/client/scripted-service.ts';
import {
  builds,
  built,
  changeBytes,
  confirms,
  OUTSIDER,
  refuses,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  unstakeBytes,
  withdrawBytes,
} from '../../test/support/honest-responses.ts';
import { startFlow } from '../../test/support/staking-flow-world.ts';
import { isHoldfastError } from '../holdfast-error.ts';
import type { StakingPorts } from './run-staking-flow.ts';
import { Declined, NotAsAsked } from './staking-errors.ts';
import type { StakingRequest } from './staking-request.ts';
import type { StakingState } from './staking-states.ts';
import { takeApart, withSignature } from './wire-signatures.ts';

const { walletAddress } = signer;
const stake: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 2_000_000_000n };
const expired = refuses('BLOCKHASH_EXPIRED');

test('each request goes to its builder with exactly its fields, and is signed by the wallet', async (t) => {
  const ed25519 = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), signer.publicKeyBytes]),
    format: 'der',
    type: 'spki',
  });
  const at = { walletAddress, stakeAccountAddress: STAKE_ACCOUNT };
  for (const [request, transaction, body] of [
    [stake, stakeBytes(), { walletAddress, amountSol: 2 }],
    [{ kind: 'unstake', ...at }, unstakeBytes(), at],
    [{ kind: 'withdraw', ...at, amountLamports: 2_000_000_000n }, withdrawBytes(), { ...at, amountSol: 2 }],
    [{ kind: 'withdraw', ...at, amountLamports: undefined }, withdrawBytes(), at],
  ] as const) {
    const { run, service, states, paths } = await startFlow(t, [builds(transaction), confirms]);
    const { response, prepared } = await run(request);
    assert.equal(response.message, 'Confirmed.');
    assert.equal(prepared?.verdict.recognized.stakeAccount, STAKE_ACCOUNT);
    assert.deepEqual(paths(), [`/${request.kind}/transaction`, '/transaction/submit']);
    assert.deepEqual(states, ['requested', 'built', 'approved', 'signed', 'landed']);
    assert.deepEqual(JSON.parse(service.seen[0]!.body), body);
    for (const { headers } of service.seen)
      assert.ok([undefined, 'key'].includes(headers['idempotency-key'] as string | undefined));
    const { signedTransaction } = JSON.parse(service.seen[1]!.body) as { signedTransaction: string };
    const wire = decodeWire(fromBase64(signedTransaction));
    assert.ok(verify(null, wire.messageBytes, ed25519, wire.signatures.get(wire.feePayer)!));
  }
});

test('a change to one named account is planned with that account alone', async (t) => {
  const { run, service } = await startFlow(t, [refuses('PLAN_IMPOSSIBLE')]);
  const change = {
    kind: 'rearrange',
    walletAddress,
    goal: 'unstake',
    amountLamports: 1_000_000_000n,
  } as const;
  await assert.rejects(run({ ...change, stakeAccountAddress: STAKE_ACCOUNT }));
  const { stakeAccountAddresses } = JSON.parse(service.seen[0]!.body) as { stakeAccountAddresses: unknown };
  assert.deepEqual(stakeAccountAddresses, [STAKE_ACCOUNT]);
});

test('a transaction may delegate only to the named validator', async (t) => {
  const pinned = await startFlow(t, [builds(stakeBytes())]);
  await assert.rejects(pinned.run(stake, { binding: { voteAccount: OUTSIDER } }), NotAsAsked);
  assert.deepEqual([pinned.paths(), pinned.signed], [['/stake/transaction'], []]);
});

test('an unapproved transaction is neither signed nor sent, and is not stored as pending', async (t) => {
  const { run, signed, states, service, removed } = await startFlow(t, [builds(stakeBytes()), confirms]);
  await assert.rejects(
    run(stake, { approve: async () => 'decline' }),
    (error) => error instanceof Declined && error.prepared.verdict.recognized.stakeAccount === STAKE_ACCOUNT,
  );
  assert.deepEqual([signed, states, service.seen.length], [[], ['requested', 'built', 'refused'], 1]);
  assert.deepEqual(
    removed.map(({ idempotencyKey }) => idempotencyKey),
    ['key'],
  );
});

test('a transaction that expires while a person decides is rebuilt and approved again before it is signed, while a barely valid one is signed', async (t) => {
  for (const [thinkMs, asked] of [
    [60_000, 2],
    [59_999, 1],
  ] as const) {
    const { run, signed, states } = await startFlow(t, [
      ...Array<ScriptedResponse>(asked).fill(builds(stakeBytes())),
      confirms,
    ]);
    let nowMs = 0;
    let questions = 0;
    await run(stake, {
      now: () => nowMs,
      approve: async () => {
        if (questions++ === 0) nowMs += thinkMs;
        return 'sign';
      },
    });
    assert.deepEqual([questions, signed.length], [asked, 1]);
    assert.equal(states.filter((name) => name === 'expired').length, asked - 1);
  }
});

test('a transaction that expired on chain is rebuilt with the same idempotency key, at most five times', async (t) => {
  const round = [builds(stakeBytes()), expired];
  const once = await startFlow(t, [...round, builds(stakeBytes()), confirms]);
  await once.run(stake);
  const round1 = ['requested', 'built', 'approved', 'signed'];
  assert.deepEqual(once.states, [...round1, 'expired', ...round1, 'landed']);
  assert.deepEqual(
    once.service.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? []),
    Array(4).fill('key'),
  );
  const often = await startFlow(t, Array<ScriptedResponse[]>(9).fill(round).flat());
  await assert.rejects(often.run(stake), { errorCode: 'BLOCKHASH_EXPIRED' });
  assert.equal(often.signed.length, 5);
  assert.equal(often.service.seen.length, 10);
});

test('a rebuilt stake must keep its stake account, and a repeated request must use the earlier account', async (t) => {
  const moved = builds(stakeBytes({ stakeAccount: OUTSIDER }));
  const { run, signed } = await startFlow(t, [builds(stakeBytes()), expired, moved, confirms]);
  await assert.rejects(run(stake), NotAsAsked);
  assert.equal(signed.length, 1);
  const repeated = await startFlow(t, [moved, confirms]);
  await assert.rejects(repeated.run(stake, {}, { stakeAccountAddress: STAKE_ACCOUNT }), NotAsAsked);
  assert.equal(repeated.signed.length, 0);
});

test('the error for an unknown outcome contains the signature and the key, and a known outcome is final', async (t) => {
  for (const [response, errorCode, isOpen] of [
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
    const { run } = await startFlow(t, [builds(stakeBytes()), response]);
    let signature = '';
    const onState = ({ name, record }: StakingState): void => {
      if (name === 'signed') signature = record.signature!;
    };
    await assert.rejects(run(stake, { onState }), (error) => {
      assert.ok(isHoldfastError(error, errorCode), `${errorCode}: ${error}`);
      assert.equal(error.body?.signature, isOpen ? signature : undefined);
      assert.equal(error.suggestedAction?.includes(`holdfast verify ${signature}`) ?? false, isOpen);
      if (isOpen) assert.equal(error.body?.idempotencyKey, 'key');
      return true;
    });
  }
});

/** A clock with which retries do not wait and attempts never time out. */
const impatient = {
  now: () => 0,
  sleep: (ms: number) => (ms < 30_000 ? Promise.resolve() : new Promise<void>(() => undefined)),
};

test('a lost response is not forgotten if a later attempt is refused for a different reason', async (t) => {
  for (const [code, status] of [
    ['SHUTTING_DOWN', 503],
    ['STORE_UNAVAILABLE', 503],
    ['UPSTREAM_UNAVAILABLE', 502],
    ['RATE_LIMITED', 429],
  ] as const) {
    const { run, service } = await startFlow(t, [builds(stakeBytes()), 'drop', refuses(code, status)], {
      retries: 1,
      clock: impatient,
    });
    await assert.rejects(run(stake), (error) => {
      assert.ok(isHoldfastError(error, code), String(error));
      assert.deepEqual([typeof error.body?.signature, error.body?.idempotencyKey], ['string', 'key']);
      return true;
    });
    assert.equal(service.seen.length, 3);
  }
});

test('the flow ends without a signature if the builder refuses', async (t) => {
  const { run, signed, states } = await startFlow(t, [refuses('SUBMISSION_UNRESOLVED')]);
  await assert.rejects(run(stake), (error) => isHoldfastError(error) && error.body?.signature === undefined);
  assert.deepEqual([signed, states], [[], ['requested', 'refused']]);
});

test('an invalid transaction is refused before it is verified', async (t) => {
  const whole = stakeBytes();
  for (const text of ['', 'AAAA', 'не base64', whole.slice(0, -4), `${whole}AAAA`, `${whole} `]) {
    const { run, signed } = await startFlow(t, [builds(text)]);
    await assert.rejects(
      run(stake),
      (error) => error instanceof NotAsAsked && error.fields.length === 0,
      text.slice(-8),
    );
    assert.deepEqual(signed, []);
  }
});

test('a signed transaction is stored before it is sent, and its record fixes the only account that may be signed for', async (t) => {
  const { run, stored, service } = await startFlow(t, [builds(stakeBytes()), confirms]);
  let sentBefore = -1;
  await run(stake, {
    approve: async () => {
      assert.equal(stored.at(-1)?.stakeAccountAddress, STAKE_ACCOUNT, 'stored before the user is asked');
      return 'sign';
    },
    store: {
      save: (record) => {
        stored.push(record);
        sentBefore = service.seen.length;
      },
      saveIfPossible: () => undefined,
      remove: () => undefined,
    },
  });
  assert.equal(sentBefore, 1);
  const last = stored.at(-1);
  assert.deepEqual([last?.stakeAccountAddress, typeof last?.signature], [STAKE_ACCOUNT, 'string']);
});

test('a signer who responds after expiry is given a new transaction for the same account', async (t) => {
  const fresh = () => builds(stakeBytes());
  const { run, sign, signed, states, service } = await startFlow(t, [
    fresh(),
    fresh(),
    expired,
    fresh(),
    confirms,
  ]);
  let nowMs = 0;
  const reasons: string[] = [];
  const { record } = await run(stake, {
    now: () => nowMs,
    leastLifeShare: 0.75,
    approve: async (_prepared, { why }) => {
      reasons.push(why);
      // The user reviews the transaction for twenty seconds.
      if (why === 'first') nowMs += 20_000;
      return 'sign';
    },
    sign: (transaction) => {
      // The first signature, on a phone, takes a minute.
      if (signed.length === 0) nowMs += 60_000;
      return sign(transaction);
    },
  });
  assert.deepEqual(reasons, ['first', 'stale', 'expired']);
  assert.deepEqual([signed.length, record.stakeAccountAddress], [2, STAKE_ACCOUNT]);
  assert.equal(states.filter((name) => name === 'expired').length, 2);
  assert.equal(service.seen.length, 5);
});

test('the last allowed build is signed even if its approval takes long', async (t) => {
  const { run, service } = await startFlow(t, [builds(stakeBytes()), confirms]);
  let nowMs = 0;
  await run(stake, {
    mostBuilds: 1,
    leastLifeShare: 0.75,
    now: () => nowMs,
    approve: async () => {
      nowMs += 20_000;
      return 'sign';
    },
  });
  assert.equal(service.seen.length, 2);
});

test("the signer's result is compared with the approved account and amount", async (t) => {
  const at = { kind: 'withdraw', walletAddress, stakeAccountAddress: STAKE_ACCOUNT } as const;
  for (const [request, transaction, returned] of [
    [stake, stakeBytes(), stakeBytes({ stakeAccount: OUTSIDER })],
    // The request withdraws everything, and two lamports were approved.
    [at, withdrawBytes({ lamports: 2n }), withdrawBytes({ lamports: 1n })],
  ] as const) {
    const { run, paths } = await startFlow(t, [builds(transaction), confirms]);
    const swap: Partial<StakingPorts> = {
      sign: () => {
        const wire = fromBase64(returned);
        return {
          how: 'signed',
          bytes: withSignature(wire, walletAddress, signer.sign(takeApart(wire).message)),
        };
      },
    };
    await assert.rejects(
      run(request, swap),
      (error) => error instanceof NotAsAsked && error.from === 'signer',
    );
    assert.equal(paths().length, 1, 'nothing was submitted');
  }
});

test('a signed stake change must have exactly the reviewed effects, even if the goal allows more', async (t) => {
  const [account, other] = [STAKE_ACCOUNT, OUTSIDER] as Address[];
  const authority = walletAddress as Address;
  const withdraw = (from: Address, lamports: bigint): MachineOperation => ({
    type: 'withdraw',
    account: from,
    to: authority,
    lamports,
    authority,
  });
  const reviewed = changeBytes(withdraw(account!, 5n), withdraw(other!, 7n));
  const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'withdraw-all' };
  const response = (transaction: string) => {
    const { warnings, _meta, ...rest } = built(transaction);
    return json(200, { feasible: true, refusal: null, plan: null, transactions: [rest], warnings, _meta });
  };
  for (const [returned, isSame] of [
    [reviewed, true],
    [changeBytes(withdraw(account!, 5n), withdraw(other!, 8n)), false],
    [changeBytes(withdraw(account!, 5n)), false],
    [changeBytes(withdraw(account!, 5n), withdraw(other!, 7n), withdraw(other!, 1n)), false],
    [changeBytes(withdraw(other!, 7n), withdraw(account!, 5n)), false],
  ] as const) {
    const { run, paths } = await startFlow(t, [response(reviewed), confirms]);
    const wire = fromBase64(returned);
    const bytes = withSignature(wire, walletAddress, signer.sign(takeApart(wire).message));
    const done = run(request, { sign: () => ({ how: 'signed', bytes }) });
    if (isSame) await done;
    else await assert.rejects(done, (error) => error instanceof NotAsAsked && error.from === 'signer');
    assert.equal(paths().length, isSame ? 2 : 1);
  }
});
