// Executes submitted transactions: immediately on a quiet network, and on a busy network once a block has
// room for them at their price.

import type { EpochEngine } from '../epochs/epoch-engine.ts';
import type { AccessGate } from '../gateway/access-gate.ts';
import { correctSubmitError, NOTHING_RUN } from '../gateway/rpc-corrections.ts';
import { configOf } from '../gateway/rpc-response-context.ts';
import { parseJson, type RuntimeClient, RuntimeRpcError, stringifyJson } from '../runtime-client.ts';
import { BackgroundLoad, type BusyNetworkSettings } from './background-load.ts';
import { readWireTransaction, type WireTransaction } from './block-placement.ts';
import type { FailedNonces } from './failed-nonce.ts';
import type { HeaderFees } from './header-fee.ts';
import type { HeaderLimits } from './header-limits.ts';
import type { PrioritizationFees } from './prioritization-fees.ts';

type Parameters = readonly unknown[];

/** A transaction that no block has had room for yet. */
type Waiting = {
  readonly params: Parameters;
  readonly transaction: WireTransaction;
  /** Number of further blocks for which the transaction may wait. */
  blocksLeft: number;
};

/** Current load of the network. `settings` is null while every transaction is executed immediately. */
export type NetworkLoad = {
  readonly settings: BusyNetworkSettings | null;
  /** Number of transactions waiting for room in a block. */
  readonly waiting: number;
};

type SenderOptions = {
  readonly client: RuntimeClient;
  readonly gate: AccessGate;
  readonly engine: Pick<EpochEngine, 'slot' | 'noteChange'>;
  readonly fees: PrioritizationFees;
  readonly headerFees: HeaderFees;
  readonly headerLimits: HeaderLimits;
  readonly failedNonces: FailedNonces;
};

/**
 * Number of blocks for which a blockhash is valid, which also limits how long transactions with a durable nonce
 * wait.
 */
const BLOCKHASH_LIFE_BLOCKS = 150;

const skipsPreflight = (params: Parameters): boolean => configOf(params, 1).skipPreflight === true;

const withPreflight = (params: Parameters, isChecked: boolean): Parameters => [
  params[0],
  { ...configOf(params, 1), skipPreflight: !isChecked },
];

// Errors with details, such as InstructionError, occur while a transaction runs. The transaction then lands as
// failed and pays its fee. Other errors, such as BlockhashNotFound, prevent the transaction from landing.
const landsAsFailed = ({ data }: RuntimeRpcError): boolean => {
  const { err } = (data ?? {}) as { err?: unknown };
  return typeof err === 'object' && err !== null;
};

const simulationFailed = (err: unknown): RuntimeRpcError =>
  new RuntimeRpcError({
    code: -32_002,
    message: `Transaction simulation failed: ${typeof err === 'string' ? err : JSON.stringify(err)}`,
    data: { ...NOTHING_RUN, err },
  });

export class TransactionSender {
  readonly #options: SenderOptions;
  readonly #waiting = new Map<string, Waiting>();
  #load: BackgroundLoad | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  get load(): NetworkLoad {
    return { settings: this.#load?.settings ?? null, waiting: this.#waiting.size };
  }

  /**
   * Makes the network busy or quiet. When it becomes quiet, all waiting transactions enter the next block.
   */
  setLoad(settings: BusyNetworkSettings | null): void {
    this.#load = settings && new BackgroundLoad(settings);
  }

