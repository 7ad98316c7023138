// Makes every complete block final at once: slots, heights, contexts and state of finalized answers are those of the newest complete block.

import { configOf } from './rpc-answer-context.ts';

/** Where the chain is. */
export type SlotPosition = {
  /** The slot of the block being filled, which is the newest. */
  readonly slot: number;
  /** The slot of the newest complete block. */
  readonly finalizedSlot: number;
};

/** Methods that read at a commitment of the caller's choice, with the position of their configuration. */
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

/** Methods that answer from accounts. */
const STATE_METHODS: ReadonlySet<string> = new Set([
  'getAccountInfo',
  'getBalance',
  'getEpochInfo',
  'getMultipleAccounts',
  'getProgramAccounts',
  'simulateTransaction',
]);

/** Methods for which the runtime finalizes a block 31 slots late, and confirms it as soon as it is complete. */
const BLOCK_METHODS: ReadonlySet<string> = new Set([
  'getBlock',
  'getBlockHeight',
  'getBlocks',
  'getBlocksWithLimit',
  'getSlot',
]);

/** The position of the configuration in the parameters; `undefined` where the method has no commitment. */
export const configPositionOf = (method: string): number | undefined => CONFIG_POSITIONS[method];

/** True where the method has a commitment and the call asks for finalized, which is the default. */
export function isFinalized(method: string, params: readonly unknown[]): boolean {
  const at = CONFIG_POSITIONS[method];
  if (at === undefined) return false;
  const { commitment, preflightCommitment } = {
    ...configOf(params, at),
    // Without an end slot the configuration may come second.
    ...(method === 'getBlocks' && configOf(params, 1)),
  } as Record<string, unknown>;
  return (commitment ?? preflightCommitment ?? 'finalized') === 'finalized';
}

/** True where the answer must not hold what the block being filled has changed. */
export const readsFinalizedState = (method: string, params: readonly unknown[]): boolean =>
  STATE_METHODS.has(method) && isFinalized(method, params);

/** The parameters with which the runtime answers for the newest complete block. */
export function withFinalizedBlocks(method: string, params: readonly unknown[]): readonly unknown[] {
  if (!BLOCK_METHODS.has(method) || !isFinalized(method, params)) return params;
  const last = params.at(-1);
  const isConfig = typeof last === 'object' && last !== null;
  const others = isConfig ? params.slice(0, -1) : params;
  return [...others, { ...(isConfig ? last : {}), commitment: 'confirmed' }];
}

/** Gives a finalized answer the finalized slot, in place. */
export function setFinalizedSlot(
  result: unknown,
  method: string,
  { slot, finalizedSlot }: SlotPosition,
): void {
  if (typeof result !== 'object' || result === null) return;
  if (method === 'getEpochInfo') {
    const info = result as { absoluteSlot: number; slotIndex: number; blockHeight: number };
    // Never the first slot of an epoch: a boundary is read once its block is complete.
    const behind = Math.max(0, info.absoluteSlot - finalizedSlot);
    info.absoluteSlot -= behind;
    info.slotIndex -= behind;
    info.blockHeight -= behind;
    return;
  }
  const { context } = result as { context?: { slot: number } };
  if (context?.slot === slot) context.slot = finalizedSlot;
}
