import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountRole, type Address, createNoopSigner, type Instruction, type Signature } from '@solana/kit';
import { getAuthorizeInstruction, StakeAuthorize } from '@solana-program/stake';
import { getTransferSolInstruction } from '@solana-program/system';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey, PLAN } from '../../../test/support/plan-context.ts';
import { compileUnsigned } from '../../../test/support/truth-message.ts';
import type { ReadOptions } from '../../chain/ports.ts';
import { createSearchBudget } from '../../chain/rpc/search-budget.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { parseMessage } from '../../chain/transactions/wire-message.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { createRewardMemory } from '../../chain/validator/reward-cache.ts';
import type { MachineOperation } from '../../domain/machine/stake-machine-state.ts';
import type { Context } from '../context.ts';
import { readMovements } from './account-movements.ts';

const { wallet, stakeAccount: ACCOUNT, voteAccount, memo } = PLAN;
const OTHER = exampleKey(40);
const owner = createNoopSigner(wallet);
const common = { wallet, memo, blockhash: exampleKey(9) };

const opening = (lamports: bigint, stakeAccount: Address = ACCOUNT) =>
  encodeWire(buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports }));
const withdrawal = (lamports: bigint, stakeAccount: Address = ACCOUNT, recipient: Address = wallet) =>
  encodeWire(buildTransaction.withdraw({ ...common, stakeAccount, recipient, lamports }));
const unstake = encodeWire(buildTransaction.unstake({ ...common, stakeAccount: ACCOUNT }));

const rearranged = (...operations: readonly MachineOperation[]): Uint8Array =>
  encodeWire(buildTransaction.rearrange({ ...common, operations }));

/** Encodes a transaction with arbitrary instructions, as another program of the owner might send. */
const foreign = (...instructions: Instruction[]): Uint8Array => {
  const { messageBytes, signatures } = compileUnsigned(wallet, instructions);
  return encodeWire({
    messageBytes: messageBytes as unknown as Uint8Array,
    requiredSigners: Object.keys(signatures) as Address[],
  });
};
const transfer = (destination: Address, amount: bigint) =>
  getTransferSolInstruction({ source: owner, destination, amount });

/** A landed transaction. Epoch 20 begins in slot 10,000, and every epoch has 1,000 slots. */
interface Landed {
  readonly slot: number;
  /** Balances before and after the transaction. */
  readonly before?: ReadonlyMap<Address, bigint>;
  readonly after?: ReadonlyMap<Address, bigint>;
  readonly wire: Uint8Array | null;
  readonly succeeded?: boolean;
}

/** Opens a chain with the transactions `landed`, newest first, finalized up to slot 10,500. */
const open = (landed: readonly Landed[], { calls = 1_000, rows = landed.length } = {}) => {
  const rewardMemory = createRewardMemory();
  const asked: ReadOptions[] = [];
  const reads = {
    signaturesFor: async (_account: Address, options: ReadOptions) => {
      asked.push(options);
      return Array.from({ length: rows }, (_, i) => ({
        signature: `signature ${i}`,
        memo: null,
        blockTimeSeconds: null,
        slot: BigInt(landed[i]?.slot ?? 1),
        succeeded: landed[i]?.succeeded ?? false,
      }));
    },
    transaction: async (signature: Signature) => {
      const { wire, before, after } = landed[Number(signature.split(' ')[1])] ?? {};
      if (!wire) return null;
      const [preBalances, postBalances] = [before, after].map(
        (balances) =>
          balances &&
          parseMessage(decodeWire(wire).messageBytes).staticAccounts.map(
            (address) => balances.get(address) ?? 0n,
          ),
      );
      return { slot: 1n, wireBytes: wire, preBalances, postBalances, error: null, blockTimeSeconds: null };
    },
  };
  const position = { epoch: 20n, absoluteSlot: 10_600n, slotIndex: 600n, slotsInEpoch: 1_000n };
  const ctx = { chain: { reads, rewardMemory, cluster: { recentEpochPosition: async () => position } } };
  const read = (burst = calls) =>
    readMovements(
      {
        ctx: ctx as unknown as Context,
        budget: createSearchBudget(() => 0, { burst, perSecond: 0 }),
        finalizedSlot: 10_500n,
        signal: patience(),
      },
      ACCOUNT,
    );
  return { read, asked };
};

const NOTHING = { movements: [], datedTips: [], delegationChanges: [] };

const at = (slot: number, wire: Uint8Array | null): Landed => ({ slot, wire, succeeded: true });

test('splits, moves and merges are exact to the lamport, even if one transaction contains several', async () => {
  const authority = wallet;
  const [child, third] = [exampleKey(41), exampleKey(42)];
  const movedBy = async (
    before: ReadonlyMap<Address, bigint>,
    ...operations: readonly MachineOperation[]
  ): Promise<bigint> => {
    const { read } = open([{ ...at(9_000, rearranged(...operations)), before }]);
    const { movements } = (await read())!;
    return movements.reduce((sum, { lamports }) => sum + lamports, 0n);
  };
  const split = { type: 'split', account: ACCOUNT, into: child, lamports: 30n, authority } as const;
  const move = { type: 'moveStake', account: ACCOUNT, into: OTHER, lamports: 4n, authority } as const;
  const merge = { type: 'merge', account: ACCOUNT, from: OTHER, authority } as const;
  const held = new Map([
    [ACCOUNT, 100n],
    [OTHER, 50n],
    [third, 7n],
  ]);
  assert.equal(await movedBy(held, split), -30n);
  assert.equal(await movedBy(held, { ...split, account: OTHER, into: ACCOUNT }), 30n);
  assert.equal(await movedBy(held, move), -4n);
  assert.equal(await movedBy(held, { ...move, type: 'moveLamports', account: OTHER, into: ACCOUNT }), 4n);
  assert.equal(await movedBy(held, merge), 50n);
  assert.equal(await movedBy(held, { ...merge, account: OTHER, from: ACCOUNT }), -100n);
  // Deposits into the merged account in the same transaction are counted exactly once.
  assert.equal(await movedBy(held, move, { ...merge, account: OTHER, from: third }, merge), 57n);
});

