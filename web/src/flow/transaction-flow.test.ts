// The flow of a transaction with every answer that a service and a wallet can give: it ends, it resumes, and it never acts twice.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HoldfastError } from '../../../client/holdfast-error.ts';
import type { Signed } from '../wallet/sign.ts';
import { WalletError } from '../wallet/wallet-error.ts';
import type { Checked } from './check-transaction.ts';
import type { FlowDeps } from './flow-types.ts';
import { createTransactionFlow } from './transaction-flow.ts';
import type { TransactionRecord, Wish } from './transaction-record.ts';

const WISH: Wish = { kind: 'stake', walletAddress: 'wallet', amountLamports: '2000000000' };
const HOME = { cluster: 'sandbox', voteAccount: 'vote' };
const CHECKED = { ok: true, kind: 'stake' } as Checked;
/** One signature of ones, then a message with one signer: enough to be taken apart. */
const SIGNED = (() => {
  const wire = new Uint8Array(1 + 64 + 4 + 32);
  wire[0] = 1;
  wire.fill(1, 1, 65);
  wire[65] = 1;
  wire[68] = 1;
  wire.fill(7, 69);
  return wire;
})();

const fail = (errorCode: string, more: object = {}) =>
  new HoldfastError({ errorCode, message: errorCode, operation: 'test', ...more });

