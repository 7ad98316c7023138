// The parts of a context that a plan reads: one wallet, one stake account, and epoch 20 of a steady cluster.
import type { Address } from '@solana/kit';
import type { ChainAccount, EpochPosition } from '../../src/chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import type { Context } from '../../src/operations/context.ts';
import { snapshotOf } from './chain-snapshots.ts';
import { steadyHistory } from './stake-account-examples.ts';

/** Returns a different key for each tag. */
export const exampleKey = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;

/** Inputs of the plans. */
export const PLAN = {
  wallet: exampleKey(1),
  stakeAccount: exampleKey(2),
  voteAccount: exampleKey(3),
  memo: 'holdfast.example',
  epoch: 20n,
  unixTimestamp: 1_700_000_000n,
  stakeRentLamports: 1_666_240n,
  walletRentLamports: 650_240n,
  nowMs: 1_800_000_000_000,
} as const;

export interface PlanWorld {
  readonly walletLamports: bigint;
  readonly account: ChainAccount | null;
  readonly position?: Partial<EpochPosition>;
}

/** Creates a context in which using anything else throws. */
export const planContext = ({ walletLamports, account, position = {} }: PlanWorld): Context => {
  const payer = {
    address: PLAN.wallet,
    owner: SYSTEM_PROGRAM,
    lamports: walletLamports,
    data: new Uint8Array(),
  };
  const now: Partial<EpochPosition> = {
    epoch: PLAN.epoch,
    slotIndex: 0n,
    readAtMs: PLAN.nowMs,
    fastestSlotMs: 390,
    slowestSlotMs: 410,
    unixTimestamp: PLAN.unixTimestamp,
    ...position,
  };
  return {
    service: { settings: { voteAccount: PLAN.voteAccount, memo: PLAN.memo, feeReserveLamports: 0n } },
    validator: { status: { notices: () => [], warnings: () => [] } },
    chain: {
      index: null,
      cluster: {
        limits: async () => ({
          stakeRentLamports: PLAN.stakeRentLamports,
          walletRentLamports: PLAN.walletRentLamports,
          minimumDelegationLamports: 1_000_000_000n,
        }),
        recentEpochPosition: async () => snapshotOf(now).position,
        readChainSnapshot: async (asked: readonly Address[]) =>
          snapshotOf(
            now,
            asked.map((address) => (address === PLAN.wallet ? payer : account)),
          ),
        blockhash: async () => ({
          blockhash: exampleKey(9),
          lastValidBlockHeight: 10n,
          estimatedExpiresAtMs: PLAN.nowMs,
        }),
        stakeHistory: async () => steadyHistory(0n, PLAN.epoch),
      },
    },
    clock: { now: () => PLAN.nowMs },
    store: { intents: { bytesValidFrom: async () => [] } },
  } as unknown as Context;
};
