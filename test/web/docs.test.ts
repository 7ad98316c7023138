// Checks the documentation of a running service in a real browser: guides, reference, search, copying and tabs,
// with and without scripts, on any screen.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { errorCodes } from '../../src/kernel/error-codes.ts';
import { allFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { operationsOf } from '../support/http-fuzz.ts';
import { referenceText } from '../support/reference-text.ts';
import { sharedService } from '../support/service-fixture.ts';

const shared = sharedService({ before, after }, { settings: { HOLDFAST_RATE_LIMIT: '1000000' } });
const openBrowser = sharedBrowser({ before, after });
const open = (t: TestContext, path: string, more: Partial<TestPageOptions> = {}) =>
  openBrowser(t, { url: shared().service.url, path, ...more });

const textOf = async (path: string): Promise<string> => (await fetch(shared().service.url + path)).text();
const linksOf = (page: string): string[] =>
  [...page.matchAll(/href="(\/[^"]*|#[^"]*)"/g)].map(([, href]) => href!);
const guidePaths = async (): Promise<string[]> => [
  ...new Set(
    linksOf(await textOf('/docs'))
      .map((href) => href.split('#')[0]!)
      .filter((path) => path.startsWith('/docs/guides/')),
  ),
];
const groupPaths = async (): Promise<string[]> => [
  ...new Set(
    linksOf(await textOf('/docs/reference')).filter((path) => /^\/docs\/reference\/[a-z]+$/.test(path)),
  ),
];
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('the documentation', { skip: browserSkip }, () => {
  it('starts on one screen of 1280 × 800, and everything is at most two clicks away', async (t) => {
    const { page, offences } = await open(t, '/docs', { height: 800 });

    await screenshot(page, 'docs-home-light', false);
    const content = await page.evaluate(
      'Math.max(...[...document.querySelectorAll("main > *")].map((one) => one.getBoundingClientRect().bottom))',
    );
    assert.ok((content as number) <= 800, `the content ends at ${content} px`);
    assert.deepEqual(offences(), []);
    const first = linksOf(await textOf('/docs'));
    const second = await Promise.all(
      [...new Set(first.map((href) => href.split('#')[0]!))]
        .filter((path) => path.startsWith('/docs'))
        .map(async (path) =>
          linksOf(await textOf(path)).map((href) => (href.startsWith('#') ? path + href : href)),
        ),
    );
    const reached = new Set([...first, ...second.flat()]);
    const document = JSON.parse(await textOf('/openapi.json'));
    for (const { operationId } of operationsOf(document))
      assert.ok(
        [...reached].some((href) => href.startsWith('/docs/reference/') && href.endsWith(`#${operationId}`)),
        operationId,
      );
    assert.ok((await guidePaths()).length >= 15);
  });

  it('no link on any page is broken', async () => {
    const pages = new Map<string, string>();
    const load = async (path: string): Promise<string> => {
      const known = pages.get(path);
      if (known !== undefined) return known;
      const answer = await fetch(shared().service.url + path);
      assert.equal(answer.status, 200, path);
      const text = await answer.text();
      pages.set(path, text);
      return text;
    };
    for (const from of ['/docs', '/docs/reference', ...(await groupPaths()), ...(await guidePaths())])
      for (const href of new Set(linksOf(await load(from)))) {
        const [path, fragment] = href.split('#');
        const target = await load(path === '' ? from : path!);
        if (fragment) assert.ok(target.includes(`id="${fragment}"`), `${from} links to ${href}`);
      }
  });

  it('axe finds no issue in light mode, dark mode or at 320 pixels, and every page fits the screen', async (t) => {
    const looks = [
      { theme: 'light' },
      { theme: 'dark' },
      { theme: 'dark', width: 320, height: 700 },
    ] as const;
    // Pages that differ only in their text are checked once.
    const full = [
      '/docs',
      '/docs/reference',
      '/docs/reference/stake',
      '/docs/guides/sign',
      '/docs/guides/webhooks',
    ];
    for (const path of new Set([...full, ...(await guidePaths())]))
      for (const look of full.includes(path) ? looks : looks.slice(2)) {
        const { page, context, offences } = await open(t, path, look);
        const name = `docs${path.replace('/docs', '').replaceAll('/', '-') || '-home'}-${'width' in look ? look.width : look.theme}`;
        await screenshot(page, name, !path.endsWith('reference'));
        assert.deepEqual(await allFaults(page), [], name);
        assert.ok((await overflow(page)) <= 0, `${name} scrolls sideways`);
        assert.deepEqual(offences(), [], name);
        await context.close();
      }
  });

  it('the search finds guides, operations, errors and events with the keyboard alone', async (t) => {
    const { page } = await open(t, '/docs');
    for (const [words, path] of [
      ['nonce', '/docs/guides/sign'],
      ['createStakeTransaction', '/docs/reference/transactions#createStakeTransaction'],
      ['EPOCH_REWARDS', '/docs/guides/errors#error-EPOCH_REWARDS_ACTIVE'],
      ['withdraw_ready', '/docs/guides/webhooks#event-withdraw_ready'],
      ['kit sign', '/docs/guides/sign'],
      ['HOLDFAST_RATE', '/docs/guides/settings#HOLDFAST_RATE_LIMIT'],
      // One typing error per word: swapped, missing and wrong letters.
      ['atuopilot', '/docs/guides/autopilot'],
      ['kit sgin', '/docs/guides/sign'],
      ['idempotncy', '/docs/'],
      ['SHORTFALLSOI', '/docs/guides/errors#error-'],
    ] as const) {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      await page.locator('.results a').first().waitFor();
      const found = await page.evaluate<(string | null)[]>(
        "[...document.querySelectorAll('.results a')].map((link) => link.getAttribute('href'))",
      );
      assert.ok(
        found.some((href) => href?.startsWith(path)),
        `${words}: ${found}`,
      );
      if (words === 'SHORTFALLSOI') {
        const marked = await page.locator('.results .snippet mark').allInnerTexts();
        assert.ok(
          marked.length > 0 && marked.every((text) => text.toLowerCase() === 'shortfallsol'),
          `${marked}`,
        );
      }
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => `${url.pathname}${url.hash}` === found[0]);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('zzzzzz');
    await page.getByRole('status').filter({ hasText: 'Nothing found' }).waitFor();
  });

  it('the search shows first what bears the word in its title, name or path, also under another common word', async (t) => {
    const { page } = await open(t, '/docs');
    const input = page.getByRole('searchbox');
    for (const [words, href] of [
      ['replay', '/docs/reference/webhooks#replayDeliveries'],
      ['redeliver', '/docs/reference/webhooks#replayDeliveries'],
      ['429', '/docs/guides/errors#error-RATE_LIMITED'],
      ['rate limit', '/docs/guides/errors#error-RATE_LIMITED'],
      ['verify signature', '/docs/guides/webhooks#verify-the-signature'],
      ['webhook signature', '/docs/guides/webhooks#verify-the-signature'],
      ['signature verification', '/docs/guides/webhooks#verify-the-signature'],
      ['pagination', '/docs/guides/client#pagination'],
      ['tax', '/docs/reference/stake#stakingRewards'],
      ['createStakeTransaction', '/docs/reference/transactions#createStakeTransaction'],
      ['/api/v1/stake/transaction', '/docs/reference/transactions#createStakeTransaction'],
      ['create_stake_transaction', '/docs/reference/transactions#createStakeTransaction'],
      ['submitTransaction', '/docs/reference/transactions#submitTransaction'],
      ['sponsored fee', '/docs/guides/fee-payer'],
      ['CORS', '/docs/guides/client#pages-of-other-origins-cors'],
    ] as const) {
      await input.fill('');
      await input.fill(words);
      const first = page.locator('.results a').first();
      await first.waitFor();
      assert.equal(await first.getAttribute('href'), href, words);
    }
  });

  it('the search covers all pages, shows no result under a method name, and the Copy button covers no code', async (t) => {
    for (const { title } of JSON.parse(await textOf('/docs/search.json')))
      assert.doesNotMatch(title, /^(GET|POST|DELETE)$/);
    for (const width of [1280, 390]) {
      const { page, context } = await open(t, '/docs/reference/stake', { width, height: 800 });
      await page.keyboard.press('/');
      await page.keyboard.type('stake');
      await page.locator('.results a').first().waitFor();
      // The visible corners of the list must belong to the list itself.
      const hidden = await page.evaluate(`(() => {
        const box = document.querySelector('.results').getBoundingClientRect();
        return [[box.left + 9, box.top + 9], [box.right - 9, box.top + 9], [box.left + 9, box.bottom - 9], [box.right - 9, box.bottom - 9]]
          .filter(([x, y]) => x > innerWidth || y > innerHeight || !document.elementFromPoint(x, y)?.closest('.results'));
      })()`);
      assert.deepEqual(hidden, [], `${width}`);
      await screenshot(page, `docs-search-${width}`, false);
      await page.keyboard.press('Escape');
      const covered = await page.evaluate(`[...document.querySelectorAll('.code')].filter((block) => {
        const [pre, button] = [...block.children].map((one) => one.getBoundingClientRect());
        return pre.width > 0 && button.left < pre.right && button.right > pre.left && button.top < pre.bottom && button.bottom > pre.top;
      }).length`);
      assert.equal(covered, 0, `${width}`);
      await context.close();
    }
  });

  it('every error code has its fix at the address given in responses', async () => {
    const answer = await fetch(`${shared().service.url}/api/v1/wallet/balance/nobody`);
    const { errorCode, _meta } = (await answer.json()) as {
      errorCode: string;
      _meta: { documentation: string };
    };
    assert.equal(_meta.documentation, `${shared().service.url}/docs/guides/errors#error-${errorCode}`);
    const page = await textOf('/docs/guides/errors');
    for (const code of Object.keys(errorCodes))
      assert.match(page, new RegExp(`id="error-${code}"><h3>.*?</h3>\\s*<div><p>[A-Z]`), code);
    // Every reason is listed with its params.
    const [, section] = /id="error-INSUFFICIENT_BALANCE">(.*?)<\/section>/s.exec(page)!;
    assert.match(section!, /<td><code>FEES_AND_RENT<\/code><\/td><td><code>shortfallSol<\/code>/);
  });

  it('the shown code is copied, and tabs follow the arrow keys', async (t) => {
    const { page } = await open(t, '/docs/guides/sign');
    const tabs = page.getByRole('tab');
    assert.deepEqual(await tabs.allInnerTexts(), ['kit', 'web3.js', 'wallet-adapter', 'React']);
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    const panel = page.getByRole('tabpanel');
    assert.equal(await panel.count(), 1);
    await panel.getByRole('button', { name: 'Copy: web3.js' }).click();
    await panel.getByText('Copied').waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    assert.equal(copied.trim(), (await panel.locator('pre').innerText()).trim());
    assert.match(copied, /VersionedTransaction/);
  });

  it('the lines to paste contain this service and its validator', async () => {
    const page = await textOf('/docs/guides/sign');
    assert.ok(page.includes(shared().service.url));
    assert.ok(!page.includes('&lt;VOTE_ACCOUNT&gt;'));
    assert.ok(page.includes(shared().sandbox.voteAccount));
  });

  it('old addresses of the reference lead to the reference', async (t) => {
    for (const old of ['/docs', '/docs/reference']) {
      const { page } = await open(t, `${old}#createStakeTransaction`);
      await page.waitForURL('**/docs/reference/transactions#createStakeTransaction');
    }
  });

  it('the menu of the reference follows the section in view, and the chosen language is kept', async (t) => {
    const { page } = await open(t, '/docs/reference/validator');
    const here = page.locator('nav .sections [aria-current="location"]');
    for (const operation of ['validatorHistory', 'validatorProfile']) {
      await page.evaluate(`document.getElementById('${operation}').scrollIntoView()`);
      await page.locator(`nav .sections a[href="#${operation}"][aria-current="location"]`).waitFor();
      assert.equal(await here.count(), 1);
    }
    await page.getByRole('tab', { name: 'Python' }).first().click();
    await page.goto(`${shared().service.url}/docs/reference/wallet`);
    const panel = page.locator('#balance').getByRole('tabpanel');
    await panel.getByText('import httpx').waitFor();
    await screenshot(page, 'docs-reference-python', false);
    assert.deepEqual(await page.locator('#balance').getByRole('tab').allInnerTexts(), [
      'curl',
      'TypeScript',
      'Python',
      'Command line',
    ]);
  });

  it('has the page’s header with a link back to it, and they share the chosen theme', async (t) => {
    const { page } = await open(t, '/docs/guides/sign', { theme: 'light' });
    const header = page.getByRole('banner');
    const ink = () => page.evaluate<string>('getComputedStyle(document.body).color');
    const [light, dark] = ['rgb(17, 25, 26)', 'rgb(233, 238, 240)'];
    assert.equal(await ink(), light);
    const button = header.getByRole('button', { name: 'Theme: system' });
    await button.click();
    await header.getByRole('button', { name: 'Theme: light' }).click();
    await header.getByRole('button', { name: 'Theme: dark' }).waitFor();
    assert.equal(await ink(), dark);
    await screenshot(page, 'docs-header-dark', false);
    await header.getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL('**/docs');
    assert.equal(await ink(), dark, 'kept');
    assert.equal(
      await page.evaluate("localStorage.getItem('holdfast-theme')"),
      'dark',
      'where the page reads it',
    );
    assert.equal(await header.getByRole('link', { name: /home$/ }).getAttribute('href'), '/');
  });

  it('without scripts, the documentation is readable: every variant is shown under its name, and the menu is open', async (t) => {
    const { page } = await open(t, '/docs/guides/sign', {
      prepare: async (_page, context) => {
        await context.route('**/docs/guides/sign', async (route) => {
          const answer = await route.fetch();
          const headers = { ...answer.headers(), 'content-security-policy': "script-src 'none'" };
          await route.fulfill({ response: answer, headers });
        });
      },
      tolerateFailedRequests: true,
    });
    for (const label of ['kit', 'web3.js', 'wallet-adapter', 'React'])
      assert.ok(await page.locator('.tab-label', { hasText: label }).first().isVisible(), label);
    assert.ok(await page.locator('nav').getByText('Quick start').isVisible());
    assert.equal(await page.locator('.search').isVisible(), false);
  });

  it('every event has fields and a delivery in the catalog, and every operation a sample response', async () => {
    const { events } = JSON.parse(await textOf('/docs/events.json'));
    for (const { type, schema, example } of events) {
      assert.equal(example.type, type);
      assert.ok(schema.properties.data, type);
      assert.ok(!JSON.stringify(schema).includes('$ref'), type);
    }
    // The examples show events that were reported on time, with accounts.
    const epochComplete = events.find(({ type }: { type: string }) => type === 'epoch_complete').example;
    assert.equal(epochComplete.data.late, false);
    assert.ok(epochComplete.data.portfolio.accounts > 0);
    const document = JSON.parse(await textOf('/openapi.json'));
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      Object.keys(document.webhooks),
    );
    const page = await referenceText(shared().service.url);
    for (const { operationId } of operationsOf(document)) {
      const section = page.split(`<section id="${operationId}"`)[1]!.split('</section>')[0]!;
      assert.match(section, /<h3>Sample response<\/h3>/, operationId);
    }
  });
});