/** A scripted world: each call takes the next of its answers, the last one for ever. */
const world = (
  script: Partial<
    Record<'build' | 'recheck' | 'sign' | 'submit' | 'stateOf' | 'blockHeight', unknown[]>
  > = {},
) => {
  const calls: string[] = [];
  const answers: Record<string, unknown[]> = {
    build: [
      {
        transaction: 'AAAA',
        expiresAtMs: 60_000,
        lastValidBlockHeight: 150,
        stakeAccountAddress: 'stake',
        warnings: [],
        checked: CHECKED,
      },
    ],
    recheck: [CHECKED],
    sign: [{ how: 'signed', bytes: SIGNED } satisfies Signed],
    submit: [{ signature: 'landed', explorerUrl: 'https://explorer' }],
    stateOf: [{ state: 'confirmed', error: null, explorerUrl: 'https://explorer' }],
    blockHeight: [0],
    ...script,
  };
  const next = async (name: string): Promise<never> => {
    calls.push(name);
    const list = answers[name]!;
    const answer = list.length > 1 ? list.shift() : list[0];
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  let kept: TransactionRecord | null = null;
  const keys: string[] = [];
  const slept: number[] = [];
  const deps: FlowDeps = {
    home: async () => HOME,
    build: (_wish, key) => {
      keys.push(key);
      return next('build');
    },
    recheck: () => next('recheck'),
    sign: () => next('sign'),
    submit: (_signed, key) => {
      keys.push(key);
      return next('submit');
    },
    stateOf: () => next('stateOf'),
    blockHeight: () => next('blockHeight'),
    sleep: async (ms) => void slept.push(ms),
    now: () => 0,
    newKey: () => `key-${calls.length}`,
    keeper: { read: () => kept, write: (record) => (kept = record) },
    landed: () => void calls.push('landed'),
  };
  const make = () => createTransactionFlow(deps);
  return {
    deps,
    make,
    calls,
    keys,
    slept,
    kept: () => kept,
    keep: (record: TransactionRecord | null) => (kept = record),
  };
};

const built = (more: object) => ({
  transaction: 'AAAA',
  expiresAtMs: 60_000,
  lastValidBlockHeight: 150,
  stakeAccountAddress: 'stake',
  warnings: [],
  checked: CHECKED,
  ...more,
});

it('a stake is built, signed, submitted and confirmed under one key', async () => {
  const here = world();
  const flow = here.make();
  await flow.begin(WISH);
  assert.equal(flow.state.get().step, 'review');
  await flow.approve();
  const { step, record } = flow.state.get();
  assert.equal(step, 'confirmed');
  assert.deepEqual(here.calls, ['build', 'sign', 'recheck', 'submit', 'landed']);
  assert.equal(new Set(here.keys).size, 1);
  assert.equal(record?.signature, 'landed');
  assert.equal(here.kept()?.signedTransaction, undefined);
});

it('what was signed is on record before it is submitted', async () => {
  const here = world();
  let atSubmit: TransactionRecord | null = null;
  const flow = createTransactionFlow({
    ...here.deps,
    submit: async () => {
      atSubmit = here.kept();
      return { signature: 'landed', explorerUrl: '' };
    },
  });
  await flow.begin(WISH);
  await flow.approve();
  assert.ok(atSubmit!.signedTransaction);
  assert.ok(atSubmit!.signature);
});

it('a transaction that failed the check never reaches the wallet', async () => {
  const here = world({ build: [built({ checked: { ...CHECKED, ok: false } })] });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  assert.ok(!here.calls.includes('sign'));
});

it('what the wallet changed into something else, or into nothing readable, is not submitted', async () => {
  for (const recheck of [{ ...CHECKED, ok: false }, new RangeError('unreadable')]) {
    const here = world({ recheck: [recheck] });
    const flow = here.make();
    await flow.begin(WISH);
    await flow.approve();
    assert.equal((flow.state.get().error as WalletError).kind, 'changed');
    assert.equal(flow.state.get().step, 'review');
    assert.ok(!here.calls.includes('submit'));
  }
});

it('a wallet that declined can be asked again for the same transaction', async () => {
  const here = world({ sign: [new WalletError('refused', 'No', 'no'), { how: 'signed', bytes: SIGNED }] });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.equal(here.calls.filter((call) => call === 'build').length, 1);
});

it('an expired one is built again under the same key and asked for again, at most twice by itself', async () => {
  const here = world({ submit: [fail('BLOCKHASH_EXPIRED')] });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  assert.equal(here.calls.filter((call) => call === 'sign').length, 3);
  assert.equal(new Set(here.keys).size, 1);
});

it('one that is about to expire is renewed before the wallet is asked', async () => {
  const here = world({ build: [built({ expiresAtMs: 1_000 }), built({})] });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.deepEqual(here.calls.slice(0, 3), ['build', 'build', 'sign']);
});

it('a lost answer is followed by asking for the state, not by signing again', async () => {
  const here = world({
    submit: [fail('NETWORK')],
    stateOf: [fail('NETWORK'), { state: 'pending' }, { state: 'finalized', error: null, explorerUrl: '' }],
  });
  const flow = here.make();
  await flow.begin(WISH);
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

it('while nobody knows it the same bytes are submitted again', async () => {
  const here = world({
    submit: [fail('TIMEOUT'), { signature: 'landed', explorerUrl: '' }],
    stateOf: [fail('NOT_FOUND')],
  });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.equal(here.calls.filter((call) => call === 'sign').length, 1);
});

it('the wait that the service asks for is kept', async () => {
  const here = world({ submit: [fail('RATE_LIMITED', { retryAfterSeconds: 17, status: 429 })] });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.deepEqual(here.slept, [17_000]);
});

it('a service that stays away is asked less and less often, every ten seconds at most', async () => {
  const here = world({
    submit: [...Array.from({ length: 9 }, () => fail('NETWORK')), { signature: 'landed', explorerUrl: '' }],
    stateOf: [fail('NOT_FOUND')],
  });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.deepEqual(here.slept.slice(0, 3), [1_000, 1_500, 2_250]);
  assert.deepEqual(
    here.slept,
    here.slept.toSorted((a, b) => a - b),
  );
  assert.equal(here.slept.at(-1), 10_000);
});

it('nothing is asked of the wallet but what was reviewed', async () => {
  const here = world({ submit: [fail('INSUFFICIENT_BALANCE')] });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'failed');
  await flow.approve();
  assert.equal(here.calls.filter((call) => call === 'sign').length, 1);
});

it('only a stake is taken for landed where its address is taken', async () => {
  const here = world({
    build: [fail('STAKE_ADDRESS_OCCUPIED', { body: { signature: 'earlier', stakeAccountAddress: 'stake' } })],
  });
  const flow = here.make();
  await flow.begin({ kind: 'unstake', walletAddress: 'wallet', stakeAccountAddress: 'stake' });
  assert.equal(flow.state.get().step, 'failed');
});

it('what the chain ran and refused is a failure and is not remembered', async () => {
  const here = world({
    submit: [fail('NETWORK')],
    stateOf: [{ state: 'failed', error: { Custom: 6 }, explorerUrl: '' }],
  });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'failed');
  assert.match(String(flow.state.get().error), /Custom/);
  assert.equal(here.kept(), null);
});

it('a wallet that sends by itself is followed by its signature until the transaction can no longer land', async () => {
  const landed = world({
    sign: [{ how: 'sent', signature: 'by-wallet' }],
    stateOf: [fail('NOT_FOUND'), { state: 'confirmed', error: null, explorerUrl: '' }],
  });
  const first = landed.make();
  await first.begin(WISH);
  await first.approve();
  assert.equal(first.state.get().record?.signature, 'by-wallet');
  assert.ok(!landed.calls.includes('submit'));

  const lost = world({
    sign: [{ how: 'sent', signature: 'by-wallet' }, new WalletError('refused', 'No', 'no')],
    stateOf: [fail('NOT_FOUND')],
    // At the last valid height it can still land.
    blockHeight: [150, 151],
  });
  const second = lost.make();
  await second.begin(WISH);
  await second.approve();
  assert.equal(lost.calls.filter((call) => call === 'blockHeight').length, 2);
  assert.equal(second.state.get().step, 'review');
  assert.equal(new Set(lost.keys).size, 1);
});

it('a stake that had landed after all is found when it is built again', async () => {
  const here = world({
    build: [
      built({}),
      fail('STAKE_ADDRESS_OCCUPIED', { body: { signature: 'earlier', stakeAccountAddress: 'stake' } }),
    ],
    submit: [fail('BLOCKHASH_EXPIRED')],
  });
  const flow = here.make();
  await flow.begin(WISH);
  await flow.approve();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.equal(flow.state.get().record?.signature, 'earlier');
  assert.equal(here.calls.filter((call) => call === 'sign').length, 1);
});

const record = (more: Partial<TransactionRecord> = {}): TransactionRecord => ({
  ...WISH,
  ...HOME,
  version: 1,
  idempotencyKey: 'kept-key',
  begunAtMs: 0,
  stakeAccountAddress: 'stake',
  ...more,
});

it('after a reload a signed one goes on under its key, without the wallet', async () => {
  const here = world();
  here.keep(record({ signedTransaction: 'AAAA', signature: 'mine' }));
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'confirmed');
  assert.deepEqual(here.calls, ['submit', 'landed']);
  assert.deepEqual(here.keys, ['kept-key']);
});

