// Checks that a page is accessible in both themes and fits the screen of a phone.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { colorFaults, seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';

/**
 * Checks that axe finds no serious issue in dark or light mode. The light theme changes only colors, so only
 * their rules run again.
 */
export const isSoundInBothThemes = async (page: Page, name: string, fullPage = true): Promise<void> => {
  for (const [colorScheme, faultsOf] of [
    ['dark', seriousFaults],
    ['light', colorFaults],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await faultsOf(page), [], `${name} ${colorScheme}`);
    await screenshot(page, `${name}-${colorScheme}`, fullPage);
  }
};

/** Checks a page in both themes, and that it fits the screens of two phones. */
export const looksRight = async (page: Page, name: string, fullPage = true): Promise<void> => {
  await isSoundInBothThemes(page, name, fullPage);
  for (const width of [390, 320, 1280]) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
    // Waits until the page has its new size, which a click after this check needs as well.
    await page.evaluate('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
    assert.ok(
      (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
      `${name} ${width}`,
    );
    if (width < 500) await screenshot(page, `${name}-${width}`, fullPage);
  }
};
