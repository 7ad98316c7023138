// Kills two service processes on one PostgreSQL in turn while wallets stake. Receivers must get every event
// under exactly one id, whichever process watches or delivers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '../../src/kernel/clock.ts';
import { type Received, type Respond, startReceiver } from '../support/receiver.ts';
import { openReplicaWorld, type ReplicaWorld, replicasMissing } from '../support/replicas.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import type { TestService } from '../support/service-fixture.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SOL = 1_000_000_000n;
/** Number of kills, alternating between the watching process and the other one. */
const KILLS = FULL ? 6 : 2;
const WALLETS = FULL ? 6 : 2;
const PER_WALLET = 2;
const EVENTS = ['withdraw_ready', 'epoch_complete', 'stake_activated', 'stake_deactivated'];
const LEADS = /"role":"events"[^\n]*this process leads|this process leads[^\n]*"role":"events"/;

const missing = await replicasMissing();
const cleanUps: (() => unknown)[] = [];
let world: ReplicaWorld;
let services: TestService[] = [];
before(async () => {
  if (missing !== undefined) return;
  world = await openReplicaWorld(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } },
  );
  services = await Promise.all([world.start(), world.start()]);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const hasLed = ({ process }: TestService): boolean => LEADS.test(process.stdout + process.stderr);

/** Returns the watching process once there is one. A process watches until it ends. */
const watching = async (): Promise<TestService> => {
  for (;;) {
    const found = services.find(hasLed);
    if (found) return found;
    await systemClock.sleep(20);
  }
};

/** Kills the process without running its signal handlers, and starts another in its place. */
const replace = async (victim: TestService): Promise<void> => {
  await victim.process.stop('SIGKILL');
  services = services.filter((service) => service !== victim);
  const survivor = services[0]!;
  if (hasLed(victim)) await survivor.process.output(LEADS);
  assert.ok(hasLed(survivor), 'the surviving process to start watching');
  services.push(await world.start());
};

interface Registered {
  readonly id: string;
  readonly secret: string;
  readonly wallet: string;
  readonly path: string;
}

const register = async (
  { client }: TestService,
  {
    wallet,
    path,
    callbackUrl,
  }: { readonly wallet: string; readonly path: string; readonly callbackUrl: string },
): Promise<Registered> => {
  const body = { walletAddress: wallet, callbackUrl, events: EVENTS };
  const { id, secret } = await client.post('/api/v1/webhooks', body);
  return { id, secret, wallet, path };
};

/** Returns the deliveries in one state from the delivery log of any process. */
const listed = async ({ id, secret }: Registered, state: string): Promise<readonly unknown[]> => {
  const answer = await fetch(
    new URL(`/api/v1/webhooks/${id}/deliveries?limit=100&state=${state}`, services[0]!.url),
    { headers: { authorization: `Bearer ${secret}` } },
  );
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { deliveries: unknown[] }).deliveries;
};

/** Deliveries by id, as the official library read them on arrival. */
interface DeliveredEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a receiver parses untyped JSON.
  readonly data: any;
  readonly bodies: string[];
}

