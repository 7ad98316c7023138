// Proves that a blockhash has expired: no transaction that uses it can land any more, regardless of its signer.
import type { z } from 'zod';
import { latestBlockhashCall } from '../rpc/rpc-calls.ts';
import { RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import { asUnavailable, type RpcCall, type RpcPool } from '../rpc/rpc-pool.ts';
import { blockhashValiditySchema } from '../rpc/rpc-schemas.ts';
import { finalizedReading } from '../submission/prove-never-landed.ts';

/** Maximum difference in slots between the responses of up-to-date nodes. */
const USUAL_LAG_SLOTS = 4n;

const validityCall = (
  blockhash: string,
  commitment: 'confirmed' | 'finalized',
): RpcCall<z.output<typeof blockhashValiditySchema>> => ({
  method: 'isBlockhashValid',
  params: [blockhash, { commitment }],
  schema: blockhashValiditySchema,
  slotOf: ({ context }) => context.slot,
});

/**
 * One node's view: `over` if its finalized blocks are past the lifetime of the blockhash, `accepted` if the
 * node still accepts it, otherwise `uncertain`.
 */
type View = 'over' | 'accepted' | 'uncertain';

/** Derives a node's view from the height of its finalized blocks. */
const viewByHeight = async (
  pool: RpcPool,
  node: number,
  lastValidBlockHeight: bigint,
  signal: AbortSignal,
): Promise<View> =>
  (await finalizedReading(pool, node, signal)).height > lastValidBlockHeight ? 'over' : 'uncertain';

/**
 * Returns a function that derives a node's view from the node's own validity checks. A node behind the newest
 * slot may not know a new blockhash yet.
 */
const viewByChecks = async (pool: RpcPool, blockhash: string, signal: AbortSignal) => {
  const newest = await pool.call(latestBlockhashCall('confirmed'), { signal });
  return async (node: number): Promise<View> => {
    const confirmed = await pool.ask(node, validityCall(blockhash, 'confirmed'), { signal });
    if (confirmed.value) return 'accepted';
    if (confirmed.context.slot + USUAL_LAG_SLOTS < newest.context.slot) return 'uncertain';
    const finalized = await pool.ask(node, validityCall(blockhash, 'finalized'), { signal });
    return finalized.value ? 'accepted' : 'over';
  };
};

/**
 * Returns true if a node has finalized every block in which a transaction with this blockhash could have
 * landed, and no node accepts the blockhash any more. `lastValidBlockHeight` is undefined if the blockhash
 * was provided by another process, or by this one before a restart. Throws `AppError('UPSTREAM_UNAVAILABLE')`
 * if no node responds.
 */
export const isBlockhashExpired = async (
  pool: RpcPool,
  blockhash: string,
  lastValidBlockHeight: bigint | undefined,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    const view =
      lastValidBlockHeight === undefined
        ? await viewByChecks(pool, blockhash, signal)
        : (node: number) => viewByHeight(pool, node, lastValidBlockHeight, signal);
    const views = await Promise.allSettled(pool.readNodes().map(view));
    signal.throwIfAborted();
    const seen = views.flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []));
    if (seen.length === 0)
      throw new RpcError(rpcErrorCodes.nodeUnhealthy, 'No node could prove the expiry', undefined);
    return seen.includes('over') && !seen.includes('accepted');
  } catch (error) {
    signal.throwIfAborted();
    throw asUnavailable(error);
  }
};
