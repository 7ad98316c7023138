// Tests of the autopilot operations with a real store: refusals before signing, displayed fields, and access
// with the policy's secret.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settleAll } from '../../../test/support/notice-webhooks.ts';
import { type NoticeWorld, openNoticeWorld, type ResponseBody } from '../../../test/support/notice-world.ts';
import { newWallet, type TestWallet } from '../../../test/support/wallets.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { listDeliveries } from '../webhooks/list-deliveries.ts';
import { listWebhooks } from '../webhooks/list-webhooks.ts';
import { pingWebhook } from '../webhooks/ping-webhook.ts';
import { restoreWebhook } from '../webhooks/restore-webhook.ts';
import { rotateWebhookSecret } from '../webhooks/rotate-webhook-secret.ts';
import { deleteStakingPolicy } from './delete-staking-policy.ts';
import { getStakingPolicy } from './get-staking-policy.ts';
import { setStakingPolicy } from './set-staking-policy.ts';

const UNSIGNED = '1'.repeat(64);
const callbackUrl = 'https://hook.example/sweeps?token=hidden';

const requestOf = ({ walletAddress }: TestWallet, nonce: number, more: object = {}) => ({
  walletAddress,
  keepLiquidSol: 1,
  minSweepSol: 2,
  callbackUrl,
  nonce,
  ...more,
});

/** Signs the text that the first, unsigned request returns in its refusal, as a wallet owner would. */
const signed = async (
  world: NoticeWorld,
  operation: typeof setStakingPolicy | typeof deleteStakingPolicy,
  wallet: TestWallet,
  request: object,
): Promise<object> => {
  const { code, body } = await world.refusal(operation, { ...request, signature: UNSIGNED });
  assert.equal(code, 'INVALID_SIGNATURE');
  return { ...request, signature: encodeBase58(wallet.sign(Buffer.from(body.textToSign))) };
};

const set = async (world: NoticeWorld, wallet: TestWallet, nonce: number, more = {}, client?: string) =>
  world.ask(
    setStakingPolicy,
    await signed(world, setStakingPolicy, wallet, requestOf(wallet, nonce, more)),
    client,
  );

const end = async (world: NoticeWorld, wallet: TestWallet, nonce: number): Promise<object> =>
  signed(world, deleteStakingPolicy, wallet, { walletAddress: wallet.walletAddress, nonce });

const show = (world: NoticeWorld, { walletAddress }: TestWallet): Promise<ResponseBody> =>
  world.ask(getStakingPolicy, { walletAddress });

it('a policy with a forbidden callback is refused before it is signed', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  for (const [bad, words] of [
    ['https://10.0.0.1/', /public Internet/],
    ['http://hook.example/', /must be an https URL/],
    ['https://hook.example:8443/', /must use port 443/],
    ['https://hook.example', /must be written as in the URL standard: https:\/\/hook\.example\/$/],
    ['https://hook.example/a\nb', /control characters/],
    ['hook', /valid URL/],
  ] as const) {
    const request = { ...requestOf(wallet, 1, { callbackUrl: bad }), signature: UNSIGNED };
    const { code, message } = await world.refusal(setStakingPolicy, request);
    assert.equal(code, 'VALIDATION_ERROR', bad);
    assert.match(message, words);
  }
  assert.equal(await world.store.policies.find(wallet.walletAddress as never), null);
  assert.equal(world.woken.autopilot, 0);
});

it('a request without a signature gets the text to sign, and changes nothing', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const { code, body } = await world.refusal(setStakingPolicy, requestOf(wallet, 1));
  assert.equal(code, 'INVALID_SIGNATURE');
  assert.ok(body.textToSign.includes(`wallet=${wallet.walletAddress}`), body.textToSign);
  const ending = { walletAddress: wallet.walletAddress, nonce: 1 };
  assert.equal((await world.refusal(deleteStakingPolicy, ending)).code, 'INVALID_SIGNATURE');
  assert.equal(await world.store.policies.find(wallet.walletAddress as never), null);
});

it('a nonce is a whole number from 1 to 2^53 - 1, and each invalid nonce causes exactly one issue', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  for (const nonce of [0, -1, 1.5, 2 ** 53]) {
    const request = { ...requestOf(wallet, nonce), signature: UNSIGNED };
    const { code, message } = await world.refusal(setStakingPolicy, request);
    assert.equal(code, 'VALIDATION_ERROR', String(nonce));
    assert.ok(message.startsWith('nonce: ') && !message.includes(';'), message);
  }
  const greatest = await set(world, wallet, Number.MAX_SAFE_INTEGER);
  assert.deepEqual([greatest.nonce, greatest.paused], [Number.MAX_SAFE_INTEGER, false]);
  assert.match(greatest.message, /verify each before you sign it/);
});

