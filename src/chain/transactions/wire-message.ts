// Parses a compiled message (legacy, version 0 or 1) and applies the validators' structural rules.
import type { Address } from '@solana/kit';
import type { RawInstruction } from '../../domain/instruction-types.ts';
import { readAddressAt } from '../../domain/read-address-at.ts';
import type { HeaderBudget } from '../../domain/transaction/instruction-fees.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { invalidTransaction, WireReader } from './wire-reader.ts';

export interface WireMessage {
  readonly version: 'legacy' | 0 | 1;
  /** Accounts that sign, fee payer first. */
  readonly requiredSigners: readonly Address[];
  /** Accounts in the message itself, in order; signers first. */
  readonly staticAccounts: readonly Address[];
  /** Base58 of the lifetime token: a recent blockhash, or a durable nonce's value. */
  readonly blockhash: string;
  /**
   * Instructions. Accounts from address lookup tables have the address `null`, because the message does not
   * contain it.
   */
  readonly instructions: readonly RawInstruction<Address | null>[];
  readonly hasLookups: boolean;
  /** Fee and limits in the header of version 1; `null` in older versions, which set them with instructions. */
  readonly headerBudget: HeaderBudget | null;
}

interface Header {
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
}

interface Parts {
  readonly header: Header;
  readonly addresses: readonly Address[];
  readonly lookups: { readonly writable: number; readonly readonly: number };
  readonly instructions: readonly {
    readonly program: number;
    readonly accounts: ArrayLike<number>;
    readonly data: Uint8Array;
  }[];
}

/** Parses message bytes. Throws `AppError('INVALID_TRANSACTION')` if they are malformed. */
export const parseMessage = (bytes: Uint8Array): WireMessage => {
  const first = bytes[0] ?? 0;
  if (first < 0x80) return parseStaticLayout(bytes, 'legacy');
  if (first === 0x80) return parseStaticLayout(bytes, 0);
  if (first === 0x81) return parseVersion1(bytes);
  throw invalidTransaction('its version is not supported');
};

const parseStaticLayout = (bytes: Uint8Array, version: 'legacy' | 0): WireMessage => {
  const reader = new WireReader(bytes, version === 0 ? 1 : 0);
  const header = {
    signers: reader.byte('header'),
    readonlySigners: reader.byte('header'),
    readonlyOthers: reader.byte('header'),
  };
  const addresses = Array.from({ length: checkedCount(reader.compact('account count')) }, () =>
    readAddressAt(reader.take(32, 'accounts'), 0),
  );
  const blockhash = encodeBase58(reader.take(32, 'blockhash'));
  const instructions = Array.from({ length: checkedCount(reader.compact('instruction count')) }, () => ({
    program: reader.byte('instruction'),
    accounts: reader.take(reader.compact('instruction account count'), 'instruction accounts'),
    data: reader.take(reader.compact('instruction data length'), 'instruction data'),
  }));
  const lookups = version === 0 ? readLookups(reader) : { writable: 0, readonly: 0 };
  reader.end('message');
  return assemble({ header, addresses, lookups, instructions }, { version, blockhash, headerBudget: null });
};

// Maximum number of accounts that a transaction may lock. It also limits the instructions here, because no
// transaction with more instructions fits into a packet.
const checkedCount = (count: number): number => {
  if (count > 256) throw invalidTransaction('it lists more than 256 accounts or instructions');
  return count;
};

const readLookups = (reader: WireReader): Parts['lookups'] => {
  let writable = 0;
  let readonly = 0;
  for (let left = checkedCount(reader.compact('lookup count')); left > 0; left -= 1) {
    reader.take(32, 'lookup table');
    const writableHere = reader.take(reader.compact('lookup index count'), 'lookup indexes').length;
    const readonlyHere = reader.take(reader.compact('lookup index count'), 'lookup indexes').length;
    if (writableHere + readonlyHere === 0) throw invalidTransaction('a lookup lists no account');
    writable += writableHere;
    readonly += readonlyHere;
  }
  return { writable, readonly };
};

/** Maximum number of instructions that validators run, in any version. */
const MAX_INSTRUCTIONS = 64;

/** Rules of validators for version 1 messages beyond the layout (SIMD-0385). */
const version1Limits = {
  signers: 12,
  addresses: 64,
  feeBits: 0b11,
  unitsBit: 0b100,
  dataBit: 0b1000,
  heapBit: 0b1_0000,
  leastHeapBytes: 32_768,
  mostHeapBytes: 262_144,
  heapStepBytes: 1_024,
} as const;