test(`when two processes are killed in turn, ${KILLS} times, while ${WALLETS} wallets stake, every event arrives, and none under two ids`, {
  skip: missing ?? false,
}, async (t) => {
  const { sandbox } = world;
  const secrets = new Map<string, string>();
  const delivered = new Map<string, Map<string, DeliveredEvent>>();
  const note = (secret: string, { path, headers, body }: Received): void => {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as DeliveredEvent & {
      id: string;
    };
    assert.equal(event.id, headers['webhook-id']);
    const ofPath = delivered.get(path) ?? new Map<string, DeliveredEvent>();
    delivered.set(path, ofPath);
    const known = ofPath.get(event.id);
    if (known) known.bodies.push(body);
    else ofPath.set(event.id, { type: event.type, data: event.data, bodies: [body] });
  };
  const faults: unknown[] = [];
  const respond: Respond = (request, response) => {
    const secret = secrets.get(request.path);
    // The ping may arrive before the response to the registration, because any process may send it.
    if (secret === undefined) return void setTimeout(respond, 5, request, response);
    try {
      note(secret, request);
    } catch (error) {
      faults.push(error);
    }
    // In the full run, responses are slow, so a kill interrupts deliveries, whose leases last a minute.
    setTimeout(() => response.writeHead(204).end(), FULL ? 200 : 0);
  };
  const receiver = await startReceiver(t, respond);
  const stakers = await Promise.all(
    Array.from({ length: WALLETS }, () => SandboxStaker.fund(sandbox, 500n * SOL)),
  );
  const registered: Registered[] = [];
  for (const { wallet } of stakers)
    for (let one = 0; one < PER_WALLET; one += 1) {
      const path = `/${registered.length}`;
      const service = services[one % services.length]!;
      registered.push(
        await register(service, { wallet: wallet.address, path, callbackUrl: receiver.url + path }),
      );
      secrets.set(path, registered.at(-1)!.secret);
    }
  const expected = new Map<string, string[]>(stakers.map(({ wallet }) => [wallet.address, []]));
  const expect = (staker: SandboxStaker, ...names: string[]): void =>
    void expected.get(staker.wallet.address)!.push(...names);
  const firstEpoch = sandbox.epoch();

  /** Waits until all expected events have arrived. If they never do, the test's time limit applies. */
  const whole = async (): Promise<void> => {
    const ended = sandbox.epoch() - firstEpoch;
    // Each registration starts with a ping.
    const isWhole = ({ wallet, path }: Registered): boolean =>
      (delivered.get(path)?.size ?? 0) >= 1 + expected.get(wallet)!.length + ended;
    while (!registered.every(isWhole)) await systemClock.sleep(20);
  };

  for (let kill = 0; kill < KILLS; kill += 1) {
    const leader = await watching();
    const victim = kill % 2 === 0 ? leader : services.find((service) => service !== leader)!;
    const stakes = await Promise.all(
      stakers.map(async (staker) => ({ staker, stake: await staker.stake(2n * SOL) })),
    );
    await sandbox.advanceEpochs(1);
    for (const { staker, stake } of stakes) expect(staker, `stake_activated ${stake}`);
    // The full run kills the process during deliveries, other runs at any point of a poll.
    if (FULL) await receiver.got(receiver.received.length + 3);
    const replaced = replace(victim);
    await Promise.all(stakes.map(({ staker, stake }) => staker.deactivate(stake)));
    for (const { staker, stake } of stakes) expect(staker, `stake_deactivated ${stake}`);
    await sandbox.advanceEpochs(1);
    for (const { staker, stake } of stakes) expect(staker, `withdraw_ready ${stake}`);
    const [closed] = stakes as [(typeof stakes)[number]];
    await closed.staker.withdraw(closed.stake, (await closed.staker.account(closed.stake))!.lamports);
    await replaced;
    await whole();
  }

  // Interrupted deliveries are repeated when their lease ends, one minute after the claim.
  if (FULL)
    for (const one of registered)
      while ((await listed(one, 'pending')).length > 0) await systemClock.sleep(200);
  for (const one of registered) assert.deepEqual(await listed(one, 'dead'), []);
  const ends = Array.from(
    { length: sandbox.epoch() - firstEpoch },
    (_, i) => `epoch_complete ${firstEpoch + i}`,
  );
  assert.deepEqual(faults, []);
  const ids = new Set<string>();
  let repeated = 0;
  for (const { wallet, path } of registered) {
    const names: string[] = [];
    for (const [id, { type, data, bodies }] of delivered.get(path)!) {
      assert.ok(!ids.has(id), 'an id belongs to one registration');
      ids.add(id);
      repeated += bodies.length - 1;
      assert.equal(new Set(bodies).size, 1);
      assert.equal(data.walletAddress, wallet);
      if (type !== 'ping') names.push(`${type} ${data.stakeAccountAddress ?? data.epoch}`);
    }
    assert.deepEqual(names.toSorted(), [...expected.get(wallet)!, ...ends].toSorted());
  }
  t.diagnostic(`${ids.size} events, ${repeated} deliveries repeated under the same id`);
  if (FULL) assert.ok(repeated > 0, 'no kill interrupted a delivery');
});
