// Checks one-shot calls with an amount taken from several accounts or with everything that is ready. If the
// accounts change after planning, the plan is made again once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { type RpcTap, startRpcTap } from '../support/rpc-tap.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { balanceOf, lamportsOf, refused, stakeNow } from '../support/service-calls.ts';
import { type RunningService, settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;

interface World {
  readonly sandbox: Awaited<ReturnType<typeof startSandbox>>;
  readonly service: RunningService;
  readonly tap: RpcTap;
}

const keyed = (key: string) => ({ 'idempotency-key': key });

const call = ({ service }: World, path: string, wallet: TestWallet, members: object, key?: string) =>
  service.client.post(
    path,
    { walletAddress: wallet.walletAddress, secretKey: wallet.secretKey, ...members },
    key === undefined ? {} : keyed(key),
  );

/** Creates a wallet with 2 + 2 + 10 SOL of active stake. */
const stakedWallet = async ({ sandbox, service }: World) => {
  const wallet = await fundedWallet(sandbox, 20);
  const accounts: string[] = [];
  for (const amountSol of [2, 2, 10]) accounts.push(await stakeNow(service, wallet, amountSol));
  await sandbox.advanceEpochs(1);
  return { wallet, accounts };
};

const stakesOf = async ({ service }: World, { walletAddress }: TestWallet) =>
  (await service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts as readonly {
    address: string;
    state: string;
    stakedSol: number;
    activeSol: number;
    deactivatingSol: number;
  }[];

const coolingLamports = async (world: World, wallet: TestWallet): Promise<bigint> =>
  (await stakesOf(world, wallet)).reduce((sum, { deactivatingSol }) => sum + lamportsOf(deactivatingSol), 0n);

test('one-shot calls for an amount or for everything that is ready', async (t) => {
  const sandbox = await startSandbox(QUICK_SANDBOX);
  t.after(() => sandbox.close());
  const tap = await startRpcTap(sandbox.rpcUrl);
  t.after(() => tap.close());
  const service = await startServiceHere(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url });
  const world: World = { sandbox, service, tap };

  await t.test(
    'exactly 5 SOL is unstaked once, the response contains the plan, and all inactive SOL is withdrawn once',
    async () => {
      const { wallet } = await stakedWallet(world);
      const response = await call(world, '/api/v1/unstake', wallet, { amountSol: 5 }, 'five');
      assert.equal(response.plan.accounts.length, 3);
      assert.equal(await coolingLamports(world, wallet), 5n * SOL);
      const again = await call(world, '/api/v1/unstake', wallet, { amountSol: 5 }, 'five');
      assert.deepEqual([again.signature, again.plan], [response.signature, response.plan]);
      const other = await refused(call(world, '/api/v1/unstake', wallet, { amountSol: 6 }, 'five'));
      assert.deepEqual(
        [other.status, other.body.errorCode, other.body.error],
        [422, 'IDEMPOTENCY_KEY_REUSED', 'Idempotency key reused'],
      );
      const unreachable = await refused(call(world, '/api/v1/unstake', wallet, { amountSol: 0.5 }));
      assert.deepEqual(
        [unreachable.status, unreachable.body.errorCode, unreachable.body.nearestAboveSol],
        [400, 'AMOUNT_NOT_REACHABLE', 1],
      );
      assert.equal(await coolingLamports(world, wallet), 5n * SOL);

      const stays = (await stakesOf(world, wallet)).filter(({ state }) => state === 'active');
      await call(world, '/api/v1/unstake', wallet, { stakeAccountAddress: stays[0]!.address });
      const nothing = await refused(call(world, '/api/v1/withdraw', wallet, { all: true }));
      assert.equal(nothing.body.errorCode, 'NOTHING_TO_DO');
      assert.equal(nothing.body.message, 'No stake account is ready to be withdrawn in full.');
      assert.match(String(nothing.body.suggestedAction), /^Try again in epoch \d+ or later/);
      await sandbox.advanceEpochs(1);
      const before = await balanceOf(sandbox, wallet.walletAddress);
      const out = await call(world, '/api/v1/withdraw', wallet, { all: true }, 'out');
      const after = await balanceOf(sandbox, wallet.walletAddress);
      assert.equal(after - before, lamportsOf(out.amountSol) - 5_000n);
      assert.ok(out.amountSol > 5);
      assert.match(out.message, /from 2 stake accounts/);
      const repeated = await call(world, '/api/v1/withdraw', wallet, { all: true }, 'out');
      assert.deepEqual([repeated.signature, repeated.amountSol], [out.signature, out.amountSol]);
      assert.equal((await stakesOf(world, wallet)).length, 1);
    },
  );

  await t.test(
    'part of one account is split off with the idempotency key alone, without naming the new account',
    async () => {
      const wallet = await fundedWallet(sandbox, 20);
      const account = await stakeNow(service, wallet, 10);
      await sandbox.advanceEpochs(1);
      const members = { amountSol: 3, stakeAccountAddress: account };
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => call(world, '/api/v1/unstake', wallet, members, 'part')),
      );
      assert.equal(new Set(responses.map(({ signature }) => signature)).size, 1);
      assert.equal(await coolingLamports(world, wallet), 3n * SOL);
      assert.equal((await stakesOf(world, wallet)).length, 2);
    },
  );

  await t.test('a request with none of account, amount and all, or with two of them, gets 400', async () => {
    const { walletAddress, secretKey } = await fundedWallet(sandbox, 1);
    const bad: readonly (readonly [string, object])[] = [
      ['/api/v1/unstake', {}],
      ['/api/v1/withdraw', {}],
      ['/api/v1/withdraw', { amountSol: 1 }],
      ['/api/v1/withdraw', { all: true, amountSol: 1 }],
      ['/api/v1/withdraw', { all: false }],
    ];
    for (const [path, members] of bad) {
      const { status, body } = await refused(
        service.client.post(path, { walletAddress, secretKey, ...members }),
      );
      assert.deepEqual(
        [status, body.errorCode],
        [400, 'VALIDATION_ERROR'],
        `${path} ${JSON.stringify(members)}`,
      );
    }
  });

  /** Returns the account that an unstake of 5 SOL would deactivate. */
  const chosenFor5 = async ({ walletAddress }: TestWallet): Promise<string> => {
    const { plan } = await service.client.post('/api/v1/unstake/preview', { walletAddress, amountSol: 5 });
    return plan.accounts.find(({ after }: { after: { state: string } }) => after.state === 'deactivating')
      .stakeAccountAddress;
  };

  /** Lands an unstake of the account without using the service. */
  const unstakeBehind = async (wallet: TestWallet, stakeAccountAddress: string) => {
    const { walletAddress } = wallet;
    const { transaction } = await service.client.post('/api/v1/unstake/transaction', {
      walletAddress,
      stakeAccountAddress,
    });
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [signedBy(wallet, transaction), { encoding: 'base64', preflightCommitment: 'confirmed' }],
    };
    return async () => {
      const response = await fetch(sandbox.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.ok(((await response.json()) as { result?: string }).result);
      await sandbox.nextBlock(AbortSignal.timeout(60_000));
      await sandbox.nextBlock(AbortSignal.timeout(60_000));
    };
  };

  await t.test(
    'an unstake whose accounts changed after planning is planned again once and unstakes the exact amount',
    async () => {
      const { wallet } = await stakedWallet(world);
      const chosen = await chosenFor5(wallet);
      tap.beforeBroadcasts([await unstakeBehind(wallet, chosen)]);
      await call(world, '/api/v1/unstake', wallet, { amountSol: 5 }, 'moved');
      const first = (await stakesOf(world, wallet)).find(({ address }) => address === chosen)!;
      assert.equal(await coolingLamports(world, wallet), 5n * SOL + lamportsOf(first.deactivatingSol));
    },
  );

  await t.test(
    'if accounts keep changing, the request fails with STAKE_BALANCE_CHANGED, and nothing is unstaked',
    async () => {
      const { wallet, accounts } = await stakedWallet(world);
      const chosen = await chosenFor5(wallet);
      const next = accounts.slice(0, 2).find((address) => address !== chosen)!;
      tap.beforeBroadcasts([await unstakeBehind(wallet, chosen), await unstakeBehind(wallet, next)]);
      const { status, body } = await refused(
        call(world, '/api/v1/unstake', wallet, { amountSol: 5 }, 'moving'),
      );
      assert.deepEqual([status, body.errorCode], [502, 'STAKE_BALANCE_CHANGED']);
      const stakes = await stakesOf(world, wallet);
      assert.deepEqual(
        accounts.map((address) => stakes.find((one) => one.address === address)?.state),
        ['deactivating', 'deactivating', 'active'],
      );
      // The same key can still be used, because none of its transactions landed.
      const cooling = await coolingLamports(world, wallet);
      await call(world, '/api/v1/unstake', wallet, { amountSol: 5 }, 'moving');
      assert.equal(await coolingLamports(world, wallet), cooling + 5n * SOL);
    },
  );

  await t.test('a plan whose accounts changed after it was built is refused before it is sent', async () => {
    const { wallet } = await stakedWallet(world);
    const { walletAddress } = wallet;
    const built = await service.client.post('/api/v1/unstake/transaction', { walletAddress, amountSol: 5 });
    await (await unstakeBehind(wallet, await chosenFor5(wallet)))();
    const signedTransaction = signedBy(wallet, built.transaction);
    const { status, body } = await refused(
      service.client.post('/api/v1/transaction/submit', { signedTransaction }),
    );
    assert.deepEqual([status, body.errorCode], [400, 'STAKE_BALANCE_CHANGED']);
  });
});
