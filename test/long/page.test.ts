// Checks the served page: it loads nothing from other hosts, is small, loads in one round of requests, complies
// with its content security policy, and is accessible.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { browserSkip, screenshot, sharedBrowser, type TestPage } from '../support/browser.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { builtPage, sharedPageService } from '../support/page-fixture.ts';

const VIEWS = ['/', '/portfolio', '/validator', '/developers'];
const MAX_BYTES = 200_000;
/** Files that only a sandbox's page loads: the sandbox bar, the sandbox's wallet, and their dependencies. */
const SANDBOX =
  /\/assets\/(sandbox-bar|faucet-button|meter|migrate-steps|epoch-boundary|(register-)?local-wallet)-/;

// The portfolio page has its own tests with stakes.
const nameOf = (path: string): string =>
  ({ '/': 'stake', '/portfolio': 'portfolio-empty' })[path] ?? path.slice(1);

const service = sharedPageService({ before, after });

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service().url}${path}`, { headers, method });

const assetOf = (ending: string): string =>
  `/${builtPage()!.files.find(({ path }) => path.startsWith('assets/index-') && path.endsWith(ending))!.path}`;

describe('files of the page', () => {
  for (const path of VIEWS)
    it(`${path} is the service’s own document and allows no inline script, no frame and no other host`, async () => {
      const response = await get(path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(
        response.headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; manifest-src 'self'",
      );
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      const html = await response.text();
      assert.doesNotMatch(html, /<style|<script(?![^>]*\bsrc=)/);
      assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
    });

  it('assets are cached permanently under their hashed names, and documents are revalidated', async () => {
    assert.equal(
      (await get(assetOf('.js'))).headers.get('cache-control'),
      'public, max-age=31536000, immutable',
    );
    assert.equal((await get('/')).headers.get('cache-control'), 'no-cache');
  });

  it('a file that the browser already has is not sent again', async () => {
    for (const path of ['/', assetOf('.js')]) {
      const etag = (await get(path)).headers.get('etag')!;
      const again = await get(path, { 'if-none-match': etag });
      assert.equal(again.status, 304);
      assert.equal((await again.arrayBuffer()).byteLength, 0);
      assert.equal((await get(path, { 'if-none-match': '"another"' })).status, 200);
    }
  });

  it('a client that accepts brotli, gzip or neither gets the same bytes in that encoding', async () => {
    // Not `fetch`, which would decode the response.
    const { request } = await import('undici');
    const read = async (accepted: string) => {
      const response = await request(`${service().url}${assetOf('.css')}`, {
        headers: { 'accept-encoding': accepted },
      });
      return {
        coding: response.headers['content-encoding'],
        vary: response.headers.vary,
        bytes: Buffer.from(await response.body.arrayBuffer()),
      };
    };
    const plain = await read('identity');
    const [br, gzip, refused] = [await read('gzip, br'), await read('gzip'), await read('br;q=0, gzip;q=0')];
    assert.deepEqual(
      [plain.coding, br.coding, gzip.coding, refused.coding],
      [undefined, 'br', 'gzip', undefined],
    );
    assert.equal(br.vary, 'Accept-Encoding');
    assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes);
    assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes);
    assert.ok(br.bytes.length < gzip.bytes.length && gzip.bytes.length < plain.bytes.length / 2);
  });

  it('HEAD returns the headers of GET without the body', async () => {
    const [head, whole] = [await get('/', {}, 'HEAD'), await get('/')];
    assert.equal(head.status, 200);
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    assert.equal(head.headers.get('etag'), whole.headers.get('etag'));
  });

  it('an unknown file is a 404 in the service’s own format', async () => {
    for (const path of ['/assets/nothing.js', '/assets/..%2f..%2fcurrent.json']) {
      const response = await get(path);
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { errorCode: string }).errorCode, 'NOT_FOUND');
    }
  });

  it('the stake page and everything it needs, except for its data, take at most 160 kB in gzip', async () => {
    const { request } = await import('undici');
    const headers = { 'accept-encoding': 'gzip' };
    const html = await (await get('/')).text();
    const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, path]) => path!,
    );
    assert.ok(named.length > 1);
    const sizes = await Promise.all(
      ['/', ...named].map(async (path) => {
        const { body } = await request(`${service().url}${path}`, { headers });
        return (await body.arrayBuffer()).byteLength;
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total > 50_000 && total <= 160_000, `${total} bytes`);
  });

  it('requests for files do not count towards the rate limit', async () => {
    assert.equal((await get('/')).headers.get('ratelimit'), null);
    assert.notEqual((await get('/api/v1/epoch')).headers.get('ratelimit'), null);
  });
});

describe('page in a browser', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });

  for (const path of VIEWS)
    describe(path, () => {
      let bytes = 0;
      let opened: TestPage;
      after(() => opened.context.close());
      before(async () => {
        // Closed in the hook above. A cleanup registered here would run after the first test.
        opened = await open(
          { after: () => undefined },
          {
            url: service().url,
            path,
            prepare: async (fresh) => {
              const session = await fresh.context().newCDPSession(fresh);
              await session.send('Network.enable');
              // The sandbox's files do not count: a page for real SOL does not load them.
              const sandboxFiles = new Set<string>();
              session.on('Network.requestWillBeSent', ({ requestId, request }) => {
                const target = `GET ${new URL(request.url).pathname}`;
                if (SANDBOX.test(target)) sandboxFiles.add(requestId);
              });
              session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
                if (!sandboxFiles.has(requestId)) bytes += encodedDataLength;
              });
            },
          },
        );
        await opened.page.getByRole('heading', { level: 1 }).waitFor();
        await opened.page.waitForLoadState('networkidle');
      });

      it(`loads in one round of requests and under ${MAX_BYTES / 1000} kB`, async () => {
        const html = await (await get(path)).text();
        const named = new Set([...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, target]) => target));
        const files = opened.requests.filter((request) => request.startsWith('GET /assets/'));
        assert.ok(files.length > 0);
        // A second round would mean that a script loads a file that the document does not list. Only the
        // sandbox's files do so, which a page for real SOL does not load.
        assert.deepEqual(
          files.filter((request) => !named.has(request.slice('GET '.length)) && !SANDBOX.test(request)),
          [],
        );
        assert.equal(new Set(files).size, files.length, 'a file was loaded twice');
        assert.ok(bytes > 50_000 && bytes < MAX_BYTES, `${bytes} bytes`);
      });

      it('axe finds no serious issues in light or dark mode, the page complies with its policy, and no other host is called', async () => {
        await isSoundInBothThemes(opened.page, nameOf(path));
        assert.deepEqual(opened.offences(), []);
      });

      it('fits a phone screen 360 pixels wide', async () => {
        await opened.page.setViewportSize({ width: 360, height: 780 });
        await opened.page.emulateMedia({ colorScheme: 'light' });
        assert.ok((await opened.page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
        await screenshot(opened.page, `${nameOf(path)}-phone`, false);
      });
    });

  it('data that the document preloads is fetched only once', async (t) => {
    const { page, requests } = await open(t, { url: service().url });
    await page.getByRole('heading', { name: 'Projected rewards' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(requests.filter((request) => request === 'GET /api/v1/validator').length, 1);
    assert.equal(requests.filter((request) => request === 'GET /api/v1/epoch').length, 1);
    assert.equal(requests.filter((request) => request === 'GET /icon').length, 1);
  });

  it('everything can be reached by keyboard in reading order, and a new view moves the focus to its heading', async (t) => {
    const { page } = await open(t, { url: service().url });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to content');
    await page.getByRole('link', { name: 'Portfolio', exact: true }).press('Enter');
    await page.waitForURL('**/portfolio');
    await page.locator('h1:focus').waitFor();
    assert.match(await page.title(), /^Portfolio/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Stake SOL' }).waitFor();
  });

  it('the menu leads from another wallet’s portfolio to the user’s own, and the back button returns', async (t) => {
    const other = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ';
    const { page } = await open(t, { url: service().url, path: `/portfolio?wallet=${other}` });
    await page.getByText('Read only').waitFor();
    await page.getByRole('link', { name: 'Portfolio', exact: true }).click();
    await page.getByText('Choose a wallet').waitFor();
    await page.goBack();
    await page.getByText('Read only').waitFor();
  });

  it('the chosen theme survives a reload', async (t) => {
    const { page } = await open(t, { url: service().url, theme: 'light' });
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: /^Theme: system/ }).click();
    await page.getByRole('button', { name: /^Theme: light/ }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole('button', { name: /^Theme: dark/ }).waitFor();
    assert.equal(await background(), dark);
  });
});
