// Corrects the few fields in which the runtime's answers differ from a real node's: block times and two submit errors.

import type { SlotTimeline } from './slot-timeline.ts';

type Body = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
type Correction = (body: Body, params: readonly unknown[], timeline: SlotTimeline) => void;

function setBlockTime(row: unknown, slot: unknown, timeline: SlotTimeline): void {
  if (typeof row !== 'object' || row === null || typeof slot !== 'number') return;
  (row as { blockTime: number | null }).blockTime = timeline.blockTime(slot);
}

// The runtime wraps both in free text; clients look for the code and for `data.err`.
function correctSubmitError(body: Body): void {
  if (body.error === undefined) return;
  if (body.error.message.includes('did not pass signature verification')) {
    body.error = { code: -32_003, message: 'Transaction signature verification failure' };
  } else if (body.error.message.includes('has already been processed')) {
    body.error = {
      code: -32_002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed', accounts: null, logs: [], returnData: null, unitsConsumed: 0 },
    };
  }
}

/** Methods whose answers pass through a correction; every other answer is passed on byte for byte. */
export const rpcCorrections: ReadonlyMap<string, Correction> = new Map<string, Correction>([
  [
    'getTransaction',
    (body, _params, timeline) =>
      setBlockTime(body.result, (body.result as { slot?: unknown } | null)?.slot, timeline),
  ],
  ['getBlock', (body, params, timeline) => setBlockTime(body.result, params[0], timeline)],
  [
    'getSignaturesForAddress',
    (body, _params, timeline) => {
      if (!Array.isArray(body.result)) return;
      for (const row of body.result as { slot?: unknown }[]) setBlockTime(row, row.slot, timeline);
    },
  ],
  ['sendTransaction', correctSubmitError],
]);
