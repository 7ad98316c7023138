// An RPC node that the command line uses directly, without a service.
import { HoldfastError } from '../../client/holdfast-error.ts';
import { UsageError } from '../usage-error.ts';

/**
 * An RPC node. Rejects with `HoldfastError`: `NETWORK` or `TIMEOUT` if the node does not respond, `RPC_REFUSED`
 * with the node's error.
 */
export interface RpcNode {
  readonly call: <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;
}

/** Timeout of a call. A public node needs a few seconds to scan for one wallet's accounts. */
const WITHIN_MS = 60_000;

export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Returns the URL. Throws `UsageError` for invalid URLs, and for plain HTTP to another machine. */
export const requireNodeUrl = (given: string): string => {
  if (!URL.canParse(given)) throw new UsageError('--rpc is not a URL');
  const url = new URL(given);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return given;
  throw new UsageError('--rpc must begin with https:// (http:// only on this machine)');
};

/** Creates the node at `url`. The URL is never shown, because it may contain a key. */
export const createRpcNode = (url: string, signal: AbortSignal): RpcNode => ({
  call: async <Result>(method: string, params: readonly unknown[] = []): Promise<Result> => {
    const failure = (errorCode: string, message: string, cause?: unknown): HoldfastError =>
      new HoldfastError({
        errorCode,
        message,
        operation: method,
        cause,
        suggestedAction: errorCode === 'RPC_REFUSED' ? undefined : 'Specify another RPC node with --rpc.',
      });
    let answer: { result?: Result; error?: { code?: unknown; message?: unknown } };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
      });
      answer = (await response.json()) as typeof answer;
    } catch (error) {
      signal.throwIfAborted();
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      if (isLate) throw failure('TIMEOUT', 'the RPC node did not respond in time', error);
      throw failure('NETWORK', 'the RPC node is not responding, or the URL is not an RPC node', error);
    }
    if (answer?.result !== undefined) return answer.result;
    throw failure(
      'RPC_REFUSED',
      `the RPC node refused ${method}: ${String(answer?.error?.message ?? 'no reason')}`,
    );
  },
});

type Status = { readonly err: unknown; readonly confirmationStatus: string | null } | null;

/** Reads the status of a signature; null if the node does not know it. */
export const statusOf = async (node: RpcNode, signature: string): Promise<Status> => {
  const { value } = await node.call<{ value: readonly [Status] }>('getSignatureStatuses', [
    [signature],
    { searchTransactionHistory: true },
  ]);
  return value[0];
};

export const isConfirmed = (status: Status): boolean =>
  status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized';
