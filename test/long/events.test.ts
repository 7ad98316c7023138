// Checks the events of real stakes on a sandbox: each event is reported once, whatever the owner does and
// however long the watcher is down.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address } from '@solana/kit';
import { getSetLockupInstruction } from '@solana-program/stake';
import { authorize, mergeInto, splitOff, until } from '../support/index-fixture.ts';
import { chosenRules } from '../support/parameter-sets.ts';
import { sharedSandbox, withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { openWatcherFixture } from '../support/watcher-fixture.ts';

const SOL = 1_000_000_000n;
const RENT = BigInt(chosenRules().stakeRentLamports);
const shared = sharedSandbox({ before, after });

test('each step of a full staking lifecycle is reported once (activated, epochs, deactivated, ready), and a second poll reports no event', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address);
  const first = sandbox.epoch();
  const stake = await staker.stake(3n * SOL);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), []);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [`stake_activated ${stake}`, `epoch_complete ${first}`]);
  await staker.deactivate(stake);
  await watcher.settle();
  assert.deepEqual((await watcher.names(id)).slice(2), [`stake_deactivated ${stake}`]);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual((await watcher.names(id)).slice(3), [
    `withdraw_ready ${stake}`,
    `epoch_complete ${first + 1}`,
  ]);
  const { lamports } = (await staker.account(stake))!;
  await staker.withdraw(stake, lamports);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual((await watcher.names(id)).slice(5), [`epoch_complete ${first + 2}`]);
  const events = await watcher.eventsOf(id);
  assert.equal(new Set(events.map((event) => event.id)).size, 6);
  // In every event about a stake, `sol` is the whole balance and `stakedSol` the delegated part.
  assert.deepEqual([events[0]!.data.sol, events[0]!.data.stakedSol], [3, 3 - Number(RENT) / 1e9]);
  assert.equal(events[3]!.data.sol, Number(lamports) / 1e9);
  assert.deepEqual(
    events.filter(({ type }) => type === 'epoch_complete').map(({ data }) => data.late),
    [false, false, false],
  );
});

const sorted = (names: readonly string[]): readonly string[] => names.toSorted();

test('a registration gets all later events and no earlier ones, even if the wallet has an earlier registration', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 90n * SOL);
  const wallet = staker.wallet.address;
  const [active, deactivated, inactive] = [
    await staker.stake(3n * SOL),
    await staker.stake(4n * SOL),
    await staker.stake(5n * SOL),
  ];
  await sandbox.advanceEpochs(1);
  await staker.deactivate(inactive);
  await sandbox.advanceEpochs(1);
  await staker.deactivate(deactivated);
  const activating = await staker.stake(6n * SOL);
  const first = await watcher.register(wallet);
  const epoch = sandbox.epoch();
  await watcher.settle();
  assert.deepEqual(await watcher.names(first), []);
  await staker.deactivate(active);
  const second = await watcher.register(wallet);
  await watcher.settle();
  assert.deepEqual(await watcher.names(first), [`stake_deactivated ${active}`]);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  const boundary = [
    `stake_activated ${activating}`,
    `withdraw_ready ${deactivated}`,
    `withdraw_ready ${active}`,
    `epoch_complete ${epoch}`,
  ];
  assert.deepEqual(sorted(await watcher.names(first)), sorted([`stake_deactivated ${active}`, ...boundary]));
  assert.deepEqual(sorted(await watcher.names(second)), sorted(boundary));
  const ids = [...(await watcher.eventsOf(first)), ...(await watcher.eventsOf(second))].map(({ id }) => id);
  assert.equal(new Set(ids).size, 9);
  assert.equal((await watcher.eventsOf(await watcher.register(wallet, ['epoch_complete']))).length, 0);
  await watcher.settle();
});

test('a registration gets only the event types that it subscribed to', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const ready = await watcher.register(staker.wallet.address, ['withdraw_ready']);
  const other = await watcher.register((await SandboxStaker.fund(sandbox, SOL)).wallet.address);
  const stake = await staker.stake(3n * SOL);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  await staker.deactivate(stake);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(ready), [`withdraw_ready ${stake}`]);
  assert.deepEqual(
    (await watcher.names(other)).map((name) => name.split(' ')[0]),
    ['epoch_complete', 'epoch_complete'],
  );
});

