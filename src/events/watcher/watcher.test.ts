import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { numbered, ScriptedWatch } from '../../../test/support/scripted-watch.ts';

const WALLET = numbered(1);
const OTHER = numbered(2);
const STAKE = numbered(11);
const SHORT_LIVED = numbered(12);
/** Number of polls after which an account is assessed with the available data. */
const TRIES = 16;

const pollTimes = async (watch: ScriptedWatch, times: number): Promise<void> => {
  for (let poll = 0; poll < times; poll += 1) await watch.poll();
};

/**
 * Opens a watcher with a registration created in the previous epoch and a known account that was staked after
 * the registration.
 */
const withStake = async (scope: Parameters<typeof ScriptedWatch.open>[0]) => {
  const watch = await ScriptedWatch.open(scope);
  const id = await watch.register(WALLET);
  watch.pass();
  watch.stake(WALLET, STAKE);
  await watch.poll();
  return { watch, id };
};

test('a change in the same slot as the previous poll is reported exactly once', async (t) => {
  const { watch, id } = await withStake(t);
  watch.endEpoch();
  watch.stake(WALLET, SHORT_LIVED);
  await watch.poll();
  assert.deepEqual(await watch.types(id), ['stake_activated', 'epoch_complete']);
  // No slot passes between the two reads, as in the sandbox.
  watch.deactivate(WALLET, STAKE);
  watch.deactivate(WALLET, SHORT_LIVED);
  await pollTimes(watch, 2);
  const facts = (await watch.eventsOf(id))
    .slice(2)
    .map(({ type, data }) => `${type} ${data.stakeAccountAddress}`);
  assert.deepEqual(
    facts.toSorted(),
    [
      `stake_deactivated ${STAKE}`,
      `stake_deactivated ${SHORT_LIVED}`,
      `withdraw_ready ${SHORT_LIVED}`,
    ].toSorted(),
  );
});

for (const during of ['reading', 'recording'] as const)
  test(`a change that arrives while a poll is ${during} is reported by the next poll`, async (t) => {
    const { watch, id } = await withStake(t);
    watch.endEpoch();
    watch.meanwhile = { during, run: () => void watch.deactivate(WALLET, STAKE) };
    await watch.poll();
    assert.equal(watch.meanwhile, null);
    assert.deepEqual(await watch.types(id), ['stake_activated', 'epoch_complete']);
    await watch.poll();
    assert.deepEqual((await watch.types(id)).slice(2), ['stake_deactivated']);
  });

test('an account that is created and deactivated while a poll is reading is reported by the next leader', async (t) => {
  const { watch, id } = await withStake(t);
  watch.pass();
  // The checkpoint is written twice a minute, so 30 s are enough for the next one.
  watch.clock.advance(30_000);
  watch.meanwhile = {
    during: 'reading',
    run: () => {
      watch.stake(WALLET, SHORT_LIVED);
      watch.deactivate(WALLET, SHORT_LIVED);
    },
  };
  await watch.poll();
  watch.start();
  watch.pass();
  await watch.poll();
  assert.deepEqual(await watch.types(id), ['stake_deactivated', 'withdraw_ready']);
});

test('the event for the end of an epoch contains the wallet’s stake in each state at that time', async (t) => {
  const { watch, id } = await withStake(t);
  watch.stake(WALLET, SHORT_LIVED);
  watch.endEpoch();
  watch.stake(WALLET, numbered(13));
  watch.stake(WALLET, numbered(14));
  watch.deactivate(WALLET, SHORT_LIVED);
  await watch.poll();
  const end = (await watch.eventsOf(id)).find(({ type }) => type === 'epoch_complete');
  assert.deepEqual(end?.data.portfolio, {
    accounts: 4,
    activeSol: 20,
    activatingSol: 20,
    deactivatingSol: 10,
  });
});

test('a closed account is no longer watched', async (t) => {
  const { watch } = await withStake(t);
  assert.equal((await watch.store.watched.page(null, 10)).length, 1);
  watch.pass();
  watch.close(WALLET, STAKE);
  await pollTimes(watch, 2);
  assert.deepEqual(await watch.store.watched.page(null, 10), []);
});

