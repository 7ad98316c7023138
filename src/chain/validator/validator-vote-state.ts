// Decodes a vote account: commissions, collectors, credits, root and vote latency; null for an unknown layout.
import type { Address } from '@solana/kit';
import { readAddressAt } from '../../domain/read-address-at.ts';
import type { EpochCredits } from '../../domain/validator/validator-score.ts';
import type { ChainAccount } from '../ports.ts';

export const VOTE_PROGRAM_ADDRESS = 'Vote111111111111111111111111111111111111111' as Address;

/** Fields added by layout 4 (SIMD-0185). */
interface VoteStateOfLayout4 {
  /** Account that receives the validator's inflation commission. */
  readonly inflationCollector: Address;
  readonly blockRevenueCollector: Address;
  /** Share of block revenue that delegators do not receive, in basis points. */
  readonly blockRevenueCommissionBps: number;
  /** Block revenue not yet paid to the delegators. */
  readonly pendingDelegatorRewardsLamports: bigint;
  /** True if the account has a BLS key, which a cluster with admission fees (SIMD-0357) requires. */
  readonly hasBlsKey: boolean;
}

/** A validator's vote account. Commissions are in basis points. */
export interface VoteState {
  readonly identity: Address;
  readonly withdrawAuthority: Address;
  readonly inflationCommissionBps: number;
  /** Fields of layout 4; null for older layouts. */
  readonly layout4: VoteStateOfLayout4 | null;
  /** Up to 64 epochs, oldest first. */
  readonly epochCredits: readonly EpochCredits[];
  readonly rootSlot: bigint | null;
  readonly lastVoteSlot: bigint | null;
  /**
   * Mean number of slots until a vote landed, across the tower (31 votes), with two decimals; null if no vote
   * has a latency.
   */
  readonly meanVoteLatencySlots: number | null;
}

const LAYOUT_3 = 2;
const LAYOUT_4 = 3;
const MAX_VOTES = 64n;
const MAX_AUTHORIZED_VOTERS = 64n;
const MAX_EPOCH_CREDITS = 64n;
const VOTE_BYTES = 13;
const AUTHORIZED_VOTER_BYTES = 40;
const BLS_KEY_BYTES = 48;
/** Size of the prior voters in layout 3: 32 voters of 48 bytes, an index and a flag. */
const PRIOR_VOTERS_BYTES = 32 * 48 + 9;

class Reader {
  readonly #view: DataView;
  #at: number;

  constructor(data: Uint8Array, at: number) {
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.#at = at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  u8(): number {
    this.#at += 1;
    return this.#view.getUint8(this.#at - 1);
  }

  u16(): number {
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2, true);
  }

  u64(): bigint {
    this.#at += 8;
    return this.#view.getBigUint64(this.#at - 8, true);
  }

  /** Reads a length. Refuses values that the Vote program cannot write. */
  length(most: bigint): number {
    const length = this.u64();
    if (length > most) throw new RangeError(`${length} items, more than the maximum of ${most}`);
    return Number(length);
  }
}

const INFLATION_COLLECTOR_AT = 68;
const BLOCK_REVENUE_COLLECTOR_AT = 100;

/** Reads the fields between the authorities and the votes. */
const headOf = (
  reader: Reader,
  data: Uint8Array,
  layout: number,
): Pick<VoteState, 'inflationCommissionBps' | 'layout4'> => {
  if (layout === LAYOUT_3) return { inflationCommissionBps: reader.u8() * 100, layout4: null };
  reader.skip(64);
  const inflationCommissionBps = reader.u16();
  const blockRevenueCommissionBps = reader.u16();
  const pendingDelegatorRewardsLamports = reader.u64();
  const hasBlsKey = reader.u8() === 1;
  if (hasBlsKey) reader.skip(BLS_KEY_BYTES);
  return {
    inflationCommissionBps,
    layout4: {
      inflationCollector: readAddressAt(data, INFLATION_COLLECTOR_AT),
      blockRevenueCollector: readAddressAt(data, BLOCK_REVENUE_COLLECTOR_AT),
      blockRevenueCommissionBps,
      pendingDelegatorRewardsLamports,
      hasBlsKey,
    },
  };
};

const votesOf = (reader: Reader) => {
  const count = reader.length(MAX_VOTES);
  const votes = Array.from({ length: count }, () => {
    const latency = reader.u8();
    const slot = reader.u64();
    reader.skip(VOTE_BYTES - 9);
    return { latency, slot };
  });
  // A latency of 0 means that it was not recorded yet.
  const measured = votes.filter(({ latency }) => latency > 0);
  const sum = measured.reduce((total, { latency }) => total + latency, 0);
  return {
    lastVoteSlot: votes.at(-1)?.slot ?? null,
    meanVoteLatencySlots: measured.length === 0 ? null : Math.round((sum / measured.length) * 100) / 100,
  };
};

const creditsOf = (reader: Reader): readonly EpochCredits[] =>
  Array.from({ length: reader.length(MAX_EPOCH_CREDITS) }, () => ({
    epoch: reader.u64(),
    credits: reader.u64(),
    previousCredits: reader.u64(),
  }));

/**
 * Decodes layout 4 (SIMD-0185) and layout 3, bincode, little-endian. Returns null for accounts not owned by
 * the Vote program, other layouts, and malformed bytes.
 */
export const decodeVoteState = (account: Pick<ChainAccount, 'owner' | 'data'>): VoteState | null => {
  const { data, owner } = account;
  if (owner !== VOTE_PROGRAM_ADDRESS || data.length < 68) return null;
  const layout = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  if (layout !== LAYOUT_3 && layout !== LAYOUT_4) return null;
  try {
    const reader = new Reader(data, 68);
    const head = headOf(reader, data, layout);
    const votes = votesOf(reader);
    const rootSlot = reader.u8() === 1 ? reader.u64() : null;
    reader.skip(reader.length(MAX_AUTHORIZED_VOTERS) * AUTHORIZED_VOTER_BYTES);
    if (layout === LAYOUT_3) reader.skip(PRIOR_VOTERS_BYTES);
    return {
      identity: readAddressAt(data, 4),
      withdrawAuthority: readAddressAt(data, 36),
      ...head,
      ...votes,
      rootSlot,
      epochCredits: creditsOf(reader),
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
