// Checks with kit that the hand-written transactions decode as intended: each account once with its highest
// requested privileges, and every signature valid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Address,
  blockhash,
  createNoopSigner,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  isSignerRole,
  isWritableRole,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { decodeBase58 } from '../base58.ts';
import { sandboxKey } from '../sandbox-keys.ts';
import {
  type AccountMeta,
  computeUnitLimitInstruction,
  createAccountInstruction,
  type Instruction,
  signTransaction,
  transferInstruction,
} from './legacy-transaction.ts';

const BLOCKHASH = sandboxKey('a blockhash').address;
const KEYS = [0, 1, 2, 3].map((number) => sandboxKey(`test ${number}`));
const [PAYER, SECOND, THIRD] = KEYS as [(typeof KEYS)[0], (typeof KEYS)[0], (typeof KEYS)[0]];

/** Decodes a message with kit and returns the addresses in the order of the message. */
const read = ({ wireBase64 }: { wireBase64: string }) => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(Buffer.from(wireBase64, 'base64'));
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const message = decompileTransactionMessage(compiled);
  return { messageBytes, signatures, compiled, message };
};

test('a legacy transaction lists each account once with all its required roles, and all its signatures are valid', async () => {
  const random = seededRandom(11);
  const pick = (below: number): number => Math.floor(random() * below);
  for (let round = 0; round < 40; round += 1) {
    const instructions: Instruction[] = Array.from({ length: 1 + pick(4) }, () => ({
      programId: sandboxKey(`program ${pick(3)}`).address,
      accounts: Array.from({ length: pick(6) }, (): AccountMeta => {
        const address = KEYS[pick(KEYS.length)]!.address;
        return { address, signer: random() < 0.3, writable: random() < 0.5 };
      }),
      data: Uint8Array.from({ length: pick(127) }, () => pick(256)),
    }));
    const signed = signTransaction(KEYS as never, BLOCKHASH, instructions);
    const { messageBytes, signatures, compiled, message } = read(signed);
    assert.equal(compiled.staticAccounts[0], PAYER.address);
    assert.equal(new Set(compiled.staticAccounts).size, compiled.staticAccounts.length);
    assert.equal(compiled.lifetimeToken, BLOCKHASH);
    const wanted = new Set([PAYER.address]);
    for (const { accounts } of instructions)
      for (const { address, signer } of accounts) if (signer) wanted.add(address);
    assert.deepEqual(new Set(Object.keys(signatures)), wanted);
    for (const [address, signature] of Object.entries(signatures)) {
      const key = await getPublicKeyFromAddress(address as Address);
      assert.ok(await verifySignature(key, signature as SignatureBytes, messageBytes));
    }
    const all = instructions.flatMap(({ accounts }) => accounts);
    const rightOf = (right: 'signer' | 'writable', address: string): boolean =>
      address === PAYER.address || all.some((meta) => meta.address === address && meta[right]);
    for (const [index, { programId, accounts, data }] of instructions.entries()) {
      const found = message.instructions[index]!;
      assert.equal(found.programAddress, programId);
      assert.deepEqual(Buffer.from(found.data ?? []), Buffer.from(data));
      assert.deepEqual(
        (found.accounts ?? []).map(({ address, role }) => [
          address,
          isSignerRole(role),
          isWritableRole(role),
        ]),
        accounts.map(({ address }) => [address, rightOf('signer', address), rightOf('writable', address)]),
      );
    }
  }
});

test('the id of a transaction is the signature of its fee payer', () => {
  const signed = signTransaction([PAYER], BLOCKHASH, [
    transferInstruction(PAYER.address, SECOND.address, 1n),
  ]);
  assert.deepEqual(
    decodeBase58(signed.signature),
    new Uint8Array(read(signed).signatures[PAYER.address as Address]!),
  );
  assert.equal(blockhash(read(signed).compiled.lifetimeToken), BLOCKHASH);
});

test('transfers and new accounts are encoded as the System program expects, exact to the lamport', () => {
  for (const lamports of [0n, 1n, 2n ** 53n + 1n, 2n ** 64n - 1n]) {
    const source = createNoopSigner(PAYER.address as Address);
    const newAccount = createNoopSigner(SECOND.address as Address);
    const [destination, owner] = [SECOND.address as Address, THIRD.address as Address];
    const transfer = getTransferSolInstruction({ source, destination, amount: lamports });
    assert.deepEqual(
      Buffer.from(transferInstruction(PAYER.address, SECOND.address, lamports).data),
      Buffer.from(transfer.data),
    );
    const created = getCreateAccountInstruction({
      payer: source,
      newAccount,
      lamports,
      space: 3_762n,
      programAddress: owner,
    });
    const input = { from: PAYER.address, newAccount: SECOND.address, lamports, space: 3_762, owner };
    assert.deepEqual(Buffer.from(createAccountInstruction(input).data), Buffer.from(created.data));
  }
  assert.throws(() => transferInstruction(PAYER.address, SECOND.address, 2n ** 64n), RangeError);
  assert.throws(() => transferInstruction(PAYER.address, SECOND.address, -1n), RangeError);
});

test('two transfers that differ only in their compute budget have different ids', () => {
  const signed = [200_000, 200_001].map((units) =>
    signTransaction([PAYER], BLOCKHASH, [
      computeUnitLimitInstruction(units),
      transferInstruction(PAYER.address, SECOND.address, 1n),
    ]),
  );
  assert.notEqual(signed[0]?.signature, signed[1]?.signature);
});

test('building a legacy transaction fails if a key is missing, an address is invalid or a length needs more than one byte', () => {
  const from = (...accounts: AccountMeta[]): Instruction => ({
    programId: THIRD.address,
    accounts,
    data: new Uint8Array(0),
  });
  const sign = (...instructions: Instruction[]) => signTransaction([PAYER], BLOCKHASH, instructions);
  assert.throws(
    () => sign(from({ address: SECOND.address, signer: true, writable: false })),
    /No key was given/,
  );
  assert.throws(() => sign(from({ address: 'nobody', signer: false, writable: false })), /not an address/);
  assert.throws(() => signTransaction([PAYER], '0OIl', [from()]), /not a blockhash/);
  const meta = { address: PAYER.address, signer: false, writable: false };
  assert.equal(sign(from(...Array<AccountMeta>(127).fill(meta))).signature.length > 80, true);
  assert.throws(() => sign(from(...Array<AccountMeta>(128).fill(meta))), RangeError);
  assert.throws(() => sign({ ...from(), data: new Uint8Array(128) }), RangeError);
});
