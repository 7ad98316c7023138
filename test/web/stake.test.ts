// Stakes on the page alone: from an empty wallet to active stake, across reloads, with every kind of wallet
// behavior, and never twice.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { isSoundInBothThemes, looksRight } from '../support/looks-right.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import {
  blockHeightAbove,
  connectFunded,
  endEpochs,
  reviewStake,
  stakeAccountsOf,
  stepIs,
} from '../support/page-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });

describe('staking on the page', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });
  const open = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
    openBrowser(t, { url: service().url, ...more });

  /** Opens a page with a connected and funded test wallet. */
  const openWithMock = async (t: TestContext, more: Partial<TestPageOptions> = {}) => {
    const opened = await open(t, { initScript: mockWalletScript(), ...more });
    const walletAddress = await connectFunded(opened.page, 'Test wallet');
    return { ...opened, walletAddress, wallet: mockWallet(opened.page) };
  };

  const submits = (requests: readonly string[]): number =>
    requests.filter((request) => request.endsWith('/api/v1/transaction/submit')).length;

  it('a wallet that supports only version 1 gets and signs a version 1 transaction', async (t) => {
    const { page } = await openWithMock(t, { initScript: mockWalletScript({ versions: [1] }) });
    await reviewStake(page, '5');
    const submitted = page.waitForRequest((request) => request.url().endsWith('/api/v1/transaction/submit'));
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in wallet' }).click();
    const { signedTransaction } = (await submitted).postDataJSON() as { signedTransaction: string };
    assert.equal(Buffer.from(signedTransaction, 'base64')[0], 0x81);
    await stepIs(page, 'confirmed', 'done');
  });

  it('for a multisig vault that connects as a wallet, the review says that its program must sign', async (t) => {
    const [vault] = await getProgramDerivedAddress({
      programAddress: 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf' as Address,
      seeds: ['multisig', crypto.getRandomValues(new Uint8Array(32)), 'vault', Uint8Array.of(0)],
    });
    const { page, walletAddress } = await openWithMock(t, {
      initScript: mockWalletScript({ announces: [...getAddressEncoder().encode(vault)] }),
    });
    assert.equal(walletAddress, vault);
    await reviewStake(page, '5');
    const review = page.getByRole('dialog');
    await review.getByText(/is a program-derived address.*as the guide .* shows for Squads/).waitFor();
    await screenshot(page, 'vault-review', true);
    // Simulates an app that signs with the member's key, because the vault has none.
    await review.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'submitted', 'failed');
    assert.deepEqual(await stakeAccountsOf(service(), vault), []);
  });

  it('a new user without an extension stakes and sees the stake become active', async (t) => {
    const { page, offences } = await open(t);
    await page.getByRole('button', { name: 'Connect wallet to stake' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Sandbox wallet/ })
      .click();
    await page.getByText('Not enough SOL to stake').waitFor();
    await page
      .getByRole('region', { name: 'Stake SOL' })
      .getByRole('button', { name: 'Get 100 SOL' })
      .click();
    await page.getByText('Balance 100 SOL').waitFor();

    await reviewStake(page, '12.5');
    const review = page.getByRole('dialog');
    await review.getByText(/^Stake 12\.5 SOL, active from /).waitFor();
    await review.getByText('How it works: 3 steps').click();
    await review.getByText('Move 12.5 SOL into a new stake account').waitFor();
    await review.getByText('Delegate it to Holdfast Sandbox').waitFor();
    await isSoundInBothThemes(page, 'stake-review', false);
    await review.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    await stepIs(page, 'turning', 'current');
    await isSoundInBothThemes(page, 'stake-progress');

    await page.getByRole('button', { name: 'End epoch' }).click();
    await stepIs(page, 'turned', 'done');
    await page.getByText(/is active and earning/).waitFor();
    await isSoundInBothThemes(page, 'stake-active');
    await page.getByRole('button', { name: 'End epoch' }).click();
    await page.getByText(/received 0\.\d+ SOL of rewards/).waitFor();
    assert.deepEqual(offences(), []);

    await page.getByRole('button', { name: /^Wallet / }).click();
    const shown = await page.getByRole('dialog').innerText();
    const [walletAddress] = /[1-9A-HJ-NP-Za-km-z]{40,44}/.exec(shown)!;
    const [account, ...others] = await stakeAccountsOf(service(), walletAddress!);
    assert.deepEqual(others, []);
    assert.ok((account!.sol as number) > 12.5);
    assert.equal(account!.state, 'active');
    assert.equal(account!.stakeAuthority, walletAddress);
    assert.equal(account!.withdrawAuthority, walletAddress);
  });

  it('for a stake with an agent’s key as stake authority, the page says what that key can do and shows no alarm', async (t) => {
    const { page, walletAddress, wallet: _ } = await openWithMock(t);
    const agent = 'Ba843aq8GS6y9S9FkyHRLwzZGCHdZfnNanoqKKJgUpXy';
    await page.getByText('Let another key unstake', { exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Stake authority (optional)' });
    await field.fill('not an address');
    await page.getByText('This is not a Solana address.').waitFor();
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('3');
    assert.equal(await page.getByRole('button', { name: 'Review stake' }).isDisabled(), true);
    await field.fill(agent);
    await page.getByText(/cannot take anything out\. Only your wallet can withdraw/).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await reviewStake(page, '3');
    const review = page.getByRole('dialog');
    await review.getByText(/^How it works/).click();
    await review.getByText(/can unstake and redelegate it, but cannot take anything out/).waitFor();
    await review.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    const [account] = await stakeAccountsOf(service(), walletAddress);
    assert.deepEqual([account!.stakeAuthority, account!.withdrawAuthority], [agent, walletAddress]);
    await page
      .getByText(/^Any time, by Ba84….*Your wallet must take the stake authority back first$/)
      .waitFor();
    await page.getByRole('link', { name: 'Portfolio' }).first().click();
    await page
      .getByText(/can unstake it or delegate it elsewhere, but cannot withdraw/)
      .first()
      .waitFor();
    assert.equal(await page.getByText(/Another address controls/).count(), 0);
  });

  it('keyboard focus never jumps to the top of the page: a closed dialog returns it, the progress receives it, and Done returns it', async (t) => {
    const { page } = await open(t);
    await connectFunded(page);
    const wallet = page.getByRole('button', { name: /^Wallet / });
    await wallet.press('Enter');
    await page.getByRole('dialog', { name: 'Your wallet' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('header :focus').waitFor();
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('2');
    const review = page.getByRole('button', { name: 'Review stake' });
    await review.press('Enter');
    await page.getByText('Checked in your browser').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Stake SOL' }).locator(':focus').waitFor();
    await review.press('Enter');
    await page.getByText('Checked in your browser').waitFor();
    await page.getByRole('button', { name: 'Sign in wallet' }).press('Enter');
    // The progress received the focus, and keeps it when it becomes the result.
    await stepIs(page, 'confirmed', 'done');
    await page.getByRole('region', { name: 'Stake of 2 SOL confirmed' }).locator(':focus').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Done' }).press('Enter');
    await page.locator('h1:focus').waitFor();
  });

  it('a confirmed stake says when it earns and can be unstaked, is announced once, and leads to the next step', async (t) => {
    const { page, offences, walletAddress } = await openWithMock(t, { theme: 'dark' });
    await reviewStake(page, '7.25');
    // Records every text of the status while it is shown, as a screen reader would read it.
    await page.evaluate(`
      globalThis.readOut = [];
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('main [role="status"]'))
          if (textContent && readOut.at(-1) !== textContent) readOut.push(textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    const moment = page.getByRole('region', { name: 'Stake of 7.25 SOL confirmed' });
    const fact = (name: string) =>
      moment
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd');
    await fact('Becomes active')
      .getByText(/, in about \d/)
      .waitFor();
    await fact('Can be unstaked').getByText('Until it is active, you can withdraw right away').waitFor();
    await page.waitForLoadState('networkidle');
    const readOut = await page.evaluate<string[]>('readOut');
    assert.deepEqual(
      readOut.filter((text) => text.includes('Stake of 7.25 SOL confirmed')),
      ['Stake of 7.25 SOL confirmed. It becomes active in the next epoch.'],
    );
    await looksRight(page, 'stake-moment');

    const downloading = page.waitForEvent('download');
    await moment.getByRole('link', { name: 'Add to calendar' }).click();
    const calendar = await readFile(await (await downloading).path(), 'utf8');
    assert.match(calendar, /SUMMARY:Stake of 7\.25\d* SOL becomes active/);
    await moment.getByRole('button', { name: 'Share' }).press('Enter');
    await page.getByRole('dialog', { name: 'Share this page' }).waitFor();
    await page.keyboard.press('Escape');
    await endEpochs(service());
    await fact('Earns').getByText('Now, paid into the stake account each epoch').waitFor();
    await fact('Can be unstaked')
      .getByText(/^Any time\. If you unstake now, you can withdraw from \d/)
      .waitFor();
    await moment.getByRole('link', { name: 'View in portfolio' }).press('Enter');
    await page.waitForURL('**/portfolio');
    const [account] = await stakeAccountsOf(service(), walletAddress);
    await page.locator(`[data-account="${account!.address}"]`).waitFor();
    assert.deepEqual(offences(), []);
  });

  it('the wallet and a pending stake survive a reload', async (t) => {
    const { page } = await open(t);
    const walletAddress = await connectFunded(page);
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    await page.reload();
    await stepIs(page, 'confirmed', 'done');
    await page.getByRole('button', { name: /^Wallet / }).waitFor();
    await endEpochs(service());
    await page.reload();
    await stepIs(page, 'turned', 'done');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
    assert.equal((await stakeAccountsOf(service(), walletAddress)).length, 1);
  });

  it('a signed but unsubmitted transaction is submitted after a reload, once', async (t) => {
    const { page, context } = await open(t, { tolerateFailedRequests: true });
    const walletAddress = await connectFunded(page);
    await context.route('**/api/v1/transaction/**', (route) => route.abort());
    await reviewStake(page, '3');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'submitted', 'current');
    assert.deepEqual(await stakeAccountsOf(service(), walletAddress), []);
    await page.reload();
    await stepIs(page, 'submitted', 'current');
    await context.unroute('**/api/v1/transaction/**');
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await stakeAccountsOf(service(), walletAddress)).length, 1);
  });

  it('if a wallet declines, no transaction is sent, and the wallet can be asked again', async (t) => {
    const { page, wallet, walletAddress, requests } = await openWithMock(t);
    await wallet.setMode('refuse');
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await page.getByText('You declined the request in your wallet').waitFor();
    assert.equal(submits(requests), 0);
    await wallet.setMode('sign');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await stakeAccountsOf(service(), walletAddress)).length, 1);
  });

  it('a transaction that the wallet changed is not submitted', async (t) => {
    const { page, wallet, requests } = await openWithMock(t);
    await wallet.setMode('tamper');
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await page.getByText('Your wallet changed the transaction').waitFor();
    assert.equal(submits(requests), 0);
  });

  it('a wallet may add a priority fee, because all other effects are as reviewed', async (t) => {
    const { page, wallet, walletAddress } = await openWithMock(t);
    await wallet.setMode('fee');
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await wallet.state()).asked, 1);
    assert.equal((await stakeAccountsOf(service(), walletAddress)).length, 1);
  });

  it('a transaction with an effect other than the requested one is never shown to the wallet', async (t) => {
    const { page, wallet, context } = await openWithMock(t);
    // The service builds a valid transaction, but for twice the amount, as a dishonest one could.
    await context.route('**/api/v1/stake/transaction', async (route) => {
      const asked = route.request().postDataJSON() as { amountSol: number };
      const response = await route.fetch({ postData: { ...asked, amountSol: asked.amountSol * 2 } });
      await route.fulfill({ response });
    });
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('2');
    await page.getByRole('button', { name: 'Review stake' }).click();
    await page.getByText('Do not sign this').waitFor();
    await page.getByText('It moves a different amount.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in wallet' }).isDisabled(), true);
    assert.equal((await wallet.state()).asked, 0);
    await screenshot(page, 'stake-refused-light', false);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
  });

  it('a transaction that expires while the wallet waits is rebuilt for the same account and requested again', async (t) => {
    const { page, wallet, walletAddress } = await openWithMock(t);
    const built: { stakeAccountAddress: string; lastValidBlockHeight: number }[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('/api/v1/stake/transaction')) built.push(await response.json());
    });
    await wallet.setMode('hold');
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await wallet.asked(1);
    await blockHeightAbove(service(), built.at(-1)!.lastValidBlockHeight);
    await wallet.setMode('sign');
    await wallet.release();
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await wallet.state()).asked, 2);
    assert.ok(built.length >= 2);
    assert.equal(new Set(built.map(({ stakeAccountAddress }) => stakeAccountAddress)).size, 1);
    assert.deepEqual(
      (await stakeAccountsOf(service(), walletAddress)).map(({ address }) => address),
      [built[0]!.stakeAccountAddress],
    );
  });

  it('the header shows the validator’s name, yield, stakers and stake in full, even at 320 pixels', async (t) => {
    const { page } = await open(t, { width: 320, height: 640 });
    const { name, apy, delegatorCount } = (await (
      await fetch(`${service().url}/api/v1/validator`)
    ).json()) as { name: string; apy: { totalApy: number }; delegatorCount: number };
    await page.getByRole('heading', { level: 1, name: `Stake with ${name}` }).waitFor();
    const figure = (label: string) =>
      page
        .locator('dl div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .first()
        .locator('dd');
    await figure('APY')
      .getByText(`${apy.totalApy.toFixed(2)}%`)
      .waitFor();
    await figure('Stakers').getByText(String(delegatorCount)).waitFor();
    const right = await figure('Active stake (SOL)').evaluate(
      (element) =>
        (element as never as { getBoundingClientRect(): { right: number } }).getBoundingClientRect().right,
    );
    assert.ok(right <= 320, `${right}`);
  });

  it('a tick selects a share of the available SOL, also by keyboard, and the remainder is shown', async (t) => {
    const { page } = await openWithMock(t);
    await page.getByRole('button', { name: /^Stake 24\.99875 SOL, 25%/ }).press('Enter');
    assert.equal(await page.getByRole('textbox', { name: 'Stake SOL' }).inputValue(), '24.99875');
    assert.equal(await page.getByRole('slider').inputValue(), '48');
    // The amount is shortened in the text but exact on hover and when copied.
    const left = page.getByTitle('75.00125 SOL');
    assert.equal(await left.innerText(), '75.0012');
    await page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('[title="75.00125 SOL"]').parentElement)`,
    );
    await page.keyboard.press('ControlOrMeta+C');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), '75.00125 SOL');
  });

  it('the amount field reports its mistakes, follows the slider, and accepts the maximum', async (t) => {
    const { page } = await openWithMock(t);
    const amount = page.getByRole('textbox', { name: 'Stake SOL' });
    const button = page.getByRole('button', { name: 'Review stake' });
    /** Waits until the button is disabled for this reason, which screen readers read with it. */
    const isDisabledBecause = (reason: string): Promise<void> =>
      page.getByRole('button', { name: 'Review stake', description: reason, disabled: true }).waitFor();
    await amount.fill('');
    await isDisabledBecause('Enter an amount.');
    await amount.fill('0.5');
    await isDisabledBecause('The minimum is 1.00166624 SOL.');
    await amount.fill('100');
    await page.getByText('You can stake up to 99.995 SOL; 0.005 SOL is reserved for fees.').waitFor();
    await amount.fill('1.0000000001');
    await page.getByText('SOL has up to 9 decimals. The smallest amount is 0.000000001.').waitFor();
    await page.getByRole('button', { name: 'Max' }).click();
    assert.equal(await amount.inputValue(), '99.995');
    const slider = page.getByRole('slider', { name: 'Amount to stake' });
    await slider.press('Home');
    assert.equal(await amount.inputValue(), '1.00166624');
    await slider.press('End');
    assert.equal(await amount.inputValue(), '99.995');
    assert.equal(await button.isEnabled(), true);
  });

  it('the projection shows the yield’s interval as a band, on the canvas and in the table', async (t) => {
    const { page } = await open(t, {
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/stake/simulate', async (route) => {
          const body = await (await route.fetch()).json();
          const { total } = body.projections;
          const banded = {
            ...total,
            lowRewardSol: total.rewardSol / 2,
            highRewardSol: total.rewardSol * 1.5,
          };
          await route.fulfill({ json: { ...body, projections: { ...body.projections, total: banded } } });
        });
      },
    });
    const card = page.getByRole('region', { name: 'Projected rewards' });
    await card.locator('canvas').waitFor();
    const rows = (await card.locator('table').innerText()).trim().split('\n');
    assert.match(rows.join('\n'), /Projected rewards\s+High end \(80%\)\s+Low end \(80%\)/);
    const [rewards, high, low] = [...rows.at(-1)!.matchAll(/\+([\d.]+) SOL/g)].map(([, sol]) => Number(sol));
    assert.ok(
      Math.abs(high! / rewards! - 1.5) < 0.02 && Math.abs(low! / rewards! - 0.5) < 0.02,
      `${rewards} ${high} ${low}`,
    );
    await card.getByText(/Needs 10 epochs with measured/).waitFor();
    await screenshot(page, 'projection-band');
  });

  it('projected rewards follow the amount immediately, and end at the service’s figure', async (t) => {
    const { page } = await openWithMock(t);
    const shown = async () =>
      Number(await page.locator('[data-projected-sol]').getAttribute('data-projected-sol'));
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('50');
    const answer = await page.waitForResponse((response) =>
      response.url().endsWith('/api/v1/stake/simulate'),
    );
    const { projections } = (await answer.json()) as { projections: { total: { rewardSol: number } } };
    await page.waitForFunction(
      (wanted) =>
        [
          ...(
            globalThis as unknown as {
              document: { querySelectorAll(q: string): Iterable<{ getAttribute(n: string): string }> };
            }
          ).document.querySelectorAll('[data-projected-sol]'),
        ].some((element) => Math.abs(Number(element.getAttribute('data-projected-sol')) - wanted) < 1e-9),
      projections.total.rewardSol,
    );
    const fifty = await shown();
    const stat = (label: string) =>
      page
        .getByRole('region', { name: 'Projected rewards' })
        .locator('dl div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('dd');
    const apy = Number.parseFloat(await stat('APY').innerText());
    const perDay = Number(
      await stat('Per day, once active').locator('[data-exact]').getAttribute('data-exact'),
    );
    // The shown yield has two decimals.
    assert.ok(Math.abs(perDay - ((50 - 0.00166624) * apy) / 36_500) < 1e-5, `${perDay} at ${apy} %`);
    // Moves the slider with Home and End. This would send more than a hundred requests if every amount were
    // requested.
    await page.getByRole('slider', { name: 'Amount to stake' }).press('Home');
    assert.ok((await shown()) < fifty / 10);
  });
});

