// Tests the autopilot with a real store: it makes one offer per epoch and wallet, stores reasons only when they
// change, reads balances in batches, and loses nothing if it stops between two writes.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import { pino } from 'pino';
import { snapshotOf } from '../../test/support/chain-snapshots.ts';
import { createRunningClock } from '../../test/support/steerable-clock.ts';
import { openTestStore } from '../../test/support/store-fixture.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import type { ChainAccount, EpochPosition } from '../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../domain/instruction-programs.ts';
import { type Notice, notice } from '../domain/notice.ts';
import { AppError } from '../kernel/app-error.ts';
import { type AutopilotOptions, createAutopilot, type SweepData } from './autopilot.ts';

const SOL = 1_000_000_000n;
const logger = pino({ level: 'silent' });

/** Opens a store with balances set by the test, and an autopilot that uses both. */
const worldOf = async (t: Scope, more: Partial<AutopilotOptions> = {}) => {
  const store = await openTestStore(t);
  const clock = createRunningClock();
  const balances = new Map<string, bigint>();
  const calls: number[] = [];
  const chain = { epoch: 7n, epochRewardsActive: false };
  const validator: { notices: readonly Notice[] } = { notices: [] };
  const account = (address: Address): ChainAccount | null => {
    const lamports = balances.get(address);
    return lamports === undefined
      ? null
      : { address, owner: SYSTEM_PROGRAM as Address, lamports, data: new Uint8Array() };
  };
  const position = (): EpochPosition =>
    snapshotOf({
      ...chain,
      absoluteSlot: 100n,
      slotIndex: 10n,
      slotsInEpoch: 100n,
      readAtMs: clock.now(),
    }).position;
  let woken = 0;
  const autopilot = createAutopilot({
    policies: store.policies,
    outbox: store.outbox,
    cluster: {
      genesisHash: 'genesis',
      limits: async () => ({
        stakeRentLamports: 2_282_880n,
        walletRentLamports: 890_880n,
        minimumDelegationLamports: SOL,
      }),
      epochPosition: async () => position(),
      readChainSnapshot: async (addresses) => {
        calls.push(addresses.length);
        return snapshotOf(position(), addresses.map(account));
      },
    },
    noticesNow: async () => validator.notices,
    feeReserveLamports: 5_000_000n,
    wakeDelivery: () => {
      woken += 1;
    },
    clock,
    logger,
    ...more,
  });
  const set = async (name: string, keepSol: bigint, minSol: bigint, nonce = 1, paused = false) => {
    const walletAddress = name as Address;
    const saved = await store.policies.put(
      {
        walletAddress,
        keepLiquidLamports: keepSol * SOL,
        minSweepLamports: minSol * SOL,
        nonce,
        paused,
        callbackUrl: 'https://hook.example/',
        signature: 'signature',
      },
      {
        id: `registration of ${name} ${nonce}`,
        kind: 'autopilot',
        walletAddress,
        events: [],
        callbackUrl: 'https://hook.example/',
        createdAtMs: 1,
        createdEpoch: 1n,
        createdSlot: 1n,
        client: name,
      },
      100,
      1,
    );
    assert.equal(saved.outcome, 'stored');
  };
  const eventsOf = (name: string, nonce = 1) =>
    store.outbox.deliveries(`registration of ${name} ${nonce}`, { limit: 10, before: null, state: null });
  const offers = async (name: string, nonce = 1): Promise<SweepData[]> =>
    (await eventsOf(name, nonce)).map(({ data }) => JSON.parse(data) as SweepData);
  const record = (name: string) => store.policies.find(name as Address);
  const poll = () => autopilot.poll(new AbortController().signal);
  return {
    store,
    clock,
    balances,
    calls,
    chain,
    validator,
    autopilot,
    set,
    offers,
    eventsOf,
    record,
    poll,
    woken: () => woken,
  };
};

it('a balance above the liquid reserve is offered once per epoch, and again in the next epoch', async (t) => {
  const world = await worldOf(t);
  await world.set('w', 1n, 2n);
  world.balances.set('w', 5n * SOL);
  assert.deepEqual([await world.poll(), await world.poll()], [1, 0]);
  assert.deepEqual(await world.offers('w'), [{ walletAddress: 'w', epoch: 7, sol: 3.99999 }]);
  assert.equal(world.woken(), 1);
  assert.equal((await world.record('w'))?.lastSweep?.lamports, 4n * SOL - 10_000n);
  world.chain.epoch = 8n;
  assert.equal(await world.poll(), 1);
  assert.equal((await world.offers('w')).length, 2);
});

it('deleting and re-creating a policy does not cause a second offer in the same epoch', async (t) => {
  const world = await worldOf(t);
  await world.set('w', 1n, 2n);
  world.balances.set('w', 5n * SOL);
  await world.poll();
  await world.store.policies.delete('w' as Address, 2, 9);
  await world.set('w', 0n, 0n, 3);
  assert.equal(await world.poll(), 0);
  assert.deepEqual(await world.offers('w', 3), []);
});