test('a split-off account triggers no activation event, but its deactivation and readiness are reported, and a merge triggers no event', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 90n * SOL);
  const id = await watcher.register(staker.wallet.address, [
    'stake_activated',
    'stake_deactivated',
    'withdraw_ready',
  ]);
  const stake = await staker.stake(9n * SOL);
  const early = await splitOff(staker, stake, 2n * SOL, RENT);
  await staker.send(early.instructions);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  const late = await splitOff(staker, stake, 2n * SOL, RENT);
  await staker.send(late.instructions);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [`stake_activated ${stake}`]);
  await staker.send([mergeInto(staker, stake, early.address)]);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [`stake_activated ${stake}`]);
  await staker.deactivate(late.address);
  await watcher.settle();
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [
    `stake_activated ${stake}`,
    `stake_deactivated ${late.address}`,
    `withdraw_ready ${late.address}`,
  ]);
});

test('a deactivation that is undone and repeated counts as one within the same epoch, and as a second one in a later epoch', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address, ['stake_deactivated', 'withdraw_ready']);
  const stake = await staker.stake(9n * SOL);
  await sandbox.advanceEpochs(1);
  for (let time = 0; time < 2; time += 1) {
    await staker.deactivate(stake);
    if (time === 0) await watcher.settle();
    await staker.send([staker.delegateInstruction(stake, sandbox.voteAccount)]);
    await watcher.settle();
  }
  assert.deepEqual(await watcher.names(id), [`stake_deactivated ${stake}`]);
  await sandbox.advanceEpochs(1);
  await staker.deactivate(stake);
  await watcher.settle();
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  const deactivation = `stake_deactivated ${stake}`;
  assert.deepEqual(await watcher.names(id), [deactivation, deactivation, `withdraw_ready ${stake}`]);
  const [one, two] = await watcher.eventsOf(id);
  assert.equal(two!.data.deactivationEpoch, one!.data.deactivationEpoch + 1);
});

test('the events of an account deactivated and closed between two polls are reconstructed from its signatures', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address, [
    'stake_activated',
    'stake_deactivated',
    'withdraw_ready',
  ]);
  const stake = await staker.stake(3n * SOL);
  await staker.deactivate(stake);
  await staker.withdraw(stake, 3n * SOL);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [`stake_deactivated ${stake}`, `withdraw_ready ${stake}`]);
});

test('a stake moved to another validator is no longer reported, and when it returns it is reported as a new stake', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address, [
    'stake_activated',
    'stake_deactivated',
    'withdraw_ready',
  ]);
  const stake = await staker.stake(3n * SOL);
  await watcher.settle();
  await staker.send([staker.delegateInstruction(stake, sandbox.otherVoteAccount)]);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  await staker.deactivate(stake);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), []);
  await staker.send([staker.delegateInstruction(stake, sandbox.voteAccount)]);
  await watcher.settle();
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [`stake_activated ${stake}`]);
});

/**
 * Sets a lockup: as the withdraw authority while none is in force, and otherwise as its custodian. Both are the
 * same wallet here.
 */
const lockUntil = async (staker: SandboxStaker, stake: string, unixTimestamp: bigint): Promise<void> => {
  const { wallet } = staker;
  const lockup = { unixTimestamp, epoch: 0n, custodian: wallet.address };
  await staker.send([getSetLockupInstruction({ stake: address(stake), authority: wallet, ...lockup })]);
};

const nowSeconds = (): bigint => BigInt(Math.floor(Date.now() / 1_000));

test('a lockup delays readiness until it ends according to the clock of the chain', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address, ['withdraw_ready']);
  const stake = await staker.stake(3n * SOL);
  await lockUntil(staker, stake, nowSeconds() + 3_600n);
  await sandbox.advanceEpochs(1);
  await staker.deactivate(stake);
  await sandbox.advanceEpochs(1);
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), []);
  const end = nowSeconds() + 2n;
  await lockUntil(staker, stake, end);
  await until(async () => {
    await watcher.poll();
    return (await watcher.names(id)).length > 0;
  }, 'the end of the lockup');
  assert.deepEqual(await watcher.names(id), [`withdraw_ready ${stake}`]);
  assert.ok(nowSeconds() >= end);
  await watcher.settle();
  assert.equal((await watcher.names(id)).length, 1);
});

