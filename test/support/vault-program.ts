// A small program for the real runtime, assembled here. It executes one instruction for its vault, a
// program-derived address, as the program of a multisig does.
import {
  AccountRole,
  type Address,
  getAddressDecoder,
  getProgramDerivedAddress,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit';

export const VAULT_PROGRAM = getAddressDecoder().decode(new Uint8Array(32).fill(77));

const VAULT_SEED = 0x76;
const [vault, bump] = await getProgramDerivedAddress({
  programAddress: VAULT_PROGRAM,
  seeds: [Uint8Array.of(VAULT_SEED)],
});

/** The program's vault, which has no private key. */
export const VAULT: Address = vault;

/**
 * Wraps an instruction of the vault, for which no outside key signs. The data consists of the vault's seed and
 * bump, a record of 8 bytes for each account of the inner instruction (index, writable, signer), and its data.
 */
export const throughVault = ({
  programAddress,
  accounts = [],
  data = new Uint8Array(),
}: Instruction): Instruction => {
  const addresses = [...new Set([programAddress, ...accounts.map(({ address }) => address)])];
  const record = ({ address, role }: (typeof accounts)[number]) => [
    addresses.indexOf(address),
    Number(isWritableRole(role)),
    Number(isSignerRole(role)),
    ...new Uint8Array(5),
  ];
  const count = (value: number) => [value, ...new Uint8Array(7)];
  return {
    programAddress: VAULT_PROGRAM,
    accounts: addresses.map((address) => {
      const writes = accounts.some((one) => one.address === address && isWritableRole(one.role));
      const signs =
        address !== vault && accounts.some((one) => one.address === address && isSignerRole(one.role));
      return {
        address,
        role: [
          AccountRole.READONLY,
          AccountRole.WRITABLE,
          AccountRole.READONLY_SIGNER,
          AccountRole.WRITABLE_SIGNER,
        ][Number(writes) + 2 * Number(signs)]!,
      };
    }),
    data: Uint8Array.from([
      ...[VAULT_SEED, bump, ...new Uint8Array(6)],
      ...count(accounts.length),
      ...accounts.flatMap(record),
      ...count(data.length),
      ...data,
    ]),
  };
};

// Offsets in the heap, which the runtime maps at this address: account infos of 56 bytes, account metas of 16
// bytes, and the arguments.
const HEAP = 0x3_0000_0000n;
const [INFOS, METAS, INSTRUCTION, SEED, SEEDS] = [0n, 2048n, 3072n, 3200n, 3264n].map((at) => HEAP + at) as [
  bigint,
  bigint,
  bigint,
  bigint,
  bigint,
];
const ACCOUNT_GROWTH = 10_240;

/** Encodes one instruction of 8 bytes: opcode, registers, offset, immediate. */
const op = (opcode: number, target: number, source = 0, offset = 0, immediate = 0): number[] => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8(target | (source << 4), 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(immediate, 4);
  return [...bytes];
};
const move = (target: number, source: number) => op(0xbf, target, source);
const add = (target: number, value: number) => op(0x07, target, 0, 0, value);
const load = (target: number, source: number, offset = 0) => op(0x79, target, source, offset);
const loadByte = (target: number, source: number, offset: number) => op(0x71, target, source, offset);
const store = (target: number, offset: number, source: number) => op(0x7b, target, source, offset);
const storeByte = (target: number, offset: number, source: number) => op(0x73, target, source, offset);
const constant = (target: number, value: bigint) => [
  ...op(0x18, target, 0, 0, Number(BigInt.asIntN(32, value))),
  ...op(0, 0, 0, 0, Number(value >> 32n)),
];
const pointer = (target: number, source: number, offset: number) => [
  ...move(target, source),
  ...add(target, offset),
];
/** Repeats the body while register 7 is not 0. */
const repeat = (body: readonly number[]): number[] => {
  const steps = body.length / 8;
  // Offsets of jumps count from the next instruction.
  return [...op(0x15, 7, 0, steps + 2), ...body, ...add(7, -1), ...op(0x05, 0, 0, -(steps + 3))];
};

/** Register 6 reads the input, register 8 writes to the heap, and register 9 holds the number of accounts. */
const code = (): { readonly bytes: readonly number[]; readonly callAt: number } => {
  const accountInfo = [
    ...[...pointer(2, 6, 8), ...store(8, 0, 2)],
    ...[...pointer(2, 6, 72), ...store(8, 8, 2)],
    ...[...load(3, 6, 80), ...store(8, 16, 3)],
    ...[...pointer(2, 6, 88), ...store(8, 24, 2)],
    ...[...pointer(2, 6, 40), ...store(8, 32, 2)],
    // The rent epoch follows the data, the room for growth and the alignment.
    ...[...pointer(4, 6, 88 + ACCOUNT_GROWTH + 7), ...op(0x0f, 4, 3), ...op(0x57, 4, 0, 0, -8)],
    ...[...load(2, 4), ...store(8, 40, 2)],
    ...[1, 2, 3].flatMap((flag) => [...loadByte(2, 6, flag), ...storeByte(8, 47 + flag, 2)]),
    ...[...pointer(6, 4, 8), ...add(8, 56)],
  ];
  const accountMeta = [
    ...[...loadByte(2, 6, 0), ...op(0x27, 2, 0, 0, 56), ...constant(5, INFOS), ...op(0x0f, 2, 5)],
    ...[...load(2, 2), ...store(8, 0, 2)],
    ...[...loadByte(2, 6, 1), ...storeByte(8, 8, 2), ...loadByte(2, 6, 2), ...storeByte(8, 9, 2)],
    ...[...add(6, 8), ...add(8, 16)],
  ];
  const before = [
    ...[...move(6, 1), ...load(7, 6), ...move(9, 7), ...add(6, 8), ...constant(8, INFOS)],
    ...repeat(accountInfo),
    // The seed follows the length of the data.
    ...[...add(6, 8), ...constant(1, SEED), ...store(1, 0, 6), ...op(0xb7, 2, 0, 0, 2), ...store(1, 8, 2)],
    ...[...constant(4, SEEDS), ...store(4, 0, 1), ...op(0xb7, 2, 0, 0, 1), ...store(4, 8, 2)],
    ...[
      ...load(7, 6, 8),
      ...constant(1, INSTRUCTION),
      ...store(1, 16, 7),
      ...add(6, 16),
      ...constant(8, METAS),
    ],
    ...[...store(1, 8, 8), ...repeat(accountMeta)],
    ...[...constant(2, INFOS), ...load(3, 2), ...constant(1, INSTRUCTION), ...store(1, 0, 3)],
    ...[...load(3, 6), ...store(1, 32, 3), ...add(6, 8), ...store(1, 24, 6)],
    ...[...move(3, 9), ...constant(4, SEEDS), ...op(0xb7, 5, 0, 0, 1)],
  ];
  return { bytes: [...before, ...op(0x85, 0, 1, 0, -1), ...op(0x95, 0)], callAt: before.length };
};

const words = (...values: (number | bigint)[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [at, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), at * 8);
  return bytes;
};

/** Returns the program as a shared object with one function and one call into the runtime. */
export const vaultProgramImage = (): Uint8Array => {
  const { bytes, callAt } = code();
  const text = Buffer.from(bytes);
  const headers = 64 + 2 * 56;
  const names = Buffer.from('\0sol_invoke_signed_c\0');
  const sectionNames = Buffer.from('\0.text\0.dynsym\0.dynstr\0.rel.dyn\0.dynamic\0.shstrtab\0');
  const parts: {
    name: string;
    type: number;
    flags: number;
    link: number;
    entry: number;
    at: number;
    bytes: Buffer;
  }[] = [];
  let end = headers;
  const put = (
    name: string,
    type: number,
    flags: number,
    link: number,
    entry: number,
    part: Buffer,
  ): number => {
    const at = end;
    parts.push({ name, type, flags, link, entry, at, bytes: part });
    end = Math.ceil((at + part.length) / 8) * 8;
    return at;
  };
  const textAt = put('.text', 1, 6, 0, 0, text);
  const symbol = Buffer.alloc(24);
  symbol.writeUInt32LE(1, 0);
  symbol.writeUInt8(0x10, 4);
  const symbolsAt = put('.dynsym', 11, 2, 3, 24, Buffer.concat([Buffer.alloc(24), symbol]));
  const namesAt = put('.dynstr', 3, 2, 0, 0, names);
  // R_BPF_64_32 with the second symbol.
  const relocation = words(textAt + callAt, (1n << 32n) | 10n);
  const relocationsAt = put('.rel.dyn', 9, 2, 2, 16, relocation);
  const dynamic = words(
    17,
    relocationsAt,
    18,
    16,
    19,
    16,
    6,
    symbolsAt,
    11,
    24,
    5,
    namesAt,
    10,
    names.length,
    0,
    0,
  );
  const dynamicAt = put('.dynamic', 6, 3, 3, 16, dynamic);
  put('.shstrtab', 3, 0, 0, 0, sectionNames);
  const image = Buffer.alloc(end + 64 * (parts.length + 1));
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(image);
  // A shared object (3) for BPF (247), version 1.
  image.writeUInt16LE(3, 16);
  image.writeUInt16LE(247, 18);
  image.writeUInt32LE(1, 20);
  words(textAt, 64, end).copy(image, 24);
  for (const [at, value] of [64, 56, 2, 64, parts.length + 1, parts.length].entries())
    image.writeUInt16LE(value, 52 + at * 2);
  const segment = (index: number, type: number, flags: number, at: number, length: number): void => {
    image.writeUInt32LE(type, 64 + index * 56);
    image.writeUInt32LE(flags, 68 + index * 56);
    words(at, at, at, length, length, 8).copy(image, 72 + index * 56);
  };
  segment(0, 1, 5, textAt, end - textAt);
  segment(1, 2, 4, dynamicAt, dynamic.length);
  for (const [index, { name, type, flags, link, entry, at, bytes: part }] of parts.entries()) {
    part.copy(image, at);
    const header = end + 64 * (index + 1);
    image.writeUInt32LE(sectionNames.indexOf(`${name}\0`), header);
    image.writeUInt32LE(type, header + 4);
    words(flags, flags === 0 ? 0 : at, at, part.length).copy(image, header + 8);
    image.writeUInt32LE(link, header + 40);
    words(8, entry).copy(image, header + 48);
  }
  return new Uint8Array(image);
};