  /** Returns the signature. @throws {RuntimeRpcError} if a node would refuse the transaction. */
  async send(params: Parameters): Promise<string> {
    const transaction = readWireTransaction(params);
    const { gate, headerLimits } = this.#options;
    const error = transaction && (await headerLimits.refusal(transaction, params));
    if (error !== null) {
      // A cluster would charge the fee and report the transaction as failed. In the sandbox, the transaction
      // never lands.
      if (skipsPreflight(params)) return transaction!.signature;
      throw simulationFailed(error);
    }
    const mustQueue = transaction !== null && this.#load !== null;
    if (mustQueue) return gate.exclusive(() => this.#queue(params, transaction));
    const execute = async () => (await this.#execute(params, transaction)).signature;
    // Charging the header fee overwrites the payer's balance, so nothing else may run at the same time.
    if (transaction !== null && transaction.headerFeeLamports > 0n) return gate.exclusive(execute);
    const leave = await gate.enter();
    try {
      return await execute();
    } finally {
      leave();
    }
  }

  /**
   * Executes the waiting transactions with the best prices, as many as fit into the block after background
   * transactions with better prices. Must be called inside the gate, before the block is completed.
   */
  async fillBlock(): Promise<void> {
    const { engine, fees } = this.#options;
    const background = this.#load?.next() ?? [];
    let room = this.#load?.settings.transactionsPerBlock ?? Number.POSITIVE_INFINITY;
    // Sorting is stable, so among equal prices the transaction that arrived first stays first.
    const waiting = [...this.#waiting.values()].sort(({ transaction: a }, { transaction: b }) =>
      a.unitPrice > b.unitPrice ? -1 : a.unitPrice < b.unitPrice ? 1 : 0,
    );
    while (room > 0 && (waiting.length > 0 || background.length > 0)) {
      const [best] = waiting;
      const [offered] = background;
      // At equal prices, a waiting transaction precedes this block's background transactions.
      if (best !== undefined && best.transaction.unitPrice >= (offered ?? 0n)) {
        waiting.shift();
        this.#waiting.delete(best.transaction.signature);
        if (await this.#include(best)) room -= 1;
      } else {
        background.shift();
        fees.record(engine.slot, { unitPrice: offered! });
        room -= 1;
      }
    }
    for (const one of waiting) {
      one.blocksLeft -= 1;
      if (one.blocksLeft === 0) this.#waiting.delete(one.transaction.signature);
    }
  }

  async #queue(params: Parameters, transaction: WireTransaction): Promise<string> {
    const { client } = this.#options;
    const { signature } = transaction;
    const { value } = (await client.call('getSignatureStatuses', [[signature]])) as { value: unknown[] };
    const hasLanded = value[0] !== null;
    // The runtime states the reason for a refusal in its own response to sendTransaction.
    if (!skipsPreflight(params) && (hasLanded || (await this.#failsPreflight(params, transaction))))
      return (await this.#execute(params, transaction)).signature;
    if (!hasLanded && !this.#waiting.has(signature))
      this.#waiting.set(signature, { params, transaction, blocksLeft: BLOCKHASH_LIFE_BLOCKS });
    return signature;
  }

  async #failsPreflight([text, config]: Parameters, transaction: WireTransaction): Promise<boolean> {
    const { client, headerFees } = this.#options;
    const { encoding } = configOf([config], 0);
    const simulated = await headerFees.charge(transaction, false, () =>
      client.sendForText(
        stringifyJson({
          jsonrpc: '2.0',
          id: 1,
          method: 'simulateTransaction',
          params: [text, { encoding, sigVerify: true, commitment: 'processed' }],
        }),
      ),
    );
    const { result } = parseJson(simulated) as { result?: { value: { err: unknown } } };
    return result === undefined || result.value.err !== null;
  }

  /** Executes a waiting transaction in the block being filled. Returns false if it can no longer land. */
  async #include({ params, transaction }: Waiting): Promise<boolean> {
    try {
      return (await this.#execute(withPreflight(params, true), transaction)).slot !== null;
    } catch (cause) {
      if (!(cause instanceof RuntimeRpcError)) throw cause;
      if (!landsAsFailed(cause)) return false;
      return (await this.#execute(withPreflight(params, false), transaction)).slot !== null;
    }
  }

  /** Executes a transaction now, inside the gate. `slot` is null if it did not land. */
  async #execute(
    params: Parameters,
    transaction: WireTransaction | null,
  ): Promise<{ signature: string; slot: number | null }> {
    const { client, engine, fees, headerFees, failedNonces } = this.#options;
    const isUnchecked = skipsPreflight(params);
    const forward = () => {
      engine.noteChange();
      return client.sendForText(stringifyJson({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }));
    };
    const text = await (transaction === null
      ? forward()
      : headerFees.charge(transaction, isUnchecked, forward));
    const body = parseJson(text) as {
      result?: string;
      error?: { code: number; message: string; data?: unknown };
    };
    correctSubmitError(body);
    if (body.error !== undefined) throw new RuntimeRpcError(body.error);
    const signature = body.result!;
    const slot = isUnchecked ? await failedNonces.settle(signature) : engine.slot;
    if (transaction !== null && slot !== null) fees.record(slot, transaction);
    return { signature, slot };
  }
}
