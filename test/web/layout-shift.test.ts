// Checks that nothing moves under the pointer while the page loads. If a button moves between mousedown and
// mouseup, the click is lost.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded } from '../support/page-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });

/**
 * Script that checks every frame and records each distinct position of each button, as `top left` in pixels,
 * keyed by the button's text.
 */
const recordPlaces = `
  window.places = {};
  const look = () => {
    for (const button of document.querySelectorAll('header button, header nav a, section[aria-label=Sandbox] button, form[data-stake] button[type=submit]')) {
      const { top, left } = button.getBoundingClientRect();
      const seen = (window.places[button.innerText || button.ariaLabel] ??= []);
      const place = Math.round(top) + ' ' + Math.round(left);
      if (!seen.includes(place)) seen.push(place);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

describe('while the page loads', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });

  for (const width of [1280, 390])
    for (const path of ['/', '/portfolio', '/validator', '/developers'])
      it(`no button of header, sandbox and stake form moves on ${path}, ${width} pixels wide`, async (t) => {
        const { page } = await open(t, { url: service().url, path, width, initScript: recordPlaces });
        await page.locator('strong[data-epoch]').waitFor();
        await page.waitForLoadState('networkidle');
        const places = await page.evaluate<Record<string, string[]>>('window.places');
        assert.ok(Object.keys(places).length >= 4, JSON.stringify(places));
        // Fonts may differ by a fraction of a pixel, which may round either way.
        for (const [button, seen] of Object.entries(places))
          for (const at of [0, 1]) {
            const pixels = seen.map((place) => Number(place.split(' ')[at]));
            assert.ok(Math.max(...pixels) - Math.min(...pixels) <= 1, `${button}: ${seen.join(', ')}`);
          }
      });

  it('no button of the header moves when an epoch ends', async (t) => {
    const { page } = await open(t, { url: service().url, initScript: recordPlaces });
    await connectFunded(page);
    await page.evaluate('window.places = {}');
    await page.getByRole('button', { name: 'End epoch' }).click();
    await page.locator('[data-news-epoch]').waitFor();
    await page.waitForLoadState('networkidle');
    const places = await page.evaluate<Record<string, string[]>>('window.places');
    assert.ok(Object.keys(places).length >= 4, JSON.stringify(places));
    // A busy button is 3 pixels wider and a pressed one 1 pixel lower, neither of which affects a click.
    for (const [button, seen] of Object.entries(places)) {
      const tops = seen.map((place) => Number(place.split(' ')[0]));
      assert.ok(Math.max(...tops) - Math.min(...tops) <= 1, `${button}: ${seen.join(', ')}`);
    }
    await screenshot(page, 'sandbox-epoch-news', false);
  });
});
