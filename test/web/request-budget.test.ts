// Checks that the page uses little of the rate limit: after an epoch ends, it reads again only what may have
// changed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, reviewStake, stepIs } from '../support/page-steps.ts';

const isApi = (request: string): boolean => /^\w+ \/(api\/v1|sandbox)\//.test(request);

describe('requests of the page', { skip: browserSkip }, () => {
  const service = sharedPageService({ before, after }, { skip: browserSkip });
  const openBrowser = sharedBrowser({ before, after });

  it('the end of an epoch costs a portfolio with a stake at most nine requests', async (t) => {
    const { page, requests } = await openBrowser(t, { url: service().url });
    await connectFunded(page);
    await reviewStake(page, '20');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'turning', 'current');
    await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
    await page.locator('li[data-account][data-state="activating"]').waitFor();
    await page.waitForLoadState('networkidle');
    const before = requests.length;
    // The last read after the boundary.
    const last = page.waitForRequest((request) => request.url().includes('/stake/rewards/'));
    await page.getByRole('button', { name: 'End epoch' }).click();
    await page.locator('li[data-account][data-state="active"]').waitFor();
    await last;
    await page.waitForLoadState('networkidle');
    const caused = requests.slice(before).filter(isApi);
    assert.ok(caused.length <= 9, caused.join('\n'));
  });
});
