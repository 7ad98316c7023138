// Checks events with several processes. One watches, another takes over when the first is killed, and every
// event must still be reported exactly once and in order.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import pg from 'pg';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openReplicaWorld, type ReplicaWorld, replicasMissing } from '../support/replicas.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import type { TestService } from '../support/service-fixture.ts';

const SOL = 1_000_000_000n;
const KILLS = process.env.HOLDFAST_TEST_FULL === '1' ? 8 : 1;
const LEADS = /"role":"events"[^\n]*this process leads|this process leads[^\n]*"role":"events"/;
const ROUNDS = 600;
const missing = await replicasMissing();

interface Row {
  readonly id: string;
  readonly registration: string;
  readonly type: string;
  readonly data: string;
  /** A bigint, which the driver returns as a string. */
  readonly at_ms: string;
}

const registerIn = async (client: pg.Client, { sandbox }: ReplicaWorld, wallet: string): Promise<string> => {
  const id = randomBytes(16).toString('hex');
  await client.query(
    `insert into holdfast.webhooks (id, kind, wallet, callback_url, callback_host, events, created_at_ms, created_epoch, created_slot, client, secret_generation, awaits_answer, secret_deletes)
     values ($1, 'events', $2, 'https://receiver.example/', 'receiver.example', 'withdraw_ready,epoch_complete,stake_activated,stake_deactivated', $3, $4, $5, 'test', 0, 0, 0)`,
    [id, wallet, Date.now(), sandbox.epoch(), sandbox.slot()],
  );
  return id;
};

const recordedRows = async (client: pg.Client): Promise<readonly Row[]> =>
  (await client.query('select id, registration, type, data, at_ms from holdfast.events')).rows;

/**
 * Builds the plans of one epoch for two active stakes: split and deactivate, move and deactivate, undo, merge,
 * cancel by merging, sweep.
 */
const rearrange = async (staker: SandboxStaker, voteAccount: Address, [kept, merged]: readonly Address[]) => {
  const [child, activating, swept, empty] = await Promise.all(
    [1, 2, 3, 4].map(() => generateKeyPairSigner()),
  );
  const authority = staker.wallet.address;
  const rent = await staker.rpc.getMinimumBalanceForRentExemption(200n).send();
  const create = ({ address: account }: KeyPairSigner, lamports: bigint): MachineOperation => ({
    type: 'create',
    account,
    payer: authority,
    lamports,
  });
  const initialize = ({ address: account }: KeyPairSigner): MachineOperation => ({
    type: 'initialize',
    account,
    stakeAuthority: authority,
    withdrawAuthority: authority,
    lockup: NO_LOCKUP,
  });
  const delegate = (account: Address): MachineOperation => ({
    type: 'delegate',
    account,
    voteAccount,
    authority,
  });
  const deactivate = (account: Address): MachineOperation => ({ type: 'deactivate', account, authority });
  await staker.rearrange(
    [
      create(child!, rent),
      { type: 'split', account: kept!, into: child!.address, lamports: 3n * SOL, authority },
      deactivate(child!.address),
    ],
    [child!],
  );
  await staker.rearrange([
    { type: 'moveStake', account: kept!, into: merged!, lamports: SOL, authority },
    deactivate(kept!),
  ]);
  await staker.rearrange([delegate(kept!)]);
  await staker.rearrange([{ type: 'merge', account: kept!, from: merged!, authority }]);
  await staker.rearrange(
    [
      ...[create(activating!, 2n * SOL), initialize(activating!), delegate(activating!.address)],
      ...[create(empty!, rent), initialize(empty!)],
    ],
    [activating!, empty!],
  );
  await staker.rearrange([{ type: 'merge', account: empty!.address, from: activating!.address, authority }]);
  await staker.rearrange(
    [
      { type: 'withdraw', account: kept!, to: authority, lamports: rent, authority },
      { type: 'withdraw', account: empty!.address, to: authority, lamports: 2n * SOL, authority },
      ...[create(swept!, 2n * SOL), initialize(swept!), delegate(swept!.address)],
    ],
    [swept!],
  );
  // The two merged accounts, one active and one activating, have no events, because neither was deactivated.
  return { cooled: child!.address, undone: kept!, staked: swept!.address };
};

