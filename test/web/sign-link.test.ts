// Lets an agent without a signer hand a request to a user: the official MCP client builds it, the user signs in
// Chromium, and the agent finds the outcome with the idempotency key.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { loadServerSecret } from '../../src/config/server-secret.ts';
import { decodeSignLink, SIGN_LINK_SECONDS } from '../../src/domain/sign-request.ts';
import { SecretBytes } from '../../src/kernel/secret-bytes.ts';
import { createSignLinks } from '../../src/operations/transaction/sign-link.ts';
import { browserSkip, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { looksRight } from '../support/looks-right.ts';
import { connectMcp } from '../support/mcp-clients.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectWallet, stakeAccountsOf, stepIs } from '../support/page-steps.ts';
import { newWallet, type TestWallet } from '../support/wallets.ts';
import { signInWallet, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

type Members = Record<string, unknown>;

const call = async (client: Client, name: string, args: Members): Promise<Members> =>
  (await client.callTool({ name, arguments: args })).structuredContent as Members;

/** Opens the link as a user whose browser has `wallet`. */
const open = async (
  t: TestContext,
  signUrl: string,
  wallet: TestWallet,
  more: Partial<TestPageOptions> = {},
) => {
  const { pathname, search, origin } = new URL(signUrl);
  assert.equal(origin, service().url);
  return openBrowser(t, {
    url: service().url,
    path: `${pathname}${search}`,
    initScript: mockWalletScript({ key: wallet.jwk }),
    ...more,
  });
};

const linkOf = (signUrl: unknown): string => new URL(String(signUrl)).searchParams.get('request')!;

describe('sign links', { skip: browserSkip }, () => {
  it('an agent requests a stake, the owner reviews and signs it, and the agent finds it by its idempotency key', async (t) => {
    const wallet = await walletWith(service(), []);
    const { walletAddress } = wallet;
    const agent = await connectMcp(t, service().url);
    const built = await call(agent, 'create_stake_transaction', { walletAddress, amountSol: 5 });
    const { idempotencyKey, stakeAccountAddress } = built;
    const outcome = () => call(agent, 'verify_transaction', { walletAddress, idempotencyKey });
    assert.equal((await outcome()).errorCode, 'NOT_FOUND');

    const { page, offences } = await open(t, String(built.signUrl), wallet);
    await page.getByRole('heading', { name: 'Stake 5 SOL' }).waitFor();
    await page.getByText('Requested through this service').waitFor();
    await looksRight(page, 'sign-link');
    await connectWallet(page, 'Test wallet');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    const review = page.getByRole('dialog', { name: 'Review your stake' });
    await review.getByText('Checked in your browser').waitFor();
    await review.getByText(/^Stake 5 SOL, active from /).waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    const { state, signature } = await outcome();
    assert.match(String(state), /^(confirmed|finalized)$/);
    assert.match(String(signature), /^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    assert.equal((await mockWallet(page).state()).signed, 1);
    const accounts = await stakeAccountsOf(service(), walletAddress);
    assert.deepEqual(
      accounts.map(({ address }) => address),
      [stakeAccountAddress],
      'the bytes that the agent holds and the signed ones make the same account',
    );

    const again = await open(t, String(built.signUrl), wallet);
    await again.page.getByText('Already signed earlier').waitFor();
    await again.page
      .getByText(/^Nothing was done now\. It was signed earlier \(.+\): Stake 5 SOL\. /)
      .waitFor();
    assert.equal(await again.page.getByRole('button', { name: 'Review', exact: true }).count(), 0);
    await looksRight(again.page, 'sign-link-used');
    const url = String(built.signUrl);
    const altered = await open(t, url.slice(0, -1) + (url.endsWith('_') ? '-' : '_'), wallet);
    await altered.page.getByRole('heading', { name: 'This link does not work here' }).waitFor();
    assert.deepEqual([...offences(), ...again.offences()], []);
  });

  it('a link with the key of another request that was signed says what was signed, and that nothing was done now', async (t) => {
    const wallet = await walletWith(service(), []);
    const { walletAddress } = wallet;
    const agent = await connectMcp(t, service().url);
    const links = await Promise.all(
      [5, 6].map((amountSol) =>
        call(agent, 'create_stake_transaction', { walletAddress, amountSol, idempotencyKey: 'two-links' }),
      ),
    );
    const [five, six] = links.map(({ signUrl }) => String(signUrl));
    const { page } = await open(t, five!, wallet);
    await connectWallet(page, 'Test wallet');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('dialog').getByText('Checked in your browser').waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    // In the same browser, which remembers the transaction.
    for (const [url, asked] of [
      [five!, 'Stake 5 SOL'],
      [six!, 'Stake 6 SOL'],
    ] as const) {
      await page.goto(url);
      await page
        .getByText(
          new RegExp(
            `^Nothing was done now\\. It was signed earlier \\(.+\\): Stake 5 SOL\\. This link asks for: ${asked}\\. `,
          ),
        )
        .waitFor();
      assert.equal(await page.getByText(/confirmed/).count(), 0);
    }
  });

  it('a service that does not respond to the review is reported, and the request can be reviewed later', async (t) => {
    const wallet = await walletWith(service(), []);
    const agent = await connectMcp(t, service().url);
    const { signUrl } = await call(agent, 'create_stake_transaction', {
      walletAddress: wallet.walletAddress,
      amountSol: 5,
    });
    const { page, context } = await open(t, String(signUrl), wallet, { tolerateFailedRequests: true });
    const review = page.getByRole('button', { name: 'Review', exact: true });
    await connectWallet(page, 'Test wallet');
    await review.waitFor();
    await page.waitForLoadState('networkidle');
    const gate = Promise.withResolvers<void>();
    await context.route('**', async (route) => {
      await gate.promise;
      await route.abort();
    });
    await review.click();
    await page.getByRole('dialog').getByText('The service has not answered yet').waitFor();
    gate.resolve();
    await page.getByText('Not sent: The service is not responding').waitFor();
    await page.getByText('Nothing was sent. Your SOL has not moved.').waitFor();
    await context.unroute('**');
    await page.getByRole('button', { name: /^(Back|Dismiss)$/ }).click();
    await review.click();
    await page.getByRole('dialog').getByText('Checked in your browser').waitFor();
  });

  it('every builder returns a link, from which the page makes the same request', async (t) => {
    const wallet = await walletWith(service(), [2, 3, 4]);
    const { walletAddress } = wallet;
    const [first] = await stakeAccountsOf(service(), walletAddress);
    const agent = await connectMcp(t, service().url);
    const stakeAccountAddress = first!.address as string;
    const asked: readonly (readonly [tool: string, args: Members, kind: string, review: RegExp])[] = [
      ['create_stake_transaction', { amountSol: 2 }, 'stake', /^Stake 2 SOL$/],
      ['create_unstake_transaction', { stakeAccountAddress }, 'unstake', /^Unstake$/],
      ['create_unstake_transaction', { amountSol: 3 }, 'rearrange', /^Unstake 3 SOL$/],
      ['plan_stake_change', { goal: 'tidy' }, 'rearrange', /^Merge accounts$/],
      ['plan_stake_change', { goal: 'withdraw-amount', amountSol: 4 }, 'rearrange', /4 SOL$/],
    ];
    for (const [tool, args, kind, title] of asked) {
      const { signUrl, signUrlExpiresAt, idempotencyKey } = await call(agent, tool, {
        walletAddress,
        ...args,
      });
      const link = decodeSignLink(linkOf(signUrl).split('.')[0]!)!;
      assert.deepEqual(
        [link.kind, link.walletAddress, link.idempotencyKey, link.expiresAtSeconds * 1000],
        [kind, walletAddress, idempotencyKey, Date.parse(String(signUrlExpiresAt))],
      );
      const { page } = await open(t, String(signUrl), wallet);
      await page.getByRole('heading', { name: title }).waitFor();
      await connectWallet(page, 'Test wallet');
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      await page.getByRole('dialog').getByText('Checked in your browser').waitFor();
    }
    const donation = await call(agent, 'donate', { walletAddress, amountSol: 0.1 });
    assert.equal(donation.signUrl, undefined, 'the page does not donate');
  });

  it('a link that is altered, expired, of another service or for another wallet is not signed', async (t) => {
    const wallet = await walletWith(service(), []);
    const agent = await connectMcp(t, service().url);
    const { walletAddress } = wallet;
    const { signUrl } = await call(agent, 'create_stake_transaction', { walletAddress, amountSol: 5 });
    const link = linkOf(signUrl);
    const { genesisHash, voteAccount, ...request } = decodeSignLink(link.split('.')[0]!)!;
    const madeBy = (secret: SecretBytes, atMs: number): string =>
      `${service().url}${createSignLinks(secret, { genesisHash, voteAccount }).create(request, request.idempotencyKey, atMs)?.path}`;
    const ours = loadServerSecret(service().dataDir, undefined).secret;
    const [content, mac] = link.split('.');
    const larger = btoa(
      atob(content!.replaceAll('-', '+').replaceAll('_', '/')).replace('"5000000000"', '"9000000000"'),
    );
    const none = [
      [`${service().url}/sign?request=${larger.replaceAll('=', '')}.${mac}`, 'This link does not work here'],
      [`${service().url}/sign?request=%3Cb%3E`, 'This link does not work here'],
      [`${service().url}/sign`, 'This link does not work here'],
      [madeBy(SecretBytes.take(new Uint8Array(32).fill(9)), Date.now()), 'This link does not work here'],
      [madeBy(ours, Date.now() - (SIGN_LINK_SECONDS + 60) * 1000), 'This link has expired'],
    ] as const;
    for (const [at, [url, title]] of none.entries()) {
      const { page, requests } = await open(t, url, wallet);
      await page.getByRole('heading', { name: title }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Review', exact: true }).count(), 0);
      assert.ok(!requests.some((one) => /\/api\/.*\/transaction/.test(one)), 'nothing is built');
      if (at === 0 || at === none.length - 1) await looksRight(page, `sign-link-${at}`);
    }
    // The unaltered link works.
    const other = newWallet();
    const { page } = await open(t, madeBy(ours, Date.now()), other);
    await page.getByRole('heading', { name: 'Stake 5 SOL' }).waitFor();
    await connectWallet(page, 'Test wallet');
    await page.getByText('This request is for another wallet').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Review', exact: true }).count(), 0);
    await looksRight(page, 'sign-link-other-wallet');
    assert.deepEqual(await stakeAccountsOf(service(), walletAddress), []);
  });
});
