// Checks the page in German: for a German browser from the first render, through a whole stake, and until the
// visitor switches to English.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { stepIs } from '../support/page-steps.ts';
import { englishLeft } from '../support/page-words.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });

describe('a German-speaking user', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });

  const allGerman = async (page: Page, name: string): Promise<void> => {
    assert.deepEqual(await englishLeft(page), [], name);
    await screenshot(page, `german-${name}`);
    assert.doesNotMatch(await page.locator('body').innerText(), /\.\./, name);
    assert.ok(
      await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
      `${name} overflows`,
    );
  };

  it('stakes with no English on the page', async (t) => {
    const { page, offences } = await open(t, { url: service().url, locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Voraussichtliche Erträge' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
    assert.match(await page.title(), /^Mit .* staken$/);
    await page.waitForLoadState('networkidle');
    await page.getByText('Frankfurt, Deutschland').waitFor();
    await allGerman(page, 'stake');
    assert.deepEqual(await seriousFaults(page), []);

    await page.getByRole('button', { name: 'Wallet verbinden', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nur Sandbox.').waitFor();
    await allGerman(page, 'connect');
    await dialog.getByRole('button', { name: /Sandbox wallet/ }).click();
    await page
      .getByRole('region', { name: 'Sandbox' })
      .getByRole('button', { name: '100 SOL erhalten' })
      .click();
    await page.getByText('100 Sandbox-SOL sind da').waitFor();

    await page.getByRole('textbox', { name: 'SOL staken' }).fill('12,5');
    await page.getByRole('button', { name: 'Stake prüfen' }).click();
    await page.getByText('In Ihrem Browser geprüft').waitFor();
    await dialog.getByText('So funktioniert es: 3 Schritte').click();
    await dialog.getByText('12,5 SOL in ein neues Stake-Konto überweisen').waitFor();
    await allGerman(page, 'review');
    await dialog.getByRole('button', { name: 'In der Wallet signieren' }).click();
    await stepIs(page, 'confirmed', 'done');
    await page.getByText(/^um \d\d:\d\d.*, in etwa \d+ (h|min|s)/).waitFor();
    await allGerman(page, 'progress');
    await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
    await page.getByRole('button', { name: /^Details zu/ }).click();
    await page.getByText(/frühestens ab Epoche \d+, in etwa .+, um \d\d:\d\d/).waitFor();
    await page.getByRole('tab', { name: 'Meldungen' }).click();
    await allGerman(page, 'portfolio');
    await page.getByRole('link', { name: 'Validator', exact: true }).first().click();
    await page.getByText('Frankfurt, Deutschland').first().waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByText('Germany').count(), 0);
    await allGerman(page, 'validator');
    assert.deepEqual(offences(), []);
  });

  it('fits a phone', async (t) => {
    const { page } = await open(t, { url: service().url, locale: 'de-AT', width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Voraussichtliche Erträge' }).waitFor();
    await allGerman(page, 'stake-phone');
    await page.getByRole('button', { name: 'Wallet verbinden', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Sandbox wallet/ })
      .click();
    await page.getByRole('button', { name: '100 SOL erhalten' }).waitFor();
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 780 });
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${width}`);
    }
    await page.getByRole('link', { name: 'Validator', exact: true }).first().click();
    await page.getByRole('button', { name: /nachrechnen/ }).waitFor();
    await page.getByText('Frankfurt, Deutschland').first().waitFor();
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 320);
  });

  it('switches to English, which a reload keeps, and back', async (t) => {
    const { page } = await open(t, { url: service().url, locale: 'de-DE' });
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Projected rewards' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Projected rewards' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Voraussichtliche Erträge' }).waitFor();
  });

  it('is the only user who loads the German texts', async (t) => {
    for (const locale of ['en-US', 'fr-FR']) {
      const { page, requests } = await open(t, { url: service().url, locale });
      await page.getByRole('heading', { name: 'Projected rewards' }).waitFor();
      assert.ok(!requests.some((request) => request.includes('german')), locale);
    }
  });
});
