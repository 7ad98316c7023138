// Checks how autopilot offers are delivered: each attempt is signed and rebuilt for one stake address, and an
// offer ends with its policy, its epoch or a stake.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { Webhook } from 'standardwebhooks';
import { type PolicyScope, policyText } from '../../src/domain/autopilot/policy-text.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import type { Delivery } from '../../src/store/outbox/outbox.ts';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { patience } from '../support/patience.ts';
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;

// biome-ignore lint/suspicious/noExplicitAny: a receiver parses untyped JSON.
type Event = Record<string, any>;

/**
 * Starts a service that may call loopback addresses, and a receiver that responds when the test says so. Only
 * one attempt is in progress at a time. Whatever the test does before it responds therefore happens before the
 * next attempt, even on the slowest machine.
 */
const worldOf = async (t: TestContext) => {
  const world = await startTestApp(t, { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const waiting = new Map<string, (status: number) => void>();
  const hold: Respond = ({ headers }, response) =>
    void waiting.set(String(headers['webhook-id']), (status) => response.writeHead(status).end());
  let respond = hold;
  const receiver = await startReceiver(t, (request, response) => respond(request, response));
  return {
    ...world,
    receiver,
    /** Refuses the waiting attempt. */
    refuse: (id: string) => waiting.get(id)!(500),
    /** Accepts every later request. */
    accept: () => {
      respond = (_request, response) => void response.writeHead(204).end();
    },
  };
};

type World = Awaited<ReturnType<typeof worldOf>>;

const post = async ({ app }: TestApp, path: string, body: object) => {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = (await answer.json()) as Record<string, string>;
  assert.equal(answer.status, 200, JSON.stringify(answered));
  return answered;
};

const setPolicy = (world: World, wallet: TestWallet, nonce: number, paused = false) => {
  const { ctx, url } = world.app;
  const scope: PolicyScope = {
    prefix: 'holdfast-autopilot',
    genesisHash: ctx.chain.cluster.genesisHash,
    serviceOrigin: url,
    voteAccount: ctx.service.settings.voteAccount,
  };
  const walletAddress = wallet.walletAddress as Address;
  const callbackUrl = `${world.receiver.url}/`;
  const text = policyText(scope, {
    walletAddress,
    keepLiquidLamports: SOL,
    minSweepLamports: SOL,
    callbackUrl,
    paused,
    nonce,
  });
  return post(world, '/api/v1/autopilot/policy', {
    walletAddress,
    keepLiquidSol: 1,
    minSweepSol: 1,
    callbackUrl,
    paused,
    nonce,
    signature: encodeBase58(wallet.sign(Buffer.from(text))),
  });
};

/** Returns the data of the receiver's `number`th request, verified as any receiver would. */
const offerOf = async (receiver: Receiver, secret: string, number: number) => {
  await receiver.got(number);
  const { headers, body } = receiver.received[number - 1]!;
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as Event;
  assert.equal(event.id, headers['webhook-id']);
  assert.equal(event.type, 'autopilot_sweep');
  return event;
};

/** Returns the state of one of the wallet's offers. */
const deliveryOf = async (
  { app: { ctx } }: World,
  { walletAddress }: TestWallet,
  id: string,
): Promise<Delivery> => {
  const { registrationId } = (await ctx.store.policies.find(walletAddress as Address))!;
  const all = await ctx.store.outbox.deliveries(registrationId, { limit: 9, before: null, state: null });
  return all.find((delivery) => delivery.id === id)!;
};

/** Waits until `attempts` attempts are recorded on disk. */
const noted = async (world: World, wallet: TestWallet, id: string, attempts: number): Promise<Delivery> => {
  for (;;) {
    const delivery = await deliveryOf(world, wallet, id);
    if (delivery.attempts >= attempts) return delivery;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Refuses the attempt in progress. Once the refusal is recorded on disk, makes the next attempt due. */
const refuseAndRetry = async (world: World, wallet: TestWallet, id: string): Promise<void> => {
  const { attempts } = await deliveryOf(world, wallet, id);
  world.refuse(id);
  const { nextAttemptAtMs } = await noted(world, wallet, id, attempts + 1);
  world.clock.advance(Math.max(0, nextAttemptAtMs! - world.clock.now()));
  world.app.ctx.events.wakeDelivery();
};

/** Waits until the offer is no longer pending. Returns its state. */
const settled = async (world: World, wallet: TestWallet, id: string): Promise<Delivery['state']> => {
  for (;;) {
    const { state } = await deliveryOf(world, wallet, id);
    if (state !== 'pending') return state;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

test('every attempt is signed and rebuilt for the same stake address, and its transaction can be used to stake', async (t) => {
  const world = await worldOf(t);
  const wallet = await fundedWallet(world.sandbox, 5);
  const { secret } = await setPolicy(world, wallet, 1);
  const first = await offerOf(world.receiver, secret!, 1);
  assert.equal(first.data.sol, 3.99999);
  assert.deepEqual(
    first.data.instructions.map(({ program }: { program: string }) => program),
    ['System', 'Stake', 'Stake', 'Memo'],
  );
  await world.sandbox.airdrop(wallet.walletAddress, SOL, patience());
  await refuseAndRetry(world, wallet, first.id);
  const second = await offerOf(world.receiver, secret!, 2);
  assert.equal(second.id, first.id, 'one offer, one id');
  assert.equal(second.data.stakeAccountAddress, first.data.stakeAccountAddress);
  assert.equal(second.data.sol, 4.99999, 'everything above the wallet’s liquid reserve at that time');
  const { rebuild, stakeAccountAddress } = second.data;
  const rebuilt = await post(world, new URL(rebuild.endpoint).pathname, {
    walletAddress: wallet.walletAddress,
    amountSol: rebuild.amountSol,
    idempotencyKey: rebuild.idempotencyKey,
  });
  assert.equal(rebuilt.stakeAccountAddress, stakeAccountAddress);
  await post(world, '/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, second.data.transaction),
  });
  await refuseAndRetry(world, wallet, first.id);
  assert.equal(await settled(world, wallet, first.id), 'dead', 'a stake that was made is not offered again');
  assert.equal(world.receiver.received.length, 2);
});

test('an accepted offer is delivered once, and the next offer is made in the next epoch', async (t) => {
  const world = await worldOf(t);
  world.accept();
  const wallet = await fundedWallet(world.sandbox, 5);
  const { secret } = await setPolicy(world, wallet, 1);
  const first = await offerOf(world.receiver, secret!, 1);
  assert.equal(await settled(world, wallet, first.id), 'delivered');
  await world.sandbox.advanceEpochs(1);
  for (let nonce = 2; world.receiver.received.length < 2; nonce += 1) await setPolicy(world, wallet, nonce);
  const next = await offerOf(world.receiver, secret!, 2);
  assert.notEqual(next.id, first.id);
  assert.equal(next.data.epoch, first.data.epoch + 1);
  assert.notEqual(next.data.stakeAccountAddress, first.data.stakeAccountAddress);
});

/** Creates an offer whose first attempt is waiting for its response. */
const offered = async (t: TestContext) => {
  const world = await worldOf(t);
  const wallet = await fundedWallet(world.sandbox, 5);
  const { secret } = await setPolicy(world, wallet, 1);
  const { id } = await offerOf(world.receiver, secret!, 1);
  return { world, wallet, id };
};

const timesDelivered = ({ receiver }: World, id: string): number =>
  receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length;

test('if an outsider has funded an offer’s stake address, the offer is replaced by one with a new address that can be staked', async (t) => {
  const { world, wallet, id } = await offered(t);
  const dataOf = (number: number) =>
    JSON.parse(world.receiver.received[number - 1]!.body).data as Record<string, string>;
  const first = dataOf(1).stakeAccountAddress!;
  await world.sandbox.airdrop(first, SOL / 100n, patience());
  await refuseAndRetry(world, wallet, id);
  await world.receiver.got(2);
  const { stakeAccountAddress, transaction } = dataOf(2);
  assert.notEqual(stakeAccountAddress, first);
  const staked = await post(world, '/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, transaction!),
  });
  assert.equal(staked.stakeAccountAddress, stakeAccountAddress);
  await refuseAndRetry(world, wallet, id);
  assert.equal(await settled(world, wallet, id), 'dead', 'one stake per epoch, whatever its address');
  assert.equal(timesDelivered(world, id), 2);
});

test('an open offer ends when its policy is paused', async (t) => {
  const { world, wallet, id } = await offered(t);
  await setPolicy(world, wallet, 2, true);
  await refuseAndRetry(world, wallet, id);
  assert.equal(await settled(world, wallet, id), 'dead');
  assert.equal(timesDelivered(world, id), 1);
});

test('an open offer ends when its epoch ends', async (t) => {
  const { world, wallet, id } = await offered(t);
  await world.sandbox.advanceEpochs(1);
  // The new epoch's offer may or may not exist yet.
  await refuseAndRetry(world, wallet, id);
  assert.equal(await settled(world, wallet, id), 'dead');
  assert.equal(timesDelivered(world, id), 1);
});

test('a commission of 100% that no poll has seen yet prevents the offer, which is made once the commission is back', async (t) => {
  const world = await worldOf(t);
  world.accept();
  const { ctx } = world.app;
  const wallet = await fundedWallet(world.sandbox, 5);
  const find = async () => (await ctx.store.policies.find(wallet.walletAddress as Address))!;
  await ctx.validator.noticesNow(patience());
  await world.sandbox.setValidator({ commissionBps: 10_000 });
  const { secret } = await setPolicy(world, wallet, 1);
  while ((await find()).lastSkip === null && (await find()).lastSweep === null)
    await new Promise((resolve) => setImmediate(resolve));
  const { lastSkip, lastSweep } = await find();
  assert.deepEqual([lastSkip?.reason, lastSweep], ['VALIDATOR_FAILING', null]);
  await world.sandbox.setValidator({ commissionBps: 500 });
  for (let nonce = 2; (await find()).lastSweep === null; nonce += 1) await setPolicy(world, wallet, nonce);
  assert.equal((await offerOf(world.receiver, secret!, 1)).data.sol, 3.99999);
});