it('an unresponsive callback gets one ping at a time, even if its address changes, and none until 24 hours after the last attempt', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const { webhookId: id, secret } = await set(world, wallet, 1);
  const ping = async (): Promise<string> => (await world.ask(pingWebhook, { id, secret })).eventId;
  const first = await ping();
  assert.equal(await ping(), first);
  await settleAll(world, { state: 'delivered' });
  const [second, third] = [await ping(), await ping()];
  assert.notEqual(second, third, 'a responsive callback is pinged as often as its owner requests');
  await settleAll(world, { state: 'delivered' });
  await set(world, wallet, 2, { callbackUrl: 'https://another.example/' });
  const fourth = await ping();
  assert.equal(await ping(), fourth, 'the new address has not responded yet');
  await settleAll(world, { state: 'dead' });
  const refused = await world.refusal(pingWebhook, { id, secret });
  assert.equal(refused.code, 'WEBHOOK_LIMIT');
});

it("the secret and id of a policy give access to its callback's log, ping and secret rotation, but cannot list or restore it", async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const { walletAddress } = wallet;
  const { webhookId: id, secret } = await set(world, wallet, 1);
  assert.equal((await show(world, wallet)).webhookId, id);
  const ping = await world.ask(pingWebhook, { id, secret });
  const { deliveries } = await world.ask(listDeliveries, { id, secret });
  assert.deepEqual(
    deliveries.map((one: ResponseBody) => [one.id, one.type]),
    [[ping.eventId, 'ping']],
  );
  const rotated = await world.ask(rotateWebhookSecret, { id, secret });
  assert.notEqual(rotated.secret, secret);
  assert.equal((await world.ask(listWebhooks, { walletAddress })).count, 0);
  assert.equal((await world.refusal(restoreWebhook, { id, secret })).code, 'NOT_FOUND');
  await world.ask(deleteStakingPolicy, await end(world, wallet, 2));
  assert.equal(
    (await world.refusal(restoreWebhook, { id, secret })).code,
    'NOT_FOUND',
    'the registration ended with its policy',
  );
  assert.equal((await world.refusal(pingWebhook, { id, secret })).code, 'NOT_FOUND');
});

it('a policy shows that its callback is disabled, and setting the policy again re-enables it', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const { webhookId, callbackStatus } = await set(world, wallet, 1);
  assert.equal(callbackStatus, 'active');
  const [event] = await world.store.outbox.record([
    {
      id: 'evt_1',
      registrationId: webhookId,
      type: 'autopilot_sweep',
      data: '{}',
      atMs: world.clock.now(),
      expiresAtMs: null,
    },
  ]);
  const claim = { owner: 'process', nowMs: world.clock.now(), leaseMs: 1_000, limit: 1 };
  const [claimed] = await world.store.outbox.claim({ ...claim, limitPerRegistration: 1, except: [] });
  const attempt = { number: 1, atMs: claim.nowMs, durationMs: 1, status: 410, answerBytes: 0 };
  await world.store.outbox.settle([
    {
      eventId: event!,
      key: claimed!.key,
      registrationId: webhookId,
      owner: 'process',
      attempt: { ...attempt, outcome: 'gone' },
      next: { state: 'dead' },
      disable: 'gone',
    },
  ]);
  assert.equal((await show(world, wallet)).callbackStatus, 'disabled');
  const again = await set(world, wallet, 2);
  assert.deepEqual([again.callbackStatus, again.webhookId, again.secret], ['active', webhookId, undefined]);
  assert.equal((await show(world, wallet)).callbackStatus, 'active');
});

it('one network may have a hundred policies, counting deleted ones for 24 hours, and may still change any of them', async (t) => {
  const world = await openNoticeWorld(t);
  const wallets = Array.from({ length: 101 }, newWallet);
  for (const wallet of wallets.slice(0, 100)) await set(world, wallet, 1);
  const last = wallets[100]!;
  const request = await signed(world, setStakingPolicy, last, requestOf(last, 1));
  const { code, message } = await world.refusal(setStakingPolicy, request);
  assert.deepEqual([code, message.includes('100 autopilot policies')], ['WEBHOOK_LIMIT', true]);
  await set(world, wallets[0]!, 2);
  await world.ask(setStakingPolicy, request, 'another network');
  await world.ask(deleteStakingPolicy, await end(world, wallets[1]!, 2));
  const next = newWallet();
  const wanted = await signed(world, setStakingPolicy, next, requestOf(next, 1));
  assert.equal((await world.refusal(setStakingPolicy, wanted)).code, 'WEBHOOK_LIMIT');
  world.clock.advance(24 * 60 * 60 * 1000);
  await world.ask(setStakingPolicy, wanted);
});