it('after a reload an expired one is built again, and the wallet does not open by itself', async () => {
  const here = world({ submit: [fail('BLOCKHASH_EXPIRED')] });
  here.keep(record({ signedTransaction: 'AAAA', signature: 'mine' }));
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'review');
  assert.ok(!here.calls.includes('sign'));
});

it('after a reload an unsigned one waits to be continued under its key', async () => {
  const here = world();
  here.keep(record());
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'paused');
  await flow.renew();
  assert.equal(flow.state.get().step, 'review');
  assert.deepEqual(here.keys, ['kept-key']);
});

it('what is kept of another validator, or of a sandbox that is gone, is forgotten', async () => {
  const here = world();
  here.keep(record({ voteAccount: 'another', signature: 'mine' }));
  const flow = here.make();
  await flow.resume();
  assert.equal(flow.state.get().step, 'idle');
  assert.equal(here.kept(), null);
  assert.deepEqual(here.calls, []);
});

it('a flow that was left is not moved by what it had under way', async () => {
  const here = world();
  const gate = Promise.withResolvers<Signed>();
  const flow = createTransactionFlow({ ...here.deps, sign: () => gate.promise });
  await flow.begin(WISH);
  const approving = flow.approve();
  assert.equal(flow.state.get().step, 'signing');
  flow.dismiss();
  gate.resolve({ how: 'signed', bytes: SIGNED });
  await approving;
  assert.equal(flow.state.get().step, 'idle');
  assert.ok(!here.calls.includes('submit'));
});

it('a second wish waits for the first', async () => {
  const here = world();
  const gate = Promise.withResolvers<never>();
  const flow = createTransactionFlow({ ...here.deps, build: () => gate.promise });
  const first = flow.begin(WISH);
  await flow.begin({ ...WISH, amountLamports: '1' });
  gate.resolve(built({}) as never);
  await first;
  assert.equal(flow.state.get().record?.amountLamports, WISH.amountLamports);
});
