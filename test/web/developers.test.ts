// Checks the Developers view against the real service: the printed lines work, and the page manages a webhook
// from registration to restore.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, connectWallet } from '../support/page-steps.ts';
import { startReceiver } from '../support/receiver.ts';
import { guideCode, outsiderEnvironment, outsiderFolder } from '../support/user-without-clone.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });
const open = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
  openBrowser(t, { url: service().url, path: '/developers', ...more });
const execute = promisify(execFile);

const linesOf = (page: Page, name: string): Promise<string> =>
  page.locator(`[data-lines="${name}"] code`).innerText();
const choose = (page: Page, tab: string): Promise<void> =>
  page.getByRole('tab', { name: tab, exact: true }).click();

const CALLS = ['epoch', 'summary', 'simulate', 'build'] as const;

describe('lines to paste', { skip: browserSkip }, () => {
  it('contain this server’s address and the connected wallet, and each runs in its own language', async (t) => {
    const { page } = await open(t);
    const walletAddress = await connectFunded(page);
    const folder = await outsiderFolder(t, service().url);
    const env = outsiderEnvironment(folder);
    const run = async (language: string, call: string, program: (lines: string) => [string, string[]]) => {
      const lines = await linesOf(page, `${language} ${call}`);
      assert.ok(lines.includes(service().url), lines);
      if (call === 'summary' || call === 'build') assert.ok(lines.includes(walletAddress), lines);
      const { stdout } = await execute(...program(lines), { cwd: folder, env });
      return stdout;
    };
    for (const call of CALLS) {
      const answer = JSON.parse(await run('curl', call, (lines) => ['sh', ['-c', lines]]));
      assert.equal(answer.errorCode, undefined, call);
      if (call === 'build') assert.equal(typeof answer.transaction, 'string');
    }
    await choose(page, 'JavaScript');
    for (const call of CALLS) {
      const printed = await run('javascript', call, (lines) => [
        process.execPath,
        ['--input-type=module', '--eval', lines],
      ]);
      assert.ok(printed.trim() !== '' && printed.trim() !== 'undefined', `${call}: ${printed}`);
    }
    await choose(page, 'Typed client');
    const installs = [await linesOf(page, 'client install')];
    for (const call of CALLS) {
      const printed = await run('client', call, (lines) => {
        writeFileSync(join(folder, 'typed.ts'), lines);
        return [process.execPath, ['typed.ts']];
      });
      assert.ok(printed.trim() !== '' && printed.trim() !== 'undefined', `${call}: ${printed}`);
    }
    await choose(page, 'CLI');
    installs.push(await linesOf(page, 'cli install'));
    for (const call of CALLS)
      assert.match(await run('cli', call, (lines) => ['sh', ['-c', lines]]), /\S/, call);
    const { packages } = (await (await fetch(`${service().url}/packages.json`)).json()) as {
      packages: { file: string }[];
    };
    // Packages installed in this folder.
    assert.deepEqual(
      installs,
      packages.map(({ file }) => `npm install ${service().url}/${file}`),
    );
  });

  it('for Python run if there is a Python', async (t) => {
    const python = await execute('python3', ['--version']).catch(() => null);
    if (python === null) return t.skip('no python3 here');
    const { page } = await open(t);
    await choose(page, 'Python');
    for (const call of ['epoch', 'simulate'])
      assert.match((await execute('python3', ['-c', await linesOf(page, `python ${call}`)])).stdout, /\S/);
  });

  it('for MCP and Actions get responses', async (t) => {
    const { page } = await open(t);
    await connectFunded(page);
    const tools = (await execute('sh', ['-c', await linesOf(page, 'mcp-try')])).stdout;
    assert.match(tools, /get_staking_summary/);
    const url = `${service().url}/mcp`;
    assert.equal(await linesOf(page, 'mcp-claude-code'), `claude mcp add --transport http holdfast ${url}`);
    assert.equal(await linesOf(page, 'mcp-claude-desktop'), url);
    // Each program has its own format: Cursor has no `type`, VS Code no `mcpServers`.
    assert.deepEqual(JSON.parse(await linesOf(page, 'mcp-cursor')), { mcpServers: { holdfast: { url } } });
    assert.deepEqual(JSON.parse(await linesOf(page, 'mcp-vscode')), {
      servers: { holdfast: { type: 'http', url } },
    });
    JSON.parse(await linesOf(page, 'mcp-sse'));
    // The settings have the same format as in the guides, where a test runs them.
    const { args } = JSON.parse(await linesOf(page, 'mcp-stdio')).mcpServers.holdfast;
    const guide = await guideCode(service().url, 'mcp');
    const printed = guide.find((block) => block.includes('--max-stake'))!;
    assert.deepEqual(args, JSON.parse(printed).mcpServers.holdfast.args);
    for (const line of (await linesOf(page, 'mcp-stdio-install')).split('\n').slice(2))
      assert.ok(
        guide.some((block) => block.includes(line)),
        line,
      );
    await choose(page, 'Solana Actions');
    const look = JSON.parse((await execute('sh', ['-c', await linesOf(page, 'action-look')])).stdout);
    assert.equal(look.type, 'action');
    const built = JSON.parse((await execute('sh', ['-c', await linesOf(page, 'action-build')])).stdout);
    assert.equal(built.type, 'transaction', JSON.stringify(built));
  });

  it('show a placeholder if there is no wallet, and link to the documents', async (t) => {
    const { page } = await open(t);
    assert.match(await linesOf(page, 'curl summary'), /YOUR_WALLET_ADDRESS/);
    for (const [name, path] of [
      ['Documentation', '/docs'],
      ['Quick start', '/docs/guides/quick-start'],
      ['Webhooks', '/docs/guides/webhooks'],
      ['API reference', '/docs/reference'],
      ['openapi.json', '/openapi.json'],
      ['llms.txt', '/llms.txt'],
    ] as const) {
      const link = page
        .getByRole('navigation', { name: 'Documents' })
        .getByRole('link', { name, exact: true });
      assert.equal(await link.getAttribute('href'), path);
      assert.equal((await fetch(`${service().url}${path}`)).status, 200);
    }
  });
});

