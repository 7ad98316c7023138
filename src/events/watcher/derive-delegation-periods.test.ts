// Tests the assessment of an account and its history, and the cases in which its history is not read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBase58Decoder, type Signature } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import { numbered, SLOTS_PER_EPOCH } from '../../../test/support/scripted-watch.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { steadyHistory } from '../../../test/support/stake-account-examples.ts';
import type { LandedStakeTransaction } from '../../chain/transactions/landed-stake-transactions.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { decodeStakeAccount, NO_LOCKUP } from '../../domain/stake/stake-account.ts';
import type { StakeOperation } from '../../domain/stake/stake-operation.ts';
import { readAccountHistory } from './account-history.ts';
import {
  type AccountToAssess,
  type AssessOptions,
  deriveDelegationPeriods,
  wasDelegatedIn,
} from './derive-delegation-periods.ts';

const WALLET = numbered(1);
const VOTE = numbered(7);
const STAKE = numbered(11);
const OTHER = numbered(12);
const EPOCH = 20n;
const START = EPOCH * SLOTS_PER_EPOCH;
const LAMPORTS = 10_000_000_000n;

const stateOf = (delegation: Partial<NonNullable<StakeAccountFields['delegation']>>) => ({
  address: STAKE,
  owner: STAKE_PROGRAM,
  lamports: LAMPORTS,
  data: stakeAccountBytes({
    wallet: WALLET,
    delegation: { voteAccount: VOTE, stakeLamports: LAMPORTS, activationEpoch: 15n, ...delegation },
  }),
});
const ACTIVE = stateOf({});
const DEACTIVATED = stateOf({ deactivationEpoch: EPOCH });
const KNOWN = {
  address: STAKE,
  wallet: WALLET,
  slot: START,
  lamports: LAMPORTS,
  data: ACTIVE.data,
  delegatedEpoch: 15n,
  account: decodeStakeAccount(ACTIVE)!,
};
const DELEGATE: StakeOperation = { type: 'delegate', account: STAKE, voteAccount: VOTE };
const DEACTIVATE: StakeOperation = { type: 'deactivate', account: STAKE };
const INITIALIZE: StakeOperation = {
  type: 'initialize',
  account: STAKE,
  staker: WALLET,
  withdrawer: WALLET,
  lockup: NO_LOCKUP,
};

interface Row {
  readonly slot: bigint;
  readonly operations: readonly StakeOperation[];
  readonly succeeded?: boolean;
  /** True if no node has the transaction any longer. */
  readonly isLost?: boolean;
  readonly lamports?: bigint;
}

/** Histories by address. `asked` counts the reads. */
const chain = (rows: readonly Row[]) => {
  const asked = { signatures: 0, transactions: 0 };
  const landed = rows.map(
    ({ slot, operations, succeeded = true, isLost = false, lamports = LAMPORTS }, n) => {
      const signature = getBase58Decoder().decode(new Uint8Array(64).fill(n + 1)) as Signature;
      const balances = new Map([[STAKE, lamports]]);
      const transaction: LandedStakeTransaction = {
        signature,
        signers: [WALLET],
        slot,
        seconds: slot,
        succeeded,
        operations,
        balances,
      };
      return { signature, slot, succeeded, transaction: isLost ? null : transaction };
    },
  );
  const options: AssessOptions = {
    reads: {
      signaturesFor: async (_address, { commitment, limit }) => {
        assert.equal(commitment, 'finalized');
        asked.signatures += 1;
        return landed
          .map(({ signature, slot, succeeded }) => ({
            signature,
            slot,
            succeeded,
            memo: null,
            blockTimeSeconds: null,
          }))
          .toReversed()
          .slice(0, limit);
      },
    },
    transactions: {
      read: async (signature) => {
        asked.transactions += 1;
        return landed.find((one) => one.signature === signature)?.transaction ?? null;
      },
    },
    grid: { epoch: EPOCH, slotsInEpoch: SLOTS_PER_EPOCH, firstSlot: START },
    minSlot: START + 100n,
    signal: patience(),
    voteAccount: VOTE,
    history: steadyHistory(0n, EPOCH),
  };
  return { options, asked };
};

