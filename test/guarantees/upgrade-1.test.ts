// UPGRADE-1: data written by an earlier version opens, every repeated request gives the old signature and address, and no event has a new id.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import {
  clockOf,
  copyUpgradeData,
  type RecordedRequest,
  recordedWallet,
  restoreChain,
  startUpgraded,
  type UpgradeData,
  type UpgradeEngine,
  type UpgradeFacts,
  upgradeFacts,
} from '../support/upgrade-fixture.ts';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an outsider sees JSON.
  readonly body: any;
}

const SECOND_MS = 1_000;
/** Past the second step of the retry schedule. */
const RETRIES_DUE_MS = 7 * 60 * SECOND_MS;

const caller =
  (url: string) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };

/** The second signer of a signed transaction: the stake account that it creates. */
const createdBy = (wireHex: string): string => {
  const wire = Buffer.from(wireHex, 'hex');
  const message = wire.subarray(1 + 64 * wire[0]!);
  const header = message[0]! >= 0x80 ? 1 : 0;
  const keysAt = header + 4;
  return encodeBase58(message.subarray(keysAt + 32, keysAt + 64));
};

const storedEvents = async ({ query }: UpgradeData): Promise<readonly string[]> =>
  (await query('select id, registration, type from events order by id')).map((row) => row.join(' '));

const submissionsOf = async ({ query, databaseUrl }: UpgradeData) => {
  const hex = databaseUrl === undefined ? 'hex(s.wire_bytes)' : "encode(s.wire_bytes, 'hex')";
  const rows = await query(
    `select i.key, s.signature, s.state, ${hex} from intents i join submissions s on s.signature = i.signature`,
  );
  return new Map(
    (rows as [string, string, string, string][]).map(([key, signature, state, wire]) => [
      key,
      { signature, state, wire },
    ]),
  );
};

/** Every request of the recording once more, as its caller would repeat it. */
const repeatAll = async (facts: UpgradeFacts, data: UpgradeData, call: ReturnType<typeof caller>) => {
  const { secretKey, walletAddress } = recordedWallet(facts, 'main');
  const stored = await submissionsOf(data);
  const repeat = ({ path, body, key }: RecordedRequest): Promise<Answer> =>
    call(
      'POST',
      path,
      'secretKey' in body ? { ...body, secretKey } : body,
      key === undefined ? {} : { 'idempotency-key': key },
    );
  for (const request of facts.requests) {
    const { name, status, answer, key, signature } = request;
    const now = await repeat(request);
    const shown = `${name}: ${now.status} ${JSON.stringify(now.body)}`;
    const before = key === undefined ? undefined : stored.get(key);
    if (status === 200) {
      assert.equal(now.status, 200, shown);
      assert.equal(now.body.signature, answer!.signature, shown);
      assert.equal(now.body.stakeAccountAddress, answer!.stakeAccountAddress, shown);
    } else if (name.includes('landed unanswered')) {
      assert.equal(now.status, 200, shown);
      assert.equal(now.body.signature, signature, shown);
      if (request.path !== '/api/v1/unstake')
        assert.equal(now.body.stakeAccountAddress, createdBy(before!.wire), shown);
    } else if (path(request) === 'one-shot stake') {
      // It never landed and never will: the stake is made now, at the address that it was to have.
      assert.equal(now.status, 200, shown);
      assert.notEqual(now.body.signature, before!.signature, shown);
      assert.equal(now.body.stakeAccountAddress, createdBy(before!.wire), shown);
    } else {
      assert.equal(now.status, 400, shown);
      if (before!.state === 'failed') assert.equal(now.body.errorCode, answer!.errorCode, shown);
    }
  }
  // Builders lead to the old addresses too, and say what already stands there.
  const landed = facts.requests.find(({ key }) => key === 'build-1')!;
  const occupied = await call(
    'POST',
    '/api/v1/stake/transaction',
    { walletAddress, amountSol: 2 },
    { 'idempotency-key': 'build-1' },
  );
  assert.equal(occupied.body.errorCode, 'STAKE_ADDRESS_OCCUPIED', JSON.stringify(occupied.body));
  assert.deepEqual(
    [occupied.body.signature, occupied.body.stakeAccountAddress],
    [landed.answer!.signature, landed.answer!.stakeAccountAddress],
  );
  const rebuilt = await call(
    'POST',
    '/api/v1/stake/transaction',
    { walletAddress, amountSol: 2 },
    { 'idempotency-key': 'expired-built' },
  );
  assert.equal(rebuilt.status, 200, JSON.stringify(rebuilt.body));
  assert.equal(rebuilt.body.stakeAccountAddress, createdBy(stored.get('expired-built')!.wire));
};

