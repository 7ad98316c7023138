// IDEM-5: an idempotency key unstakes its amount once, however often the request is sent and the service is
// killed in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { lamportsOf, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
/** Total number of requests, and number of requests between kills of the service. */
const [REPEATS, PER_KILL] = FULL ? [1_000, 20] : [32, 8];
/** With slots of 80 ms, a blockhash is valid for 12 s, which is enough on a busy machine. */
const SLOT_MS = 80;

for (const [what, stakesSol, amountSol] of [
  ['moved between accounts', [2, 2, 10], 5],
  ['split off one account', [10], 3],
] as const)
  test(`IDEM-5 one key repeated ${REPEATS} times, with ${REPEATS / PER_KILL} kills, unstakes its amount once: ${what}`, async (t) => {
    const sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: SLOT_MS });
    t.after(() => sandbox.close());
    const dataDir = temporaryFolder(t);
    const start = () => startService(t, settingsFor(sandbox), dataDir);
    let service = await start();
    const wallet = await fundedWallet(sandbox, 100);
    for (const one of stakesSol) await stakeNow(service, wallet, one);
    await sandbox.advanceEpochs(1);
    const { walletAddress, secretKey } = wallet;
    const body = { walletAddress, secretKey, amountSol };
    const send = () => service.client.post('/api/v1/unstake', body, { 'idempotency-key': 'once' });

    const signatures = new Set<string>();
    let [answered, lost] = [0, 0];
    for (let sent = 0; sent < REPEATS; sent += PER_KILL) {
      let answeredNow = 0;
      const calls = Array.from({ length: PER_KILL }, async () => {
        const response = await send();
        answeredNow += 1;
        return response;
      });
      // Each kill happens at a different time: before signing, in flight, or after the response to the first
      // request.
      const ended = Promise.allSettled(calls);
      const blocks = [1, 4, Number.POSITIVE_INFINITY, 8][(sent / PER_KILL) % 4]!;
      const waited = async () => {
        for (let seen = 0; seen < blocks && answeredNow === 0; seen += 1)
          await sandbox.nextBlock(AbortSignal.timeout(60_000));
      };
      await Promise.race([ended, waited()]);
      await service.process.stop('SIGKILL');
      for (const one of await ended)
        if (one.status === 'rejected') lost += 1;
        else {
          answered += 1;
          signatures.add(one.value.signature);
        }
      service = await start();
    }
    signatures.add((await send()).signature);
    const { accounts } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
    const cooling = accounts.reduce(
      (sum: bigint, one: { deactivatingSol: number }) => sum + lamportsOf(one.deactivatingSol),
      0n,
    );
    assert.equal(cooling, lamportsOf(amountSol), 'the amount, once');
    assert.equal(signatures.size, 1);
    t.diagnostic(`${answered} got a response, ${lost} lost`);
    assert.ok(answered > 0 && lost > 0, 'kills before and after the response');
  });
