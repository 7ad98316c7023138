// JSON-RPC client of the Surfpool runtime over kept-alive connections. Every call has a timeout and ends when
// the client closes.
//
// Blocks and account writes also go through the RPC. The native module's methods for them open a new connection
// to the same RPC for each call: a boundary with 1,200 accounts left 3,000 connections in TIME_WAIT.

import { Agent, type IncomingMessage, request } from 'node:http';

const CALL_TIMEOUT_MS = 10_000;
// Long enough for a busy machine, because a write may still take effect after its timeout.
const WRITE_TIMEOUT_MS = 60_000;

export type RuntimeAccount = { readonly address: string; readonly lamports: bigint; readonly data: Buffer };

/** A JSON-RPC error from the runtime. */
export class RuntimeRpcError extends Error {
  override readonly name = 'RuntimeRpcError';
  readonly code: number;
  readonly data: unknown;
  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

// Raw JSON keeps all digits of integers beyond 2^53.
type RawJson = {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
};
const lossless = JSON as unknown as RawJson & { rawJSON(text: string): unknown };

/** Parses JSON and keeps all digits of integers beyond 2^53. */
export function parseJson(text: string): unknown {
  return lossless.parse(text, (_key, value, context) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    context.source !== undefined
      ? lossless.rawJSON(context.source)
      : value,
  );
}

/** Serializes JSON with bigints as plain integers. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? lossless.rawJSON(item.toString()) : item,
  );
}

/** A connection pool to one runtime. */
export class RuntimeClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(rpcUrl: string) {
    this.#url = new URL(rpcUrl);
  }

  /**
   * Sends a raw JSON-RPC body. Resolves when the response headers arrive, which is when the runtime has
   * finished.
   */
  async send(body: string | Buffer, timeoutMs = CALL_TIMEOUT_MS): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        this.#url,
        {
          method: 'POST',
          agent: this.#agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          timeout: timeoutMs,
        },
        resolve,
      );
      outgoing.on('timeout', () =>
        outgoing.destroy(new Error(`The runtime did not respond within ${timeoutMs} ms.`)),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Sends a raw JSON-RPC body and returns the full response text. */
  async sendForText(body: string | Buffer, timeoutMs?: number): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.send(body, timeoutMs)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Makes one call and returns its `result`. @throws {RuntimeRpcError} */
  async call(method: string, params: readonly unknown[] = [], timeoutMs?: number): Promise<unknown> {
    const text = await this.sendForText(stringifyJson({ jsonrpc: '2.0', id: 1, method, params }), timeoutMs);
    const response = parseJson(text) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (response.error !== undefined) throw new RuntimeRpcError(response.error);
    return response.result;
  }

  /** Returns every account owned by `owner`, with full data. */
  async programAccounts(owner: string): Promise<RuntimeAccount[]> {
    const rows = (await this.call('getProgramAccounts', [owner, { encoding: 'base64' }])) as {
      pubkey: string;
      account: { lamports: unknown; data: [string, string] };
    }[];
    return rows.map(({ pubkey, account }) => ({
      address: pubkey,
      lamports: BigInt(stringifyJson(account.lamports)),
      data: Buffer.from(account.data[0], 'base64'),
    }));
  }

  /** Returns lamports of up to 100 accounts; 0 for missing accounts. */
  async balances(addresses: readonly string[]): Promise<bigint[]> {
    const { value } = (await this.call('getMultipleAccounts', [
      addresses,
      { encoding: 'base64', commitment: 'processed', dataSlice: { offset: 0, length: 0 } },
    ])) as { value: ({ lamports: unknown } | null)[] };
    return value.map((account) => (account === null ? 0n : BigInt(stringifyJson(account.lamports))));
  }

  /** Creates or overwrites an account. */
  async setAccount(
    { address, lamports, data }: { address: string; lamports: bigint; data: Uint8Array },
    owner: string,
  ): Promise<void> {
    const hex = Buffer.from(data).toString('hex');
    await this.call('surfnet_setAccount', [address, { lamports, data: hex, owner }], WRITE_TIMEOUT_MS);
  }

  /** Confirms the current block, moves to `slot` and returns the new block height. Refuses to go back. */
  async timeTravelToSlot(slot: number): Promise<number> {
    const position = await this.call('surfnet_timeTravel', [{ absoluteSlot: slot }], WRITE_TIMEOUT_MS);
    return (position as { blockHeight: number }).blockHeight;
  }

  close(): void {
    this.#agent.destroy();
  }
}
