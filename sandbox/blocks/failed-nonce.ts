// Advances the nonce after a failed transaction, as a real cluster does. The runtime charges the fee but leaves
// the nonce unchanged.

import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { decodeAddress, encodeBase58 } from '../base58.ts';
import { SYSTEM_PROGRAM } from '../gateway/legacy-transaction.ts';
import type { RuntimeClient } from '../runtime-client.ts';

/** AdvanceNonceAccount: instruction 4 of the System program, without arguments. */
const ADVANCE_DATA = encodeBase58(Uint8Array.of(4, 0, 0, 0));
/** Offset of the nonce in a nonce account, after the version, the state and the authority. */
const NONCE_OFFSET = 40;
/**
 * Maximum number of reads while waiting for a transaction that may never land, such as one with an unknown
 * blockhash. All reads together take 50 ms.
 */
const MAX_READS = 10;
const READ_PAUSE_MS = 5;

type Landed = {
  readonly slot: number;
  readonly meta: { readonly err: unknown } | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly {
        readonly programIdIndex: number;
        readonly accounts: readonly number[];
        readonly data: string;
      }[];
    };
  };
} | null;

export class FailedNonces {
  readonly #client: RuntimeClient;

  constructor(client: RuntimeClient) {
    this.#client = client;
  }

  /**
   * Advances the nonce if the transaction failed. Returns the slot in which it landed, or null. Must be called
   * for every transaction sent without preflight, because only those can fail within a block.
   */
  async settle(signature: string): Promise<number | null> {
    const landed = await this.#read(signature);
    if (landed?.meta?.err) await this.#moveNonce(landed);
    return landed?.slot ?? null;
  }

  // The runtime may respond a few milliseconds before it stores the transaction.
  async #read(signature: string): Promise<Landed> {
    for (let tries = 1; ; tries += 1) {
      const landed = (await this.#client.call('getTransaction', [
        signature,
        { encoding: 'json', commitment: 'processed', maxSupportedTransactionVersion: 1 },
      ])) as Landed;
      if (landed !== null || tries === MAX_READS) return landed;
      await setTimeout(READ_PAUSE_MS);
    }
  }

  async #moveNonce({ transaction }: NonNullable<Landed>): Promise<void> {
    const { accountKeys, instructions } = transaction.message;
    const first = instructions[0];
    if (!first || accountKeys[first.programIdIndex] !== SYSTEM_PROGRAM || first.data !== ADVANCE_DATA) return;
    const address = accountKeys[first.accounts[0]!]!;
    const account = (await this.#client.call('getAccountInfo', [address, { encoding: 'base64' }])) as {
      value: { lamports: number; data: [string, string] } | null;
    };
    const latest = (await this.#client.call('getLatestBlockhash')) as { value: { blockhash: string } };
    if (account.value === null) return;
    const data = Buffer.from(account.value.data[0], 'base64');
    const nonce = createHash('sha256').update('DURABLE_NONCE').update(decodeAddress(latest.value.blockhash)!);
    nonce.digest().copy(data, NONCE_OFFSET);
    await this.#client.setAccount(
      { address, lamports: BigInt(account.value.lamports), data },
      SYSTEM_PROGRAM,
    );
  }
}
