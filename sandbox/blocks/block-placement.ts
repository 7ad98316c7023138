// Reads the parts of a signed transaction that determine its place in a block: signature, payer, write locks and
// price.

import { decodeBase58, encodeBase58 } from '../base58.ts';
import { configOf } from '../gateway/rpc-response-context.ts';

/** The parts of a transaction that block production needs. */
export type WireTransaction = {
  readonly signature: string;
  readonly signatureCount: number;
  readonly payer: string;
  /** Accounts and programs listed in the message itself. */
  readonly addresses: readonly string[];
  /** Accounts that the message itself locks for writing. Accounts in lookup tables are not resolved. */
  readonly writable: readonly string[];
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint;
  /** Priority fee in the header of a version 1 message. 0 for other versions. */
  readonly headerFeeLamports: bigint;
  /** Limits in the header of a version 1 message, 0 if it omits them. Null for other versions. */
  readonly headerLimits: { readonly computeUnits: number; readonly loadedAccountsDataBytes: number } | null;
};

type Counts = { readonly signers: number; readonly readonlySigners: number; readonly readonlyOthers: number };

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
const VERSION_0 = 0x80;
const VERSION_1 = 0x81;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** SetComputeUnitPrice: one byte, then the price in micro-lamports per unit. */
const PRICE_INSTRUCTION = 3;
const PRICE_INSTRUCTION_BYTES = 9;
const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;
// Bits of the configuration mask in version 1 (SIMD-0385).
const FEE_BITS = 0b11;
const COMPUTE_LIMIT_BIT = 0b100;
const DATA_LIMIT_BIT = 0b1000;

/** Reads consecutive fields. Throws `RangeError` for any read beyond the end. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  byte(): number {
    return this.take(1).readUInt8();
  }
  /** Reads a length encoded in one to three bytes of seven bits each. */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('The transaction is truncated.');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
  counts(): Counts {
    return { signers: this.byte(), readonlySigners: this.byte(), readonlyOthers: this.byte() };
  }
  addresses(count: number): string[] {
    return Array.from({ length: count }, () => encodeBase58(this.take(ADDRESS_BYTES)));
  }
}

const writableOf = (
  addresses: readonly string[],
  { signers, readonlySigners, readonlyOthers }: Counts,
): string[] =>
  addresses.filter((_address, index) =>
    index < signers ? index < signers - readonlySigners : index < addresses.length - readonlyOthers,
  );

function firstSignature(bytes: Buffer | undefined): string {
  if (bytes === undefined) throw new RangeError('The transaction has no signature.');
  return encodeBase58(bytes);
}

// Layout of version 1: version, account counts, mask, lifetime, instruction and address counts, addresses,
// configuration values starting with the fee, instructions, signatures.
function readVersion1(bytes: Buffer): WireTransaction {
  const fields = new Fields(bytes);
  fields.byte();
  const counts = fields.counts();
  const mask = fields.take(4).readUInt32LE();
  fields.take(ADDRESS_BYTES);
  fields.byte();
  const addresses = fields.addresses(fields.byte());
  const headerFeeLamports = (mask & FEE_BITS) === FEE_BITS ? fields.take(8).readBigUInt64LE() : 0n;
  const computeUnits = mask & COMPUTE_LIMIT_BIT ? fields.take(4).readUInt32LE() : 0;
  const loadedAccountsDataBytes = mask & DATA_LIMIT_BIT ? fields.take(4).readUInt32LE() : 0;
  const signatures = new Fields(bytes.subarray(-SIGNATURE_BYTES * counts.signers));
  return {
    signature: firstSignature(counts.signers > 0 ? signatures.take(SIGNATURE_BYTES) : undefined),
    signatureCount: counts.signers,
    payer: addresses[0] ?? '',
    addresses,
    writable: writableOf(addresses, counts),
    unitPrice:
      computeUnits === 0 ? 0n : (headerFeeLamports * MICRO_LAMPORTS_PER_LAMPORT) / BigInt(computeUnits),
    headerFeeLamports,
    headerLimits: { computeUnits, loadedAccountsDataBytes },
  };
}

function readLegacyOr0(bytes: Buffer): WireTransaction {
  const fields = new Fields(bytes);
  const signatures = Array.from({ length: fields.length() }, () => fields.take(SIGNATURE_BYTES));
  const first = fields.byte();
  const signers = first === VERSION_0 ? fields.byte() : first;
  const counts = { signers, readonlySigners: fields.byte(), readonlyOthers: fields.byte() };
  const addresses = fields.addresses(fields.length());
  fields.take(ADDRESS_BYTES);
  let unitPrice = 0n;
  for (let left = fields.length(); left > 0; left -= 1) {
    const program = addresses[fields.byte()];
    fields.take(fields.length());
    const data = fields.take(fields.length());
    const isPrice = data[0] === PRICE_INSTRUCTION && data.length >= PRICE_INSTRUCTION_BYTES;
    if (program === COMPUTE_BUDGET && isPrice) unitPrice = data.readBigUInt64LE(1);
  }
  return {
    signature: firstSignature(signatures[0]),
    signatureCount: signatures.length,
    payer: addresses[0] ?? '',
    addresses,
    writable: writableOf(addresses, counts),
    unitPrice,
    headerFeeLamports: 0n,
    headerLimits: null,
  };
}

/**
 * Reads the parameters of `sendTransaction`. Returns null if they contain no transaction, and the runtime then
 * reports the error.
 */
export function readWireTransaction(params: readonly unknown[]): WireTransaction | null {
  const [text] = params;
  if (typeof text !== 'string') return null;
  const bytes =
    configOf(params, 1).encoding === 'base64'
      ? Buffer.from(text, 'base64')
      : Buffer.from(decodeBase58(text) ?? []);
  try {
    return bytes[0] === VERSION_1 ? readVersion1(bytes) : readLegacyOr0(bytes);
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}
