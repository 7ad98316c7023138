// Opens the page in a real browser. The browser starts once per file, each test gets a new page, and every
// violation of the page's policy and every request to another host is recorded.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';
import type { Scope } from './temporary-folder.ts';

const CANDIDATES = [
  process.env.HOLDFAST_TEST_BROWSER,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executable = CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** The reason why browser tests are skipped here, or false. Pass it to `node:test` as `skip`. */
export const browserSkip: string | false =
  executable === undefined
    ? 'no Chromium was found: install one, or name it in HOLDFAST_TEST_BROWSER'
    : false;

export interface TestPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every request, in order. */
  readonly requests: readonly string[];
  /** Forbidden events: policy violations, requests to other hosts, and exceptions. Empty if there were none. */
  readonly offences: () => readonly string[];
}

export interface TestPageOptions {
  readonly url: string;
  readonly path?: string;
  readonly theme?: 'light' | 'dark';
  /** Language and region of the browser. Default: `en-GB`. */
  readonly locale?: string;
  readonly width?: number;
  readonly height?: number;
  /** Script that runs before any of the page's own, for example a wallet of `mockWalletScript`. */
  readonly initScript?: string;
  /**
   * Tolerates expected failures that the browser writes to its console, for example of a service that is down.
   */
  readonly tolerateFailedRequests?: boolean;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page, context: BrowserContext) => Promise<void>;
}

/** Starts one browser for all tests of a file. `hooks` are `before` and `after` of `node:test`. */
export const sharedBrowser = (hooks: {
  before(run: () => Promise<void>): void;
  after(run: () => Promise<void>): void;
}): ((scope: Scope, options: TestPageOptions) => Promise<TestPage>) => {
  let browser: Browser | undefined;
  hooks.before(async () => {
    if (executable === undefined) return;
    browser = await chromium.launch({
      executablePath: executable,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    });
  });
  hooks.after(async () => {
    await browser?.close();
  });
  return async (scope, options) => {
    if (browser === undefined) throw new Error('the browser is not running');
    return openPage(browser, scope, options);
  };
};

const openPage = async (browser: Browser, scope: Scope, options: TestPageOptions): Promise<TestPage> => {
  const { url, path = '/', theme = 'light', locale = 'en-GB', width = 1280, height = 900 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    isMobile: width < 500,
    hasTouch: width < 500,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  scope.after(() => context.close());
  // This limit is reached only if a condition never becomes true. A shared machine may be ten times slower for
  // minutes.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const requests: string[] = [];
  const offences: string[] = [];
  const origin = new URL(url).origin;
  page.on('request', (request) => {
    const target = request.url();
    if (target.startsWith('data:') || target.startsWith('blob:')) return;
    requests.push(`${request.method()} ${target.replace(origin, '')}`);
    if (!target.startsWith(`${origin}/`)) offences.push(`called another host: ${target}`);
  });
  page.on('pageerror', (error) => offences.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && !/Content.Security.Policy|preload/i.test(message.text())) return;
    if (options.tolerateFailedRequests === true && /Failed to load resource/.test(message.text())) return;
    offences.push(`console ${message.type()}: ${message.text()} ${message.location().url}`);
  });
  if (options.initScript !== undefined) await page.addInitScript(options.initScript);
  await options.prepare?.(page, context);
  await page.goto(`${url}${path}`);
  return { page, context, requests, offences: () => [...offences] };
};

/**
 * Saves the page as `<name>.png` in the folder named by HOLDFAST_TEST_ARTIFACTS. Does nothing without it, because a
 * picture takes 0.2 s of processor time (2026-11).
 */
export const screenshot = async (page: Page, name: string, fullPage = true): Promise<void> => {
  const folder = process.env.HOLDFAST_TEST_ARTIFACTS;
  if (folder === undefined) return;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage, animations: 'disabled' });
};
