// Checks that every way to unstake returns how much SOL can be withdrawn and when: with a secret key, by amount
// with a secret key, and signed by the wallet and then submitted, each for active and for activating stake.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });

interface Unstaked {
  readonly signature: string;
  readonly message: string;
  readonly unstaked: { readonly sol: number; readonly withdrawReady: boolean };
}

/** Compares a response with the accounts that it deactivated, before and after the end of the epoch. */
const check = async (
  { walletAddress }: TestWallet,
  { message, unstaked }: Unstaked,
  sol: number,
): Promise<void> => {
  const { client } = shared().service;
  const { accounts } = await client.get(`/api/v1/stake/accounts/${walletAddress}/withdraw-ready`);
  const deactivated = accounts.filter(({ state }: { state: string }) =>
    ['deactivating', 'inactive'].includes(state),
  );
  assert.equal(deactivated.length, 1);
  assert.equal(unstaked.sol, deactivated[0].sol);
  assert.ok(unstaked.sol >= sol && unstaked.sol < sol + 0.003, String(unstaked.sol));
  assert.equal(unstaked.withdrawReady, deactivated[0].withdrawReady);
  assert.match(
    message,
    unstaked.withdrawReady
      ? new RegExp(`${unstaked.sol} SOL can be withdrawn now\\.$`)
      : new RegExp(`${unstaked.sol} SOL can be withdrawn from about \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC\\.$`),
  );
};

for (const isActive of [true, false])
  test(`the outcome of an unstake names the amount and the time, with ${isActive ? 'active' : 'activating'} stake`, async () => {
    const { sandbox, service } = shared();
    const { client } = service;
    const staked = async (): Promise<readonly [TestWallet, string]> => {
      const wallet = await fundedWallet(sandbox, 10);
      return [wallet, await stakeNow(service, wallet, 4)];
    };
    const [[whole, account], [part], [apart]] = [await staked(), await staked(), await staked()];
    if (isActive) await sandbox.advanceEpochs(1);
    const key = ({ walletAddress, secretKey }: TestWallet) => ({ walletAddress, secretKey });
    const responses: Unstaked[] = [
      await client.post('/api/v1/unstake', {
        ...key(whole),
        stakeAccountAddress: account,
        idempotencyKey: 'whole',
      }),
      await client.post('/api/v1/unstake', { ...key(part), amountSol: 1.5, idempotencyKey: 'part' }),
    ];
    const { transaction } = await client.post('/api/v1/unstake/transaction', {
      walletAddress: apart.walletAddress,
      amountSol: 2,
    });
    const submitted = { signedTransaction: signedBy(apart, transaction) };
    responses.push(await client.post('/api/v1/transaction/submit', submitted));
    assert.match(responses[2]!.message, /^Unstake of 2 SOL confirmed\. /);
    for (const [index, [wallet, sol]] of (
      [
        [whole, 4],
        [part, 1.5],
        [apart, 2],
      ] as const
    ).entries()) {
      assert.equal(responses[index]!.unstaked.withdrawReady, !isActive);
      await check(wallet, responses[index]!, sol);
    }
    // A repeated request returns the first result, with the current amount and time.
    await sandbox.advanceEpochs(1);
    const asked = { ...key(whole), stakeAccountAddress: account, idempotencyKey: 'whole' };
    for (const again of [
      await client.post('/api/v1/transaction/submit', submitted),
      await client.post('/api/v1/unstake', { ...key(part), amountSol: 1.5, idempotencyKey: 'part' }),
      await client.post('/api/v1/unstake', asked),
    ]) {
      assert.equal(again.unstaked.withdrawReady, true);
      assert.match(again.message, /SOL can be withdrawn now\.$/);
    }
    await client.post('/api/v1/withdraw', { ...key(whole), stakeAccountAddress: account });
    const gone = await client.post('/api/v1/unstake', asked);
    assert.deepEqual([gone.signature, gone.unstaked], [responses[0]!.signature, undefined]);
  });

test('if only part of the unstaked SOL was active, the outcome names what can be withdrawn now and what later', async () => {
  const { sandbox, service } = shared();
  const { client } = service;
  const wallet = await fundedWallet(sandbox, 10);
  await stakeNow(service, wallet, 4);
  await sandbox.advanceEpochs(1);
  await stakeNow(service, wallet, 3);
  const { walletAddress, secretKey } = wallet;
  const { message, unstaked } = await client.post('/api/v1/unstake', {
    ...{ walletAddress, secretKey, amountSol: 5, idempotencyKey: 'mixed' },
  });
  const { accounts } = await client.get(`/api/v1/stake/accounts/${walletAddress}/withdraw-ready`);
  const inState = (state: string) => accounts.find((one: { state: string }) => one.state === state).sol;
  const [now, later] = [inState('inactive'), inState('deactivating')];
  assert.deepEqual([unstaked.withdrawReady, unstaked.readySol], [false, now]);
  assert.match(
    message,
    new RegExp(
      `${now} SOL can be withdrawn now, ${later} SOL from about \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC\\.$`,
    ),
  );
});