const path = ({ name, path }: RecordedRequest): string =>
  path === '/api/v1/stake' ? 'one-shot stake' : name;

/** Signed as Standard Webhooks says; the official verifier would call the recording's time too old. */
const assertSigned = (secret: string, headers: Received['headers'], body: string): void => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  assert.ok(String(headers['webhook-signature']).split(' ').includes(signature), body);
};

/** Registrations are known under their ids, keys and secrets. */
const askWebhooks = async (facts: UpgradeFacts, receiverUrl: string, call: ReturnType<typeof caller>) => {
  const { active, rotated, gone } = facts.webhooks;
  const body = { ...active.body, callbackUrl: `${receiverUrl}/active` };
  const again = await call('POST', '/api/v1/webhooks', body, { 'idempotency-key': active.key });
  // Its key can be guessed: the secret is not told again.
  assert.deepEqual([again.status, again.body.id, 'secret' in again.body], [200, active.id, false]);
  for (const { id, secret } of [active, rotated, gone]) {
    const log = await call('GET', `/api/v1/webhooks/${id}/deliveries`, undefined, {
      authorization: `Bearer ${secret}`,
    });
    assert.equal(log.status, 200, JSON.stringify(log.body));
    assert.ok(log.body.deliveries.length > 0);
  }
  const offered = recordedWallet(facts, 'offered').walletAddress;
  const policy = await call('GET', `/api/v1/autopilot/policy/${offered}`);
  assert.equal(policy.status, 200, JSON.stringify(policy.body));
};

/** Until `find` finds something; the runner's limit ends it otherwise. */
const until = async <T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(20);
  }
};

const PENDING =
  "select e.id from deliveries d join events e on e.key = d.event join webhooks w on w.id = d.registration where d.state = 'pending' and w.deleted_at_ms is null and w.disabled_reason is null";

