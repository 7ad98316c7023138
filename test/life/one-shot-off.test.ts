// Checks that a service that accepts no secret keys never mentions a call that requires one: no link, document
// or advice leads to a disabled route.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';
import { newWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after }, { settings: { HOLDFAST_ONE_SHOT: 'off' } });

const textOf = async (path: string) =>
  (await fetch(new URL(path, shared().service.url), { signal: patience() })).text();
/** Matches the paths of one-shot calls. In HTML, an entity ends a quoted path. */
const ONE_SHOT = /\/api\/v1\/(?:stake|unstake|withdraw)(?=[\s"'`<&\\]|$)/m;

test('generated responses link only to builders', async () => {
  const { _meta, nextSteps } = await shared().service.client.post('/api/v1/wallet/generate', {});
  assert.equal(_meta.relatedEndpoints.stake, '/api/v1/stake/transaction');
  assert.doesNotMatch(JSON.stringify(nextSteps), ONE_SHOT);
  assert.equal(nextSteps.alternative_oneShot, undefined);
});

test('no response links to a disabled route, not even a cached one', async () => {
  const { walletAddress } = newWallet();
  for (const path of [
    ...[
      `wallet/balance/${walletAddress}`,
      `stake/accounts/${walletAddress}`,
      `stake/summary/${walletAddress}`,
    ],
    ...[
      'validator',
      'validator/apy',
      'validator/performance',
      'verify/code',
      'epoch',
      'stake/simulate?amountSol=2',
    ],
  ])
    assert.doesNotMatch(await textOf(`/api/v1/${path}`), ONE_SHOT, path);
});

test('no guide or document contains a one-shot call, and each number of tools it states matches this service', async () => {
  const home = await textOf('/docs');
  const guides = [...new Set(home.match(/\/docs\/guides\/[a-z-]+/g))];
  assert.ok(guides.length > 10);
  for (const path of [
    ...guides,
    '/docs',
    '/docs/reference',
    '/docs/reference/stake',
    '/docs/reference/transactions',
    '/llms.txt',
    '/llms-full.txt',
    '/openapi.json',
  ]) {
    const text = await textOf(path);
    assert.doesNotMatch(text, ONE_SHOT, path);
    for (const [, count] of text.matchAll(/(\d+) tools(?! \(30)/g))
      if (!path.endsWith('guarantees')) assert.equal(count, '30', path);
  }
  assert.match(await textOf('/docs/guides/quick-start'), /accepts no secret keys/);
});