/** Waits until `isSo` returns true, even if a takeover and a first scan happen in the meantime. */
const eventually = async (isSo: () => Promise<boolean>, what: string): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await isSo()) return;
    await systemClock.sleep(100);
  }
  assert.fail(`timed out waiting for ${what}`);
};

test(`WH-EVENTS: when the watching one of two processes on one PostgreSQL is killed ${KILLS} times, the other takes over, and every event is reported exactly once, in the order of the chain`, {
  skip: missing ?? false,
}, async (scope) => {
  const world = await openReplicaWorld(scope);
  const { sandbox } = world;
  let services: TestService[] = [await world.start(), await world.start()];
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  // If the test fails, dropping the database ends its connections.
  client.on('error', () => undefined);
  const leader = async (): Promise<TestService> => {
    let found: TestService | undefined;
    await eventually(() => {
      found = services.find(({ process }) => LEADS.test(process.stdout + process.stderr));
      return Promise.resolve(found !== undefined);
    }, 'a process that watches');
    return found!;
  };

  const staker = await SandboxStaker.fund(sandbox, 500n * SOL);
  const registrations = [
    await registerIn(client, world, staker.wallet.address),
    await registerIn(client, world, staker.wallet.address),
  ];
  /** Simultaneous events may be reported in any order. */
  const expected: string[][] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const watching = await leader();
    const stakes = [await staker.stake(3n * SOL), await staker.stake(2n * SOL)];
    const planned = [await staker.stake(10n * SOL), await staker.stake(9n * SOL)] as Address[];
    await sandbox.advanceEpochs(1);
    const all = (type: string, accounts: readonly string[]) => accounts.map((one) => `${type} ${one}`);
    const epoch = sandbox.epoch();
    expected.push(all('stake_activated', [...stakes, ...planned]), [`epoch_complete ${epoch - 1}`]);
    // The test does not wait for a poll, so the kill may hit any point of the process's work.
    await watching.process.stop('SIGKILL');
    services = services.filter((service) => service !== watching);
    const [stake, closed] = stakes as [string, string];
    await staker.deactivate(stake);
    await staker.deactivate(closed);
    const { cooled, undone, staked } = await rearrange(staker, sandbox.voteAccount as Address, planned);
    await sandbox.advanceEpochs(1);
    await staker.withdraw(closed, (await staker.account(closed))!.lamports);
    for (const one of stakes) expected.push([`stake_deactivated ${one}`]);
    expected.push([`stake_deactivated ${cooled}`], [`stake_deactivated ${undone}`]);
    expected.push(
      [...all('stake_activated', [staked]), ...all('withdraw_ready', [...stakes, cooled])],
      [`epoch_complete ${epoch}`],
    );
    services.push(await world.start());
    await leader();
    const whole = expected.flat().length * registrations.length;
    await eventually(
      async () => (await recordedRows(client)).length >= whole,
      `${whole} events after kill ${kill + 1}`,
    );
  }
  const rows = await recordedRows(client);
  assert.equal(new Set(rows.map(({ id }) => id)).size, expected.flat().length * registrations.length);
  for (const registration of registrations) {
    const own = rows
      .filter((row) => row.registration === registration)
      .map(({ type, data, at_ms }) => {
        const { stakeAccountAddress, epoch } = JSON.parse(data) as Record<string, unknown>;
        return { atMs: Number(at_ms), name: `${type} ${stakeAccountAddress ?? epoch}` };
      })
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ name }) => name);
    const grouped = expected.map((group) => own.splice(0, group.length).toSorted());
    assert.deepEqual(
      grouped,
      expected.map((group) => group.toSorted()),
    );
    assert.deepEqual(own, []);
  }
  await client.end();
});
