// Tests the flow of a transaction with every possible response of service and wallet: it ends, it resumes, and
// it never has its effect twice.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { Signed } from '../../../client/staking/run-staking-flow.ts';
import type { StakingRequest } from '../../../client/staking/staking-request.ts';
import {
  built,
  CHECKED,
  fail,
  REQUEST,
  record,
  SIGNED,
  WRONG,
  world,
} from '../../../test/support/flow-world.ts';
import { WalletError } from '../wallet/wallet-error.ts';
import { ServiceRestarted } from './flow-state.ts';
import { createTransactionFlow } from './transaction-flow.ts';

it('a stake is built, signed, submitted and confirmed with one idempotency key', async () => {
  const here = world();
  const flow = here.make();
  await flow.begin(REQUEST);
  assert.equal(flow.state.get().step, 'review');
  await flow.approve();
  const { step, record } = flow.state.get();
  assert.equal(step, 'confirmed');
  assert.deepEqual(here.calls, ['build', 'sign', 'recheck', 'submit', 'landed']);
  assert.equal(new Set(here.keys).size, 1);
  assert.equal(record?.signature, 'landed');
  assert.equal(here.recorded()?.signedTransaction, undefined);
});

it('the signed transaction is stored before it is submitted', async () => {
  const here = world();
  let atSubmit: TransactionRecord | null = null;
  const flow = createTransactionFlow({
    ...here.deps,
    service: {
      ...here.deps.service,
      submit: async () => {
        atSubmit = here.recorded();
        return { signature: 'landed', explorerUrl: '' };
      },
    },
  });
  await flow.begin(REQUEST);
  await flow.approve();
  assert.ok(atSubmit!.signedTransaction);
  assert.ok(atSubmit!.signature);
});

it('a transaction that failed the check never reaches the wallet', async () => {
  const here = world({ check: [WRONG] });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  assert.ok(!here.calls.includes('sign'));
});

it('a transaction that the wallet changed or made unreadable is not submitted', async () => {
  for (const recheck of [WRONG, new RangeError('unreadable')]) {
    const here = world({ recheck: [recheck] });
    const flow = here.make();
    await flow.begin(REQUEST);
    await flow.approve();
    assert.equal((flow.state.get().error as WalletError).kind, 'changed');
    assert.equal(flow.state.get().step, 'review');
    assert.ok(!here.calls.includes('submit'));
  }
});

it('a wallet that declined can be asked again for the same transaction', async () => {
  const here = world({ sign: [new WalletError('refused', 'No', 'no'), { how: 'signed', bytes: SIGNED }] });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.equal(here.calls.filter((call) => call === 'build').length, 1);
});

it('an expired transaction is rebuilt with the same key and signed again, at most twice automatically', async () => {
  const here = world({ submit: [fail('BLOCKHASH_EXPIRED')] });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  assert.equal(here.calls.filter((call) => call === 'sign').length, 3);
  assert.equal(new Set(here.keys).size, 1);
});

it('a transaction that is about to expire is rebuilt before the wallet is asked', async () => {
  let nowMs = 0;
  const here = world({ build: [built(), built()] });
  const flow = createTransactionFlow({ ...here.deps, now: () => nowMs });
  await flow.begin(REQUEST);
  nowMs = 59_000;
  await flow.approve();
  assert.deepEqual(here.calls.slice(0, 3), ['build', 'build', 'sign']);
});

it('a transaction rebuilt after a long review is shown again if it differs from the approved one', async () => {
  for (const [effectsFingerprint, step] of [
    ['as approved', 'confirmed'],
    ['something else', 'review'],
  ] as const) {
    let nowMs = 0;
    const here = world({
      check: [
        { ...CHECKED, effectsFingerprint: 'as approved' },
        { ...CHECKED, effectsFingerprint },
      ],
    });
    const flow = createTransactionFlow({ ...here.deps, now: () => nowMs });
    await flow.begin(REQUEST);
    nowMs = 20_000;
    await flow.approve();
    assert.equal(flow.state.get().step, step);
    assert.equal(here.calls.includes('sign'), step === 'confirmed');
  }
});