const upgrade = async (t: TestContext, engine: UpgradeEngine): Promise<void> => {
  const facts = upgradeFacts(engine);
  const data = await copyUpgradeData(t, engine);
  if (typeof data === 'string') return t.skip(data);
  const chain = await restoreChain(t, engine);
  const receiver = await startReceiver(t);
  // The receiver of the recording is gone: what it was to hear goes to one that accepts everything.
  for (const table of ['webhooks', 'policies'])
    await data.query(
      `update ${table} set callback_url = replace(callback_url, '${facts.receiver}', '${receiver.url}')`,
    );
  const eventsBefore = await storedEvents(data);
  const pending = (await data.query(PENDING)).map(([id]) => String(id));
  assert.ok(pending.includes(facts.offer.id), 'an offer is under way');
  assert.ok(pending.length > 5, 'events wait to be delivered');

  const clock = clockOf(facts);
  const open = async () => {
    const app = await startUpgraded(data, chain, { clock });
    let isOpen = true;
    const close = async () => {
      if (isOpen) await app.close();
      isOpen = false;
    };
    t.after(close);
    return { app, close, call: caller(app.url) };
  };
  /** Until everything up to now was looked at, seen from what it wrote last. */
  const watched = async () => {
    const at = chain.sandbox.slot();
    const mark = async () => {
      const [[value] = []] = await data.query("select value from marks where name = 'watcher'");
      const known = value === undefined ? undefined : (JSON.parse(String(value)) as { slot: string });
      return known !== undefined && Number(known.slot) >= at ? true : undefined;
    };
    // The mark is written every 30 s. Time that is skipped cuts off what is waited for: between two skips a look has its time.
    for (;;) {
      clock.skip(31 * SECOND_MS);
      for (let polls = 0; polls < 40; polls += 1) {
        if (await mark()) return;
        await delay(200);
      }
    }
  };

  const first = await open();
  await t.test('what was recorded before legs were reads as one leg each', async () => {
    const { walletAddress } = recordedWallet(facts, 'main');
    const old = new Map(
      (await data.query('select signature, stake_account from transactions')).map(([signature, account]) => [
        String(signature),
        account,
      ]),
    );
    for (const [signature] of await data.query('select signature from transaction_legs'))
      old.delete(String(signature));
    const { body } = await first.call('GET', `/api/v1/stake/history/${walletAddress}?limit=200`);
    const entries = body.history.filter(({ signature }: { signature: string }) => old.has(signature));
    assert.ok(entries.length > 2, JSON.stringify([...old, ...body.history]));
    for (const { signature, stakeAccountAddress, amountSol, legs } of entries) {
      assert.equal(stakeAccountAddress, old.get(signature));
      assert.equal(legs.length, 1);
      assert.deepEqual([legs[0].stakeAccountAddress, legs[0].amountSol], [stakeAccountAddress, amountSol]);
    }
  });
  await t.test('every repeated request gives the old signature and address', () =>
    repeatAll(facts, data, first.call),
  );
  await t.test('what was to be delivered arrives, each under its old id', async () => {
    clock.skip(RETRIES_DUE_MS);
    first.app.ctx.wakeDelivery();
    await until(() => {
      const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return pending.every((id) => arrived.has(id)) ? true : undefined;
    });
    const wanted = receiver.received.find(({ headers }) => headers['webhook-id'] === facts.offer.id)!;
    const offer = JSON.parse(wanted.body);
    assert.equal(offer.data.stakeAccountAddress, facts.offer.data.stakeAccountAddress);
    assert.equal(
      createdBy(Buffer.from(offer.data.transaction, 'base64').toString('hex')),
      offer.data.stakeAccountAddress,
    );
    const ids = Object.values(facts.webhooks);
    for (const { path, headers, body } of receiver.received) {
      const known = ids.find(({ body }) => String(body.callbackUrl).endsWith(path));
      if (known) assertSigned(known.secret, headers, body);
    }
  });
  await t.test('registrations are known under their ids, keys and secrets', () =>
    askWebhooks(facts, receiver.url, first.call),
  );
  let eventsNow: readonly string[] = [];
  await t.test('nothing that was told is told again under another id', async () => {
    await watched();
    await first.close();
    eventsNow = await storedEvents(data);
    for (const event of eventsBefore) assert.ok(eventsNow.includes(event), `${event} is still known`);
    // What landed in the recording's last moments had not been looked at: one unstake, told once to each registration.
    const unseen = facts.requests.find(({ key }) => key === 'landed-unstake')!.body.stakeAccountAddress;
    const repeated = factsAmong(eventsNow, eventsBefore).map((event) => event.split(' '));
    assert.equal(new Set(repeated.map(([, registration]) => registration)).size, repeated.length);
    for (const [id] of repeated) {
      const [[type, text] = []] = await data.query(`select type, data from events where id = '${id}'`);
      assert.equal(type, 'stake_deactivated');
      if (text !== '') assert.equal(JSON.parse(String(text)).stakeAccountAddress, unseen, String(text));
    }
  });
  await t.test('found anew from the chain alone, every fact has its old id', async () => {
    await data.query("delete from marks where name = 'watcher'");
    await data.query('delete from watched_accounts');
    const second = await open();
    await watched();
    const { id, secret } = facts.webhooks.deleted;
    // What the deleted registration missed is recorded now, for when it is restored; nobody was sent it before.
    const anew = factsAmong(await storedEvents(data), eventsNow);
    assert.deepEqual(
      anew.filter((event) => event.split(' ')[1] !== id),
      [],
    );
    assert.equal(new Set(anew).size, anew.length);
    const authorization = `Bearer ${secret}`;
    const restored = await second.call('POST', `/api/v1/webhooks/${id}/restore`, undefined, {
      authorization,
    });
    assert.equal(restored.status, 200, JSON.stringify(restored.body));
    await second.close();
  });
};

/** Facts of the chain and offers among `events` that are not among `known`; pings and notices of registrations are no facts. */
const factsAmong = (events: readonly string[], known: readonly string[]): readonly string[] => {
  const isFact = /(withdraw_ready|epoch_complete|stake_activated|stake_deactivated|autopilot_sweep)$/;
  return events.filter((event) => isFact.test(event) && !known.includes(event));
};

for (const engine of ['sqlite', 'postgres'] as const)
  test(`UPGRADE-1 what version 0.1.0 (commit 66821e1) wrote on ${engine} is opened and goes on as it was`, (t) =>
    upgrade(t, engine));