const register = async (page: Page, callbackUrl: string): Promise<string> => {
  await page.getByLabel('Callback URL').fill(callbackUrl);
  await page.getByRole('button', { name: 'Register webhook' }).click();
  return page.locator('[data-secret]').innerText();
};
const delivery = (page: Page, state: string, attempts: number): Promise<void> =>
  page.locator(`[data-delivery][data-state="${state}"][data-attempts="${attempts}"]`).first().waitFor();
const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

describe('a webhook', { skip: browserSkip }, () => {
  it('is registered, pinged, followed, replayed, rotated, deleted and restored on the page', async (t) => {
    const receiver = await startReceiver(t);
    const { page, offences } = await open(t);
    await connectWallet(page, 'Sandbox wallet');
    const secret = await register(page, `${receiver.url}/private-path`);
    assert.match(secret, /^whsec_/);
    // Registering also sends a ping.
    await receiver.got(1);
    await button(page, 'Test ping').click();
    await receiver.got(2);
    const { body, headers } = receiver.received[0]!;
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string };
    assert.equal(event.type, 'ping');
    await delivery(page, 'delivered', 1);
    await page.getByText('HTTP 204').first().waitFor();
    await page.locator('[data-webhook]').getByText('Active', { exact: true }).waitFor();
    // The path of a callback URL may be a secret.
    assert.equal(await page.getByText('private-path').count(), 0);
    await isSoundInBothThemes(page, 'developers-webhook');
    await page.setViewportSize({ width: 360, height: 780 });
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    await screenshot(page, 'developers-webhook-phone');
    await page.setViewportSize({ width: 1280, height: 900 });

    await page.getByRole('button', { name: 'Replay ping' }).first().click();
    await receiver.got(3);
    const [own, asked, replayed] = receiver.received.map((one) => one.headers['webhook-id']);
    assert.notEqual(own, asked);
    assert.ok([own, asked].includes(replayed));

    await button(page, 'I saved it').click();
    assert.equal(await page.getByText(secret).count(), 0);
    await button(page, 'Rotate secret').click();
    const next = await page.locator('[data-secret]').innerText();
    assert.notEqual(next, secret);
    await button(page, 'Delete').click();
    await page.locator('[data-webhook][data-deleted]').waitFor();
    await button(page, 'Restore').click();
    await page.locator('[data-webhook]:not([data-deleted])').waitFor();
    await button(page, 'Test ping').waitFor();
    assert.deepEqual(offences(), []);
  });

  it('a failing receiver is shown with every failed attempt, and as recovered once it works', async (t) => {
    let status = 500;
    const receiver = await startReceiver(t, (_request, response) => void response.writeHead(status).end());
    const { page } = await open(t);
    await connectWallet(page, 'Sandbox wallet');
    await register(page, receiver.url);
    await delivery(page, 'pending', 1);
    await page.locator('[data-webhook]').getByText('Waiting for first response').waitFor();
    await page
      .getByText(/HTTP 500/)
      .first()
      .waitFor();
    await page
      .getByText(/next attempt in|sending now/)
      .first()
      .waitFor();
    // The second attempt follows after a few seconds, the third after minutes, unless one is requested.
    await delivery(page, 'pending', 2);
    assert.equal(await page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').count(), 2);
    status = 204;
    await button(page, 'Test ping').click();
    // Without a pending delivery, the page polls every 15 s.
    await page.locator('[data-delivery][data-state="delivered"]').waitFor();
    assert.equal(receiver.received.length, 3);
    await page.locator('[data-webhook]').getByText('Active', { exact: true }).waitFor();
  });

  it('its secret is not shown after a reload unless keeping it was ticked, and can be entered again', async (t) => {
    const receiver = await startReceiver(t);
    const { page } = await open(t, { tolerateFailedRequests: true });
    await connectWallet(page, 'Sandbox wallet');
    const secret = await register(page, receiver.url);
    const stored = () =>
      page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    assert.ok(!(await stored()).includes(secret));
    await page.reload();
    await page.getByText(new URL(receiver.url).origin).waitFor();
    assert.equal(await button(page, 'Test ping').count(), 0);
    await page.getByLabel('Its secret').fill('whsec_d3Jvbmc=');
    await button(page, 'Use').click();
    await page.getByText(/^The deliveries could not be loaded/).waitFor();
    await page.evaluate('location.reload()');
    await page.getByLabel('Its secret').fill(secret);
    await button(page, 'Use').click();
    await delivery(page, 'delivered', 1);

    const second = await register(page, `${receiver.url}/two`);
    await page.getByLabel(/Keep the secret in this tab/).check();
    assert.ok((await stored()).includes(second));
    await page.reload();
    await page.getByText(new URL(receiver.url).origin).first().waitFor();
    assert.equal(await page.getByLabel('Its secret').count(), 0);
    assert.equal(await button(page, 'Test ping').count(), 2);
  });

  it('a callback URL that the service refuses is reported in the service’s own words', async (t) => {
    const { page } = await open(t, { tolerateFailedRequests: true });
    await connectWallet(page, 'Sandbox wallet');
    await page.getByLabel('Callback URL').fill('http://10.0.0.1/');
    const refused = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.getByRole('button', { name: 'Register webhook' }).click();
    const { message } = (await (await refused).json()) as { message: string };
    await page.getByRole('main').getByText(message).waitFor();
    assert.equal(await page.locator('[data-secret]').count(), 0);
    assert.deepEqual(await seriousFaults(page), []);
  });

  it('webhooks of any wallet can be listed by its address, and events can be chosen by keyboard', async (t) => {
    const { page } = await open(t);
    await page.getByLabel('Which wallet?').fill('nobody');
    await button(page, 'Continue').click();
    await page.getByText('Not a Solana address').waitFor();
    const { voteAccount } = await service().client.get('/api/v1/validator');
    await page.getByLabel('Which wallet?').fill(voteAccount);
    await page.getByLabel('Which wallet?').press('Enter');
    await page.getByText('No webhooks for this wallet yet.').waitFor();
    for (const box of await page.getByRole('group', { name: 'Notify when' }).getByRole('checkbox').all())
      await box.press('Space');
    await page.getByLabel('Callback URL').fill('https://example.com/');
    assert.equal(await page.getByRole('button', { name: 'Register webhook' }).isDisabled(), true);
  });
});