const question = (overrides: Partial<AccountToAssess> = {}): AccountToAssess => ({
  address: STAKE,
  wallet: WALLET,
  known: KNOWN,
  isSuspect: false,
  fromSlot: START,
  now: ACTIVE,
  slot: START + 100n,
  isLastTry: false,
  ...overrides,
});

test('the history of an unchanged account is not read', async () => {
  const { options, asked } = chain([{ slot: START + 5n, operations: [DEACTIVATE] }]);
  const rewarded = { ...ACTIVE, lamports: LAMPORTS + 77n };
  const { outcome, periods, delegatedEpoch } = await deriveDelegationPeriods(
    question({ now: rewarded }),
    options,
  );
  assert.deepEqual(
    [outcome, periods.length, periods[0]?.delegated, delegatedEpoch],
    ['assessed', 1, true, 15n],
  );
  assert.deepEqual(asked, { signatures: 0, transactions: 0 });
});

test('a suspect account is replayed even if its state is unchanged, so a change that was undone is found even without the early history', async () => {
  const born = { slot: 15n * SLOTS_PER_EPOCH, operations: [INITIALIZE, DELEGATE] };
  const undone = [
    { slot: START + 5n, operations: [DEACTIVATE] },
    { slot: START + 9n, operations: [DELEGATE] },
  ];
  const suspect = question({ isSuspect: true });
  const whole = await deriveDelegationPeriods(suspect, chain([born, ...undone]).options);
  const { options } = chain(undone);
  assert.equal((await deriveDelegationPeriods(suspect, options)).outcome, 'behind');
  const atLast = await deriveDelegationPeriods({ ...suspect, isLastTry: true }, options);
  for (const { outcome, periods } of [whole, atLast]) {
    assert.equal(outcome, 'assessed');
    const set = periods.flatMap(({ deactivations }) => deactivations.map(({ epoch, slot }) => [epoch, slot]));
    assert.deepEqual(set, [[EPOCH, START + 5n]]);
  }
});

test('a newly found account without later transactions is accepted as it is, with an unknown delegation epoch', async () => {
  const { options, asked } = chain([{ slot: START - 1n, operations: [INITIALIZE, DELEGATE] }]);
  const { periods, delegatedEpoch } = await deriveDelegationPeriods(question({ known: null }), options);
  assert.deepEqual([periods[0]?.delegated, periods[0]?.since, delegatedEpoch], [null, null, null]);
  assert.equal(asked.transactions, 0);
});

test("a history that does not lead to the account's current state yet is retried, and the last attempt uses only the account itself", async () => {
  const { options } = chain([]);
  const changed = question({ now: DEACTIVATED });
  assert.deepEqual((await deriveDelegationPeriods(changed, options)).outcome, 'behind');
  const last = await deriveDelegationPeriods({ ...changed, isLastTry: true }, options);
  assert.equal(last.outcome, 'assessed');
  assert.deepEqual(last.periods[0]?.deactivations, [{ epoch: EPOCH, slot: null, seconds: null }]);
});

test('a closed account without a history is never ignored: the last attempt records a gap', async () => {
  const { options } = chain([]);
  const gone = question({ now: null });
  assert.equal((await deriveDelegationPeriods(gone, options)).outcome, 'behind');
  assert.equal((await deriveDelegationPeriods({ ...gone, isLastTry: true }, options)).outcome, 'gap');
});

test('an account now owned by another program counts as closed', async () => {
  const { options } = chain([
    { slot: START + 5n, operations: [{ type: 'withdraw', account: STAKE, recipient: WALLET }], lamports: 0n },
  ]);
  const reused = { ...ACTIVE, owner: numbered(99) };
  const { outcome, account, periods } = await deriveDelegationPeriods(question({ now: reused }), options);
  assert.deepEqual([outcome, account], ['assessed', null]);
  assert.equal(periods[0]?.until?.slot, START + 5n);
});

