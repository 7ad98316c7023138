// npm run screens:record: takes the screenshots in docs/screens of the current page and operator console, each
// with its own sandbox.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { brandProfile, LOGO } from '../test/support/brand-profile.ts';
import { connectFunded, reviewStake, stepIs } from '../test/support/page-steps.ts';
import { startService } from '../test/support/service-fixture.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs', 'screens');
/** Epochs end by time, because the yields of skipped epochs would be meaningless. */
const SANDBOX = { HOLDFAST_SANDBOX_EPOCH_SECONDS: '20', HOLDFAST_RATE_LIMIT: '1000000' };
const SHAPES = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'phone', colorScheme: 'light', width: 390 },
] as const;

const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
try {
  const browser = await chromium.launch({
    executablePath: process.env.HOLDFAST_TEST_BROWSER ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  scope.after(() => browser.close());
  const profile = temporaryFolder(scope);
  writeFileSync(join(profile, 'logo.svg'), LOGO);
  copyFileSync(join(root, 'web/icons/touch-icon.png'), join(profile, 'preview.png'));
  writeFileSync(join(profile, 'profile.json'), JSON.stringify(brandProfile));
  mkdirSync(folder, { recursive: true });

  const service = await startService(scope, SANDBOX);
  // Epochs do not end by time here, because there is no stake whose yield could be measured.
  const branded = await startService(scope, {
    HOLDFAST_RATE_LIMIT: SANDBOX.HOLDFAST_RATE_LIMIT,
    HOLDFAST_PROFILE_FILE: join(profile, 'profile.json'),
  });
  const busy = await startService(scope, { HOLDFAST_RATE_LIMIT: SANDBOX.HOLDFAST_RATE_LIMIT });
  const [, consoleUrl] = await service.process.output(/Operator\s+(http:\S+)/);

  for (const { name, colorScheme, width } of SHAPES) {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 844 : 900 },
      isMobile: width < 500,
      hasTouch: width < 500,
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-US',
    });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const take = async (view: string, of: Page = page): Promise<void> => {
      await of.waitForLoadState('networkidle');
      // The placeholders of figures that are still being read.
      await of.locator('[class*="skeleton"]').first().waitFor({ state: 'detached' });
      await of.screenshot({ path: join(folder, `${view}-${name}.png`), animations: 'disabled' });
      console.log(`docs/screens/${view}-${name}.png`);
    };

    await page.goto(service.url);
    await connectFunded(page);
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('25');
    await take('stake');
    await reviewStake(page, '25');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    const epochNow = async () =>
      ((await service.client.get('/api/v1/epoch')) as { currentEpoch: number }).currentEpoch;
    for (const paid = (await epochNow()) + 4; (await epochNow()) < paid; ) await setTimeout(1_000);
    await page.goto(`${service.url}/portfolio`);
    await page.locator('li[data-account][data-state="active"]').waitFor();
    const done = page.getByRole('main').getByRole('button', { name: 'Done' });
    if (await done.isVisible()) await done.click();
    // While rewards are being paid, the figures are incomplete.
    await page.getByText('Being paid now').waitFor({ state: 'detached' });
    await take('portfolio');
    for (const view of ['validator', 'developers']) {
      await page.goto(`${service.url}/${view}`);
      await take(view);
    }
    await page.goto(branded.url);
    await page.getByText(brandProfile.hero.slice(0, 20)).waitFor();
    await take('brand');
    await page.goto(busy.url);
    // After the transaction is sent, network requests continue until its outcome is known.
    await page.waitForLoadState('networkidle');
    await connectFunded(page);
    await reviewStake(page, '25');
    // Every other transaction pays a priority fee, so this transaction has to wait.
    await busy.client.post('/sandbox/network', { busy: true, unitPrices: [1_000], backgroundPerBlock: 500 });
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await page.getByText('The network is busy, sending again').waitFor();
    await take('busy');
    await busy.client.post('/sandbox/network', { busy: false });
    await page.goto(consoleUrl!);
    await page.getByLabel('Token').fill(readFileSync(join(service.dataDir, 'operator-token'), 'utf8').trim());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await take('operator');
    await context.close();
  }
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
}