it('after a lost response the page requests the state, and the wallet does not sign again', async () => {
  const here = world({
    submit: [fail('NETWORK')],
    stateOf: [fail('NETWORK'), { state: 'pending' }, { state: 'finalized', error: null, explorerUrl: '' }],
  });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.deepEqual(here.calls, [
    'build',
    'sign',
    'recheck',
    'submit',
    'stateOf',
    'stateOf',
    'stateOf',
    'landed',
  ]);
});

it('while the state is unknown the same bytes are submitted again', async () => {
  const here = world({
    submit: [fail('TIMEOUT'), { signature: 'landed', explorerUrl: '' }],
    stateOf: [fail('NOT_FOUND')],
  });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.equal(here.calls.filter((call) => call === 'sign').length, 1);
});

it('the flow respects the retry time of the service', async () => {
  const here = world({ submit: [fail('RATE_LIMITED', { retryAfterSeconds: 17, status: 429 })] });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.deepEqual(here.slept, [17_000]);
});

it('a flow waits for the rate limit before it builds anything, and shows how long', async () => {
  const here = world({ build: [fail('RATE_LIMITED', { retryAfterSeconds: 42, status: 429 }), built()] });
  const homes = [fail('RATE_LIMITED', { retryAfterSeconds: 2, status: 429 }), fail('RATE_LIMITED')];
  const shown: unknown[] = [];
  const flow = createTransactionFlow({
    ...here.deps,
    identity: async () => {
      const refused = homes.shift();
      if (refused) throw refused;
      return here.deps.identity();
    },
    sleep: async (ms) => {
      shown.push([flow.state.get().step, flow.state.get().busyUntilMs]);
      await here.deps.sleep(ms);
    },
  });
  await flow.begin(REQUEST);
  assert.deepEqual(here.slept, [2_000, 1_000, 42_000]);
  const nowMs = here.deps.now();
  assert.deepEqual(shown, [
    ['preparing', nowMs + 2_000],
    ['preparing', nowMs + 1_000],
    ['preparing', nowMs + 42_000],
  ]);
  assert.equal(flow.state.get().step, 'review');
  assert.equal(flow.state.get().busyUntilMs, null);
  assert.equal(new Set(here.keys).size, 1);
});

it('a flow waits until rewards are paid out, says so, and then opens the review by itself', async () => {
  const here = world({ build: [fail('EPOCH_REWARDS_ACTIVE', { retryAfterSeconds: 20 }), built()] });
  const shown: unknown[] = [];
  const flow = createTransactionFlow({
    ...here.deps,
    sleep: async (ms) => {
      const { step, isPayingRewards } = flow.state.get();
      shown.push([step, isPayingRewards]);
      await here.deps.sleep(ms);
    },
  });
  await flow.begin(REQUEST);
  assert.deepEqual(shown, [['preparing', true]]);
  // Shorter than the service suggests, because a sandbox's epoch may last only as long.
  assert.deepEqual(here.slept, [5_000]);
  assert.equal(flow.state.get().step, 'review');
  assert.equal(new Set(here.keys).size, 1);
});

it('a flow dismissed while it waits for the rate limit sends no more requests', async () => {
  const here = world({ build: [fail('RATE_LIMITED', { retryAfterSeconds: 5 }), built()] });
  const flow = createTransactionFlow({ ...here.deps, sleep: async () => flow.dismiss() });
  await flow.begin(REQUEST);
  assert.deepEqual(here.calls, ['build']);
  assert.equal(flow.state.get().step, 'idle');
});

it('an unavailable service is polled less and less often, down to every ten seconds', async () => {
  const here = world({
    submit: [...Array.from({ length: 9 }, () => fail('NETWORK')), { signature: 'landed', explorerUrl: '' }],
    stateOf: [fail('NOT_FOUND')],
  });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.deepEqual(here.slept.slice(0, 3), [1_000, 1_500, 2_250]);
  assert.deepEqual(
    here.slept,
    here.slept.toSorted((a, b) => a - b),
  );
  assert.equal(here.slept.at(-1), 10_000);
});

