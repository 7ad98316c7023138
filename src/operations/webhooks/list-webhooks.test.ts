// Tests the list of a wallet's webhooks with a real store: each is listed once, however many there are, and
// with all details only to holders of its secret.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { register, walletAddress } from '../../../test/support/notice-webhooks.ts';
import { openNoticeWorld, type ResponseBody } from '../../../test/support/notice-world.ts';
import { listWebhooks } from './list-webhooks.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

const HOUR_MS = 3_600_000;

it('a wallet registered by many networks is listed page by page, each webhook once and oldest first', async (t) => {
  const world = await openNoticeWorld(t);
  const made: string[] = [];
  for (let number = 0; number < 105; number += 1) {
    if (number % 3 === 0) world.clock.advance(1);
    made.push((await register(world, {}, `network ${Math.floor(number / 20)}`)).id);
  }
  const listed: ResponseBody[] = [];
  for (let network = 0; network < 6; network += 1) {
    const own: ResponseBody[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await world.ask(listWebhooks, { walletAddress, limit: 35, cursor }, `network ${network}`);
      assert.equal(page.count, page.webhooks.length);
      own.push(...page.webhooks);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      own.map(({ createdAt }) => createdAt),
      own.map(({ createdAt }) => createdAt).toSorted(),
    );
    listed.push(...own);
  }
  assert.deepEqual(listed.map(({ id }) => id).toSorted(), made.toSorted());
  const foreign = await world.ask(listWebhooks, { walletAddress }, 'another network');
  assert.deepEqual(
    [foreign.count, foreign.webhooks],
    [0, []],
    'ids and origins are shown only to the network that registered the webhook',
  );
});

it('a page size out of bounds and an invalid cursor are refused', async (t) => {
  const { refusal } = await openNoticeWorld(t);
  const words = async (more: object) => {
    const { code, message } = await refusal(listWebhooks, { walletAddress, ...more });
    assert.equal(code, 'VALIDATION_ERROR');
    return message;
  };
  assert.match(await words({ limit: 0 }), /^limit: /);
  assert.match(await words({ limit: 101 }), /^limit: /);
  assert.match(await words({ limit: 1.5 }), /^limit: /);
  for (const text of [
    'nonsense',
    Buffer.from('12.').toString('base64url'),
    Buffer.from('x.y').toString('base64url'),
  ])
    assert.equal(await words({ cursor: text }), 'cursor: This is not a cursor from an earlier page.');
});

it('only the webhook whose secret is sent is listed in full, on any page and also with the previous secret', async (t) => {
  const world = await openNoticeWorld(t);
  const [first, second] = [await register(world), await register(world)];
  const shown = async (secret: string) => {
    const { webhooks } = await world.ask(listWebhooks, { walletAddress, secret });
    return webhooks
      .filter(({ callbackUrl }: ResponseBody) => callbackUrl.includes('hidden'))
      .map(({ id }: ResponseBody) => id);
  };
  assert.deepEqual(await shown(first.secret), [first.id]);
  assert.deepEqual(await shown(`${first.secret} `), []);
  const rotated = await world.ask(rotateWebhookSecret, { id: second.id, secret: second.secret });
  assert.equal(Date.parse(rotated.previousSecretUntil) - world.clock.now(), 24 * HOUR_MS);
  assert.deepEqual(await shown(second.secret), [second.id]);
  world.clock.advance(24 * HOUR_MS);
  assert.deepEqual(await shown(second.secret), []);
  assert.deepEqual(await shown(rotated.secret), [second.id], 'the new secret still works');
});
