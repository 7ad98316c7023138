// Checks the operator's brand as visitors see it: name, logo, accent, words and links, on every screen, without
// running any script in the logo.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { allFaults } from '../support/axe.ts';
import { brandProfile, LOGO } from '../support/brand-profile.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-brand-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'logo.svg'), LOGO);
copyFileSync(join(import.meta.dirname, '../../web/icons/touch-icon.png'), join(folder, 'preview.png'));
writeFileSync(join(folder, 'profile.json'), JSON.stringify(brandProfile));

const service = sharedPageService(
  { before, after },
  { skip: browserSkip, settings: { HOLDFAST_PROFILE_FILE: join(folder, 'profile.json') } },
);

describe('a branded page', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });

  it('shows name, logo, accent, hero line, questions, links and terms, and hides the software’s name if configured', async (t) => {
    const { page, offences, requests } = await open(t, { url: service().url });
    await page.getByRole('link', { name: 'Aurora home' }).waitFor();
    assert.equal(await page.title(), 'Stake with Aurora');
    await page.getByText('Northern light for your stake.').waitFor();
    const question = page.getByText('Who runs Aurora?');
    await question.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Two engineers in Tromsø.').waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'Status page' }).getAttribute('href'),
      'https://status.aurora.example/',
    );
    assert.equal(
      await page.getByRole('link', { name: 'Terms' }).getAttribute('href'),
      'https://aurora.example/terms',
    );
    assert.equal(await page.getByText('Powered by Holdfast').count(), 0);
    const primary = "getComputedStyle(document.querySelector('main button[type=submit]')).backgroundColor";
    assert.equal(await page.evaluate<string>(primary), 'rgb(91, 61, 196)');
    assert.ok(
      await page
        .locator('header img')
        .evaluate((image) => (image as never as { naturalWidth: number }).naturalWidth > 0),
    );
    await page.getByRole('link', { name: 'Validator', exact: true }).click();
    await page.waitForFunction("document.title === 'Validator · Aurora'");
    assert.ok(requests.includes('GET /brand.css'));
    assert.deepEqual(offences(), []);
  });

  it('the documentation also has name, logo and accent', async (t) => {
    const { page, offences } = await open(t, { url: service().url, path: '/docs/guides/quick-start' });
    assert.equal(await page.title(), 'Quick start · Aurora');
    await page.getByRole('banner').getByRole('link', { name: 'Aurora home' }).waitFor();
    assert.ok(
      await page
        .locator('header img')
        .evaluate((image) => (image as never as { naturalWidth: number }).naturalWidth > 0),
    );
    assert.equal(
      await page.evaluate<string>("getComputedStyle(document.querySelector('main a')).color"),
      'rgb(91, 61, 196)',
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await allFaults(page), [], colorScheme);
      await screenshot(page, `docs-brand-${colorScheme}`, false);
    }
    assert.deepEqual(offences(), []);
  });

  it('axe finds no serious issue in light or dark mode, on a phone or at 320 pixels, and the page fits the screen', async (t) => {
    for (const [name, width] of [
      ['', 1280],
      ['phone', 390],
      ['320', 320],
    ] as const) {
      const { page, offences } = await open(t, {
        url: service().url,
        width,
        height: width < 500 ? 780 : 900,
      });
      await page.locator('[data-projected-sol]').waitFor();
      await page.waitForLoadState('networkidle');
      await isSoundInBothThemes(page, ['brand-stake', name].filter(Boolean).join('-'), width > 500);
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${width}`);
      assert.deepEqual(offences(), []);
    }
  });

  it('a script in a logo does not run, on the page or when the logo is opened separately', async (t) => {
    const { page } = await open(t, { url: service().url, path: '/icon', tolerateFailedRequests: true });
    assert.equal(await page.evaluate<string>('document.documentElement.dataset.ran ?? "no"'), 'no');
    assert.equal(await page.evaluate<number>('document.querySelectorAll("script").length'), 1);
    const { headers } = await fetch(`${service().url}/icon`);
    assert.equal(headers.get('content-type'), 'image/svg+xml');
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  });

  it('a shared link shows the operator’s title, text and picture', async () => {
    const html = await (await fetch(`${service().url}/validator`)).text();
    const property = (name: string): string | undefined =>
      new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(html)?.[1];
    assert.deepEqual(
      [property('title'), property('description'), property('url'), property('image')],
      ['Validator · Aurora', brandProfile.hero, `${service().url}/validator`, `${service().url}/preview`],
    );
    const { status, headers } = await fetch(`${service().url}/preview`);
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
  });

  it('the API contains the logo’s address on this service, and the manifest lets a phone install the page with the brand', async (t) => {
    const { iconUrl, name } = await service().client.get('/api/v1/validator');
    assert.deepEqual([name, iconUrl], ['Aurora', `${service().url}/icon`]);
    const { page } = await open(t, { url: service().url });
    const session = await page.context().newCDPSession(page);
    const { manifest, errors } = await session.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal(manifest.name, 'Aurora');
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A new browser context is like a private window.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      [],
    );
  });

  it('the profile’s schema is published, and a changed profile is shown without a restart', async () => {
    const schema = await (await fetch(`${service().url}/schemas/operator-profile.json`)).json();
    assert.equal((schema as { $id: string }).$id, `${service().url}/schemas/operator-profile.json`);
    const titleNow = async () =>
      /<title>(.*)<\/title>/.exec(await (await fetch(`${service().url}/`)).text())?.[1];
    writeFileSync(join(folder, 'profile.json'), JSON.stringify({ ...brandProfile, name: 'Borealis' }));
    assert.equal(await titleNow(), 'Stake with Borealis');
    writeFileSync(join(folder, 'profile.json'), '{');
    assert.equal(await titleNow(), 'Stake with Borealis');
    writeFileSync(join(folder, 'profile.json'), JSON.stringify(brandProfile));
    assert.equal(await titleNow(), 'Stake with Aurora');
  });
});
