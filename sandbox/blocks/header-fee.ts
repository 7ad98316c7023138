// Charges the priority fee in the header of a version 1 message, as a cluster does. The runtime itself does
// not.

import { SYSTEM_PROGRAM } from '../gateway/legacy-transaction.ts';
import { type RuntimeClient, stringifyJson } from '../runtime-client.ts';
import type { WireTransaction } from './block-placement.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;

export class HeaderFees {
  readonly #client: RuntimeClient;
  readonly #charged = new Map<string, bigint>();

  constructor(client: RuntimeClient) {
    this.#client = client;
  }

  /**
   * Charges the fee, then calls `forward`, which sends or simulates the transaction, and returns its response.
   * Refunds the fee to the payer if the transaction did not run. Must be called only while nothing else changes
   * accounts, because a transfer between reading and writing the payer's balance would be lost.
   */
  async charge(
    { payer, signature, signatureCount, headerFeeLamports: lamports }: WireTransaction,
    isUnchecked: boolean,
    forward: () => Promise<string>,
  ): Promise<string> {
    if (lamports === 0n) return forward();
    const signatureLamports = LAMPORTS_PER_SIGNATURE * BigInt(signatureCount);
    const [balance = 0n] = await this.#client.balances([payer]);
    if (balance < lamports + signatureLamports) {
      if (isUnchecked) return stringifyJson({ result: signature });
      const message = 'Transaction simulation failed: Insufficient funds for fee';
      return stringifyJson({ error: { code: -32_002, message, data: { err: 'InsufficientFundsForFee' } } });
    }
    await this.#setBalance(payer, balance - lamports);
    const text = await forward();
    const [after] = await this.#client.balances([payer]);
    // No signature fee was charged, so the transaction did not run. Refund the priority fee.
    if (after === balance - lamports) {
      await this.#setBalance(payer, balance);
      return text;
    }
    this.#charged.set(signature, lamports);
    return text;
  }

  async #setBalance(address: string, lamports: bigint): Promise<void> {
    await this.#client.setAccount({ address, lamports, data: new Uint8Array() }, SYSTEM_PROGRAM);
  }

  /**
   * Corrects the fee in a `getTransaction` response, in place. The runtime reports only the signature fee,
   * although it also charges the price of Compute Budget instructions. The corrected fee is the amount that
   * left the transaction's accounts.
   */
  correct(response: unknown, params: readonly unknown[]): void {
    const { meta } = (response ?? {}) as {
      meta?: { fee: number; preBalances: number[]; postBalances: number[] } | null;
    };
    if (!meta) return;
    const { preBalances, postBalances } = meta;
    preBalances[0]! += Number(this.#charged.get(String(params[0])) ?? 0n);
    // Larger balances are rounded, so their difference would not be exact.
    if (![...preBalances, ...postBalances].every(Number.isSafeInteger)) return;
    meta.fee = preBalances.reduce((sum, one, index) => sum + one - postBalances[index]!, 0);
  }
}
