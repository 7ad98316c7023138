// Creates vote accounts through the real Vote program and writes votes and credits directly, because the
// sandbox sends no vote transactions.

import { decodeAddress } from '../base58.ts';
import { createAccountInstruction, type Instruction } from '../gateway/legacy-transaction.ts';
import { CLOCK_SYSVAR, RENT_SYSVAR } from './encode-sysvars.ts';

export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';
export const VOTE_ACCOUNT_SPACE = 3_762;

/** Number of epochs for which a vote account stores credits, oldest first. */
const EPOCH_CREDITS_MAX = 64;
const TOWER_HEIGHT = 31;
const STATE_V4 = 3;
const COMMISSION_BPS_OFFSET = 132;
const REVENUE_COMMISSION_BPS_OFFSET = 134;
const BLS_KEY_OFFSET = 144;

/** Total credits before and after one epoch. */
export type EpochCredits = {
  readonly epoch: bigint;
  readonly credits: bigint;
  readonly previousCredits: bigint;
};

type VoteState = {
  readonly nodeAddressBytes: Buffer;
  readonly commissionBps: number;
  readonly epochCredits: readonly EpochCredits[];
};

/**
 * Builds the instructions that create a vote account with commission 0. The funder, the vote key and the
 * identity sign.
 */
export function createVoteAccountInstructions(input: {
  funder: string;
  voteAccount: string;
  identity: string;
  withdrawer: string;
  lamports: bigint;
}): Instruction[] {
  const identity = decodeAddress(input.identity);
  const withdrawer = decodeAddress(input.withdrawer);
  if (identity === null || withdrawer === null) throw new TypeError('A vote authority is not an address.');
  // InitializeAccount (tag 0): node, voter, withdrawer, commission percentage.
  const data = Buffer.concat([Buffer.alloc(4), identity, identity, withdrawer, Buffer.from([0])]);
  const readonly = { signer: false, writable: false };
  return [
    createAccountInstruction({
      from: input.funder,
      newAccount: input.voteAccount,
      lamports: input.lamports,
      space: VOTE_ACCOUNT_SPACE,
      owner: VOTE_PROGRAM,
    }),
    {
      programId: VOTE_PROGRAM,
      accounts: [
        { address: input.voteAccount, signer: false, writable: true },
        { address: RENT_SYSVAR, ...readonly },
        { address: CLOCK_SYSVAR, ...readonly },
        { address: input.identity, signer: true, writable: false },
      ],
      data,
    },
  ];
}

/** Builds the instruction that sends lamports of a vote account to any account. The withdrawer signs. */
export function withdrawInstruction(input: {
  voteAccount: string;
  to: string;
  withdrawer: string;
  lamports: bigint;
}): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(3, 0);
  data.writeBigUInt64LE(input.lamports, 4);
  return {
    programId: VOTE_PROGRAM,
    accounts: [
      { address: input.voteAccount, signer: false, writable: true },
      { address: input.to, signer: false, writable: true },
      { address: input.withdrawer, signer: true, writable: false },
    ],
    data,
  };
}

type Sections = { votesStart: number; authorizedStart: number; authorizedEnd: number; creditsStart: number };

// Splits a bincode-encoded VoteStateV4 into fixed-size head, optional BLS key, votes, root, authorized voters,
// credits and last timestamp.
function sectionsOf(data: Buffer): Sections | null {
  if (data.length < VOTE_ACCOUNT_SPACE || data.readUInt32LE(0) !== STATE_V4) return null;
  const votesStart = BLS_KEY_OFFSET + 1 + (data.readUInt8(BLS_KEY_OFFSET) === 1 ? 48 : 0);
  const rootStart = votesStart + 8 + Number(data.readBigUInt64LE(votesStart)) * 13;
  const authorizedStart = rootStart + 1 + (data.readUInt8(rootStart) === 1 ? 8 : 0);
  const authorizedEnd = authorizedStart + 8 + Number(data.readBigUInt64LE(authorizedStart)) * 40;
  return { votesStart, authorizedStart, authorizedEnd, creditsStart: authorizedEnd };
}

