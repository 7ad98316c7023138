// Proves that a transaction can never land: a node has finalized every block it could have landed in and has not seen it.
import { type Address, getBase58Decoder, type Signature } from '@solana/kit';
import { z } from 'zod';
import type { SignatureStatus, Submission } from '../ports.ts';
import { SLOTS_BEHIND } from '../rpc/node-selection.ts';
import { blockHeightCall, epochInfoCall, signatureStatusesCall } from '../rpc/rpc-calls.ts';
import { RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { multipleAccountsSchema, u64Schema } from '../rpc/rpc-schemas.ts';

/** What must be known of a transaction to prove that it expired. */
export type Expiring = Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>;

/** What the nodes say: `never-landed` is proven, a status is where it landed; absent from the map means neither is known yet. */
type Verdicts = ReadonlyMap<Signature, 'never-landed' | SignatureStatus>;

/**
 * The most blocks from the first sight of a foreign blockhash to the last in which it counts: the runtime keeps 150, and it may be newer than what
 * the node that we ask has seen, by no more than a node may lag that is still asked; else that node would not take it. Our own have 150.
 */
export const FOREIGN_LIFE_BLOCKS = 150n + SLOTS_BEHIND;
/**
 * Every node remembers the statuses of 300 roots (Agave). What landed right after its first sight is among them until this many blocks after the
 * last valid height; later a node's ledger must be shown to reach back.
 */
const ALWAYS_REMEMBERED_BLOCKS = 300n - FOREIGN_LIFE_BLOCKS - 6n;
/**
 * A history that begins this early begins with the chain (the sandbox's at height 2): what we sent cannot lie before it, though a life counted back
 * from a young chain's last valid height does.
 */
const CHAIN_START_HEIGHT = 2n;
/** Agave's nonce account: version u32, state u32 (1 = initialized), authority, value, fee per signature. */
const NONCE_STATE_OFFSET = 4;
const NONCE_VALUE_OFFSET = 40;
const NONCE_ACCOUNT_BYTES = 80;

/** What is read of `getBlock`. */
export const blockSchema = z.object({ blockHeight: u64Schema });
const decodeBase58 = getBase58Decoder();

/** One finalized reading of one node: every block up to `height` lies at or before `slot`. */
interface FinalizedReading {
  readonly height: bigint;
  readonly slot: bigint;
}

/**
 * The finalized height, and a slot at which the height is at least that. Two readings, the smaller height counts: some local runtimes
 * answer `getEpochInfo` for the tip whatever the commitment.
 */
const finalizedReading = async (
  pool: RpcPool,
  node: number,
  signal: AbortSignal,
): Promise<FinalizedReading> => {
  const height = await pool.ask(node, blockHeightCall('finalized'), { signal });
  const info = await pool.ask(node, epochInfoCall('finalized'), { signal });
  return { height: height < info.blockHeight ? height : info.blockHeight, slot: info.absoluteSlot };
};

/** The height of the oldest block in the node's history. Throws `RpcError` where the node does not tell. */
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

/** As `oldestHeight`, or `undefined` where the node does not tell: then it proves nothing about old transactions. */
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

/** The nonce accounts at `finalized`: the slot they were read at, and whose value is no longer the one signed over. */
const movedNonces = async (
  pool: RpcPool,
  node: number,
  expiring: readonly Expiring[],
  signal: AbortSignal,
) => {
  const accounts: readonly Address[] = expiring.map(({ nonce }) => nonce!.account);
  const { context, value } = await pool.ask(
    node,
    {
      method: 'getMultipleAccounts',
      params: [accounts, { encoding: 'base64', commitment: 'finalized' }],
      schema: multipleAccountsSchema,
      accepts: (answer) => answer.value.length === accounts.length,
      slotOf: (answer) => answer.context.slot,
    },
    { signal },
  );
  const moved = expiring.filter((e, i) => {
    const data = value[i]?.data;
    if (data === undefined || data.length < NONCE_ACCOUNT_BYTES || data[NONCE_STATE_OFFSET] !== 1)
      return true;
    return decodeBase58.decode(data.subarray(NONCE_VALUE_OFFSET, NONCE_VALUE_OFFSET + 32)) !== e.nonce!.value;
  });
  return { slot: context.slot, moved };
};

/** Those of which this node would know at `height` if they had landed: not so long ago, or its history reaches back to their first sight. */
const stillKnown = async (
  pool: RpcPool,
  node: number,
  { expiring, height }: { expiring: readonly Expiring[]; height: bigint },
  signal: AbortSignal,
): Promise<readonly Expiring[]> => {
  const isOld = (e: Expiring) => height - e.lastValidBlockHeight > ALWAYS_REMEMBERED_BLOCKS;
  if (!expiring.some(isOld)) return expiring;
  const reachesBackTo = await historyStart(pool, node, signal);
  return expiring.filter((e) => {
    const firstSight = e.lastValidBlockHeight - FOREIGN_LIFE_BLOCKS;
    const needed = firstSight > CHAIN_START_HEIGHT ? firstSight : CHAIN_START_HEIGHT;
    return !isOld(e) || (reachesBackTo !== undefined && reachesBackTo <= needed);
  });
};

/** Those whose last chance this node has finalized, each with the slot that its status must be read at or after. */
const pastTheirChance = async (
  pool: RpcPool,
  node: number,
  expiring: readonly Expiring[],
  signal: AbortSignal,
) => {
  const past: { expiring: Expiring; slot: bigint }[] = [];
  const note = async (late: readonly Expiring[], { height, slot }: FinalizedReading) => {
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
  const byNonce = expiring.filter((e) => e.nonce !== undefined).slice(0, 100);
  if (byNonce.length > 0) {
    const { slot, moved } = await movedNonces(pool, node, byNonce, signal);
    // It may be this very transaction that moved it, at any time since.
    if (moved.length > 0)
      await note(moved, { height: (await finalizedReading(pool, node, signal)).height, slot });
  }
  return past;
};

const verdictsOfNode = async (
  pool: RpcPool,
  node: number,
  expiring: readonly Expiring[],
  signal: AbortSignal,
) => {
  const verdicts = new Map<Signature, 'never-landed' | SignatureStatus>();
  const past = await pastTheirChance(pool, node, expiring, signal);
  if (past.length === 0) return verdicts;
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
    if (status !== null) verdicts.set(e.signature, status);
    else if (slot >= mustHaveReached) verdicts.set(e.signature, 'never-landed');
  });
  return verdicts;
};

/**
 * Asks every node, each for its own finalized height first and then for the statuses, history included. A transaction has never
 * landed when at least one node shows both and none has seen it. Takes at most 256. Throws `RpcError` -32005 when no node answered.
 */
export const checkExpiry = async (
  pool: RpcPool,
  expiring: readonly Expiring[],
  signal: AbortSignal,
): Promise<Verdicts> => {
  const answers = await Promise.allSettled(
    pool.readNodes().map((node) => verdictsOfNode(pool, node, expiring, signal)),
  );
  signal.throwIfAborted();
  if (answers.every((answer) => answer.status === 'rejected')) {
    throw new RpcError(rpcErrorCodes.nodeUnhealthy, 'No node could judge', undefined);
  }
  const verdicts = new Map<Signature, 'never-landed' | SignatureStatus>();
  for (const answer of answers) {
    if (answer.status === 'rejected') continue;
    for (const [signature, verdict] of answer.value) {
      if (verdict !== 'never-landed' || !verdicts.has(signature)) verdicts.set(signature, verdict);
    }
  }
  return verdicts;
};
