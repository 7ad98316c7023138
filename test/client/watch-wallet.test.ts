// Checks that watching a wallet reports each change on the chain once and in order, survives outages, and ends
// when its signal is aborted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ClientClock } from '../../client/client-clock.ts';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { changesBetween, type ObservedChange, watchWallet } from '../../client/watch-wallet.ts';
import { newWallet, signedBy } from '../support/wallets.ts';
import { sharedSandboxService } from './sandbox-service.ts';

const shared = sharedSandboxService({ before, after });

/** Creates a clock that delays the next poll until the test allows it. */
const steppedClock = () => {
  let release: (() => void) | undefined;
  const clock: ClientClock = {
    now: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        release = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };
  return { clock, look: () => release?.() };
};

test("watchWallet reports every step of a stake's lifecycle: added, active, earning, deactivating, ready, gone", async () => {
  const { client } = shared();
  const wallet = newWallet();
  const { walletAddress } = wallet;
  const { clock, look } = steppedClock();
  const changes = watchWallet(client, walletAddress, { clock });
  const next = async (): Promise<ObservedChange> => (await changes.next()).value!;
  const types: string[] = [];
  const follow = async (count: number): Promise<ObservedChange[]> => {
    const list: ObservedChange[] = [];
    for (let at = 0; at < count; at += 1) {
      const pending = next();
      // Only the first change requires a new poll. The later changes of that poll are already available.
      if (at === 0) setImmediate(look);
      list.push(await pending);
    }
    types.push(...list.map(({ type }) => type));
    return list;
  };
  const submit = async (transaction: string): Promise<void> =>
    void (await client.submitTransaction({ signedTransaction: signedBy(wallet, transaction) }));

  assert.equal((await next()).type, 'watching');
  await client.sandboxAirdrop({ walletAddress, amountSol: 5 });
  const [funded] = await follow(1);
  assert.ok(funded?.type === 'liquid_changed' && funded.fromSol === 0 && funded.toSol === 5);

  const built = await client.createStakeTransaction({ walletAddress, amountSol: 2 });
  await submit(built.transaction);
  const [, added] = await follow(2);
  assert.ok(added?.type === 'account_added' && added.account.state === 'activating');

  await client.sandboxEndEpochs({ count: 1 });
  const [, active] = await follow(2);
  assert.ok(
    active?.type === 'account_state_changed' && active.from === 'activating' && active.to === 'active',
  );

  const stakeAccountAddress = built.stakeAccountAddress!;
  await submit((await client.createUnstakeTransaction({ walletAddress, stakeAccountAddress })).transaction);
  await follow(2);
  await client.sandboxEndEpochs({ count: 1 });
  await follow(4);
  await submit((await client.createWithdrawTransaction({ walletAddress, stakeAccountAddress })).transaction);
  await follow(2);
  assert.deepEqual(types, [
    'liquid_changed',
    'liquid_changed',
    'account_added',
    'epoch_changed',
    'account_state_changed',
    'liquid_changed',
    'account_state_changed',
    'epoch_changed',
    'account_state_changed',
    'account_balance_changed',
    'withdraw_ready',
    'liquid_changed',
    'account_removed',
  ]);
  await changes.return();
});

test('an outage is reported once and the watch continues, but a permanent failure ends it', async () => {
  let isDown = false;
  let failures = 0;
  const client = createHoldfastClient({
    baseUrl: shared().service.url,
    retries: 0,
    fetch: (url, init) => {
      if (!isDown) return fetch(url, init);
      failures += 1;
      // The outage ends after the third failed poll.
      isDown = failures < 3;
      return Promise.reject(new Error('cut off'));
    },
  });
  const { clock, look } = steppedClock();
  const changes = watchWallet(client, newWallet().walletAddress, { clock });
  const next = async () => {
    const pending = changes.next();
    const looking = setInterval(look, 1);
    const { value } = await pending;
    clearInterval(looking);
    return (value as ObservedChange).type;
  };
  assert.equal(await next(), 'watching');
  isDown = true;
  assert.equal(await next(), 'interrupted');
  assert.equal(await next(), 'resumed', 'the polls in between report nothing');
  assert.equal(failures, 3);
  await changes.return();

  await assert.rejects(watchWallet(client, 'nobody', { clock }).next(), (error) =>
    isHoldfastError(error, 'VALIDATION_ERROR'),
  );
});

test('an unchanged wallet is not reported again', async () => {
  const { client } = shared();
  const wallet = newWallet();
  const { walletAddress } = wallet;
  await client.sandboxAirdrop({ walletAddress, amountSol: 5 });
  const { transaction } = await client.createStakeTransaction({ walletAddress, amountSol: 2 });
  await client.submitTransaction({ signedTransaction: signedBy(wallet, transaction) });
  const summary = await client.stakingSummary({ walletAddress });
  const [account] = summary.accounts;
  assert.deepEqual(changesBetween(summary, summary), []);
  const ready = { ...summary, accounts: [{ ...account!, withdrawReady: true }] };
  assert.deepEqual(
    changesBetween(summary, ready).map(({ type }) => type),
    ['withdraw_ready'],
  );
  assert.deepEqual(changesBetween(ready, ready), []);
  assert.deepEqual(changesBetween(ready, summary), []);
});

test('aborting the signal ends watchWallet without an error, whether it is waiting or polling', async () => {
  const { client } = shared();
  for (const isAsking of [false, true]) {
    const stop = new AbortController();
    const changes = watchWallet(client, newWallet().walletAddress, { signal: stop.signal });
    if (!isAsking) await changes.next();
    const end = changes.next();
    stop.abort();
    assert.deepEqual(await end, { value: undefined, done: true });
  }
});
