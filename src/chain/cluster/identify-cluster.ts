// Checks that all RPC URLs serve the same cluster by comparing genesis hashes. Otherwise startup fails.

import { clusterNameOf } from '../../domain/public-clusters.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { genesisHashCall } from '../rpc/rpc-calls.ts';
import { NodeFailure } from '../rpc/rpc-error.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';

/** Descriptions of the error codes of Node and undici. */
const connectionReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

const failureReasons: Readonly<Record<string, string>> = {
  timeout: 'the response timed out',
  'http-error': 'an HTTP error; check the key in the URL',
  'rate-limited': 'too many requests',
  garbage: 'a response that is not JSON-RPC',
  reset: 'the connection was closed',
};

/** Describes why a node did not respond as expected. Never quotes the response. */
const reasonOf = (response: PromiseSettledResult<unknown>): string => {
  if (response.status === 'fulfilled') return 'answered';
  const { reason } = response;
  if (!(reason instanceof NodeFailure)) return 'it responded with an error';
  const { code } = (reason.cause ?? {}) as { code?: unknown };
  return connectionReasons[String(code)] ?? failureReasons[reason.word] ?? reason.word;
};

/**
 * Asks every URL for its genesis hash and returns the hash that they share. URLs that do not respond are not
 * used until they return the same hash. Throws `AppError('UPSTREAM_UNAVAILABLE')` if none responds, and
 * `AppError('INTERNAL')` with the positions of the URLs if they disagree.
 */
export const identifyCluster = async (
  pool: RpcPool,
  logger: Logger,
  signal: AbortSignal,
): Promise<string> => {
  const nodes = pool.readNodes();
  const responses = await Promise.allSettled(
    nodes.map((node) => pool.ask(node, genesisHashCall, { signal })),
  );
  signal.throwIfAborted();
  const found = nodes.flatMap((node, i) => {
    const response = responses[i]!;
    return response.status === 'fulfilled' ? [{ node, genesisHash: response.value }] : [];
  });
  const [first] = found;
  if (first === undefined) {
    const origins = new Map(pool.health().map(({ index, origin }) => [index, origin]));
    const reasons = nodes.map((node, i) => `${origins.get(node)}: ${reasonOf(responses[i]!)}`);
    throw new AppError('UPSTREAM_UNAVAILABLE', 'None of the RPC URLs returned a genesis hash ({problems}).', {
      reason: 'NO_GENESIS_HASH',
      params: { problems: reasons.join('; ') },
    });
  }
  if (found.some(({ genesisHash }) => genesisHash !== first.genesisHash)) {
    const list = found
      .toSorted((a, b) => a.node - b.node)
      .map(({ node, genesisHash }) => `URL ${node + 1}: ${clusterNameOf(genesisHash, genesisHash)}`);
    throw new AppError('INTERNAL', 'The RPC URLs belong to different clusters ({urls}).', {
      reason: 'DIFFERENT_CLUSTERS',
      params: { urls: list.join(', ') },
    });
  }
  const silent = nodes.filter((node) => !found.some((f) => f.node === node));
  if (silent.length > 0)
    logger.warn({ nodes: silent }, 'RPC nodes returned no genesis hash and are not used until they do');
  pool.requireGenesisHash(first.genesisHash, silent);
  return first.genesisHash;
};
