// Checks that the page never misreads a typed amount by a factor of a thousand, and that every view fits 320
// pixels.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded } from '../support/page-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

describe('typing in the page', { skip: browserSkip }, () => {
  it('2,500 stays as typed, and the page asks whether it means two and a half or two thousand five hundred', async (t) => {
    const { page } = await openBrowser(t, { url: service().url, path: '/' });
    await connectFunded(page);
    const field = page.getByRole('textbox', { name: 'Stake SOL' });
    await field.fill('');
    await field.pressSequentially('2,500');
    assert.equal(await field.inputValue(), '2,500');
    await page.getByText('2.5 or 2500 SOL?').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Review stake' }).isDisabled(), true);
    await page.getByRole('button', { name: '2.5 SOL', exact: true }).click();
    assert.equal(await field.inputValue(), '2.5');
    await page.getByText('2.5 or 2500 SOL?').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Review stake' }).isDisabled(), false);
  });

  it('no view is wider than a screen of 320 pixels, with and without a wallet', async (t) => {
    const { page } = await openBrowser(t, { url: service().url, path: '/' });
    await page.setViewportSize({ width: 320, height: 640 });
    // Every frame counts, because a form was once 333 px wide in its first one.
    await page.addInitScript(
      'window.widest = 0; const measure = () => { window.widest = Math.max(window.widest, document.documentElement?.scrollWidth ?? 0); requestAnimationFrame(measure); }; requestAnimationFrame(measure);',
    );
    const widest = async (): Promise<number> => {
      await page.waitForLoadState('networkidle');
      // The root clips overflowing content, so its own width does not reveal it.
      return page.evaluate(
        "Math.ceil(Math.max(window.widest, ...[...document.querySelector('header').querySelectorAll('*'), ...document.querySelectorAll('main, main > *, footer')].map((element) => element.getBoundingClientRect().right)))",
      ) as Promise<number>;
    };
    const wide: string[] = [];
    const look = async (when: string): Promise<void> => {
      for (const path of ['/', '/portfolio', '/validator', '/developers']) {
        await page.goto(`${service().url}${path}`);
        const width = await widest();
        if (width > 320) wide.push(`${path} ${when}: ${width}`);
      }
    };
    await look('without a wallet');
    await page.goto(service().url);
    await connectFunded(page);
    await look('with a wallet');
    assert.deepEqual(wide, []);
  });
});