it('the wallet signs only reviewed transactions', async () => {
  const here = world({ submit: [fail('INSUFFICIENT_BALANCE')] });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'failed');
  await flow.approve();
  assert.equal(here.calls.filter((call) => call === 'sign').length, 1);
});

it('an occupied address proves that a transaction landed only for a stake', async () => {
  const here = world({
    build: [fail('STAKE_ADDRESS_OCCUPIED', { body: { signature: 'earlier', stakeAccountAddress: 'stake' } })],
  });
  const flow = here.make();
  await flow.begin({ kind: 'unstake', walletAddress: 'wallet', stakeAccountAddress: 'stake' });
  assert.equal(flow.state.get().step, 'failed');
});

it('a stake of another amount with the same key is not mistaken for this one', async () => {
  const body = { reason: 'OTHER_AMOUNT_STAKED', signature: 'earlier', stakeAccountAddress: 'stake' };
  const here = world({ build: [fail('STAKE_ADDRESS_OCCUPIED', { body })] });
  const flow = here.make();
  await flow.begin(REQUEST);
  assert.equal(flow.state.get().step, 'failed');
});

it('a transaction that failed on chain is a failure and is not stored', async () => {
  const here = world({
    submit: [fail('NETWORK')],
    stateOf: [{ state: 'failed', error: { Custom: 6 }, explorerUrl: '' }],
  });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'failed');
  assert.match(String(flow.state.get().error), /Custom/);
  assert.equal(here.recorded(), null);
});

it('a transaction sent by the wallet itself is followed by its signature until it can no longer land', async () => {
  const landed = world({
    sign: [{ how: 'sent', signature: 'by-wallet' }],
    stateOf: [fail('NOT_FOUND'), { state: 'confirmed', error: null, explorerUrl: '' }],
  });
  const first = landed.make();
  await first.begin(REQUEST);
  await first.approve();
  assert.equal(first.state.get().record?.signature, 'by-wallet');
  assert.ok(!landed.calls.includes('submit'));

  const lost = world({
    sign: [{ how: 'sent', signature: 'by-wallet' }, new WalletError('refused', 'No', 'no')],
    stateOf: [fail('NOT_FOUND')],
    // At the last valid height, the transaction can still land.
    blockHeight: [150, 151],
  });
  const second = lost.make();
  await second.begin(REQUEST);
  await second.approve();
  assert.equal(lost.calls.filter((call) => call === 'blockHeight').length, 2);
  assert.equal(second.state.get().step, 'review');
  assert.equal(new Set(lost.keys).size, 1);
});

it('a stake that had landed after all is found when it is rebuilt', async () => {
  const here = world({
    build: [
      built(),
      fail('STAKE_ADDRESS_OCCUPIED', { body: { signature: 'earlier', stakeAccountAddress: 'stake' } }),
    ],
    submit: [fail('BLOCKHASH_EXPIRED')],
  });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.equal(flow.state.get().record?.signature, 'earlier');
  assert.equal(here.calls.filter((call) => call === 'sign').length, 1);
});

it('after a reload a signed transaction continues with its key, without the wallet', async () => {
  const here = world();
  here.keep(record({ signedTransaction: 'AAAA', signature: 'mine' }));
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.deepEqual(here.calls, ['submit', 'landed']);
  assert.deepEqual(here.keys, ['kept-key']);
});

it('after a reload an expired transaction is rebuilt, without opening the wallet automatically', async () => {
  const here = world({ submit: [fail('BLOCKHASH_EXPIRED')] });
  here.keep(record({ signedTransaction: 'AAAA', signature: 'mine' }));
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'review');
  assert.ok(!here.calls.includes('sign'));
});

it('after a reload an unsigned transaction waits until the user continues it, with its key', async () => {
  const here = world();
  here.keep(record());
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'paused');
  await flow.renew();
  assert.equal(flow.state.get().step, 'review');
  assert.deepEqual(here.keys, ['kept-key']);
});