test('an account whose closure no node can explain is reported once as a gap after sixteen polls, and the epoch event waits until then', async (t) => {
  const { watch, id } = await withStake(t);
  watch.pass();
  const fromSlot = Number(watch.slot) - 1;
  watch.lost.add(watch.close(WALLET, STAKE));
  watch.endEpoch();
  await pollTimes(watch, TRIES - 1);
  assert.deepEqual(await watch.eventsOf(id), []);
  await pollTimes(watch, 3);
  const [gap, epoch, ...more] = await watch.eventsOf(id);
  assert.deepEqual(more, []);
  assert.equal(gap?.type, 'withdraw_ready');
  assert.deepEqual(gap.data, {
    walletAddress: WALLET,
    epoch: 21,
    incomplete: true,
    gap: {
      stakeAccountAddress: STAKE,
      fromSlot,
      toSlot: Number(watch.slot),
      reason: 'history-unavailable',
    },
  });
  assert.deepEqual([epoch?.type, epoch?.data.epoch], ['epoch_complete', 20]);
});

test('there is no gap if a node catches up in time', async (t) => {
  const { watch, id } = await withStake(t);
  watch.pass();
  const signature = watch.deactivate(WALLET, STAKE);
  watch.lost.add(signature);
  await pollTimes(watch, TRIES - 1);
  assert.deepEqual(await watch.eventsOf(id), []);
  watch.lost.delete(signature);
  await pollTimes(watch, 2);
  const eventsOf = await watch.eventsOf(id);
  assert.deepEqual(
    eventsOf.map(({ type, data }) => [type, data.incomplete]),
    [
      ['stake_deactivated', undefined],
      ['withdraw_ready', undefined],
    ],
  );
});

test('stakes deactivated by another key within a minute are a mass deactivation only if no stake is left', async (t) => {
  for (const [deactivated, patterns] of [
    [[STAKE], []],
    [[STAKE, SHORT_LIVED], ['all-deactivated-at-once']],
  ] as const) {
    const watch = await ScriptedWatch.open(t);
    const id = await watch.register(WALLET, ['unexpected_deactivation']);
    watch.pass();
    for (const address of [STAKE, SHORT_LIVED]) watch.stake(WALLET, address);
    await watch.poll();
    watch.endEpoch();
    await watch.poll();
    for (const address of deactivated) watch.deactivate(WALLET, address, { signer: OTHER, seconds: 1000n });
    await pollTimes(watch, 2);
    const reported = await watch.eventsOf(id);
    assert.deepEqual(
      reported.map(({ type, data }) => [type, data.patterns]),
      deactivated.map(() => ['unexpected_deactivation', patterns]),
    );
  }
});

test('a gap is reported under a subscribed type, and not to registrations created after it', async (t) => {
  const watch = await ScriptedWatch.open(t);
  const early = await watch.register(WALLET, ['epoch_complete']);
  const foreign = await watch.register(OTHER);
  watch.pass();
  watch.stake(WALLET, STAKE);
  await watch.poll();
  watch.lost.add(watch.close(WALLET, STAKE));
  await pollTimes(watch, TRIES - 1);
  const late = await watch.register(WALLET);
  await pollTimes(watch, 3);
  assert.deepEqual(
    (await watch.eventsOf(early)).map(({ type, data }) => [type, data.incomplete]),
    [['epoch_complete', true]],
  );
  assert.deepEqual(await watch.eventsOf(late), []);
  assert.deepEqual(await watch.eventsOf(foreign), []);
});

for (const reason of ['history-unavailable', 'too-many-transactions'] as const)
  test(`accounts that appeared and disappeared unnoticed and cannot be found are reported as a gap of the wallet: ${reason}`, async (t) => {
    const { watch, id } = await withStake(t);
    watch.pass();
    await watch.poll();
    watch.pass();
    watch.stake(WALLET, SHORT_LIVED);
    watch.deactivate(WALLET, SHORT_LIVED);
    const signature = watch.close(WALLET, SHORT_LIVED);
    if (reason === 'history-unavailable') watch.lost.add(signature);
    else watch.crowded.add(WALLET);
    watch.pass();
    watch.start();
    await pollTimes(watch, TRIES + 3);
    const wide = (await watch.eventsOf(id)).filter(({ data }) => data.gap?.stakeAccountAddress === null);
    assert.deepEqual(
      wide.map(({ data }) => data.gap.reason),
      [reason],
    );
  });