test('a part split off an undelegated account is explained by the split, even if earlier history of that account is missing', async () => {
  const part = { ...ACTIVE, data: stakeAccountBytes({ wallet: WALLET }) };
  const split: StakeOperation = { type: 'split', account: OTHER, into: STAKE };
  const { options } = chain([
    { slot: START - 9n, operations: [{ ...INITIALIZE, account: OTHER }], isLost: true },
    { slot: START + 5n, operations: [split] },
  ]);
  const { outcome, periods, transactions } = await deriveDelegationPeriods(
    question({ known: null, now: part }),
    options,
  );
  assert.deepEqual([outcome, periods], ['assessed', []]);
  assert.deepEqual(
    transactions.flatMap(({ operations }) => operations.map(({ operation }) => operation)),
    [split],
  );
});

test('a delegation is proven if found, ruled out if a complete history lacks it, and otherwise unknown', async () => {
  const through = START + 100n;
  const proof = async (rows: readonly Row[]) => wasDelegatedIn(STAKE, EPOCH, through, chain(rows).options);
  const split: StakeOperation = { type: 'split', account: OTHER, into: STAKE };
  assert.equal(await proof([{ slot: START + 1n, operations: [INITIALIZE, DELEGATE] }]), true);
  assert.equal(await proof([{ slot: START + 1n, operations: [split] }]), false);
  assert.equal(await proof([{ slot: START - 1n, operations: [DELEGATE] }]), false);
  assert.equal(await proof([{ slot: START + 1n, operations: [DELEGATE], isLost: true }]), null);
  assert.equal(await proof([{ slot: START + 1n, operations: [DELEGATE], succeeded: false }]), null);
  assert.equal(await proof([]), null);
  const lostAndFound = [
    { slot: START + 1n, operations: [DELEGATE] },
    { slot: START + 2n, operations: [], isLost: true },
  ];
  assert.equal(await proof(lostAndFound), true);
});

test('steps cover whole slots in order and only successful transactions within the range, and incomplete histories are flagged', async () => {
  const rows: readonly Row[] = [
    { slot: START - 5n, operations: [INITIALIZE] },
    { slot: START + 1n, operations: [DELEGATE] },
    { slot: START + 1n, operations: [DEACTIVATE], lamports: 5n },
    { slot: START + 2n, operations: [DELEGATE], succeeded: false },
    { slot: START + 3n, operations: [{ type: 'withdraw', recipient: WALLET, account: OTHER }], lamports: 4n },
    { slot: START + 200n, operations: [DELEGATE] },
  ];
  const read = (given: readonly Row[], after: bigint | null) =>
    readAccountHistory(chain(given).options, STAKE, { after, through: START + 100n });
  const { steps, isComplete } = await read(rows, START);
  assert.equal(isComplete, true);
  assert.deepEqual(steps, [
    {
      slot: START + 1n,
      epoch: EPOCH,
      seconds: START + 1n,
      operations: [DELEGATE, DEACTIVATE],
      lamportsAfter: 5n,
    },
    { slot: START + 3n, epoch: EPOCH, seconds: START + 3n, operations: [], lamportsAfter: 4n },
  ]);
  const [first] = (await read(rows, null)).steps;
  assert.deepEqual([first?.slot, first?.epoch], [START - 5n, EPOCH - 1n]);
  assert.equal(
    (await read([...rows, { slot: START + 4n, operations: [], isLost: true }], START)).isComplete,
    false,
  );
});

test('a history longer than a node returns is incomplete unless the returned part reaches back far enough', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => ({ slot: START + BigInt(n), operations: [] }));
  const read = async (after: bigint | null) =>
    (await readAccountHistory(chain(many).options, STAKE, { after, through: START + 2_000n })).isComplete;
  assert.equal(await read(null), false);
  assert.equal(await read(START - 1n), false);
  assert.equal(await read(START), true);
});
