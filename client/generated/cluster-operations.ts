// Inputs and answers of the operations under "Cluster".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { EpochTiming, Meta } from './shared-types.ts';

/** Input of `GET /api/v1/epoch`. */
export type EpochInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/epoch`. */
export interface EpochAnswer extends EpochTiming {
  /** Current slot. */
  readonly absoluteSlot: number;
  /** Block height, at most 20 blocks old. */
  readonly blockHeight: number;
  readonly _meta: Meta;
}
