// The rows of the table of stake by epoch: every epoch, also those that were not recorded.
import { rowsByEpoch } from '../../chart/epoch-ticks.ts';
import type { StakeFlows } from '../operator-api.ts';

type Flow = StakeFlows['epochs'][number];

/** A row; figures that are unknown are absent. */
export type FlowRow = Pick<Flow, 'epoch'> & Partial<Flow> & { readonly isRunning: boolean };

/** Returns a row for every epoch from the first to the last, newest first. */
export const flowRows = (epochs: readonly Flow[], currentEpoch: number): readonly FlowRow[] => {
  const { xs, rows } = rowsByEpoch(epochs);
  return xs.map((epoch, at) => ({ ...rows[at], epoch, isRunning: epoch === currentEpoch })).toReversed();
};