test('an activation is marked as proven if a node has its delegation and as unproven otherwise, and is not reported for split-off stake', async (t) => {
  const { watch, id } = await withStake(t);
  watch.pass();
  watch.lost.add(watch.stake(WALLET, SHORT_LIVED));
  const split = numbered(13);
  const delegation = {
    voteAccount: watch.vote,
    stakeLamports: 10_000_000_000n,
    activationEpoch: watch.epoch,
  };
  watch.land(WALLET, split, [{ type: 'split', account: STAKE, into: split }], delegation);
  await pollTimes(watch, TRIES);
  watch.endEpoch();
  await pollTimes(watch, 2);
  const eventsOf = (await watch.eventsOf(id)).filter(({ type }) => type === 'stake_activated');
  const proof = new Map(eventsOf.map(({ data }) => [data.stakeAccountAddress, data.unproven]));
  assert.equal(eventsOf.length, 2);
  assert.deepEqual(
    proof,
    new Map([
      [STAKE, undefined],
      [SHORT_LIVED, true],
    ]),
  );
});

test('no wallet is read at first while the index is unavailable, and each wallet is read individually after a minute', async (t) => {
  const watch = await ScriptedWatch.open(t);
  const id = await watch.register(WALLET);
  watch.pass();
  watch.stake(WALLET, STAKE);
  watch.lists = false;
  assert.equal(await watch.poll(), false);
  watch.clock.advance(59_999);
  watch.endEpoch();
  assert.equal(await watch.poll(), false);
  assert.deepEqual(watch.askedFor, []);
  assert.deepEqual(await watch.eventsOf(id), []);
  watch.clock.advance(1);
  assert.equal(await watch.poll(), true);
  assert.deepEqual(new Set(watch.askedFor), new Set([WALLET]));
  assert.deepEqual(await watch.types(id), ['stake_activated', 'epoch_complete']);
  // The index lists accounts again, so wallets are no longer read individually.
  watch.lists = true;
  watch.askedFor.length = 0;
  watch.endEpoch();
  assert.equal(await watch.poll(), true);
  assert.deepEqual(watch.askedFor, []);
  // The index is unavailable again, so the poll waits for it again.
  watch.lists = false;
  watch.endEpoch();
  assert.equal(await watch.poll(), false);
});

/** Lets a stake appear and disappear while the index has lost its subscription. */
const missed = async (scope: Parameters<typeof ScriptedWatch.open>[0]) => {
  const { watch, id } = await withStake(scope);
  watch.live = false;
  await watch.poll();
  watch.pass();
  watch.stake(WALLET, SHORT_LIVED);
  watch.deactivate(WALLET, SHORT_LIVED);
  watch.pass();
  watch.close(WALLET, SHORT_LIVED);
  watch.pass();
  await watch.poll();
  watch.live = true;
  watch.pass();
  await watch.poll();
  assert.deepEqual(await watch.eventsOf(id), []);
  return { watch, id };
};
const MISSED = ['stake_deactivated', 'withdraw_ready'];

test("a stake that appeared and disappeared while the subscription was down is found in the wallet's transactions at the next boundary", async (t) => {
  const { watch, id } = await missed(t);
  watch.endEpoch();
  await watch.poll();
  const eventsOf = await watch.eventsOf(id);
  const ofMissed = eventsOf.filter(({ data }) => data.stakeAccountAddress === SHORT_LIVED);
  assert.deepEqual(
    ofMissed.map(({ type }) => type),
    MISSED,
  );
});

test('a stake that appeared and disappeared is also found after ten minutes, exactly once', async (t) => {
  const { watch, id } = await missed(t);
  watch.clock.advance(599_999);
  await watch.poll();
  assert.deepEqual(await watch.eventsOf(id), []);
  watch.clock.advance(1);
  await pollTimes(watch, 2);
  assert.deepEqual(await watch.types(id), MISSED);
  watch.clock.advance(600_000);
  await pollTimes(watch, 2);
  assert.deepEqual(await watch.types(id), MISSED);
});

