// Checks that the service's own decoder reads back credits written into a vote account of any shape, and that
// nothing else in the account changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { decodeVoteState } from '../../src/chain/validator/validator-vote-state.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { decodeAddress } from '../base58.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import { sandboxKey } from '../sandbox-keys.ts';
import { OwnValidator } from './sandbox-validator.ts';
import {
  createVoteAccountInstructions,
  readVoteState,
  totalCredits,
  VOTE_ACCOUNT_SPACE,
  VOTE_PROGRAM,
  withEpochCredits,
  withNode,
} from './vote-account.ts';

const [NODE, OTHER] = [sandboxKey('a node').address, sandboxKey('another node').address];
const VOTE_END = { epoch: 70n, earned: 5n, lastVoteSlot: 30_672_000n, unixTimestamp: 1_800_000_000n };
const COMMISSION_BPS = 712;

/** Creates a VoteStateV4 with the given numbers of votes, voters and credit epochs. All other bytes are random. */
const accountOf = ({
  bls = false,
  votes = 0,
  root = false,
  voters = 1,
  epochs = 0,
  seed = 1,
} = {}): Buffer => {
  const random = seededRandom(seed);
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  const u64 = (value: number | bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  const commission = Buffer.alloc(2);
  commission.writeUInt16LE(COMMISSION_BPS);
  const credits = Array.from({ length: epochs }, (_, index) =>
    Buffer.concat([u64(index), u64((index + 1) * 10), u64(index * 10)]),
  );
  const account = Buffer.alloc(VOTE_ACCOUNT_SPACE);
  Buffer.concat([
    Buffer.of(3, 0, 0, 0),
    decodeAddress(NODE)!,
    noise(96),
    commission,
    noise(10),
    bls ? Buffer.concat([Buffer.of(1), noise(48)]) : Buffer.of(0),
    u64(votes),
    noise(votes * 13),
    root ? Buffer.concat([Buffer.of(1), noise(8)]) : Buffer.of(0),
    u64(voters),
    noise(voters * 40),
    u64(epochs),
    ...credits,
    noise(16),
  ]).copy(account);
  return account;
};
const decoded = (data: Buffer) => decodeVoteState({ owner: VOTE_PROGRAM as Address, data })!;

test('in every account layout, new credits follow the earlier ones, the tower is filled, and other bytes stay unchanged', () => {
  for (const bls of [false, true])
    for (const votes of [0, 1, 31])
      for (const root of [false, true])
        for (const voters of [0, 1, 4])
          for (const epochs of [0, 1, 63]) {
            const before = accountOf({ bls, votes, root, voters, epochs });
            const original = Buffer.from(before);
            const after = withEpochCredits(before, VOTE_END);
            assert.deepEqual(before, original, 'the input is not modified');
            const state = decoded(after);
            const previousCredits = BigInt(epochs * 10);
            assert.deepEqual(state.epochCredits.slice(0, -1), decoded(before).epochCredits);
            assert.deepEqual(state.epochCredits.at(-1), {
              epoch: 70n,
              credits: previousCredits + 5n,
              previousCredits,
            });
            assert.deepEqual([state.lastVoteSlot, state.rootSlot], [30_672_000n, 30_671_969n]);
            assert.equal(state.meanVoteLatencySlots, 1);
            const votesAt = 145 + (bls ? 48 : 0);
            assert.deepEqual(after.subarray(0, votesAt), before.subarray(0, votesAt));
            assert.deepEqual(readVoteState(after)?.epochCredits, state.epochCredits);
          }
});

test('after 65 epochs, the newest 64 are kept, the size is unchanged, and the last timestamp follows the credits', () => {
  let account = accountOf({ votes: 31, root: true });
  for (let epoch = 1n; epoch <= 65n; epoch += 1n)
    account = withEpochCredits(account, { ...VOTE_END, epoch, lastVoteSlot: epoch * 1_000n });
  const state = readVoteState(account)!;
  assert.deepEqual(
    [state.epochCredits.length, state.epochCredits[0]?.epoch, totalCredits(state), account.length],
    [64, 2n, 325n, VOTE_ACCOUNT_SPACE],
  );
  assert.equal(state.commissionBps, COMMISSION_BPS);
  const timestampAt = 145 + 8 + 31 * 13 + 9 + 8 + 40 + 8 + 64 * 24;
  assert.equal(account.readBigUInt64LE(timestampAt), 65_000n);
  assert.equal(account.readBigInt64LE(timestampAt + 8), 1_800_000_000n);
  assert.ok(account.subarray(timestampAt + 16).every((byte) => byte === 0));
});

test('no bytes of the longer data remain when the data shrinks', () => {
  const long = accountOf({ votes: 40, root: true, epochs: 63 });
  const written = withEpochCredits(long, VOTE_END);
  const end = 145 + 8 + 31 * 13 + 9 + 8 + 40 + 8 + 64 * 24 + 16;
  assert.ok(written.subarray(end).every((byte) => byte === 0));
});

test('an account that is not a vote account of this layout is rejected and left unchanged', () => {
  const short = accountOf().subarray(0, VOTE_ACCOUNT_SPACE - 1);
  const older = accountOf();
  older.writeUInt32LE(2, 0);
  for (const data of [Buffer.alloc(VOTE_ACCOUNT_SPACE), Buffer.alloc(0), short, older]) {
    assert.equal(readVoteState(data), null);
    assert.equal(withEpochCredits(data, VOTE_END), data);
  }
  assert.equal(totalCredits(readVoteState(accountOf())!), 0n);
});

test('a copy can be assigned to a different node, but not to an invalid address', () => {
  const account = accountOf({ epochs: 3 });
  const copy = withNode(account, OTHER, 500);
  assert.deepEqual([decoded(copy).identity, decoded(account).identity], [OTHER, NODE]);
  assert.deepEqual(readVoteState(copy), {
    ...readVoteState(account),
    nodeAddressBytes: copy.subarray(4, 36),
    commissionBps: 500,
  });
  assert.throws(() => withNode(account, 'nobody', 500), TypeError);
  const input = { funder: NODE, voteAccount: OTHER, identity: NODE, withdrawer: OTHER, lamports: 1n };
  assert.throws(() => createVoteAccountInstructions({ ...input, withdrawer: 'nobody' }), TypeError);
  const [, initialize] = createVoteAccountInstructions(input);
  assert.deepEqual(
    initialize?.accounts.filter(({ signer }) => signer).map(({ address }) => address),
    [NODE],
  );
});

test('a vote reads the account only if an account has changed since the last vote', async () => {
  let data = accountOf({ epochs: 2 });
  const calls: string[] = [];
  const client = {
    call: async (method: string) => {
      calls.push(method);
      return { value: { lamports: 5, data: [data.toString('base64'), 'base64'], owner: VOTE_PROGRAM } };
    },
    setAccount: async (account: { readonly data: Buffer }) => {
      calls.push('write');
      data = account.data;
    },
  } as unknown as RuntimeClient;
  const own = new OwnValidator(client, NODE);
  for (const [slot, changes] of [
    [100, 0],
    [200, 0],
    [300, 0],
    [310, 0],
    [400, 1],
    [500, 1],
  ] as const)
    await own.voteOn(slot, changes);
  assert.deepEqual(calls, ['getAccountInfo', 'write', 'write', 'write', 'getAccountInfo', 'write', 'write']);
  assert.equal(decoded(data).lastVoteSlot, 500n);
});