describe('without a mouse', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });

  it('a user can stake by keyboard alone, and each step is announced', async (t) => {
    const { page } = await openBrowser(t, { url: service().url });
    await page.getByText('Voting').waitFor();
    /** Presses Tab until this element has the focus. A page that needs more presses has a wrong tab order. */
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          "((element) => element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent)(document.activeElement)",
        );
        if (focused.trim().startsWith(name)) return;
      }
      throw new Error(`the focus never came to ${name}`);
    };
    await tabTo('Connect wallet');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo('Sandbox wallet');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Wallet / }).waitFor();
    await page.getByText('Not enough SOL to stake').waitFor();
    await page.getByRole('heading', { name: 'Stake SOL' }).waitFor();
    await tabTo('Get 100 SOL');
    await page.keyboard.press('Enter');
    await page.getByText('Balance 100 SOL').waitFor();
    await tabTo('Stake SOL');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await page.getByText('Checked in your browser').waitFor();
    await tabTo('Sign in wallet');
    await page.keyboard.press('Enter');
    await stepIs(page, 'confirmed', 'done');
    const announced = page
      .getByRole('status')
      .filter({ hasText: 'Stake of 4 SOL confirmed. It becomes active' });
    assert.equal(await announced.count(), 1);
    await tabTo('Done');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
  });
});

describe('unusable wallets', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });

  it('a wallet that is on a different network or cannot sign is disabled, with the reason', async (t) => {
    const { page } = await openBrowser(t, {
      url: service().url,
      initScript: `${mockWalletScript({ name: 'Mainnet wallet', chains: ['solana:mainnet'] })};${mockWalletScript({ name: 'Watch wallet', cannotSign: true })}`,
    });
    await page.getByRole('button', { name: 'Connect wallet', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const line = (name: string) => dialog.getByRole('button', { name });
    assert.match(await line('Mainnet wallet').innerText(), /Does not support localnet/);
    assert.equal(await line('Mainnet wallet').isDisabled(), true);
    assert.match(await line('Watch wallet').innerText(), /Cannot sign transactions/);
    assert.equal(await line('Sandbox wallet').isEnabled(), true);
    assert.deepEqual(await seriousFaults(page), []);
  });

  it('a wallet that refuses to connect leaves the page unchanged, with the reason', async (t) => {
    const { page } = await openBrowser(t, {
      url: service().url,
      initScript: mockWalletScript({ refusesConnection: true }),
    });
    await page.getByRole('button', { name: 'Connect wallet', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).click();
    await page.getByText('Connection declined').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Connect wallet', exact: true }).waitFor();
  });
});
