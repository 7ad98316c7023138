// Charges the priority fee in the header of a version 1 message, as a cluster does. The runtime does not
// charge it.

import { decodeBase58, encodeBase58 } from '../base58.ts';
import { type RuntimeClient, stringifyJson } from '../runtime-client.ts';
import type { Surfnet } from '../surfnet.ts';
import { SYSTEM_PROGRAM } from './legacy-transaction.ts';
import { configOf } from './rpc-answer-context.ts';

/** The priority fee in the header of a version 1 transaction, in addition to the signature fee. */
type HeaderFee = {
  readonly payer: string;
  readonly signature: string;
  readonly lamports: bigint;
  readonly signatureLamports: bigint;
};

// Layout of version 1 (SIMD-0385): version, three account counts, configuration mask, lifetime, instruction
// and address counts, addresses, configuration values starting with the fee, instructions, signatures.
const VERSION_1 = 0x81;
const MASK_OFFSET = 4;
const ADDRESS_COUNT_OFFSET = 41;
const ADDRESSES_OFFSET = 42;
const FEE_BITS = 0b11;
const LAMPORTS_PER_SIGNATURE = 5_000n;

/**
 * Returns null if there is no header fee, or if this is not a transaction; the runtime then reports the
 * error.
 */
function headerFeeOf(params: readonly unknown[]): HeaderFee | null {
  const [text] = params;
  if (typeof text !== 'string') return null;
  const bytes =
    configOf(params, 1).encoding === 'base64'
      ? Buffer.from(text, 'base64')
      : Buffer.from(decodeBase58(text) ?? []);
  if (bytes[0] !== VERSION_1 || bytes.length < ADDRESSES_OFFSET) return null;
  const signers = bytes[1]!;
  const valuesOffset = ADDRESSES_OFFSET + 32 * bytes[ADDRESS_COUNT_OFFSET]!;
  if (bytes.length < valuesOffset + 8 + 64 * signers) return null;
  if ((bytes.readUInt32LE(MASK_OFFSET) & FEE_BITS) !== FEE_BITS) return null;
  const lamports = bytes.readBigUInt64LE(valuesOffset);
  if (lamports === 0n || signers === 0) return null;
  return {
    payer: encodeBase58(bytes.subarray(ADDRESSES_OFFSET, ADDRESSES_OFFSET + 32)),
    signature: encodeBase58(bytes.subarray(bytes.length - 64 * signers).subarray(0, 64)),
    lamports,
    signatureLamports: LAMPORTS_PER_SIGNATURE * BigInt(signers),
  };
}

/** Fees of this chain's version 1 transactions. */
export class HeaderFees {
  readonly #client: RuntimeClient;
  readonly #setAccount: Surfnet['setAccount'];
  readonly #charged = new Map<string, bigint>();

  constructor(client: RuntimeClient, setAccount: Surfnet['setAccount']) {
    this.#client = client;
    this.#setAccount = setAccount;
  }

  /**
   * Returns a sender that charges the fee before it forwards `sendTransaction`, or null if there is no fee.
   * Call the sender only while nothing else changes accounts: a transfer between the read and the write of
   * the payer's balance would be lost.
   */
  sender(params: readonly unknown[]): ((forward: () => Promise<string>) => Promise<string>) | null {
    const fee = headerFeeOf(params);
    return fee && ((forward) => this.#send(fee, params, forward));
  }

  async #send(
    { payer, signature, lamports, signatureLamports }: HeaderFee,
    params: readonly unknown[],
    forward: () => Promise<string>,
  ): Promise<string> {
    const [balance = 0n] = await this.#client.balances([payer]);
    if (balance < lamports + signatureLamports) {
      if (configOf(params, 1).skipPreflight === true) return stringifyJson({ result: signature });
      const message = 'Transaction simulation failed: Insufficient funds for fee';
      return stringifyJson({ error: { code: -32_002, message, data: { err: 'InsufficientFundsForFee' } } });
    }
    this.#setAccount(payer, Number(balance - lamports), [], SYSTEM_PROGRAM);
    const text = await forward();
    const [after] = await this.#client.balances([payer]);
    // No signature fee was charged, so the transaction did not run: returns the priority fee.
    if (after === balance - lamports) {
      this.#setAccount(payer, Number(balance), [], SYSTEM_PROGRAM);
      return text;
    }
    this.#charged.set(signature, lamports);
    return text;
  }

  /** Adds the fee to a response of `getTransaction`, in place. */
  correct(answer: unknown, params: readonly unknown[]): void {
    const lamports = this.#charged.get(String(params[0]));
    const { meta } = (answer ?? {}) as { meta?: { fee: number; preBalances: number[] } | null };
    if (lamports === undefined || !meta) return;
    meta.fee += Number(lamports);
    meta.preBalances[0]! += Number(lamports);
  }
}