it('a record of another validator or of a stopped sandbox is deleted', async () => {
  const here = world();
  here.keep(record({ voteAccount: 'another', signature: 'mine' }));
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'idle');
  assert.equal(here.recorded(), null);
  assert.deepEqual(here.calls, []);
});

it('after the service was restarted with another chain, an old flow ends without a signature and can be started again', async () => {
  const restarted = async () => ({ cluster: 'another chain', voteAccount: 'vote', memo: 'memo' });
  const isSigned = (error: unknown): boolean | null =>
    error instanceof ServiceRestarted ? error.isSigned : null;
  // During a review the address derived on the new chain differs, so the check fails.
  const here = world({ check: [CHECKED, WRONG] });
  const { deps } = here;
  const flow = createTransactionFlow({
    ...deps,
    identity: async (isFresh) => (isFresh === true ? restarted() : deps.identity()),
  });
  await flow.begin(REQUEST);
  await flow.renew();
  assert.equal(flow.state.get().step, 'failed');
  assert.equal(isSigned(flow.state.get().error), false);
  assert.deepEqual([flow.state.get().record, here.recorded()], [null, null]);
  assert.ok(!here.calls.includes('sign'));
  // After a reload.
  for (const signature of [undefined, 'mine']) {
    const reloaded = world();
    reloaded.keep(record({ signature }));
    const resumed = createTransactionFlow({ ...reloaded.deps, identity: restarted });
    await resumed.resume();
    assert.equal(isSigned(resumed.state.get().error), signature !== undefined);
    assert.equal(reloaded.recorded(), null);
  }
});

it('a signed transaction ends immediately if the service was restarted with another chain, however long the submission takes', async () => {
  const pending = Promise.withResolvers<never>();
  const unknown = fail('NOT_FOUND');
  for (const { cause, service } of [
    { cause: 'before the submission', service: { submit: () => pending.promise } },
    {
      cause: 'after the submission',
      service: {
        submit: async () => Promise.reject(fail('NETWORK', { retryable: true })),
        stateOf: async () => Promise.reject(unknown),
      },
    },
  ]) {
    const here = world();
    let reads = 0;
    const flow = createTransactionFlow({
      ...here.deps,
      service: { ...here.deps.service, ...service },
      identity: async (isFresh) => {
        if (isFresh === true) reads += 1;
        const isRestarted = reads > (cause === 'after the submission' ? 1 : 0);
        return { cluster: isRestarted ? 'another chain' : 'sandbox', voteAccount: 'vote', memo: 'memo' };
      },
    });
    await flow.begin(REQUEST);
    const approved = flow.approve();
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    const { step, error } = flow.state.get();
    assert.equal(step, 'failed', cause);
    assert.equal((error as ServiceRestarted).isSigned, true);
    assert.equal(here.recorded(), null);
    pending.reject(fail('BLOCKHASH_EXPIRED'));
    await approved;
    assert.equal(flow.state.get().error, error);
  }
});

it('a dismissed flow is not changed by its pending requests', async () => {
  const here = world();
  const gate = Promise.withResolvers<Signed>();
  const asked = Promise.withResolvers<void>();
  const flow = createTransactionFlow({
    ...here.deps,
    sign: () => {
      asked.resolve();
      return gate.promise;
    },
  });
  await flow.begin(REQUEST);
  const approving = flow.approve();
  assert.equal(flow.state.get().step, 'signing');
  await asked.promise;
  flow.dismiss();
  gate.resolve({ how: 'signed', bytes: SIGNED });
  await approving;
  assert.equal(flow.state.get().step, 'idle');
  assert.deepEqual(here.calls, ['build', 'discarded'], 'not sent, and the user is told');
});

it('a second request waits for the first', async () => {
  const here = world();
  const gate = Promise.withResolvers<never>();
  const flow = createTransactionFlow({
    ...here.deps,
    service: { ...here.deps.service, build: () => gate.promise },
  });
  const first = flow.begin(REQUEST);
  await flow.begin({ ...REQUEST, amountLamports: 1n } as StakingRequest);
  gate.resolve(built() as never);
  await first;
  assert.equal(flow.state.get().record?.amountLamports, '2000000000');
});

