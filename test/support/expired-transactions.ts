// Waits until a transaction can never land any more.
import assert from 'node:assert/strict';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from './patience.ts';
import type { RunningService, ServiceHere, SharedService } from './service-fixture.ts';

/** Calls a method of the sandbox's node and returns the result. */
export const rpc = async (
  { rpcUrl }: Pick<Sandbox, 'rpcUrl'>,
  method: string,
  params: readonly unknown[],
): Promise<unknown> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: patience(),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  assert.equal(error, undefined);
  return result;
};

/** Produces blocks until a block above the transaction's last valid height is final. */
export const outlive = async (
  { sandbox, service }: SharedService<RunningService & Partial<Pick<ServiceHere, 'app'>>>,
  { lastValidBlockHeight }: { readonly lastValidBlockHeight: number },
): Promise<void> => {
  const finalized = Number(await rpc(sandbox, 'getBlockHeight', [{ commitment: 'finalized' }]));
  await sandbox.advanceBlocks(Math.max(0, lastValidBlockHeight + 1 - finalized));
  // The service measures the age of its blockhash by time, and almost no time has passed. A service in another
  // process reads a new blockhash when it rebuilds a transaction.
  await service.app?.ctx.chain.cluster.renewBlockhash('', patience());
};
