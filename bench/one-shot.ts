// Time that the service adds to a one-shot stake beyond sending, inclusion and voting, relative to an
// independent subscriber that sees the same transaction.
import { createSolanaRpcSubscriptions, signature } from '@solana/kit';
import { startSandbox } from '../sandbox/sandbox.ts';
import { settingsFor, startService } from '../test/support/service-fixture.ts';
import { fundedWallet } from '../test/support/wallets.ts';
import { type BenchRow, median } from './benchmark-row.ts';
import { startDelayedRpc } from './delayed-rpc.ts';

const GOAL_MS = 25;

/**
 * Compares the time from request to response with the time from broadcast until the subscriber sees
 * `confirmed`, in milliseconds.
 */
export const benchOneShot = async (rounds = 25): Promise<BenchRow> => {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.adopt(await startSandbox({ epochSeconds: 0 }), (it) => it.close());
  const subscriptions = createSolanaRpcSubscriptions(sandbox.wsUrl as 'ws://');
  const seenAtMs = new Map<string, Promise<number>>();
  const watch = async (sent: string): Promise<number> => {
    const confirmed = await subscriptions
      .signatureNotifications(signature(sent), { commitment: 'confirmed' })
      .subscribe({ abortSignal: AbortSignal.timeout(30_000) });
    await confirmed[Symbol.asyncIterator]().next();
    return performance.now();
  };
  const line = stack.adopt(
    await startDelayedRpc(sandbox.rpcUrl, 0, (sent) => void seenAtMs.set(sent, watch(sent))),
    (it) => it.close(),
  );
  const scope = { after: (cleanUp: () => void | Promise<void>) => stack.defer(async () => cleanUp()) };
  const service = await startService(scope, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: line.url });
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 1_000);
  const [responses, chain]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const requestedAtMs = performance.now();
    const response = await service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 });
    responses.push(performance.now() - requestedAtMs);
    chain.push((await seenAtMs.get(response.signature)!) - line.sentAtMs.get(response.signature)!);
  }
  const [value, controlValue] = [median(responses), median(chain)];
  const overheadMs = median(responses.map((response, index) => response - chain[index]!));
  return {
    path: 'one-shot stake',
    control: 'broadcast to confirmed, as seen by an independent subscriber',
    value,
    controlValue,
    unit: 'ms',
    goal: `≤ ${GOAL_MS} ms over it (median ${overheadMs.toFixed(1)})`,
    met: overheadMs <= GOAL_MS,
  };
};