// Fields are read in the order of SIMD-0385. Every length has a fixed size, so each message has exactly one
// encoding.
const parseVersion1 = (bytes: Uint8Array): WireMessage => {
  const reader = new WireReader(bytes, 1);
  const header = {
    signers: reader.byte('header'),
    readonlySigners: reader.byte('header'),
    readonlyOthers: reader.byte('header'),
  };
  const mask = reader.uint(4, 'configuration mask');
  const blockhash = encodeBase58(reader.take(32, 'blockhash'));
  const instructionCount = reader.byte('instruction count');
  const addressCount = reader.byte('account count');
  if (header.signers > version1Limits.signers) throw invalidTransaction('it needs more than 12 signatures');
  if (addressCount > version1Limits.addresses) throw invalidTransaction('it lists more than 64 accounts');
  const addresses = Array.from({ length: addressCount }, () => readAddressAt(reader.take(32, 'accounts'), 0));
  const headerBudget = readHeaderBudget(reader, mask);
  const heads = Array.from({ length: instructionCount }, () => ({
    program: reader.byte('instruction'),
    accountCount: reader.byte('instruction account count'),
    dataLength: reader.uint(2, 'instruction data length'),
  }));
  const instructions = heads.map(({ program, accountCount, dataLength }) => ({
    program,
    accounts: reader.take(accountCount, 'instruction accounts'),
    data: reader.take(dataLength, 'instruction data'),
  }));
  reader.end('message');
  return assemble(
    { header, addresses, lookups: { writable: 0, readonly: 0 }, instructions },
    { version: 1, blockhash, headerBudget },
  );
};

const readHeaderBudget = (reader: WireReader, mask: number): HeaderBudget => {
  const { feeBits, unitsBit, dataBit, heapBit, ...heap } = version1Limits;
  const fee = mask & feeBits;
  if ((mask & ~(feeBits | unitsBit | dataBit | heapBit)) !== 0 || (fee !== 0 && fee !== feeBits))
    throw invalidTransaction('its configuration is not supported');
  const value = (bit: number, absent: number): number =>
    (mask & bit) === 0 ? absent : reader.uint(4, 'configuration');
  const priorityFeeLamports = fee === 0 ? 0n : reader.u64('configuration');
  const computeUnitLimit = value(unitsBit, 0);
  const loadedAccountsDataBytes = value(dataBit, 0);
  const heapBytes = value(heapBit, heap.leastHeapBytes);
  if (
    heapBytes < heap.leastHeapBytes ||
    heapBytes > heap.mostHeapBytes ||
    heapBytes % heap.heapStepBytes !== 0
  )
    throw invalidTransaction('it requests a heap of an invalid size');
  return { priorityFeeLamports, computeUnitLimit, loadedAccountsDataBytes, heapBytes };
};

const assemble = (
  parts: Parts,
  rest: Pick<WireMessage, 'version' | 'blockhash' | 'headerBudget'>,
): WireMessage => {
  const { header, addresses, lookups } = parts;
  const total = addresses.length + lookups.writable + lookups.readonly;
  if (header.signers === 0 || header.readonlySigners >= header.signers)
    throw invalidTransaction('it has no fee payer');
  if (header.signers + header.readonlyOthers > addresses.length)
    throw invalidTransaction('its header declares more accounts than it contains');
  if (parts.instructions.length > MAX_INSTRUCTIONS)
    throw invalidTransaction('it contains more than 64 instructions');
  if (total > 256) throw invalidTransaction('it lists more than 256 accounts');
  if (new Set(addresses).size !== addresses.length) throw invalidTransaction('it lists an account twice');
  const accountAt = (index: number) => {
    if (index >= total)
      throw invalidTransaction('an instruction refers to an account that it does not contain');
    const signer = index < header.signers;
    const writable = signer
      ? index < header.signers - header.readonlySigners
      : index < addresses.length
        ? index < addresses.length - header.readonlyOthers
        : index < addresses.length + lookups.writable;
    return { address: addresses[index] ?? null, signer, writable };
  };
  const instructions = parts.instructions.map(({ program, accounts, data }) => {
    const programId = addresses[program];
    if (program === 0 || programId === undefined) throw invalidTransaction('an instruction has no program');
    return { programId, accounts: Array.from(accounts, accountAt), data };
  });
  return {
    ...rest,
    requiredSigners: addresses.slice(0, header.signers),
    staticAccounts: addresses,
    instructions,
    hasLookups: lookups.writable + lookups.readonly > 0,
  };
};
