// Corrects the runtime's deviations from a real node: block times, finality, two submission errors, and one
// misinterpreted parameter.

import type { SlotTimeline } from '../epochs/slot-timeline.ts';
import { isFinalized, type SlotPosition, withFinalizedBlocks } from './finality.ts';
import { configOf } from './rpc-response-context.ts';

type Body = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
type ChainTime = SlotPosition & { readonly timeline: SlotTimeline };
type Correction = (body: Body, params: readonly unknown[], time: ChainTime) => void;

type SignatureStatus = { slot: number; confirmationStatus: string; confirmations: number | null };

function setBlockTime(row: unknown, slot: unknown, timeline: SlotTimeline): void {
  if (typeof row !== 'object' || row === null || typeof slot !== 'number') return;
  (row as { blockTime: number | null }).blockTime = timeline.blockTime(slot);
}

// The runtime returns transactions of any version, even if the client does not support it.
function refuseVersion(body: Body, version: number): void {
  delete body.result;
  const again = `"maxSupportedTransactionVersion": ${version}`;
  body.error = {
    code: -32_015,
    message: `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: ${again}`,
  };
}

/** Fields that Agave returns with a transaction error when nothing was executed. */
export const NOTHING_RUN = {
  accounts: null,
  fee: null,
  innerInstructions: null,
  loadedAccountsDataSize: 0,
  loadedAddresses: null,
  logs: [],
  postBalances: null,
  postTokenBalances: null,
  preBalances: null,
  preTokenBalances: null,
  replacementBlockhash: null,
  returnData: null,
  unitsConsumed: 0,
};

const isEmptyReturn = (returned: unknown): boolean =>
  Array.isArray((returned as { data?: unknown } | null)?.data) &&
  (returned as { data: string[] }).data[0] === '';

/**
 * Corrects a refusal by `sendTransaction`, in place. The runtime wraps two errors in free text, repeats the
 * logs in every message, and adds empty return data that Agave omits.
 */
export function correctSubmitError(body: { error?: Body['error'] }): void {
  const { error } = body;
  if (error === undefined) return;
  const refuse = (what: string, err: string): void => {
    const message = `Transaction simulation failed: ${what}`;
    body.error = { code: -32_002, message, data: { ...NOTHING_RUN, err } };
  };
  if (error.message.includes('did not pass signature verification')) {
    refuse('Transaction did not pass signature verification', 'SignatureFailure');
  } else if (error.message.includes('has already been processed')) {
    refuse('This transaction has already been processed', 'AlreadyProcessed');
  } else {
    error.message = error.message.replace(/: \d+ log messages:\n[\s\S]*$/, '');
    const data = error.data as { returnData?: unknown } | undefined;
    if (isEmptyReturn(data?.returnData)) error.data = { ...data, returnData: null };
  }
}

function correctSimulation(body: Body): void {
  const { value } = (body.result ?? {}) as { value?: { returnData?: unknown } };
  if (value && isEmptyReturn(value.returnData)) value.returnData = null;
}

/** Methods whose responses are corrected. All others are passed on byte for byte. */
export const rpcCorrections: ReadonlyMap<string, Correction> = new Map<string, Correction>([
  [
    'getTransaction',
    (body, params, { timeline, finalizedSlot }) => {
      const found = body.result as
        | { slot?: unknown; version?: unknown; meta?: { returnData?: unknown } | null }
        | null
        | undefined;
      if (isFinalized('getTransaction', params) && Number(found?.slot) > finalizedSlot) {
        body.result = null;
        return;
      }
      if (isEmptyReturn(found?.meta?.returnData)) delete found?.meta?.returnData;
      setBlockTime(found, found?.slot, timeline);
      const { maxSupportedTransactionVersion } = configOf(params, 1);
      if (typeof found?.version === 'number' && maxSupportedTransactionVersion === undefined)
        refuseVersion(body, found.version);
    },
  ],
  [
    'getBlock',
    (body, params, { timeline }) => {
      const [slot] = params;
      setBlockTime(body.result, slot, timeline);
      if (body.result !== null) return;
      body.error = { code: -32_004, message: `Block not available for slot ${String(slot)}` };
      delete body.result;
    },
  ],
  [
    'getSignaturesForAddress',
    (body, params, { timeline, finalizedSlot }) => {
      if (!Array.isArray(body.result)) return;
      let rows = body.result as { slot: number; confirmationStatus: string }[];
      if (isFinalized('getSignaturesForAddress', params))
        rows = rows.filter(({ slot }) => slot <= finalizedSlot);
      for (const row of rows) {
        setBlockTime(row, row.slot, timeline);
        if (row.slot <= finalizedSlot) row.confirmationStatus = 'finalized';
      }
      body.result = rows;
    },
  ],
  [
    'getSignatureStatuses',
    (body, _params, { finalizedSlot }) => {
      const { value = [] } = (body.result ?? {}) as { value?: (SignatureStatus | null)[] };
      for (const status of value)
        if (status && status.slot <= finalizedSlot)
          Object.assign(status, { confirmationStatus: 'finalized', confirmations: null });
    },
  ],
  ['simulateTransaction', correctSimulation],
]);

/**
 * Adjusts parameters for the runtime, which finalizes blocks late and treats `minContextSlot` of a signature
 * list as the oldest slot to list.
 */
export function runtimeParams(method: string, params: readonly unknown[]): readonly unknown[] {
  const [address, config, ...rest] = params;
  if (method !== 'getSignaturesForAddress' || typeof config !== 'object' || config === null)
    return withFinalizedBlocks(method, params);
  const { minContextSlot: _newest, ...allowed } = config as Record<string, unknown>;
  return [address, allowed, ...rest];
}