test('another process that takes over earlier also finds the stake that appeared and disappeared', async (t) => {
  const { watch, id } = await missed(t);
  // The checkpoint is written twice a minute, so 30 s are enough for the next one.
  watch.clock.advance(30_000);
  await watch.poll();
  watch.start();
  await pollTimes(watch, 2);
  assert.deepEqual(await watch.types(id), MISSED);
});

test('the events of the next leader follow all earlier events, whatever its clock says', async (t) => {
  const { watch, id } = await withStake(t);
  watch.endEpoch();
  await watch.poll();
  for (const backMs of [0, 30_000]) {
    watch.clock.advance(-backMs);
    watch.pass();
    if (backMs === 0) watch.deactivate(WALLET, STAKE);
    else watch.endEpoch();
    watch.start();
    await watch.poll();
  }
  assert.deepEqual(await watch.types(id), [
    ...['stake_activated', 'epoch_complete', 'stake_deactivated'],
    ...['withdraw_ready', 'epoch_complete'],
  ]);
  // Timestamps in the future only order the events and do not delay them.
  const last = await watch.store.outbox.deliveries(id, { limit: 2, before: null, state: null });
  assert.deepEqual(
    last.map(({ nextAttemptAtMs }) => nextAttemptAtMs),
    [watch.clock.now(), watch.clock.now()],
  );
});

test('the events of one poll are in chain order: first the consequences of a boundary, then the end of its epoch, then later events', async (t) => {
  const { watch, id } = await withStake(t);
  watch.endEpoch();
  watch.pass();
  watch.deactivate(WALLET, STAKE);
  watch.pass();
  watch.stake(WALLET, SHORT_LIVED);
  watch.deactivate(WALLET, SHORT_LIVED);
  watch.endEpoch();
  watch.start();
  await watch.poll();
  const eventsOf = await watch.eventsOf(id);
  assert.deepEqual(
    eventsOf.map(({ type, data }) => `${type} ${data.stakeAccountAddress ?? data.epoch}`),
    [
      `stake_activated ${STAKE}`,
      'epoch_complete 20',
      `stake_deactivated ${STAKE}`,
      `stake_deactivated ${SHORT_LIVED}`,
      `withdraw_ready ${SHORT_LIVED}`,
      `withdraw_ready ${STAKE}`,
      'epoch_complete 21',
    ],
  );
});

test('poll returns false while it waits for a node to explain a change', async (t) => {
  const { watch } = await withStake(t);
  watch.pass();
  const signature = watch.deactivate(WALLET, STAKE);
  watch.lost.add(signature);
  assert.equal(await watch.poll(), false);
  watch.lost.delete(signature);
  assert.equal(await watch.poll(), true);
});

test("a change of a wallet's owner program is reported once, after two polls, even across leaders", async (t) => {
  const watch = await ScriptedWatch.open(t);
  const program = numbered(99);
  watch.assign(OTHER, program);
  const [id, other] = [await watch.register(WALLET), await watch.register(OTHER)];
  await watch.poll();
  watch.assign(WALLET, program);
  watch.pass();
  await watch.poll();
  assert.deepEqual(await watch.types(id), [], 'one response from one node is not enough');
  watch.start();
  await pollTimes(watch, 3);
  watch.start();
  await pollTimes(watch, 3);
  const reported = await watch.eventsOf(id);
  assert.deepEqual(
    reported.map(({ type, data }) => [type, data.level, data.owner.to]),
    [['wallet_owner_changed', 'critical', program]],
  );
  assert.deepEqual(await watch.types(other), []);
});

