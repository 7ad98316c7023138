// SHUT-1: a real process that receives SIGTERM under load responds to every accepted request and then exits
// on its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pool } from 'undici';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { WALLET } from '../support/http-operations.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { fundedWallet } from '../support/wallets.ts';

const ROUNDS = process.env.HOLDFAST_TEST_FULL === '1' ? 20 : 2;
const CALLERS = 24;
const STAKES = 20;
// Longer than any other step of the shutdown, so these requests would be cut off if the shutdown did not wait
// for them.
const ACT_MS = 900;
const BEFORE_SIGNAL = 1_500;

interface Counts {
  answered: number;
  refusedActs: number;
  actsAfterSignal: number;
  signaled: boolean;
  lost: string[];
}

/**
 * Calls the server until it accepts no more connections. A call whose connection is refused was never accepted.
 */
const callUntilClosed = async (
  pool: Pool,
  acting: boolean,
  counts: Counts,
  onResponse: () => void,
): Promise<void> => {
  for (;;) {
    try {
      const { statusCode, body } = await pool.request(
        acting ? { path: '/act', method: 'POST' } : { path: `/read/${WALLET}`, method: 'GET' },
      );
      const { errorCode } = (await body.json()) as { errorCode?: string };
      counts.answered += 1;
      if (acting && statusCode === 200 && counts.signaled) counts.actsAfterSignal += 1;
      if (statusCode === 503 && errorCode === 'SHUTTING_DOWN') counts.refusedActs += 1;
      else assert.equal(statusCode, 200);
      onResponse();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ECONNREFUSED') counts.lost.push(`${code} ${message}`);
      return;
    }
  }
};

for (let round = 1; round <= ROUNDS; round += 1)
  test(`SHUT-1 no accepted request is reset when the process is stopped under load (round ${round})`, async (t) => {
    const child = spawnProcess(t, { file: 'test/support/http-child.ts', args: [String(ACT_MS)] });
    const [, port] = await child.output(/port (\d+)/);
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CALLERS, pipelining: 1 });
    t.after(() => pool.destroy());
    const counts: Counts = { answered: 0, refusedActs: 0, actsAfterSignal: 0, signaled: false, lost: [] };
    const onResponse = (): void => {
      if (counts.answered !== BEFORE_SIGNAL) return;
      counts.signaled = true;
      child.child.kill('SIGTERM');
    };
    await Promise.all(
      Array.from({ length: CALLERS }, (_, index) =>
        callUntilClosed(pool, index % 4 === 0, counts, onResponse),
      ),
    );
    const end = await child.ended;
    assert.deepEqual(counts.lost, []);
    assert.deepEqual(end, { code: 0, signal: null });
    assert.match(child.stdout, /drained/);
    assert.ok(counts.answered >= BEFORE_SIGNAL);
    assert.ok(counts.actsAfterSignal > 0);
  });

test('SHUT-1 a service stopped with stakes in flight waits for the confirmation of each before it exits', async (t) => {
  // With blocks of 400 ms, all stakes are still waiting for confirmation.
  await using sandbox = await startSandbox({ epochSeconds: 0 });
  const service = await startService(t, settingsFor(sandbox));
  const wallets = await Promise.all(Array.from({ length: STAKES }, () => fundedWallet(sandbox, 5)));
  let unanswered = STAKES;
  const stakes = wallets.map(async ({ walletAddress, secretKey }) => {
    const response = await service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 });
    unanswered -= 1;
    return response;
  });
  await service.process.output(/./);
  // Reads get their response immediately, so it proves that the stakes sent earlier have been accepted.
  await service.client.get('/health');
  assert.ok(unanswered > 0, 'some stakes must be in flight');
  service.process.child.kill('SIGTERM');
  const responses = await Promise.all(stakes);
  assert.equal(new Set(responses.map(({ signature }) => signature)).size, STAKES);
  assert.deepEqual(await service.process.ended, { code: 0, signal: null });
});
