// Every built message equals what kit compiles, contains the requested values, and fits into a packet.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { MEMO_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { type BuiltTransaction, buildTransaction, encodeWire } from './transaction.ts';
import { decodeWire } from './wire-transaction.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, stakeAccount, voteAccount, donationAddress] = [key(11), key(12), key(13), key(14)] as [
  Address,
  Address,
  Address,
  Address,
];
const common = { wallet, memo: 'example.org', blockhash: key(15) };

describe('built transactions', () => {
  test('a stake consists of exactly create account, initialize, delegate and memo, in this order', () => {
    const built = buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 1_500_000_000n });
    assert.deepEqual(
      built.instructions.map(({ data }) => data),
      [
        {
          type: 'system.createAccount',
          from: wallet,
          newAccount: stakeAccount,
          lamports: 1_500_000_000n,
          space: 200n,
          owner: STAKE_PROGRAM,
        },
        {
          type: 'stake.initialize',
          stakeAccount,
          staker: wallet,
          withdrawer: wallet,
          lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
        },
        { type: 'stake.delegateStake', stakeAccount, voteAccount, stakeAuthority: wallet },
        { type: 'memo', text: 'example.org' },
      ],
    );
    assert.deepEqual(built.requiredSigners, [wallet, stakeAccount]);
    assert.equal(built.feePayer, wallet);
    assert.equal(built.networkFeeLamports, 10_000n);
    assert.equal(built.instructions[3]?.programId, MEMO_PROGRAM);
  });

  test('an unstake deactivates the account and contains the memo', () => {
    const built = buildTransaction.unstake({ ...common, stakeAccount });
    assert.deepEqual(
      built.instructions.map(({ data }) => data),
      [
        { type: 'stake.deactivate', stakeAccount, stakeAuthority: wallet },
        { type: 'memo', text: 'example.org' },
      ],
    );
    assert.deepEqual([built.requiredSigners, built.networkFeeLamports], [[wallet], 5_000n]);
  });

  test('a withdrawal goes to the wallet unless a recipient is given, and a custodian other than the wallet signs too', () => {
    const plain = buildTransaction.withdraw({ ...common, stakeAccount, lamports: 7n });
    const fields = { type: 'stake.withdraw', stakeAccount, withdrawAuthority: wallet, lamports: 7n };
    assert.deepEqual(plain.instructions[0]?.data, { ...fields, recipient: wallet, custodian: null });
    const custodian = key(3);
    const full = buildTransaction.withdraw({
      ...common,
      stakeAccount,
      lamports: 7n,
      recipient: key(4),
      custodian,
    });
    assert.deepEqual(full.instructions[0]?.data, { ...fields, recipient: key(4), custodian });
    assert.deepEqual(full.requiredSigners, [wallet, custodian]);
    const own = buildTransaction.withdraw({ ...common, stakeAccount, lamports: 7n, custodian: wallet });
    assert.deepEqual(own.requiredSigners, [wallet]);
    assert.deepEqual(own.instructions[0]?.data, { ...fields, recipient: wallet, custodian: wallet });
  });

  test('a donation is a transfer to the donation address and contains the memo', () => {
    const built = buildTransaction.donate({ ...common, donationAddress, lamports: 1_000_000n });
    assert.deepEqual(
      built.instructions.map(({ data }) => data),
      [
        { type: 'system.transfer', from: wallet, to: donationAddress, lamports: 1_000_000n },
        { type: 'memo', text: 'example.org' },
      ],
    );
  });

  test('summaries contain the amount and the parties, and every account has a role', () => {
    const { instructions } = buildTransaction.stake({
      ...common,
      stakeAccount,
      voteAccount,
      lamports: 1_500_000_000n,
    });
    assert.match(instructions[0]!.summary, new RegExp(`1\\.5 SOL from ${wallet}`));
    assert.match(instructions[2]!.summary, new RegExp(voteAccount));
    assert.deepEqual(
      instructions[2]!.accounts.map(({ role }) => role),
      [
        'stake account',
        'vote account',
        'clock sysvar',
        'stake history sysvar',
        'stake config',
        'stake authority',
      ],
    );
  });

  test('every kind of transaction is described as if decoded from its bytes, with and without a template', () => {
    const account = { ...common, stakeAccount };
    const builds: Record<TransactionKind, (memo: string, version: 'legacy' | 0) => BuiltTransaction> = {
      stake: (memo, version) =>
        buildTransaction.stake({ ...account, memo, version, voteAccount, lamports: 1_500_000_000n }),
      unstake: (memo, version) => buildTransaction.unstake({ ...account, memo, version }),
      withdraw: (memo, version) =>
        buildTransaction.withdraw({ ...account, memo, version, lamports: 7n, custodian: key(3) }),
      restake: (memo, version) => buildTransaction.restake({ ...account, memo, version, voteAccount }),
      donate: (memo, version) =>
        buildTransaction.donate({ ...common, memo, version, donationAddress, lamports: 9n }),
      rearrange: (memo, version) =>
        buildTransaction.rearrange({
          ...common,
          memo,
          version,
          operations: [
            { type: 'create', account: key(5), payer: wallet, lamports: 1n },
            { type: 'split', account: stakeAccount, into: key(5), lamports: 2n, authority: wallet },
            { type: 'merge', account: stakeAccount, from: key(6), authority: wallet },
            { type: 'delegate', account: key(6), voteAccount, authority: wallet },
          ],
        }),
    };
    for (const memo of ['example.org', 'bewährt ✓'])
      for (const version of ['legacy', 0] as const)
        for (const build of Object.values(builds))
          for (const built of [build(memo, version), build(memo, version)]) {
            const decoded = decodeWire(encodeWire(built));
            assert.deepEqual(built.instructions, decoded.instructions);
            assert.deepEqual(built.requiredSigners, decoded.requiredSigners);
            assert.equal(built.version, decoded.version);
            assert.equal(built.networkFeeLamports, decoded.networkFeeLamports);
          }
    for (const given of [wallet, key(200)]) {
      const swapped = { ...common, stakeAccount: given, recipient: key(1), lamports: 3n };
      const built = buildTransaction.withdraw(swapped);
      assert.deepEqual(built.instructions, decodeWire(encodeWire(built)).instructions);
    }
  });

  test('if the first stake with a memo names the wallet as stake account, later stakes with that memo are still built correctly', () => {
    const memo = 'odd first';
    const odd = buildTransaction.stake({ ...common, memo, stakeAccount: wallet, voteAccount, lamports: 1n });
    assert.deepEqual(odd.requiredSigners, [wallet]);
    const even = buildTransaction.stake({ ...common, memo, stakeAccount, voteAccount, lamports: 1n });
    assert.deepEqual(even.requiredSigners, [wallet, stakeAccount]);
    assert.equal(even.instructions[0]?.accounts[1]?.address, stakeAccount);
  });

  test('amounts beyond 64 bits are refused instead of wrapped, and invalid keys are refused', () => {
    const stake = { ...common, stakeAccount, voteAccount, lamports: 1n };
    buildTransaction.stake(stake);
    for (const lamports of [-1n, 2n ** 64n])
      assert.throws(() => buildTransaction.stake({ ...stake, lamports }), RangeError);
    assert.throws(() => buildTransaction.stake({ ...stake, wallet: 'short' as Address }));
    assert.throws(() => buildTransaction.stake({ ...stake, blockhash: '0'.repeat(44) }), RangeError);
  });
});

describe('wire bytes', () => {
  const built = buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 1n });

  test('missing signatures are 64 zero bytes, and known signatures are at their signer’s position', () => {
    const signature = new Uint8Array(64).fill(9);
    const decoded = decodeWire(encodeWire(built, new Map([[stakeAccount, signature]])));
    assert.deepEqual(
      [...decoded.signatures],
      [
        [wallet, null],
        [stakeAccount, signature],
      ],
    );
    assert.equal(decoded.signature, null);
    assert.deepEqual(decoded.messageBytes, built.messageBytes);
  });

  test('a signature from a non-signer or of the wrong length is a programming error', () => {
    assert.throws(() => encodeWire(built, new Map([[voteAccount, new Uint8Array(64)]])), RangeError);
    assert.throws(() => encodeWire(built, new Map([[wallet, new Uint8Array(63)]])), RangeError);
  });
});
