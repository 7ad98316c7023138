// What the operations under "Cluster" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { EpochTiming, Meta } from './shared-types.ts';

/** What `GET /api/v1/epoch` takes. */
export type EpochInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/epoch` answers. */
export interface EpochAnswer extends EpochTiming {
  /** Current slot. */
  readonly absoluteSlot: number;
  /** Block height, at most 20 blocks old. */
  readonly blockHeight: number;
  readonly _meta: Meta;
}