test('no event is reported while rewards are being paid, and all of them are reported afterwards', async (scope) => {
  await withSandbox({}, async (sandbox) => {
    const watcher = await openWatcherFixture(scope, sandbox);
    const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
    const id = await watcher.register(staker.wallet.address);
    const stake = await staker.stake(3n * SOL);
    const epoch = sandbox.epoch();
    await sandbox.holdEpochRewards(true);
    await sandbox.advanceEpochs(1);
    assert.deepEqual([await watcher.poll(), await watcher.poll()], [false, false]);
    assert.deepEqual(await watcher.names(id), []);
    await sandbox.holdEpochRewards(false);
    await watcher.settle();
    assert.deepEqual(await watcher.names(id), [`stake_activated ${stake}`, `epoch_complete ${epoch}`]);
    await watcher.stop();
  });
});

test('event ids stay the same if the service restarts after any step', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const again = async () => {
    await watcher.stop();
    await watcher.start();
  };
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address);
  const epoch = sandbox.epoch();
  await again();
  const stake = await staker.stake(3n * SOL);
  await again();
  await watcher.settle();
  await again();
  await sandbox.advanceEpochs(1);
  await again();
  await watcher.settle();
  await again();
  await staker.deactivate(stake);
  await again();
  await watcher.settle();
  await watcher.stop();
  await sandbox.advanceEpochs(1);
  await watcher.start();
  await watcher.settle();
  await again();
  await watcher.settle();
  assert.deepEqual(await watcher.names(id), [
    `stake_activated ${stake}`,
    `epoch_complete ${epoch}`,
    `stake_deactivated ${stake}`,
    `withdraw_ready ${stake}`,
    `epoch_complete ${epoch + 1}`,
  ]);
});

test('after three epochs of downtime, each epoch is reported late but in order, with everything that happened in it', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const staker = await SandboxStaker.fund(sandbox, 50n * SOL);
  const id = await watcher.register(staker.wallet.address);
  const epoch = sandbox.epoch();
  const known = await staker.stake(3n * SOL);
  await watcher.settle();
  await watcher.stop();
  const unknown = await staker.stake(4n * SOL);
  await sandbox.advanceEpochs(1);
  for (const stake of [known, unknown]) await staker.deactivate(stake);
  await sandbox.advanceEpochs(1);
  for (const stake of [known, unknown]) await staker.withdraw(stake, (await staker.account(stake))!.lamports);
  await sandbox.advanceEpochs(1);
  await watcher.start();
  await watcher.settle();
  // In chain order. Simultaneous events may come in any order.
  const names = await watcher.names(id);
  const both = (type: string) => [`${type} ${known}`, `${type} ${unknown}`];
  assert.deepEqual(sorted(names.slice(0, 2)), sorted(both('stake_activated')));
  assert.deepEqual(names.slice(2, 5), [`epoch_complete ${epoch}`, ...both('stake_deactivated')]);
  assert.deepEqual(sorted(names.slice(5, 7)), sorted(both('withdraw_ready')));
  assert.deepEqual(names.slice(7), [`epoch_complete ${epoch + 1}`, `epoch_complete ${epoch + 2}`]);
  const ends = (await watcher.eventsOf(id)).filter(({ type }) => type === 'epoch_complete');
  assert.deepEqual(
    ends.map(({ data }) => data.late),
    [true, true, true],
  );
  assert.deepEqual(
    ends.map(({ data }) => data.portfolio === null),
    [true, true, false],
  );
});

test('an account that another stake authority merged away during downtime is still reported', async (scope) => {
  const sandbox = shared.get();
  const watcher = await openWatcherFixture(scope, sandbox);
  const owner = await SandboxStaker.fund(sandbox, 50n * SOL);
  const manager = await SandboxStaker.fund(sandbox, 5n * SOL);
  const id = await watcher.register(owner.wallet.address, [
    'stake_activated',
    'stake_deactivated',
    'withdraw_ready',
  ]);
  const [merged, gone] = [await owner.stake(3n * SOL), await owner.stake(4n * SOL)];
  for (const stake of [merged, gone])
    await owner.send([authorize(owner, stake, manager.wallet.address, 'Staker')]);
  await watcher.settle();
  await watcher.stop();
  await sandbox.advanceEpochs(1);
  await manager.send([mergeInto(manager, merged, gone)]);
  await manager.deactivate(merged);
  await watcher.start();
  await watcher.settle();
  assert.deepEqual(
    sorted(await watcher.names(id)),
    sorted([`stake_activated ${merged}`, `stake_activated ${gone}`, `stake_deactivated ${merged}`]),
  );
});
