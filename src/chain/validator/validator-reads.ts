// Typed reads about validators: votes, leader slots, software and inflation.
import type { Address } from '@solana/kit';
import type { InflationSchedule } from '../../domain/validator/inflation-schedule.ts';
import type { LeaderCounts } from '../../domain/validator/leader-slots.ts';
import type { EpochCredits } from '../../domain/validator/validator-score.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { ReadOptions, SolanaReads } from '../ports.ts';
import { asUnavailable, type RpcCall, type RpcPool } from '../rpc/rpc-pool.ts';
import { performanceSamplesSchema } from '../rpc/rpc-schemas.ts';
import * as schemas from './validator-schemas.ts';
import { decodeVoteState, type VoteState } from './validator-vote-state.ts';

/** A validator as listed by `getVoteAccounts`. */
export interface VoteAccount {
  readonly voteAccount: Address;
  readonly identity: Address;
  /** Effective stake at the start of the current epoch. */
  readonly activatedStakeLamports: bigint;
  readonly delinquent: boolean;
  /**
   * True if the validator participates in the current epoch: it is admitted and had stake when the epoch
   * started.
   */
  readonly inEpoch: boolean;
  /** Commission in whole percent; null if the node does not report it. `VoteState` has it in basis points. */
  readonly commissionPct: number | null;
  readonly lastVoteSlot: bigint;
  readonly rootSlot: bigint;
  /** Credits of at most the last five epochs, oldest first, including the current one. */
  readonly epochCredits: readonly EpochCredits[];
}

/** A vote account's decoded state and balance. */
export interface VoteAccountState extends VoteState {
  readonly balanceLamports: bigint;
}

/** Blocks of one identity in the current epoch so far. */
interface LeaderRecord extends LeaderCounts {
  /** First slot of the epoch, and the last slot that was counted. */
  readonly firstSlot: bigint;
  readonly lastSlot: bigint;
}

/** Leader slots and blocks of all validators in the current epoch. */
export interface BlocksProduced {
  readonly slots: bigint;
  readonly blocks: bigint;
  /** The epoch's first slot. */
  readonly firstSlot: bigint;
}

/** The inflation and the supply of the cluster. */
export interface Issuance {
  /** Share of the supply for validators and stakers per year, as the cluster defines a year. */
  readonly validatorInflation: number;
  readonly supplyLamports: bigint;
}

/**
 * Reads data about validators. All methods throw `AppError('UPSTREAM_UNAVAILABLE')` if no RPC returns a
 * usable response in time.
 */
export interface ValidatorReads {
  /**
   * Returns one vote account, even if it is delinquent or without stake; null if it does not exist. The
   * response is small.
   */
  readonly voteAccount: (voteAccount: Address, options: ReadOptions) => Promise<VoteAccount | null>;
  /** Returns every vote account with stake. The response takes about a megabyte on mainnet, so cache it. */
  readonly voteAccounts: (options: ReadOptions) => Promise<readonly VoteAccount[]>;
  /** Returns the decoded vote account and its balance; null if it does not exist or its layout is unknown. */
  readonly voteState: (voteAccount: Address, options: ReadOptions) => Promise<VoteAccountState | null>;
  /**
   * Returns the leader slots in the current epoch. `assigned` is null if there is no schedule, or if the
   * counts contradict it.
   */
  readonly leaderRecord: (identity: Address, options: ReadOptions) => Promise<LeaderRecord>;
  /**
   * Returns the leader slots of the epoch that starts at `firstSlot`, ascending; null if there is no
   * schedule.
   */
  readonly leaderSlots: (
    identity: Address,
    firstSlot: bigint,
    options: ReadOptions,
  ) => Promise<readonly bigint[] | null>;
  /** Returns the number of blocks of `identity` from one slot of the current epoch to another, inclusive. */
  readonly blocksBetween: (
    identity: Address,
    firstSlot: bigint,
    lastSlot: bigint,
    options: ReadOptions,
  ) => Promise<number>;
  /**
   * Returns the leader slots and blocks of the whole cluster in the current epoch so far. Validators can only
   * vote on these blocks. The response takes about 50 KB on mainnet.
   */
  readonly blocksProduced: (options: ReadOptions) => Promise<BlocksProduced>;
  /**
   * Returns the version that `identity` announces in gossip; null if it is not in gossip. The response takes
   * a few megabytes on mainnet, so cache it.
   */
  readonly software: (identity: Address, options: ReadOptions) => Promise<string | null>;
  readonly issuance: (options: ReadOptions) => Promise<Issuance>;
  readonly inflationSchedule: (options: ReadOptions) => Promise<InflationSchedule>;
  /**
   * Returns the mean slot duration over the last hours (at most 720 one-minute samples), which is steadier
   * than that of the last minutes; null without samples.
   */
  readonly longSlotDurationMs: (options: ReadOptions) => Promise<number | null>;
}

const LONG_SAMPLES = 720;

const commitmentOf = ({ commitment = 'confirmed' }: ReadOptions) => ({ commitment });

