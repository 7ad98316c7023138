// Makes every complete block final immediately. Finalized responses have the slot, height, context and state of
// the newest complete block.

import { configOf } from './rpc-response-context.ts';

export type SlotPosition = {
  /** Slot of the block being filled. */
  readonly slot: number;
  /** Slot of the newest complete block. */
  readonly finalizedSlot: number;
};

/** Parameter index of the configuration object, for methods that take a commitment. */
const CONFIG_POSITIONS: Readonly<Record<string, number>> = {
  getAccountInfo: 1,
  getBalance: 1,
  getBlock: 1,
  getBlockHeight: 0,
  getBlockProduction: 0,
  getBlocks: 2,
  getBlocksWithLimit: 2,
  getEpochInfo: 0,
  getFeeForMessage: 1,
  getLatestBlockhash: 0,
  getMultipleAccounts: 1,
  getProgramAccounts: 1,
  getSignaturesForAddress: 1,
  getSlot: 0,
  getSlotLeader: 0,
  getStakeMinimumDelegation: 0,
  getSupply: 0,
  getTransaction: 1,
  isBlockhashValid: 1,
  sendTransaction: 1,
  simulateTransaction: 1,
};

/** Methods that read accounts. */
const STATE_METHODS: ReadonlySet<string> = new Set([
  'getAccountInfo',
  'getBalance',
  'getEpochInfo',
  'getMultipleAccounts',
  'getProgramAccounts',
  'simulateTransaction',
]);

/**
 * Methods for which the runtime considers a block final only 31 slots later, although it confirms the block on
 * completion.
 */
const BLOCK_METHODS: ReadonlySet<string> = new Set([
  'getBlock',
  'getBlockHeight',
  'getBlocks',
  'getBlocksWithLimit',
  'getSlot',
]);

/** Returns the parameter index of the configuration object, or `undefined` if the method takes no commitment. */
export const configPositionOf = (method: string): number | undefined => CONFIG_POSITIONS[method];

/** True if the method takes a commitment and the call requests `finalized`, which is the default. */
export function isFinalized(method: string, params: readonly unknown[]): boolean {
  const at = CONFIG_POSITIONS[method];
  if (at === undefined) return false;
  const { commitment, preflightCommitment } = {
    ...configOf(params, at),
    // Without an end slot, the configuration may be the second parameter.
    ...(method === 'getBlocks' && configOf(params, 1)),
  } as Record<string, unknown>;
  return (commitment ?? preflightCommitment ?? 'finalized') === 'finalized';
}

/** True if the response must not include changes made in the block being filled. */
export const readsFinalizedState = (method: string, params: readonly unknown[]): boolean =>
  STATE_METHODS.has(method) && isFinalized(method, params);

/** Returns parameters that make the runtime respond for the newest complete block. */
export function withFinalizedBlocks(method: string, params: readonly unknown[]): readonly unknown[] {
  if (!BLOCK_METHODS.has(method) || !isFinalized(method, params)) return params;
  const last = params.at(-1);
  const isConfig = typeof last === 'object' && last !== null;
  const others = isConfig ? params.slice(0, -1) : params;
  return [...others, { ...(isConfig ? last : {}), commitment: 'confirmed' }];
}

/** Sets the finalized slot in a finalized response, in place. */
export function setFinalizedSlot(
  result: unknown,
  method: string,
  { slot, finalizedSlot }: SlotPosition,
): void {
  if (typeof result !== 'object' || result === null) return;
  if (method === 'getEpochInfo') {
    const info = result as { absoluteSlot: number; slotIndex: number; blockHeight: number };
    // The slot is never the first of an epoch, because a boundary can be read only once its block is complete.
    const behind = Math.max(0, info.absoluteSlot - finalizedSlot);
    info.absoluteSlot -= behind;
    info.slotIndex -= behind;
    info.blockHeight -= behind;
    return;
  }
  const { context } = result as { context?: { slot: number } };
  if (context?.slot === slot) context.slot = finalizedSlot;
}
