// Wire bytes are parsed the way the chain parses them, or refused, and signatures are only valid for exactly
// these bytes.
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageHeapSize,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessagePriorityFeeLamports,
} from '@solana/kit';
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { fromBase64, toBase64 } from './wire-base64.ts';
import { decodeWire, encodeWire, verifySignatures } from './wire-transaction.ts';

const keyOf = (tag: number) => {
  const key = createPrivateKey({
    format: 'raw-private',
    key: Buffer.alloc(32, tag),
    asymmetricKeyType: 'ed25519',
  } as never);
  const publicBytes = createPublicKey(key).export({ format: 'raw-public' } as never) as unknown as Buffer;
  return {
    address: encodeBase58(publicBytes) as Address,
    sign: (message: Uint8Array) => sign(null, message, key),
  };
};
const [payer, other] = [keyOf(1), keyOf(2)] as const;
const recipient = keyOf(3).address;
const blockhash = encodeBase58(new Uint8Array(32).fill(9)) as Blockhash;

const transfer = (from: Address, amount = 5n): Instruction =>
  getTransferSolInstruction({ source: { address: from } as never, destination: recipient, amount });

const compile = (version: 'legacy' | 0 | 1, instructions: Instruction[]) =>
  compileTransaction(
    pipe(
      createTransactionMessage({ version: version as 0 }),
      (message) => setTransactionMessageFeePayer(payer.address, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );

const wireOf = (version: 'legacy' | 0 | 1, instructions: Instruction[], signers = [payer]): Uint8Array => {
  const compiled = compile(version, instructions);
  const signatures = Object.fromEntries(
    Object.keys(compiled.signatures).map((address) => {
      const signer = signers.find((candidate) => candidate.address === address);
      return [address, signer ? signer.sign(compiled.messageBytes as unknown as Uint8Array) : null];
    }),
  );
  return getTransactionEncoder().encode({ ...compiled, signatures } as never) as Uint8Array;
};

const signerMeta = (address: Address): Instruction => ({
  programAddress: SYSTEM_PROGRAM,
  accounts: [{ address, role: AccountRole.READONLY_SIGNER }],
  data: new Uint8Array(),
});

const refused = (bytes: Uint8Array, why?: RegExp) =>
  assert.throws(
    () => decodeWire(bytes),
    (error) => isAppError(error, 'INVALID_TRANSACTION') && (why?.test(error.message) ?? true),
  );

describe('reading wire bytes', () => {
  for (const version of ['legacy', 0, 1] as const) {
    test(`version ${version} decodes to its signers, signatures, blockhash and instructions, and encodes to the same bytes`, () => {
      const wire = wireOf(version, [transfer(payer.address), signerMeta(other.address)]);
      const decoded = decodeWire(wire);
      assert.equal(decoded.version, version);
      assert.deepEqual(decoded.requiredSigners, [payer.address, other.address]);
      assert.equal(decoded.feePayer, payer.address);
      assert.equal(decoded.blockhash, blockhash);
      assert.equal(decoded.hasLookups, false);
      assert.deepEqual(decoded.instructions[0]?.data, {
        type: 'system.transfer',
        from: payer.address,
        to: recipient,
        lamports: 5n,
      });
      assert.deepEqual(verifySignatures(decoded), {
        valid: [payer.address],
        missing: [other.address],
        invalid: [],
      });
      assert.equal(decoded.signature, encodeBase58(decoded.signatures.get(payer.address)!));
      assert.deepEqual(Buffer.from(encodeWire(decoded, decoded.signatures)), Buffer.from(wire));
    });

    test(`version ${version} with a missing byte, or with an extra byte at the start or the end, is refused`, () => {
      const wire = wireOf(version, [transfer(payer.address)]);
      refused(Buffer.concat([wire, Buffer.of(0)]));
      for (let length = 0; length < wire.length; length += 1) refused(wire.subarray(0, length));
      refused(Buffer.concat([Buffer.of(0), wire]));
    });
  }

  test('a version 1 header’s priority fee is part of the network fee', () => {
    const message = pipe(
      createTransactionMessage({ version: 1 }),
      (m) => setTransactionMessageFeePayer(payer.address, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, m),
      (m) => setTransactionMessagePriorityFeeLamports(777n, m),
      (m) => appendTransactionMessageInstructions([transfer(payer.address)], m),
    );
    const decoded = decodeWire(getTransactionEncoder().encode(compileTransaction(message)) as Uint8Array);
    assert.equal(decoded.networkFeeLamports, 5_777n);
    assert.equal(decoded.signature, null);
    assert.equal(decodeWire(wireOf(1, [transfer(payer.address)])).headerBudget?.priorityFeeLamports, 0n);
    assert.equal(decodeWire(wireOf(0, [transfer(payer.address)])).headerBudget, null);
  });

  test('accounts from lookup tables are flagged and have no address', () => {
    const table = keyOf(4).address;
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(payer.address, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, m),
      (m) => appendTransactionMessageInstructions([transfer(payer.address)], m),
      (m) => compressTransactionMessageUsingAddressLookupTables(m, { [table]: [recipient] } as never),
    );
    const decoded = decodeWire(getTransactionEncoder().encode(compileTransaction(message)) as Uint8Array);
    assert.equal(decoded.hasLookups, true);
    assert.deepEqual(decoded.instructions[0]?.accounts[1], {
      address: null,
      signer: false,
      writable: true,
      role: 'recipient',
    });
  });

  test('a durable nonce is recognized only as the first instruction', () => {
    const advance = getAdvanceNonceAccountInstruction({
      nonceAccount: recipient,
      recentBlockhashesSysvar: 'SysvarRecentB1ockHashes11111111111111111111' as Address,
      nonceAuthority: { address: payer.address } as never,
    });
    assert.deepEqual(decodeWire(wireOf(0, [advance, transfer(payer.address)])).durableNonce, {
      nonceAccount: recipient,
    });
    assert.equal(decodeWire(wireOf(0, [transfer(payer.address), advance])).durableNonce, null);
  });

  test("a durable nonce is recognized by the runtime's rule: the start of its data and a writable first account", () => {
    const nonceOf = (data: number[], role: AccountRole, more: number = 0) =>
      decodeWire(
        wireOf('legacy', [
          {
            programAddress: SYSTEM_PROGRAM,
            accounts: [
              { address: recipient, role },
              ...Array.from({ length: more }, () => ({ address: payer.address, role: AccountRole.READONLY })),
            ],
            data: Uint8Array.from(data),
          },
        ]),
      ).durableNonce;
    const { READONLY, WRITABLE } = AccountRole;
    for (const data of [
      [4, 0, 0, 0],
      [4, 0, 0, 0, 0],
      [4, 0, 0, 0, 255, 7],
    ])
      for (const more of [0, 2, 3])
        assert.deepEqual(nonceOf(data, WRITABLE, more), { nonceAccount: recipient }, `${data} ${more}`);
    assert.equal(nonceOf([4, 0, 0, 0], READONLY, 2), null);
    for (const data of [[], [4], [4, 0, 0], [4, 0, 0, 1], [2, 0, 0, 0]])
      assert.equal(nonceOf(data, WRITABLE, 2), null, String(data));
  });
});

describe('refuses transactions that validators refuse', () => {
  test('a version 1 message with an unknown configuration or an invalid heap size', () => {
    const configured = (heapSize: number) => {
      const message = pipe(
        createTransactionMessage({ version: 1 }),
        (m) => setTransactionMessageFeePayer(payer.address, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, m),
        (m) => setTransactionMessageHeapSize(131_072, m),
        (m) => appendTransactionMessageInstructions([transfer(payer.address)], m),
      );
      const bytes = Uint8Array.from(
        getTransactionEncoder().encode(compileTransaction(message)) as Uint8Array,
      );
      // Kit creates no message with another heap size, so the four bytes are overwritten.
      const at = Buffer.from(bytes).indexOf(Buffer.of(0, 0, 2, 0), 4);
      new DataView(bytes.buffer).setUint32(at, heapSize, true);
      return bytes;
    };
    for (const heap of [32_768, 33_792, 262_144]) assert.equal(decodeWire(configured(heap)).version, 1);
    for (const heap of [0, 31_744, 32_769, 263_168]) refused(configured(heap), /heap/);
    // The configuration mask follows the version and the three bytes of the header.
    for (const bit of [5, 17, 31]) {
      const bytes = Uint8Array.from(configured(32_768));
      bytes[4 + (bit >> 3)]! |= 1 << (bit & 7);
      refused(bytes, /configuration/);
    }
  });

  const wire = (): Buffer => Buffer.from(wireOf('legacy', [transfer(payer.address)]));
  const HEADER = 65;

  test('headers without a fee payer, or with more accounts than exist', () => {
    for (const [offset, value] of [
      [HEADER, 0],
      [HEADER + 1, 1],
      [HEADER + 2, 9],
      [0, 2],
      [0, 0],
    ] as const) {
      const damaged = wire();
      damaged[offset] = value;
      refused(damaged);
    }
  });

  test('one signature too many or too few', () => {
    const bytes = wire();
    const more = Buffer.concat([
      Buffer.of(2),
      bytes.subarray(1, 65),
      Buffer.alloc(64, 5),
      bytes.subarray(65),
    ]);
    refused(more, /number of signatures does not match/);
    refused(Buffer.concat([Buffer.of(0), bytes.subarray(65)]), /number of signatures does not match/);
  });

  test('an account listed twice', () => {
    const damaged = wire();
    damaged.copy(damaged, HEADER + 4 + 32, HEADER + 4, HEADER + 4 + 32);
    refused(damaged, /twice/);
  });

  test('a program index that is the fee payer or out of range, and account indexes out of range', () => {
    const instruction = HEADER + 4 + 3 * 32 + 32 + 1;
    for (const [offset, value] of [
      [instruction, 0],
      [instruction, 3],
      [instruction + 2, 3],
    ] as const) {
      const damaged = wire();
      damaged[offset] = value;
      refused(damaged, /an instruction (has no program|refers)/);
    }
  });

  test('lengths in a longer form than necessary', () => {
    const bytes = wire();
    refused(Buffer.concat([Buffer.of(0x80 | bytes[0]!, 0x00), bytes.subarray(1)]));
    const accounts = HEADER + 3;
    refused(
      Buffer.concat([bytes.subarray(0, accounts), Buffer.of(0x83, 0x00), bytes.subarray(accounts + 1)]),
      /shortest/,
    );
  });

  test('unknown versions, and version 1 messages with the signatures in front', () => {
    const versioned = Buffer.from(wireOf(0, [transfer(payer.address)]));
    for (const version of [0x81, 0x82, 0xff]) {
      const damaged = Buffer.from(versioned);
      damaged[HEADER] = version;
      refused(damaged);
    }
    const message = compile(1, [transfer(payer.address)]).messageBytes as unknown as Uint8Array;
    refused(Buffer.concat([Buffer.of(1), Buffer.alloc(64), message]));
  });

  test('more bytes than a packet holds', () => {
    const memo = (length: number): Instruction => ({
      programAddress: SYSTEM_PROGRAM,
      data: new Uint8Array(length),
    });
    const largest = 1232 - wireOf('legacy', [memo(1000)]).length + 1000;
    decodeWire(wireOf('legacy', [memo(largest)]));
    refused(wireOf('legacy', [memo(largest + 1)]), /too large/);
    const largestOfVersion1 = 4096 - wireOf(1, [memo(1000)]).length + 1000;
    assert.equal(wireOf(1, [memo(largestOfVersion1)]).length, 4096);
    decodeWire(wireOf(1, [memo(largestOfVersion1)]));
    refused(Buffer.concat([wireOf(1, [memo(largestOfVersion1)]), Buffer.of(0)]), /too large/);
  });
});

describe('signatures', () => {
  test('of a different message, of a different key or with a damaged byte are invalid', () => {
    const signed = decodeWire(wireOf(0, [transfer(payer.address)]));
    const signature = Buffer.from(signed.signatures.get(payer.address)!);
    const check = (replaced: Uint8Array) =>
      verifySignatures({ ...signed, signatures: new Map([[payer.address, replaced]]) });
    assert.deepEqual(check(signature).valid, [payer.address]);
    assert.deepEqual(check(payer.sign(Buffer.from('another message'))).invalid, [payer.address]);
    assert.deepEqual(check(other.sign(signed.messageBytes)).invalid, [payer.address]);
    for (const byte of [0, 31, 32, 63]) {
      const damaged = Buffer.from(signature);
      damaged[byte]! ^= 1;
      assert.deepEqual(check(damaged).invalid, [payer.address]);
    }
  });
});

describe('base64', () => {
  test('survives a round trip', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => i & 255).subarray(3, 200);
    assert.deepEqual(new Uint8Array(fromBase64(toBase64(bytes))), new Uint8Array(bytes));
  });

  test('decoding refuses text that a lenient decoder would accept', () => {
    for (const text of ['', '=', 'a', 'AQ!=', 'AQ==AQ==', 'AR==', 'AQ= =', ' AQ==', 'AQ-_'])
      assert.throws(() => fromBase64(text), { code: 'INVALID_TRANSACTION' }, text);
  });
});