/**
 * Creates the reads over a pool; `reads` returns the account bytes. Stateless except for the leader schedules
 * of two epochs, which are cached.
 */
export const createValidatorReads = (pool: RpcPool, reads: SolanaReads): ValidatorReads => {
  const call = async <T>(request: RpcCall<T>, { signal }: ReadOptions): Promise<T> => {
    try {
      return await pool.call(request, { signal });
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const listed = (config: Readonly<Record<string, unknown>>, options: ReadOptions) =>
    call(
      {
        method: 'getVoteAccounts',
        params: [{ ...commitmentOf(options), ...config }],
        schema: schemas.voteAccountsSchema,
      },
      options,
    );

  const production = async (config: Readonly<Record<string, unknown>>, options: ReadOptions) => {
    const { value } = await call(
      {
        method: 'getBlockProduction',
        params: [{ ...commitmentOf(options), ...config }],
        schema: schemas.blockProductionSchema,
        slotOf: ({ context }) => context.slot,
      },
      options,
    );
    return value;
  };

  // Leader schedules of the current epoch and of the previous one.
  const schedules = new BoundedMap<string, readonly bigint[]>(2);

  const scheduleFrom = async (
    identity: Address,
    firstSlot: bigint,
    options: ReadOptions,
  ): Promise<readonly bigint[] | null> => {
    const key = `${identity} ${firstSlot}`;
    const known = schedules.get(key);
    if (known !== undefined) return known;
    const response = await call(
      {
        method: 'getLeaderSchedule',
        params: [Number(firstSlot), { ...commitmentOf(options), identity }],
        schema: schemas.leaderScheduleSchema,
      },
      options,
    );
    if (response === null) return null;
    // An identity that is missing from the response has no leader slots.
    const slots = (response[identity] ?? [])
      .toSorted((a, b) => a - b)
      .map((index) => firstSlot + BigInt(index));
    schedules.set(key, slots);
    return slots;
  };

  return {
    voteAccount: async (voteAccount, options) => {
      const list = await listed({ votePubkey: voteAccount, keepUnstakedDelinquents: true }, options);
      return list.find((entry) => entry.voteAccount === voteAccount) ?? null;
    },

    voteAccounts: (options) => listed({}, options),

    voteState: async (voteAccount, options) => {
      const { accounts } = await reads.accounts([voteAccount], options);
      const [account] = accounts;
      const state = account ? decodeVoteState(account) : null;
      return state && { ...state, balanceLamports: account!.lamports };
    },

    leaderRecord: async (identity, options) => {
      const { byIdentity, range } = await production({ identity }, options);
      const [passed, produced] = byIdentity[identity] ?? [0, 0];
      const assigned = (await scheduleFrom(identity, range.firstSlot, options))?.length ?? null;
      return {
        assigned: assigned !== null && assigned < passed ? null : assigned,
        passed,
        produced,
        ...range,
      };
    },

    leaderSlots: scheduleFrom,

    blocksBetween: async (identity, firstSlot, lastSlot, options) => {
      const range = { firstSlot: Number(firstSlot), lastSlot: Number(lastSlot) };
      const { byIdentity } = await production({ identity, range }, options);
      return byIdentity[identity]?.[1] ?? 0;
    },

    blocksProduced: async (options) => {
      const { byIdentity, range } = await production({}, options);
      const counts = Object.values(byIdentity);
      return {
        slots: BigInt(counts.reduce((sum, [slots]) => sum + slots, 0)),
        blocks: BigInt(counts.reduce((sum, [, blocks]) => sum + blocks, 0)),
        firstSlot: range.firstSlot,
      };
    },

    software: async (identity, options) => {
      const nodes = await call(
        { method: 'getClusterNodes', params: [], schema: schemas.clusterNodesSchema },
        options,
      );
      return nodes.find(({ pubkey }) => pubkey === identity)?.version ?? null;
    },

    issuance: async (options) => {
      const [rate, supply] = await Promise.all([
        call({ method: 'getInflationRate', params: [], schema: schemas.inflationRateSchema }, options),
        call(
          {
            method: 'getSupply',
            params: [{ ...commitmentOf(options), excludeNonCirculatingAccountsList: true }],
            schema: schemas.supplySchema,
            slotOf: ({ context }) => context.slot,
          },
          options,
        ),
      ]);
      return { validatorInflation: rate.validator, supplyLamports: supply.value.total };
    },

    inflationSchedule: async (options) => {
      const [{ total }, { terminal, taper }] = await Promise.all([
        call({ method: 'getInflationRate', params: [], schema: schemas.inflationRateSchema }, options),
        call(
          { method: 'getInflationGovernor', params: [], schema: schemas.inflationGovernorSchema },
          options,
        ),
      ]);
      return { rate: total, terminalRate: terminal, taper };
    },

    longSlotDurationMs: async (options) => {
      const samples = await call(
        { method: 'getRecentPerformanceSamples', params: [LONG_SAMPLES], schema: performanceSamplesSchema },
        options,
      );
      const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0);
      const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
      return slots === 0 || seconds === 0 ? null : (seconds * 1_000) / slots;
    },
  };
};