/** Returns the state, or `null` if the account is not an initialized VoteStateV4. */
export function readVoteState(data: Buffer): VoteState | null {
  const sections = sectionsOf(data);
  if (sections === null) return null;
  const count = Number(data.readBigUInt64LE(sections.creditsStart));
  const epochCredits: EpochCredits[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = sections.creditsStart + 8 + index * 24;
    epochCredits.push({
      epoch: data.readBigUInt64LE(at),
      credits: data.readBigUInt64LE(at + 8),
      previousCredits: data.readBigUInt64LE(at + 16),
    });
  }
  return {
    nodeAddressBytes: data.subarray(4, 36),
    commissionBps: data.readUInt16LE(COMMISSION_BPS_OFFSET),
    epochCredits,
  };
}

/**
 * Returns the account data with a block revenue commission of 0, like the inflation commission. The program's
 * default is 100 %.
 */
export function withoutRevenueCommission(data: Buffer): Buffer {
  const changed = Buffer.from(data);
  changed.writeUInt16LE(0, REVENUE_COMMISSION_BPS_OFFSET);
  return changed;
}

/** Returns the total credits that the vote account has earned. */
export function totalCredits(state: VoteState): bigint {
  return state.epochCredits.at(-1)?.credits ?? 0n;
}

/** A vote on a slot, with its Unix time in seconds. */
type Vote = { readonly lastVoteSlot: bigint; readonly unixTimestamp: bigint };

/**
 * Returns the account data with a full tower of 31 votes that ends with `vote`, and with the newest credits
 * in `all`.
 */
function withTower(
  data: Buffer,
  { lastVoteSlot, unixTimestamp }: Vote,
  all: readonly EpochCredits[],
): Buffer {
  const sections = sectionsOf(data);
  if (sections === null) return data;
  const credits = all.slice(-EPOCH_CREDITS_MAX);
  const tower = Buffer.alloc(8 + TOWER_HEIGHT * 13 + 9);
  tower.writeBigUInt64LE(BigInt(TOWER_HEIGHT), 0);
  for (let index = 0; index < TOWER_HEIGHT; index += 1) {
    const at = 8 + index * 13;
    tower.writeUInt8(1, at);
    tower.writeBigUInt64LE(lastVoteSlot - BigInt(TOWER_HEIGHT - 1 - index), at + 1);
    tower.writeUInt32LE(TOWER_HEIGHT - index, at + 9);
  }
  tower.writeUInt8(1, tower.length - 9);
  tower.writeBigUInt64LE(lastVoteSlot - BigInt(TOWER_HEIGHT), tower.length - 8);
  const tail = Buffer.alloc(8 + credits.length * 24 + 16);
  tail.writeBigUInt64LE(BigInt(credits.length), 0);
  credits.forEach((item, index) => {
    tail.writeBigUInt64LE(item.epoch, 8 + index * 24);
    tail.writeBigUInt64LE(item.credits, 16 + index * 24);
    tail.writeBigUInt64LE(item.previousCredits, 24 + index * 24);
  });
  tail.writeBigUInt64LE(lastVoteSlot, tail.length - 16);
  tail.writeBigInt64LE(unixTimestamp, tail.length - 8);
  const written = Buffer.alloc(data.length);
  Buffer.concat([
    data.subarray(0, sections.votesStart),
    tower,
    data.subarray(sections.authorizedStart, sections.authorizedEnd),
    tail,
  ]).copy(written);
  return written;
}

/** Returns the account data after one more vote. */
export function withVote(data: Buffer, vote: Vote): Buffer {
  return withTower(data, vote, readVoteState(data)?.epochCredits ?? []);
}

/** Returns the account data after earning `earned` credits in `epoch`, with the last vote on `lastVoteSlot`. */
export function withEpochCredits(data: Buffer, input: Vote & { epoch: bigint; earned: bigint }): Buffer {
  const state = readVoteState(data);
  if (state === null) return data;
  const previousCredits = totalCredits(state);
  const entry = { epoch: input.epoch, credits: previousCredits + input.earned, previousCredits };
  return withTower(data, input, [...state.epochCredits, entry]);
}

/** Returns the account data with this inflation commission, in basis points. */
export function withCommission(data: Buffer, commissionBps: number): Buffer {
  const copy = Buffer.from(data);
  copy.writeUInt16LE(commissionBps, COMMISSION_BPS_OFFSET);
  return copy;
}

/**
 * Returns a copy of the account data for another validator: its node and its inflation commission in basis
 * points.
 */
export function withNode(data: Buffer, nodeAddress: string, commissionBps: number): Buffer {
  const node = decodeAddress(nodeAddress);
  if (node === null) throw new TypeError(`${nodeAddress} is not an address.`);
  const copy = withCommission(data, commissionBps);
  copy.set(node, 4);
  return copy;
}
