// IDEM-2: if the service is killed after the broadcast and before the response, a repeated request returns the
// original signature.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../demo/http-client.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { startRpcTap } from '../support/rpc-tap.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const KILLS = process.env.HOLDFAST_TEST_FULL ? 50 : 4;
/** With slots of 80 ms, a blockhash is valid for 12 s, which is enough on a busy machine. */
const SLOT_MS = 80;
const OPERATIONS = ['stake', 'unstake', 'withdraw', 'donate'] as const;

interface Request {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: Readonly<Record<string, string>>;
}

const send = (service: TestService, { path, body, key }: Request) => service.client.post(path, body, key);

test(`IDEM-2 after each of ${KILLS} kills between broadcast and response, a repeated request returns the original signature`, async (t) => {
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: SLOT_MS });
  t.after(() => sandbox.close());
  const tap = await startRpcTap(sandbox.rpcUrl);
  t.after(() => tap.close());
  const dataDir = temporaryFolder(t);
  const start = () => startService(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url }, dataDir);
  let service = await start();
  const wallet = await fundedWallet(sandbox, 5_000);
  const { walletAddress, secretKey } = wallet;
  const keyOf = (name: string) => ({ 'idempotency-key': name });

  const stakeRequest = (name: string, amountSol = 2): Request => ({
    path: '/api/v1/stake',
    body: { walletAddress, secretKey, amountSol },
    key: keyOf(name),
  });
  const newStake = async (name: string): Promise<string> =>
    (await send(service, stakeRequest(name))).stakeAccountAddress;

  const requestFor = async (operation: (typeof OPERATIONS)[number], round: number): Promise<Request> => {
    const name = `${operation}-${round}`;
    if (operation === 'stake') return stakeRequest(name);
    if (operation === 'donate') {
      const { transaction } = await service.client.post('/api/v1/donate', { walletAddress, amountSol: 0.01 });
      return {
        path: '/api/v1/transaction/submit',
        body: { signedTransaction: signedBy(wallet, transaction) },
        key: keyOf(name),
      };
    }
    const stakeAccountAddress = await newStake(`for-${name}`);
    const body = { walletAddress, secretKey, stakeAccountAddress };
    // The stake was deactivated in the epoch of its activation, so all of it can be withdrawn immediately.
    if (operation === 'withdraw') await service.client.post('/api/v1/unstake', body, keyOf(`before-${name}`));
    return { path: `/api/v1/${operation}`, body, key: keyOf(name) };
  };

  const killed: { request: Request; signature: string }[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const request = await requestFor(OPERATIONS[round % OPERATIONS.length]!, round);
    const broadcast = tap.holdAtBroadcast();
    const ended = send(service, request).then(
      () => 'answered' as const,
      (error: unknown) => (error instanceof Refusal ? error : ('lost' as const)),
    );
    // The RPC node does not respond to the broadcast, so the service cannot know any result before it is
    // killed.
    const first = await Promise.race([broadcast, ended]);
    if (first instanceof Refusal) throw first;
    const signature = first;
    await service.process.stop('SIGKILL');
    assert.equal(await ended, 'lost', `${request.path} in round ${round} got a response before the kill`);
    tap.release();
    service = await start();
    assert.equal((await send(service, request)).signature, signature, `${request.path} in round ${round}`);
    killed.push({ request, signature });
  }

  await t.test(
    'a repeated request returns the original signature even much later and after the account was closed',
    async () => {
      await sandbox.advanceEpochs(2);
      for (const { request, signature } of killed)
        assert.equal((await send(service, request)).signature, signature);
    },
  );
  await t.test('a different amount with the same idempotency key gets 422', async () => {
    const refusal = await send(service, stakeRequest('stake-0', 3)).catch((error: unknown) => error);
    assert.ok(refusal instanceof Refusal && refusal.status === 422, String(refusal));
  });
  await t.test('the chain contains exactly the requested changes', async () => {
    const { accounts } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
    const count = (operation: string) =>
      killed.filter(({ request }) => request.path.endsWith(operation)).length;
    assert.equal(
      accounts.length,
      count('/stake') + count('/unstake'),
      'withdrawn accounts are gone, and all others exist once',
    );
  });
});
