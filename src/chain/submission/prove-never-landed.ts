// Proves that a transaction can never land: a node has finalized every block in which the transaction could
// have landed, and has not seen it.
import type { Address, Signature } from '@solana/kit';
import { z } from 'zod';
import { decodeNonceAccount } from '../../domain/nonce-account.ts';
import type { SignatureStatus, Submission } from '../ports.ts';
import { SLOTS_BEHIND } from '../rpc/node-availability.ts';
import { blockHeightCall, epochInfoCall, signatureStatusesCall } from '../rpc/rpc-calls.ts';
import { RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { multipleAccountsSchema, u64Schema } from '../rpc/rpc-schemas.ts';

/** The fields of a submission that a proof of expiry needs. */
export type ExpiringTransaction = Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>;

/**
 * Results by signature. `never-landed` is proven; a status shows where the transaction landed. A missing
 * signature means that its outcome is undecided.
 */
type ExpiryResults = ReadonlyMap<Signature, 'never-landed' | SignatureStatus>;

/**
 * Maximum number of blocks for which a foreign blockhash is valid after we first see it. The runtime accepts
 * a blockhash for 150 blocks. A foreign blockhash may be newer than the blocks of the queried node, but only
 * by the lag that an active node may have. Our own blockhashes are valid for 150.
 */
export const FOREIGN_LIFE_BLOCKS = 150n + SLOTS_BEHIND;
/**
 * Number of blocks after the last valid height during which every node still remembers a transaction that
 * landed right after we first saw it: every node remembers the statuses of 300 roots (Agave). Later, a node
 * must prove that its ledger reaches back far enough. 6 blocks are a margin.
 */
const ALWAYS_REMEMBERED_BLOCKS = 300n - FOREIGN_LIFE_BLOCKS - 6n;
/**
 * A history that starts at or below this height starts with the chain (the sandbox's starts at height 2).
 * Nothing can then have landed before it, even if the transaction's lifetime, as computed from the last valid
 * height, starts earlier.
 */
const CHAIN_START_HEIGHT = 2n;

/** Maximum number of accounts in one `getMultipleAccounts`. */
const MAX_ACCOUNTS = 100;

/** The part of a `getBlock` response that we read. */
export const blockSchema = z.object({ blockHeight: u64Schema });

/** A finalized reading of one node: every block up to `height` is at or before `slot`. */
interface FinalizedReading {
  readonly height: bigint;
  readonly slot: bigint;
}

/**
 * Returns a finalized height, and a slot at which the height is at least that. Takes the lower height of two
 * readings, because some local runtimes respond to `getEpochInfo` for the tip of the chain at any commitment.
 */
export const finalizedReading = async (
  pool: RpcPool,
  node: number,
  signal: AbortSignal,
): Promise<FinalizedReading> => {
  const height = await pool.ask(node, blockHeightCall('finalized'), { signal });
  const info = await pool.ask(node, epochInfoCall('finalized'), { signal });
  return { height: height < info.blockHeight ? height : info.blockHeight, slot: info.absoluteSlot };
};

/**
 * Returns the height of the oldest block in the node's history. Throws `RpcError` if the node does not report
 * it.
 */
const oldestHeight = async (pool: RpcPool, node: number, signal: AbortSignal): Promise<bigint> => {
  const slot = await pool.ask(
    node,
    { method: 'getFirstAvailableBlock', params: [], schema: u64Schema },
    { signal },
  );
  const block = await pool.ask(
    node,
    {
      method: 'getBlock',
      params: [
        Number(slot),
        {
          transactionDetails: 'none',
          rewards: false,
          commitment: 'finalized',
          maxSupportedTransactionVersion: 1,
        },
      ],
      schema: blockSchema,
    },
    { signal },
  );
  return block.blockHeight;
};

/**
 * Like `oldestHeight`, but returns `undefined` if the node does not report it. The node then proves nothing
 * about old transactions.
 */
const historyStart = async (
  pool: RpcPool,
  node: number,
  signal: AbortSignal,
): Promise<bigint | undefined> => {
  try {
    return await oldestHeight(pool, node, signal);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
};

/**
 * Reads the nonce accounts at `finalized`. Returns the slot, and the transactions whose nonce has changed since
 * they were built.
 */
const movedNonces = async (
  pool: RpcPool,
  node: number,
  expiring: readonly ExpiringTransaction[],
  signal: AbortSignal,
) => {
  const accounts: readonly Address[] = expiring.map(({ nonce }) => nonce!.account);
  const { context, value } = await pool.ask(
    node,
    {
      method: 'getMultipleAccounts',
      params: [accounts, { encoding: 'base64', commitment: 'finalized' }],
      schema: multipleAccountsSchema,
      accepts: (response) => response.value.length === accounts.length,
      slotOf: (response) => response.context.slot,
    },
    { signal },
  );
  const moved = expiring.filter((e, i) => {
    const data = value[i]?.data;
    return data === undefined || decodeNonceAccount(data)?.value !== e.nonce!.value;
  });
  return { slot: context.slot, moved };
};

/**
 * Lists the transactions that this node would know at `height` if they had landed: recent ones, or all since
 * the start of its history.
 */
const stillKnown = async (
  pool: RpcPool,
  node: number,
  { expiring, height }: { expiring: readonly ExpiringTransaction[]; height: bigint },
  signal: AbortSignal,
): Promise<readonly ExpiringTransaction[]> => {
  const isOld = (e: ExpiringTransaction) => height - e.lastValidBlockHeight > ALWAYS_REMEMBERED_BLOCKS;
  if (!expiring.some(isOld)) return expiring;
  const reachesBackTo = await historyStart(pool, node, signal);
  return expiring.filter((e) => {
    const firstSight = e.lastValidBlockHeight - FOREIGN_LIFE_BLOCKS;
    const needed = firstSight > CHAIN_START_HEIGHT ? firstSight : CHAIN_START_HEIGHT;
    return !isOld(e) || (reachesBackTo !== undefined && reachesBackTo <= needed);
  });
};

/**
 * Lists the transactions that can no longer land according to this node's finalized blocks, each with the
 * minimum slot for reading its status.
 */
const pastTheirChance = async (
  pool: RpcPool,
  node: number,
  expiring: readonly ExpiringTransaction[],
  signal: AbortSignal,
) => {
  const past: { expiring: ExpiringTransaction; slot: bigint }[] = [];
  const note = async (late: readonly ExpiringTransaction[], { height, slot }: FinalizedReading) => {
    for (const e of await stillKnown(pool, node, { expiring: late, height }, signal))
      past.push({ expiring: e, slot });
  };
  const byHeight = expiring.filter((e) => e.nonce === undefined);
  if (byHeight.length > 0) {
    const reading = await finalizedReading(pool, node, signal);
    await note(
      byHeight.filter((e) => e.lastValidBlockHeight < reading.height),
      reading,
    );
  }
  const byNonce = expiring.filter((e) => e.nonce !== undefined);
  for (let at = 0; at < byNonce.length; at += MAX_ACCOUNTS) {
    const { slot, moved } = await movedNonces(pool, node, byNonce.slice(at, at + MAX_ACCOUNTS), signal);
    // A changed nonce can mean that the transaction landed, at any time since it was sent. The node's history
    // must therefore cover that time.
    if (moved.length > 0)
      await note(moved, { height: (await finalizedReading(pool, node, signal)).height, slot });
  }
  return past;
};

const resultsOfNode = async (
  pool: RpcPool,
  node: number,
  expiring: readonly ExpiringTransaction[],
  signal: AbortSignal,
) => {
  const results = new Map<Signature, 'never-landed' | SignatureStatus>();
  const past = await pastTheirChance(pool, node, expiring, signal);
  if (past.length === 0) return results;
  const { slot, statuses } = await pool.ask(
    node,
    signatureStatusesCall(
      past.map(({ expiring: e }) => e.signature),
      true,
    ),
    { signal },
  );
  past.forEach(({ expiring: e, slot: mustHaveReached }, i) => {
    const status = statuses[i] ?? null;
    if (status !== null) results.set(e.signature, status);
    else if (slot >= mustHaveReached) results.set(e.signature, 'never-landed');
  });
  return results;
};

/**
 * Queries every node: first whether the transactions can still land according to its finalized blocks (by
 * height, or by nonce account), then for the status, including history, of those that cannot. A transaction
 * counts as never landed if both readings of at least one node prove it and no queried status shows it. Takes
 * at most 256 transactions. Throws `RpcError` -32005 if no node responded.
 */
export const checkExpiry = async (
  pool: RpcPool,
  expiring: readonly ExpiringTransaction[],
  signal: AbortSignal,
): Promise<ExpiryResults> => {
  const responses = await Promise.allSettled(
    pool.readNodes().map((node) => resultsOfNode(pool, node, expiring, signal)),
  );
  signal.throwIfAborted();
  if (responses.every((response) => response.status === 'rejected')) {
    throw new RpcError(rpcErrorCodes.nodeUnhealthy, 'No node could prove the outcome', undefined);
  }
  const results = new Map<Signature, 'never-landed' | SignatureStatus>();
  for (const response of responses) {
    if (response.status === 'rejected') continue;
    for (const [signature, result] of response.value) {
      if (result !== 'never-landed' || !results.has(signature)) results.set(signature, result);
    }
  }
  return results;
};
