// UPGRADE-1, the page: what a page of version 0.1.0 (commit 66821e1) kept in a browser goes on under its old key, signature and stake account.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openPage } from '../../src/compose/open-page.ts';
import { createLogger } from '../../src/kernel/logger.ts';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { stepIs } from '../support/page-steps.ts';
import {
  clockOf,
  copyUpgradeData,
  restoreChain,
  startUpgraded,
  upgradeFacts,
} from '../support/upgrade-fixture.ts';

const root = join(import.meta.dirname, '..', '..');
const facts = upgradeFacts('sqlite');
const { confirmed, reviewed, sent } = facts.browser!;
const parsed = (text: string): Record<string, string> => JSON.parse(text);

describe('UPGRADE-1 a transaction that the page of version 0.1.0 kept', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });
  const cleanUps: (() => unknown)[] = [];
  let url = '';
  before(async () => {
    if (browserSkip !== false) return;
    const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    const page = await openPage(root, createLogger('silent'));
    const data = await copyUpgradeData(scope, 'sqlite');
    assert.ok(typeof data !== 'string');
    const app = await startUpgraded(data, await restoreChain(scope, 'sqlite'), {
      page,
      clock: clockOf(facts),
    });
    cleanUps.push(() => app.close());
    url = app.url;
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  const open = (t: Parameters<typeof openBrowser>[0], record: string) =>
    openBrowser(t, {
      url,
      initScript: `if (!localStorage.getItem('opened')) localStorage.setItem('holdfast-transaction', ${JSON.stringify(record)}); localStorage.setItem('opened', 'yes')`,
    });

  it('sent and never answered: followed to its confirmation, and not made again', async (t) => {
    const { page, requests, offences } = await open(t, sent);
    await stepIs(page, 'confirmed', 'done');
    const link = page.locator(`a[href*="${parsed(sent).signature}"]`).first();
    await link.waitFor();
    assert.deepEqual(
      requests.filter((one) => /POST .*\/(stake|stake\/transaction)$/.test(one)),
      [],
    );
    assert.deepEqual(offences(), []);
  });

  it('confirmed: shown as such, with its signature', async (t) => {
    const { page } = await open(t, confirmed);
    await stepIs(page, 'confirmed', 'done');
    await page
      .locator(`a[href*="${parsed(confirmed).signature}"]`)
      .first()
      .waitFor();
  });

  it('reviewed and not signed: built again under the same key, for the same stake account', async (t) => {
    const { page } = await open(t, reviewed);
    const built = page.waitForResponse((response) => response.url().endsWith('/api/v1/stake/transaction'));
    await page.getByRole('button', { name: /^(continue|go on)$/i }).click();
    const response = await built;
    const { idempotencyKey, stakeAccountAddress } = parsed(reviewed);
    assert.equal(response.request().headers()['idempotency-key'], idempotencyKey);
    const answer = (await response.json()) as Record<string, string>;
    assert.equal(answer.stakeAccountAddress, stakeAccountAddress, JSON.stringify(answer));
  });
});