const several = {
  kind: 'rearrange',
  goal: 'withdraw-amount',
  walletAddress: 'wallet',
  amountLamports: 5n,
} as const;
const planOf = (following: number) => ({
  ...built(),
  following: Array.from({ length: following }, () => built()),
});

it('a plan of three transactions is reviewed once, and is confirmed when its last transaction is', async () => {
  const here = world({ build: [planOf(2)] });
  const flow = here.make();
  const seen: string[] = [];
  flow.state.subscribe(() => {
    const { step, record } = flow.state.get();
    const now = `${step} ${record?.part?.index ?? '-'}/${record?.part?.of ?? '-'}`;
    if (seen.at(-1) !== now) seen.push(now);
  });
  await flow.begin(several);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.deepEqual(
    here.calls.filter((call) => call !== 'recheck'),
    ['build', ...Array.from({ length: 3 }, () => ['sign', 'submit', 'landed']).flat()],
  );
  assert.equal(seen.filter((step) => step.startsWith('review')).length, 1);
  assert.deepEqual(
    seen.filter((step) => step.startsWith('submitting') || step.startsWith('confirmed')),
    ['submitting 1/3', 'submitting 2/3', 'submitting 3/3', 'confirmed 3/3'],
  );
  assert.equal(new Set(here.keys).size, 3);
});

it('a change that only the service reports as expired is signed again only after a warning and an approval', async () => {
  const here = world({ submit: [fail('BLOCKHASH_EXPIRED'), { signature: 'landed', explorerUrl: '' }] });
  const flow = here.make();
  const signed = () => here.calls.filter((call) => call === 'sign').length;
  await flow.begin(several);
  await flow.approve();
  const { step, error } = flow.state.get();
  assert.deepEqual([step, isHoldfastError(error, 'STILL_POSSIBLE'), signed()], ['review', true, 1]);
  await flow.approve();
  assert.deepEqual([flow.state.get().step, signed()], ['confirmed', 2]);
});

it('after a failure that followed a signature, the next attempt shows the warning too', async () => {
  const here = world({ submit: [fail('SUBMISSION_FAILED')] });
  const flow = here.make();
  await flow.begin(several);
  await flow.approve();
  assert.equal(flow.state.get().step, 'failed');
  await flow.renew();
  const { step, error } = flow.state.get();
  assert.deepEqual([step, isHoldfastError(error, 'STILL_POSSIBLE')], ['review', true]);
});

it('if the wallet refuses the second transaction of a plan, it is shown separately, and signed after a second approval', async () => {
  const refused = new WalletError('refused', 'No', 'no');
  const signed = { how: 'signed', bytes: SIGNED } satisfies Signed;
  const here = world({ build: [planOf(1)], sign: [signed, refused, signed] });
  const flow = here.make();
  await flow.begin(several);
  await flow.approve();
  const { step, record, error } = flow.state.get();
  assert.deepEqual([step, record?.part?.index, error], ['review', 2, refused]);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
});

it('after a reload between two transactions of a plan no further one is signed, and the page shows how many landed', async () => {
  const change = { goal: 'withdraw-amount' } as const;
  for (const [more, count, calls] of [
    [{ part: { index: 1, of: 3 }, signature: 'mine', confirmedAtMs: 0 }, 1, []],
    [{ part: { index: 2, of: 3 } }, 1, []],
    [{ part: { index: 2, of: 3 }, signature: 'mine', signedTransaction: 'AAAA' }, 2, ['submit', 'landed']],
  ] as const) {
    const here = world();
    here.keep(record({ kind: 'rearrange', change, ...more }));
    const flow = here.make();
    await flow.resume();
    const { step, error } = flow.state.get();
    assert.equal(step, 'failed');
    assert.equal((error as { count?: number }).count, count);
    assert.deepEqual(here.calls, calls);
  }
});
