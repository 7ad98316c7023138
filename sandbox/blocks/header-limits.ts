// Refuses version 1 transactions that exceed the limits in their header, as a cluster does. The runtime ignores
// these limits.

import { encodeBase58 } from '../base58.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import type { WireTransaction } from './block-placement.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
// Layout of a program account of the upgradeable loader: a type, then the address of the program's image.
const IMAGE_ADDRESS = { start: 4, end: 36 };
/** Bytes counted for every account in addition to its data (SIMD-0186). */
const ACCOUNT_OVERHEAD_BYTES = 64;
/** Compute units of an instruction whose program logs no consumption, such as the System program. */
const BUILT_IN_UNITS = 150;

type Account = { space: number; owner: string; data: [string, string] } | null;

/** A transaction error as nodes report it. */
type TransactionError = string | { InstructionError: [number, string] };

/**
 * Returns the index of the first instruction after which more than `limit` units have been consumed in total,
 * or null.
 */
function firstAbove(limit: number, logs: readonly string[]): number | null {
  let units = 0;
  let index = -1;
  let isCounted = true;
  for (const line of logs) {
    if (line.endsWith(' invoke [1]')) {
      index += 1;
      isCounted = false;
    }
    const consumed = / consumed (\d+) of \d+ compute units$/.exec(line)?.[1];
    // The outer program's consumption includes that of the programs it calls, and is logged last.
    if (consumed !== undefined && !isCounted) {
      units += Number(consumed);
      isCounted = true;
    } else if (!isCounted && line.endsWith(' success')) {
      units += BUILT_IN_UNITS;
      isCounted = true;
    }
    if (units > limit) return index;
  }
  return null;
}

export class HeaderLimits {
  readonly #client: RuntimeClient;

  constructor(client: RuntimeClient) {
    this.#client = client;
  }

  /** Returns the error with which a cluster would fail the transaction in `params`, or null. */
  async refusal(
    { headerLimits, addresses }: WireTransaction,
    [text, config]: readonly unknown[],
  ): Promise<TransactionError | null> {
    if (headerLimits === null) return null;
    if ((await this.#loadedBytes(addresses)) > headerLimits.loadedAccountsDataBytes)
      return 'MaxLoadedAccountsDataSizeExceeded';
    const { encoding } = (config ?? {}) as { encoding?: unknown };
    const { value } = (await this.#client.call('simulateTransaction', [
      text,
      { encoding, sigVerify: false, commitment: 'processed' },
    ])) as { value: { logs: string[] | null } };
    const index = firstAbove(headerLimits.computeUnits, value.logs ?? []);
    return index === null ? null : { InstructionError: [index, 'ComputationalBudgetExceeded'] };
  }

  async #loadedBytes(addresses: readonly string[]): Promise<number> {
    const accounts = await this.#accounts(addresses);
    const images = accounts.flatMap((one) => {
      if (one?.owner !== UPGRADEABLE_LOADER) return [];
      const data = Buffer.from(one.data[0], 'base64');
      return [encodeBase58(data.subarray(IMAGE_ADDRESS.start, IMAGE_ADDRESS.end))];
    });
    const all = [...accounts, ...(images.length > 0 ? await this.#accounts(images) : [])];
    return all.reduce((sum, one) => sum + (one === null ? 0 : one.space + ACCOUNT_OVERHEAD_BYTES), 0);
  }

  async #accounts(addresses: readonly string[]): Promise<readonly Account[]> {
    const { value } = (await this.#client.call('getMultipleAccounts', [
      addresses,
      { encoding: 'base64', dataSlice: { offset: 0, length: IMAGE_ADDRESS.end }, commitment: 'processed' },
    ])) as { value: readonly Account[] };
    return value;
  }
}
