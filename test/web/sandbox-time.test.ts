// Checks the sandbox's buttons that end epochs: one or thirty per click, and the rewards chart grows with them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ValidatorHistoryAnswer } from '../../client/generated/validator-operations.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { until } from '../support/index-fixture.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, reviewStake, stepIs } from '../support/page-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });

describe('the sandbox bar', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });

  it('skips thirty epochs, and the rewards chart then has a bar for each paid one', async (t) => {
    const { page, offences } = await open(t, { url: service().url });
    await connectFunded(page);
    await reviewStake(page, '50');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    const epoch = async (): Promise<number> =>
      Number(await page.locator('strong[data-epoch]').getAttribute('data-epoch'));
    const from = await epoch();
    await page.getByRole('button', { name: 'End epoch' }).click();
    await page.locator(`strong[data-epoch="${from + 1}"]`).waitFor();
    await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
    const rewards = page.getByRole('tabpanel', { name: 'Rewards', exact: true });
    await rewards.waitFor();
    const skip = page.getByRole('button', { name: 'Skip 30 epochs' });
    await skip.press('Enter');
    await page.locator(`strong[data-epoch="${from + 31}"]`).waitFor();
    // The stake was still activating in epoch `from`, so rewards start at `from + 1`.
    await rewards.getByText(`epochs ${from + 1} to ${from + 30}`).waitFor();
    await rewards.locator('canvas').waitFor();
    const rows = rewards.locator('tbody tr');
    assert.equal(await rows.count(), 30, 'the table has every epoch that the chart draws');
    for (const [row, epochThere] of [
      [rows.first(), from + 1],
      [rows.last(), from + 30],
    ] as const)
      assert.match((await row.textContent())!, new RegExp(`^Epoch ${epochThere}.*0\\.00\\d+ SOL$`));
    await page.locator('button:focus', { hasText: 'Skip 30 epochs' }).waitFor();
    // The validator's history contains the yield of every epoch for which the portfolio shows a reward. On a busy
    // machine, the first response may lack epochs that could not be read in time.
    await until(async () => {
      const { epochs } = (await service().client.get('/api/v1/validator/history')) as ValidatorHistoryAnswer;
      return epochs.every(({ epoch: ended, apy }) => ended <= from || apy !== null);
    }, 'the yield of every epoch');
    await rewards.scrollIntoViewIfNeeded();
    await isSoundInBothThemes(page, 'skipped-30', false);
    assert.deepEqual(offences(), []);
  });

  it('fits 320 pixels with all its buttons', async (t) => {
    const { page } = await open(t, { url: service().url, width: 320, height: 780 });
    await connectFunded(page);
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320);
    await screenshot(page, 'sandbox-bar-320', false);
  });
});
