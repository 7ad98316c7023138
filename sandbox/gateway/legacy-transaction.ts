// Builds, signs and sends the few legacy transactions that the sandbox sends, without loading a client library at
// startup.

import { decodeAddress, encodeBase58 } from '../base58.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import type { SandboxKey } from '../sandbox-keys.ts';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

export type AccountMeta = { readonly address: string; readonly signer: boolean; readonly writable: boolean };
export type Instruction = {
  readonly programId: string;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};

// Account counts here stay below 128, so the compact length always fits in one byte.
function shortLength(count: number): number {
  if (count > 127) throw new RangeError(`A sandbox transaction cannot contain ${count} items.`);
  return count;
}

function mergeAccounts(feePayer: string, instructions: readonly Instruction[]): AccountMeta[] {
  const byAddress = new Map<string, AccountMeta>([
    [feePayer, { address: feePayer, signer: true, writable: true }],
  ]);
  const add = (meta: AccountMeta): void => {
    const known = byAddress.get(meta.address);
    byAddress.set(meta.address, {
      address: meta.address,
      signer: meta.signer || (known?.signer ?? false),
      writable: meta.writable || (known?.writable ?? false),
    });
  };
  for (const instruction of instructions) {
    for (const meta of instruction.accounts) add(meta);
    add({ address: instruction.programId, signer: false, writable: false });
  }
  // `Map` keeps insertion order and sorting is stable, so the fee payer stays first.
  const rank = (meta: AccountMeta): number => (meta.signer ? 0 : 2) + (meta.writable ? 0 : 1);
  return [...byAddress.values()].sort((a, b) => rank(a) - rank(b));
}

function addressBytes(address: string, what = 'an address'): Uint8Array {
  const bytes = decodeAddress(address);
  if (bytes === null) throw new TypeError(`${address} is not ${what}.`);
  return bytes;
}

/** Encodes the unsigned legacy message: header, account keys, blockhash, instructions. */
function compileMessage(
  feePayer: string,
  blockhash: string,
  instructions: readonly Instruction[],
): Uint8Array {
  const accounts = mergeAccounts(feePayer, instructions);
  const indexOf = (address: string): number => accounts.findIndex((meta) => meta.address === address);
  const signers = accounts.filter((meta) => meta.signer);
  const parts: (Uint8Array | number[])[] = [
    [
      signers.length,
      signers.filter((meta) => !meta.writable).length,
      accounts.filter((meta) => !meta.signer && !meta.writable).length,
      shortLength(accounts.length),
    ],
    ...accounts.map((meta) => addressBytes(meta.address)),
    addressBytes(blockhash, 'a blockhash'),
    [shortLength(instructions.length)],
  ];
  for (const { programId, accounts: metas, data } of instructions) {
    parts.push([
      indexOf(programId),
      shortLength(metas.length),
      ...metas.map((meta) => indexOf(meta.address)),
    ]);
    parts.push([shortLength(data.length)], data);
  }
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

/** Returns a signed wire transaction and its id. `signers[0]` pays the fee. */
export function signTransaction(
  signers: readonly [SandboxKey, ...SandboxKey[]],
  blockhash: string,
  instructions: readonly Instruction[],
): { signature: string; wireBase64: string } {
  const message = compileMessage(signers[0].address, blockhash, instructions);
  const required = message[0] ?? 0;
  const signatures: Uint8Array[] = [];
  for (let index = 0; index < required; index += 1) {
    const address = encodeBase58(message.subarray(4 + index * 32, 36 + index * 32));
    const signer = signers.find((key) => key.address === address);
    if (signer === undefined) throw new Error(`No key was given for the signer ${address}.`);
    signatures.push(signer.sign(message));
  }
  const wire = Buffer.concat([Uint8Array.of(shortLength(required)), ...signatures, message]);
  return { signature: encodeBase58(signatures[0] ?? new Uint8Array()), wireBase64: wire.toString('base64') };
}

/**
 * Sends a transaction signed by `signers`, the first of which pays. Returns its signature, processed but not
 * yet confirmed.
 */
export async function sendSigned(
  client: RuntimeClient,
  signers: readonly [SandboxKey, ...SandboxKey[]],
  instructions: readonly Instruction[],
): Promise<string> {
  const latest = (await client.call('getLatestBlockhash')) as { value: { blockhash: string } };
  const { signature, wireBase64 } = signTransaction(signers, latest.value.blockhash, instructions);
  await client.call('sendTransaction', [wireBase64, { encoding: 'base64' }]);
  return signature;
}

/** Builds a System program transfer of `lamports` between two system accounts. */
export function transferInstruction(from: string, to: string, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(lamports, 4);
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [
      { address: from, signer: true, writable: true },
      { address: to, signer: false, writable: true },
    ],
    data,
  };
}

/** Builds a System program create-account instruction. The new account must sign too. */
export function createAccountInstruction(input: {
  from: string;
  newAccount: string;
  lamports: bigint;
  space: number;
  owner: string;
}): Instruction {
  const data = Buffer.alloc(52);
  data.writeUInt32LE(0, 0);
  data.writeBigUInt64LE(input.lamports, 4);
  data.writeBigUInt64LE(BigInt(input.space), 12);
  data.set(addressBytes(input.owner), 20);
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [
      { address: input.from, signer: true, writable: true },
      { address: input.newAccount, signer: true, writable: true },
    ],
    data,
  };
}

/**
 * Sets the compute budget to `units`. Otherwise identical transactions in one block need different units to
 * have different signatures.
 */
export function computeUnitLimitInstruction(units: number): Instruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(2, 0);
  data.writeUInt32LE(units, 1);
  return { programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data };
}