it('the nonce applies to setting and deleting, remains after the deletion, and is part of every refusal', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const { walletAddress } = wallet;
  const never = await world.refusal(getStakingPolicy, { walletAddress });
  assert.deepEqual([never.code, never.body], ['NOT_FOUND', {}]);
  const early = await end(world, wallet, 9);
  assert.equal((await world.refusal(deleteStakingPolicy, early)).code, 'NOT_FOUND');
  await set(world, wallet, 10);
  for (const nonce of [9, 10]) {
    const late = await signed(world, setStakingPolicy, wallet, requestOf(wallet, nonce));
    for (const refused of [
      await world.refusal(setStakingPolicy, late),
      await world.refusal(deleteStakingPolicy, await end(world, wallet, nonce)),
    ])
      assert.deepEqual([refused.code, refused.body.lastNonce], ['STALE_NONCE', 10]);
  }
  const ended = await world.ask(deleteStakingPolicy, await end(world, wallet, 12));
  assert.deepEqual(ended, { deleted: true, walletAddress, nonce: 12 });
  const gone = await world.refusal(getStakingPolicy, { walletAddress });
  assert.deepEqual([gone.code, gone.body.lastNonce], ['NOT_FOUND', 12]);
  assert.equal((await world.refusal(deleteStakingPolicy, await end(world, wallet, 13))).code, 'NOT_FOUND');
  const stale = await signed(world, setStakingPolicy, wallet, requestOf(wallet, 12));
  assert.equal((await world.refusal(setStakingPolicy, stale)).body.lastNonce, 12);
  assert.equal(typeof (await set(world, wallet, 13)).secret, 'string', 'a new policy, a new secret');
});

it('a paused policy is stored with exactly the signed values and reports that it makes no offers', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const request = requestOf(wallet, 1, { paused: true, keepLiquidSol: 0, minSweepSol: 0.000000001 });
  const { body } = await world.refusal(setStakingPolicy, { ...request, signature: UNSIGNED });
  assert.deepEqual(body.textToSign.split('\n'), [
    'holdfast-autopilot-policy:v1',
    `cluster=${world.ctx.chain.cluster.genesisHash}`,
    'service=https://stake.example',
    'vote=vote',
    `wallet=${wallet.walletAddress}`,
    'keepLiquidLamports=0',
    'minSweepLamports=1',
    `callbackUrl=${callbackUrl}`,
    'paused=true',
    'nonce=1',
  ]);
  const response = await world.ask(setStakingPolicy, await signed(world, setStakingPolicy, wallet, request));
  assert.match(response.message, /paused, so no stakes are offered/);
  assert.equal(world.woken.autopilot, 1);
  const shown = await show(world, wallet);
  assert.deepEqual([shown.paused, shown.keepLiquidSol, shown.minSweepSol], [true, 0, 0.000000001]);
  assert.deepEqual(
    [shown.callbackOrigin, shown.lastSweep, shown.lastSkip],
    ['https://hook.example', null, null],
  );
  assert.ok(!JSON.stringify(shown).includes('hidden'));
});

it('the last offer and the last reason for no offer are shown as stored', async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const walletAddress = wallet.walletAddress as never;
  await set(world, wallet, 1);
  await world.store.policies.noteSkip(walletAddress, { epoch: 6n, reason: 'BELOW_MIN_SWEEP', atMs: 1_000 });
  await world.store.policies.noteSweep(walletAddress, {
    epoch: 7n,
    lamports: 2_500_000_000n,
    eventId: 'evt_1',
    atMs: 2_000,
  });
  const { lastSweep, lastSkip } = await show(world, wallet);
  assert.deepEqual(lastSweep, {
    epoch: 7,
    amountSol: 2.5,
    eventId: 'evt_1',
    at: '1970-01-01T00:00:02.000Z',
  });
  assert.deepEqual(lastSkip, {
    epoch: 6,
    reason: 'BELOW_MIN_SWEEP',
    at: '1970-01-01T00:00:01.000Z',
    message: 'The amount above the liquid amount is too small for an offer.',
  });
});

it("a policy's amounts, callback and last offer are shown only with its secret or to the network that set it", async (t) => {
  const world = await openNoticeWorld(t);
  const wallet = newWallet();
  const walletAddress = wallet.walletAddress as never;
  const { secret, webhookId } = await set(world, wallet, 1);
  await world.store.policies.noteSweep(walletAddress, {
    epoch: 7n,
    lamports: 2_500_000_000n,
    eventId: 'evt_1',
    atMs: 2_000,
  });
  const other = '198.51.100.9';
  const seen = await world.ask(getStakingPolicy, { walletAddress }, other);
  assert.deepEqual(Object.keys(seen).sort(), [
    ...['createdAt', 'nonce', 'paused', 'updatedAt', 'walletAddress', 'webhookId'],
  ]);
  const own = await world.ask(getStakingPolicy, { walletAddress });
  assert.deepEqual([own.keepLiquidSol, own.lastSweep.eventId, own.webhookId], [1, 'evt_1', webhookId]);
  assert.deepEqual(await world.ask(getStakingPolicy, { walletAddress, secret }, other), own);
  assert.deepEqual(await world.ask(getStakingPolicy, { walletAddress, secret: 'whsec_x' }, other), seen);
});