it('the receiver is notified once of an offer that ended without a 2xx response, and not of accepted or open offers', async (t) => {
  const world = await worldOf(t);
  const ends = { refused: 'dead', accepted: 'delivered', open: null } as const;
  for (const name of Object.keys(ends)) {
    await world.set(name, 1n, 2n);
    world.balances.set(name, 5n * SOL);
  }
  await world.poll();
  const { outbox } = world.store;
  const claim = { owner: 'process', nowMs: world.clock.now(), leaseMs: 60_000, limit: 9 };
  const claimed = await outbox.claim({ ...claim, limitPerRegistration: 9, except: [] });
  await outbox.settle(
    claimed.flatMap(({ id, key, registrationId, walletAddress }) => {
      const state = ends[walletAddress as keyof typeof ends];
      const attempt = { number: 1, atMs: 1, durationMs: 1, status: 204, answerBytes: 0 };
      return state === null
        ? []
        : [
            {
              eventId: id,
              key,
              registrationId,
              owner: 'process',
              next: { state },
              attempt: {
                ...attempt,
                outcome: state === 'dead' ? ('refused-status' as const) : ('delivered' as const),
              },
            },
          ];
    }),
  );
  const failures = async () =>
    (await Promise.all(Object.keys(ends).map((name) => world.eventsOf(name))))
      .flat()
      .filter(({ type }) => type === 'autopilot_failed');
  await world.poll();
  assert.deepEqual(await failures(), [], 'the epoch of the offer has not ended');
  for (const name of Object.keys(ends)) world.balances.set(name, 0n);
  world.chain.epoch = 8n;
  for (let looks = 0; looks < 3; looks += 1) await world.poll();
  const [failure, ...more] = await failures();
  assert.deepEqual(more, []);
  const offer = (await world.eventsOf('refused')).find(({ type }) => type === 'autopilot_sweep')!;
  assert.equal(failure!.registrationId, offer.registrationId);
  assert.deepEqual(JSON.parse(failure!.data), {
    walletAddress: 'refused',
    epoch: 7,
    offerId: offer.id,
    reason: 'NOT_DELIVERED',
  });
});

it('the reason for making no offer is stored and rewritten only when it changes', async (t) => {
  const world = await worldOf(t);
  await world.set('w', 1n, 2n);
  const reasonAt = async (sol: bigint) => {
    world.balances.set('w', sol * SOL);
    assert.equal(await world.poll(), 0);
    return (await world.record('w'))?.lastSkip;
  };
  const short = await reasonAt(1n);
  assert.equal(short?.reason, 'WALLET_SHORT');
  assert.deepEqual(await reasonAt(1n), short, 'the same reason is not written again');
  assert.equal((await reasonAt(3n))?.reason, 'BELOW_MIN_SWEEP');
  world.chain.epochRewardsActive = true;
  assert.equal((await reasonAt(9n))?.reason, 'EPOCH_REWARDS_ACTIVE');
  world.chain.epochRewardsActive = false;
  assert.equal(await world.poll(), 1, 'the offer is made as soon as the reason no longer applies');
});

it('nothing is offered while there is a critical notice about the validator, and the offer is made once it has recovered', async (t) => {
  const world = await worldOf(t);
  await world.set('w', 1n, 2n);
  world.balances.set('w', 5n * SOL);
  world.validator.notices = [notice('COMMISSION_FULL', 'The commission is 100%.')];
  assert.equal(await world.poll(), 0);
  assert.equal((await world.record('w'))?.lastSkip?.reason, 'VALIDATOR_FAILING');
  world.validator.notices = [notice('COMMISSION_RAISED', 'The commission rose.')];
  assert.equal(await world.poll(), 1, 'a warning does not prevent the offer');
});

it('a paused or deleted policy makes no offers', async (t) => {
  const world = await worldOf(t);
  await world.set('paused', 0n, 0n, 1, true);
  await world.set('deleted', 0n, 0n);
  await world.store.policies.delete('deleted' as Address, 2, 9);
  for (const name of ['paused', 'deleted']) world.balances.set(name, 50n * SOL);
  assert.equal(await world.poll(), 0);
  assert.deepEqual(world.calls, [], 'the balances of these wallets are not read');
});

it('balances of many wallets are read in batches', async (t) => {
  const world = await worldOf(t);
  for (let at = 0; at < 230; at += 1) {
    await world.set(`w${at}`, 0n, 0n);
    world.balances.set(`w${at}`, 3n * SOL);
  }
  assert.equal(await world.poll(), 230);
  assert.deepEqual(world.calls, [96, 96, 38]);
  assert.equal(await world.poll(), 0);
  assert.deepEqual(world.calls.length, 3, 'wallets with an offer are not read again');
});

it('if the policy record could not be updated after an offer, the offer is not made again', async (t) => {
  const world = await worldOf(t);
  await world.set('w', 1n, 2n);
  world.balances.set('w', 5n * SOL);
  const { policies, outbox } = world.store;
  const losing = { ...policies, noteSweep: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'gone')) };
  const broken = await worldOf(t, { policies: losing, outbox });
  broken.balances.set('w', 5n * SOL);
  await assert.rejects(broken.poll(), /gone/);
  assert.equal((await world.offers('w')).length, 1);
  assert.equal(await world.poll(), 0, 'the same offer has the same event id');
  assert.equal((await world.offers('w')).length, 1);
  assert.ok((await world.record('w'))?.lastSweep, 'the policy record is updated now');
});