test('an owner that changes back and forth is reported each time, at the second poll, and later polls write nothing', async (t) => {
  const watch = await ScriptedWatch.open(t);
  const [program, system] = [numbered(99), '11111111111111111111111111111111' as Address];
  const id = await watch.register(WALLET);
  await watch.poll();
  for (const [at, owner] of [program, system, program, system].entries()) {
    watch.assign(WALLET, owner);
    watch.pass();
    await watch.poll();
    assert.equal((await watch.eventsOf(id)).length, at, 'one poll is not enough');
    await pollTimes(watch, 1);
    const reported = await watch.eventsOf(id);
    assert.equal(reported.length, at + 1);
    assert.equal(reported.at(-1)?.data.owner.to, owner);
    assert.equal(reported.at(-1)?.data.level, owner === system ? 'info' : 'critical');
    const written = t.mock.method(watch.store.outbox, 'record');
    await pollTimes(watch, 3);
    const marks = written.mock.calls.flatMap(({ arguments: [recorded] }) => JSON.stringify(recorded));
    assert.equal(marks.join().includes(`owner ${WALLET}`), false, 'nothing is written again');
    written.mock.restore();
    assert.equal((await watch.eventsOf(id)).length, at + 1);
  }
});

test('two contradicting polls report no change', async (t) => {
  const watch = await ScriptedWatch.open(t);
  const id = await watch.register(WALLET);
  await watch.poll();
  for (const owner of [numbered(98), numbered(99), numbered(98)]) {
    watch.assign(WALLET, owner);
    watch.pass();
    await watch.poll();
  }
  assert.deepEqual(await watch.types(id), []);
});

test('an account that leaves the validator without a notification is reported within half a minute, once, even across leaders and a boundary', async (t) => {
  const { watch, id } = await withStake(t);
  watch.endEpoch();
  watch.deactivate(WALLET, STAKE);
  watch.endEpoch();
  await watch.poll();
  const before = await watch.types(id);
  watch.isSilent = true;
  watch.pass();
  const elsewhere = {
    voteAccount: numbered(98),
    stakeLamports: 10_000_000_000n,
    activationEpoch: watch.epoch,
  };
  watch.land(
    WALLET,
    STAKE,
    [{ type: 'delegate', account: STAKE, voteAccount: elsewhere.voteAccount }],
    elsewhere,
  );
  watch.pass();
  await watch.poll();
  assert.deepEqual(await watch.types(id), before, 'the account is read again in 20 s');
  watch.clock.advance(20_000);
  await watch.poll();
  const reported = [...before, 'stake_moved_away'];
  assert.deepEqual(await watch.types(id), reported);
  watch.clock.advance(20_000);
  await watch.poll();
  watch.start();
  await pollTimes(watch, 2);
  watch.endEpoch();
  await watch.poll();
  const types = await watch.types(id);
  assert.equal(types.filter((type) => type === 'stake_moved_away').length, 1);
});

test('no account is read while rewards are being paid, and changes are reported afterwards', async (t) => {
  const { watch, id } = await withStake(t);
  watch.endEpoch();
  watch.epochRewardsActive = true;
  assert.equal(await watch.poll(), false);
  assert.deepEqual(await watch.types(id), []);
  watch.epochRewardsActive = false;
  await watch.poll();
  assert.deepEqual(await watch.types(id), ['stake_activated', 'epoch_complete']);
});

test('an owner change is reported only to its subscribers, and the first payment into a wallet is not a change', async (t) => {
  const watch = await ScriptedWatch.open(t);
  const [asked, others] = [await watch.register(WALLET), await watch.register(WALLET, ['epoch_complete'])];
  const unpaid = await watch.register(OTHER);
  await pollTimes(watch, 2);
  watch.assign(WALLET, numbered(99));
  watch.assign(OTHER, '11111111111111111111111111111111' as Address);
  watch.pass();
  await pollTimes(watch, 3);
  assert.deepEqual(await watch.types(asked), ['wallet_owner_changed']);
  assert.deepEqual([await watch.types(others), await watch.types(unpaid)], [[], []]);
});

test('a new leader searches several wallets concurrently, but not all of them', async (t) => {
  const watch = await ScriptedWatch.open(t);
  for (let wallet = 0; wallet < 40; wallet += 1) await watch.register(numbered(100 + wallet));
  watch.pass();
  await watch.poll();
  assert.equal(watch.maxSearchedAtOnce, 16);
});
