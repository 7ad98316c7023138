// Waits until a transaction can never land any more.
import assert from 'node:assert/strict';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from './patience.ts';

/** The result of a call of the sandbox's node. */
export const rpc = async (
  { rpcUrl }: Pick<Sandbox, 'rpcUrl'>,
  method: string,
  params: readonly unknown[],
): Promise<unknown> => {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: patience(),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown };
  assert.equal(error, undefined);
  return result;
};

/** Resolves once a block above the transaction's last valid height is final. */
export const outlive = async (
  sandbox: Pick<Sandbox, 'rpcUrl'>,
  { lastValidBlockHeight }: { readonly lastValidBlockHeight: number },
): Promise<void> => {
  const finalized = () => rpc(sandbox, 'getBlockHeight', [{ commitment: 'finalized' }]);
  while (Number(await finalized()) <= lastValidBlockHeight);
};
