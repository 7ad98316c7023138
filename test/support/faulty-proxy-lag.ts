// Responses of a lagging node: earlier heights and slots, and nothing that has happened since.

export interface RpcBody {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Result {
  context?: { slot: number };
  value?: unknown;
  absoluteSlot?: number;
  blockHeight?: number;
  slotIndex?: number;
}

const earlier = (value: number, lagSlots: number): number => Math.max(0, value - lagSlots);

/**
 * Changes a response in place to what a node would have returned `lagSlots` slots ago, as far as a proxy can
 * know.
 */
const age = (method: string, result: Result, lagSlots: number): unknown => {
  if (typeof result === 'number' && /^get(Slot|BlockHeight)$/.test(method)) return earlier(result, lagSlots);
  if (typeof result !== 'object' || result === null) return result;
  if (method === 'getEpochInfo') {
    result.absoluteSlot = earlier(result.absoluteSlot ?? 0, lagSlots);
    result.blockHeight = earlier(result.blockHeight ?? 0, lagSlots);
    result.slotIndex = earlier(result.slotIndex ?? 0, lagSlots);
  }
  if (result.context === undefined) return result;
  const slot = earlier(result.context.slot, lagSlots);
  result.context.slot = slot;
  if (method === 'getSignatureStatuses' && Array.isArray(result.value)) {
    result.value = result.value.map((status: { slot: number } | null) =>
      status && status.slot > slot ? null : status,
    );
  }
  return result;
};

/**
 * Returns the response of a node that is `lagSlots` slots behind. Such a node does not know the newest
 * blockhashes, so it refuses a transaction sent with preflight and does not forward it.
 */
export const laggingResponse = async (
  rpc: RpcBody,
  forward: () => Promise<Answer>,
  lagSlots: number,
): Promise<Answer> => {
  const settings = rpc.params?.[1] as { skipPreflight?: boolean } | undefined;
  if (rpc.method === 'sendTransaction' && settings?.skipPreflight !== true) {
    const error = {
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound', logs: [], accounts: null, unitsConsumed: 0 },
    };
    return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: rpc.id, error }) };
  }
  const response = await forward();
  const parsed = JSON.parse(response.text) as { result?: Result };
  if (parsed.result !== undefined) parsed.result = age(rpc.method, parsed.result, lagSlots) as Result;
  return { status: response.status, text: JSON.stringify(parsed) };
};
