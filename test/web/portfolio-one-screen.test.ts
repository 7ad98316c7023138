// Checks that the portfolio fits one screen: the summary, three accounts and the rewards. Everything else is in
// tabs and side sheets that work by keyboard.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { looksRight } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { endEpochs, stakeAccountsOf, stepIs } from '../support/page-steps.ts';
import { inState, openPortfolio, signInWallet, unstakeNow, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

const MAX_HEIGHT = 1200;

describe('the portfolio in one screen', { skip: browserSkip }, () => {
  it('is at most 1,200 px high with three accounts and rewards, and everything else opens with one key', async (t) => {
    const wallet = await walletWith(service(), [2, 3, 5]);
    const [first] = await stakeAccountsOf(service(), wallet.walletAddress);
    await endEpochs(service(), 3);
    await unstakeNow(service(), wallet, String(first!.address));
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    await page.locator('canvas').first().waitFor();
    await page.locator('[data-suggested="tidy"]').waitFor();
    await page.waitForLoadState('networkidle');
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    await looksRight(page, 'portfolio-one-screen');
    assert.ok(height <= MAX_HEIGHT, `${height} px`);

    const tabs = page.getByRole('tablist', { name: 'More about this wallet' });
    const panel = (name: string) => page.getByRole('tabpanel', { name });
    await tabs.getByRole('tab', { name: 'Rewards', selected: true }).press('ArrowRight');
    await panel('History')
      .getByRole('row', { name: /Stake 5 SOL/ })
      .waitFor();
    assert.equal(await page.getByRole('tabpanel').count(), 1, 'one panel at a time');
    await page.keyboard.press('ArrowRight');
    await panel('Alerts').getByRole('button', { name: 'Show changes' }).waitFor();
    await looksRight(page, 'portfolio-alerts');
    await page.keyboard.press('End');
    await panel('Printout').getByRole('button', { name: 'Print' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await panel('Rewards').locator('canvas').waitFor();
    await tabs.locator('button:focus').getByText('Rewards').waitFor();

    const open = page.getByRole('button', { name: 'Unstake an amount' });
    await open.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Unstake an amount' });
    await sheet.getByRole('slider').waitFor();
    const { x, y, width, height: high } = (await sheet.boundingBox())!;
    assert.deepEqual([x + width, y, high], [1280, 0, 900], 'at the right, as high as the screen');
    await looksRight(page, 'portfolio-side-sheet', false);
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Unstake an amount' }).waitFor();
    assert.deepEqual(offences(), []);
  });

  it('idle SOL takes one line, which is shown neither after a withdrawal nor for another user’s wallet', async (t) => {
    const wallet = await walletWith(service(), [2]);
    const [account] = await stakeAccountsOf(service(), wallet.walletAddress);
    const { page } = await openPortfolio(t, openBrowser, service(), wallet);
    const idle = page.locator('[data-recommended="STAKE"]');
    await idle.getByText(/^You could stake 99\.\d+ SOL of your wallet\. It isn’t earning\.$/).waitFor();
    assert.ok((await idle.boundingBox())!.height < 60, 'one line');
    const stranger = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${wallet.walletAddress}`,
    });
    await stranger.page.locator('[data-account]').waitFor();
    await stranger.page.waitForLoadState('networkidle');
    assert.equal(await stranger.page.locator('[data-recommended]').count(), 0);

    await unstakeNow(service(), wallet, String(account!.address));
    await endEpochs(service());
    await page.reload();
    await inState(page, 'inactive').waitFor();
    await page
      .getByRole('region', { name: 'Next step' })
      .getByRole('button', { name: /^Withdraw/ })
      .press('Enter');
    await page.getByRole('dialog').getByText('Checked in your browser').waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await page.getByText('No stake here').waitFor();
    await looksRight(page, 'portfolio-after-exit');
    assert.equal(
      await page
        .getByRole('main')
        .locator('a, button')
        .getByText(/^(Stake|Stake SOL|Stake it)$/)
        .count(),
      0,
    );
    // A reload does not recommend the idle SOL either, once the history contains the withdrawal.
    await page.reload();
    await page.getByText('No stake here').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('[data-recommended]').count(), 0);
  });
});
