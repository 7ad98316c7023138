// Divides the steps of a plan into as few transactions as the size limit allows.
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { AtomicStep, PlanInputs } from './plan.ts';
import { MAX_PLANNED_BYTES, transactionBytes } from './transaction-size.ts';

/**
 * Packs whole steps in order, as many per transaction as fit. Throws `RangeError` if a step does not fit into
 * one transaction.
 */
export const packSteps = (
  steps: readonly AtomicStep[],
  world: Pick<PlanInputs, 'wallet' | 'memoBytes' | 'unitPrice'>,
): readonly (readonly MachineOperation[])[] => {
  const packed: MachineOperation[][] = [];
  for (const step of steps) {
    const last = packed.at(-1);
    const joined = [...(last ?? []), ...step];
    if (last && transactionBytes(world, joined) <= MAX_PLANNED_BYTES) last.push(...step);
    else if (transactionBytes(world, step) <= MAX_PLANNED_BYTES) packed.push([...step]);
    else throw new RangeError(`A step of ${step.length} instructions does not fit into a transaction.`);
  }
  return packed;
};
