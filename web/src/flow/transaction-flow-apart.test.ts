// Tests events outside the flow: two tabs with one storage, a failing storage, a wallet that sends after the
// flow was dismissed, and a service that is unavailable at a reload.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Signed } from '../../../client/staking/run-staking-flow.ts';
import type { StakingRequest } from '../../../client/staking/staking-request.ts';
import { CHECKED, fail, REQUEST, record, SIGNED, world } from '../../../test/support/flow-world.ts';
import { createTransactionFlow } from './transaction-flow.ts';

const SENT: Signed = { how: 'sent', signature: 'by-wallet' };
const theirs = record({ idempotencyKey: 'other tab', signedTransaction: 'AAAA', signature: 'theirs' });

describe('two tabs', () => {
  it('a failure or an end in one tab does not remove the other’s pending transaction', async () => {
    for (const script of [
      {},
      { build: [fail('INSUFFICIENT_BALANCE')] },
      { submit: [fail('SUBMISSION_FAILED')] },
    ]) {
      const here = world(script);
      const flow = createTransactionFlow({
        ...here.deps,
        service: {
          ...here.deps.service,
          build: (...wanted) => {
            here.keep(theirs);
            return here.deps.service.build(...wanted);
          },
          submit: (...sent) => {
            here.keep(theirs);
            return here.deps.service.submit(...sent);
          },
        },
      });
      await flow.begin(REQUEST);
      await flow.approve();
      assert.deepEqual(here.recorded(), theirs, JSON.stringify(flow.state.get().step));
      flow.dismiss();
      assert.deepEqual(here.recorded(), theirs);
    }
  });

  it('dismissing a flow that never began keeps the other’s record', async () => {
    const here = world();
    here.keep(theirs);
    const flow = createTransactionFlow({ ...here.deps, identity: () => Promise.reject(fail('NETWORK')) });
    await flow.begin(REQUEST);
    flow.dismiss();
    assert.deepEqual(here.recorded(), theirs);
  });
});

describe('a storage that fails after the first write', () => {
  /** Makes the storage fail after `times` writes. */
  const full = (here: ReturnType<typeof world>, times: number) => {
    let left = times;
    const write = here.deps.slot.write;
    return createTransactionFlow({
      ...here.deps,
      slot: {
        ...here.deps.slot,
        write: (value) => {
          if (value !== null && left-- <= 0) throw new Error('QuotaExceededError');
          write(value);
        },
      },
    });
  };

  it('does not prevent a landed transaction from being confirmed, or one sent by the wallet from being followed', async () => {
    for (const [script, times] of [
      [{}, 2],
      [{ sign: [SENT] }, 1],
    ] as const) {
      const here = world(script as never);
      const flow = full(here, times);
      await flow.begin(REQUEST);
      await flow.approve();
      const { step, record: shown } = flow.state.get();
      assert.deepEqual([step, shown?.signature], ['confirmed', times === 1 ? 'by-wallet' : 'landed']);
      assert.ok(here.calls.includes('landed'));
    }
  });

  it('prevents submitting, because the page could forget the transaction', async () => {
    const here = world();
    const flow = full(here, 1);
    await flow.begin(REQUEST);
    await flow.approve();
    assert.equal(flow.state.get().step, 'failed');
    assert.ok(!here.calls.includes('submit'));
  });
});

describe('a wallet that sends the transaction itself after the page dismissed it', () => {
  const leaveAndSend = async (
    script: Parameters<typeof world>[0],
    before: (flow: ReturnType<typeof createTransactionFlow>) => unknown,
  ) => {
    const here = world(script);
    const gate = Promise.withResolvers<Signed>();
    const asked = Promise.withResolvers<void>();
    const sign = () => {
      asked.resolve();
      return gate.promise;
    };
    const flow = createTransactionFlow({ ...here.deps, sign });
    await flow.begin(REQUEST);
    const approving = flow.approve();
    await asked.promise;
    flow.dismiss();
    await before(flow);
    gate.resolve(SENT);
    await approving;
    return { here, ...flow.state.get() };
  };

  it('is still followed: the transaction landed, and the page reports it', async () => {
    const { step, record: shown, here } = await leaveAndSend({}, () => undefined);
    assert.deepEqual(
      [step, shown?.signature, here.recorded()?.signature],
      ['confirmed', 'by-wallet', 'by-wallet'],
    );
  });

  it('leaves no record if the transaction never landed, and is not asked again', async () => {
    const lost = { stateOf: [fail('NOT_FOUND')], blockHeight: [151] };
    const { step, here } = await leaveAndSend(lost, () => undefined);
    assert.deepEqual([step, here.recorded()], ['idle', null]);
    assert.equal(here.calls.filter((call) => call === 'build').length, 1);
  });

  it('does not replace a request that was started since', async () => {
    const { step, here } = await leaveAndSend({}, (flow) =>
      flow.begin({ ...REQUEST, amountLamports: 7n } as StakingRequest),
    );
    assert.deepEqual([step, here.recorded()?.amountLamports], ['review', '7']);
  });
});

describe('at a reload', () => {
  it('the page keeps a signed transaction while the service is briefly unavailable', async () => {
    const here = world();
    here.keep(record({ signedTransaction: 'AAAA', signature: 'mine' }));
    const responses = [fail('NETWORK'), fail('RATE_LIMITED')];
    const flow = createTransactionFlow({
      ...here.deps,
      identity: async () => {
        const error = responses.shift();
        if (error !== undefined) throw error;
        return here.deps.identity();
      },
    });
    await flow.resume();
    assert.equal(flow.state.get().step, 'confirmed');
    assert.deepEqual(here.slept, [5_000, 5_000]);
  });

  it('a stored confirmation whose time is in the future, because the clock was set back, gets the current time', async () => {
    const here = world();
    here.keep(record({ signature: 'mine', confirmedAtMs: 3_600_000 }));
    const flow = createTransactionFlow({ ...here.deps, now: () => 1_000 });
    await flow.resume();
    const { step, record: shown } = flow.state.get();
    assert.deepEqual([step, shown?.confirmedAtMs], ['confirmed', 1_000]);
  });

  it('an older request does not replace one that was started in the meantime', async () => {
    const here = world();
    here.keep(record({ signedTransaction: 'AAAA', signature: 'mine' }));
    let isAway = true;
    const flow = createTransactionFlow({
      ...here.deps,
      identity: async () => {
        if (isAway) throw fail('NETWORK');
        return here.deps.identity();
      },
      sleep: async () => {
        isAway = false;
        await flow.begin(REQUEST);
      },
    });
    await flow.resume();
    assert.deepEqual([flow.state.get().step, here.calls], ['review', ['build']]);
  });
});

it('an unsigned or unexpected response of the wallet is not submitted', async () => {
  const unsigned = Uint8Array.from(SIGNED).fill(0, 1, 65);
  const here = world({ sign: [{ how: 'signed', bytes: unsigned }], recheck: [CHECKED] });
  const flow = here.make();
  await flow.begin(REQUEST);
  await flow.approve();
  assert.equal(flow.state.get().step, 'review');
  assert.match(String(flow.state.get().error), /unsigned/);
  assert.ok(!here.calls.includes('submit'));
});
