// Checks the status page and the page for an unknown address in a browser without scripts: every dot has a text
// next to it, and no error text becomes markup.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestApp } from '../support/app-fixture.ts';
import { allFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('pages in place of JSON', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });

  test('the status is readable in light mode, in dark mode and on a small phone, and shows error texts as text', async (t) => {
    const profileFile = join(temporaryFolder(t), 'profile.json');
    writeFileSync(profileFile, '{ "name": "Aurora", "<img src=x>": 1 }');
    const { app } = await startTestApp(t, {
      places: () => ({ profileFile }),
      settings: { HOLDFAST_PROFILE_FILE: profileFile },
    });
    const status = await fetch(`${app.url}/status`, { redirect: 'manual' });
    assert.deepEqual([status.status, status.headers.get('location')], [308, '/ready']);
    for (const [name, theme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 320],
    ] as const)
      for (const [path, title] of [
        ['/ready', 'Working, with limits'],
        ['/no-such-page', 'Page not found'],
      ] as const) {
        const { page, requests, offences } = await open(t, {
          url: app.url,
          path,
          theme,
          width,
          tolerateFailedRequests: true,
        });
        assert.equal(await page.locator('h1').textContent(), title);
        // The page for an unknown address contains the documentation's own script.
        assert.equal(await page.locator('script, img').count(), path === '/ready' ? 0 : 1);
        // The refresh is allowed because the page itself can stop it.
        const faults = (await allFaults(page)).filter((fault) => !fault.startsWith('meta-refresh:'));
        assert.deepEqual(faults, []);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
        await screenshot(page, `${path.slice(1)}-${name}`);
        assert.deepEqual([requests, offences()], [[`GET ${path}`], []]);
        if (path !== '/ready') continue;
        const row = (part: string) => page.getByRole('row').filter({ hasText: part });
        await row('Storage').getByText('Works').waitFor();
        await row('Profile of the operator').getByText('<img src=x>').waitFor();
        const colors = await page.evaluate(
          "[...document.querySelectorAll('.dot')].map((dot) => getComputedStyle(dot).backgroundColor)",
        );
        assert.equal(new Set(colors as string[]).size, 2, 'green and red');
        await page.getByRole('link', { name: 'Stop reloading' }).click();
        await page.getByRole('link', { name: 'Reload this page every 30 seconds' }).waitFor();
        assert.deepEqual(await allFaults(page), []);
      }
  });
});