test('creation, deposits and withdrawals are reported by epoch, and transactions that move nothing are omitted', async () => {
  const { read } = open([
    at(10_500, withdrawal(3n)),
    at(9_999, foreign(transfer(ACCOUNT, 5n), transfer(ACCOUNT, 7n))),
    at(9_001, unstake),
    at(8_000, withdrawal(2n, OTHER, ACCOUNT)),
    at(7_000, opening(100n)),
  ]);
  assert.deepEqual(await read(), {
    opening: { epoch: 17n, lamports: 100n },
    movements: [
      { epoch: 20n, lamports: -3n },
      { epoch: 19n, lamports: 5n },
      { epoch: 19n, lamports: 7n },
      { epoch: 18n, lamports: 2n },
    ],
    datedTips: [],
    delegationChanges: [
      { epoch: 17n, to: 'activating', voteAccount },
      { epoch: 19n, to: 'deactivating' },
    ],
  });
});

test('lamports that another program adds are a dated tip, and those that it removes are a movement, in addition to the understood instructions', async () => {
  const claim: Instruction = {
    programAddress: exampleKey(43),
    accounts: [{ address: ACCOUNT, role: AccountRole.WRITABLE }],
    data: new Uint8Array([1]),
  };
  const holding = (lamports: bigint) => new Map([[ACCOUNT, lamports]]);
  const { read } = open([
    { ...at(10_200, foreign(claim)), before: holding(112n), after: holding(110n) },
    { ...at(9_500, foreign(claim, transfer(ACCOUNT, 5n))), before: holding(100n), after: holding(112n) },
    { ...at(9_400, foreign(claim)), before: holding(100n) },
    { ...at(7_000, opening(100n)), before: holding(0n), after: holding(100n) },
  ]);
  const { opening: opened, movements, datedTips } = (await read())!;
  assert.deepEqual(opened, { epoch: 17n, lamports: 100n });
  assert.deepEqual(datedTips, [{ epoch: 19n, lamports: 7n }], 'without balances, the tip has no date');
  assert.deepEqual(movements, [
    { epoch: 20n, lamports: -2n },
    { epoch: 19n, lamports: 5n },
  ]);
});

test('failed transactions and transactions of other accounts are not movements', async () => {
  const { read } = open([
    { slot: 9_000, wire: withdrawal(3n), succeeded: false },
    at(8_000, foreign(transfer(OTHER, 5n))),
    at(7_000, opening(100n, OTHER)),
  ]);
  assert.deepEqual(await read(), { opening: null, ...NOTHING });
});

test('a transaction after the slot of the balance is not counted', async () => {
  const { read, asked } = open([at(10_501, withdrawal(90n)), at(10_500, opening(100n))]);
  assert.deepEqual(await read(), {
    opening: { epoch: 20n, lamports: 100n },
    ...NOTHING,
    delegationChanges: [{ epoch: 20n, to: 'activating', voteAccount }],
  });
  assert.equal(asked[0]?.minContextSlot, 10_500n, 'nodes behind that slot are not queried');
});

const unreadable: readonly (readonly [what: string, landed: readonly Landed[], options?: object])[] = [
  [
    'an account that was closed and created again',
    [at(9_000, opening(5n)), at(8_000, withdrawal(100n)), at(7_000, opening(100n))],
  ],
  [
    'a merge of an account with an unknown balance',
    [at(9_000, rearranged({ type: 'merge', account: ACCOUNT, from: OTHER, authority: wallet }))],
  ],
  [
    'a transfer out of the account',
    [
      at(
        9_000,
        foreign(
          getTransferSolInstruction({ source: createNoopSigner(ACCOUNT), destination: OTHER, amount: 1n }),
        ),
      ),
    ],
  ],
  ['bytes that are not a transaction', [at(9_000, new Uint8Array([1, 2, 3]))]],
  ['a transaction that no node has any more', [at(9_000, null)]],
  ['1,000 signatures: there may be more', [], { rows: 1_000 }],
];
for (const [what, landed, options] of unreadable)
  test(`movements are null if there is ${what}`, async () => {
    assert.equal(await open(landed, options).read(), null);
  });

test('999 signatures, five years of tips, are read, and failed transactions cost no call', async () => {
  assert.deepEqual(await open([], { rows: 999, calls: 1 }).read(), { opening: null, ...NOTHING });
});

test('a new authority moves no lamports', async () => {
  const [stake, authority] = [ACCOUNT, owner];
  const authorize = { stake, authority, arg0: OTHER, arg1: StakeAuthorize.Staker };
  const { read } = open([at(9_000, foreign(getAuthorizeInstruction(authorize)))]);
  assert.deepEqual(await read(), { opening: null, ...NOTHING });
});

test('results are cached, so a later call completes a search that ran out of budget', async () => {
  const { read } = open([at(9_000, withdrawal(3n)), at(7_000, opening(100n))]);
  assert.equal(await read(0), null);
  assert.equal(await read(2), null);
  assert.equal((await read(2))?.movements.length, 1);
  assert.equal((await read(1))?.opening?.lamports, 100n);
});
