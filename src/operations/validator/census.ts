// Counts who delegates, and picks the accounts whose rewards stand for everybody's, in one streamed scan that keeps next to nothing.
import { type Address, getBase58Decoder } from '@solana/kit';
import { runIndexScan } from '../../chain/index/index-scan.ts';
import type { RpcPool } from '../../chain/rpc/rpc-pool.ts';
import { EPOCH_ABSENT, stakeOffsets } from '../../domain/stake/stake-account.ts';
import type { Census } from './sources.ts';

/** One call asks for the rewards of so many at no extra cost; the median of them is steady. */
const MOST_REFERENCES = 20;
/** Under this a reward of whole lamports tells the rate too roughly. */
const LEAST_STAKE_LAMPORTS = 100_000_000n;
/** Accounts that were active so long ago have a reward in every epoch that is measured. */
const SETTLED_EPOCHS = 6n;

// A first scan of a million accounts takes minutes on public nodes.
const SCAN_TIMEOUT_MS = 300_000;

interface Candidate {
  readonly address: Uint8Array;
  readonly stakeLamports: bigint;
  /** The later, the fewer epochs it tells of; equal for all that tell of enough. */
  readonly since: bigint;
}

const isBetter = (one: Candidate, other: Candidate): boolean =>
  one.since === other.since ? one.stakeLamports > other.stakeLamports : one.since < other.since;

/** Keeps the best of what it is offered, best first. */
const createShortList = () => {
  const best: Candidate[] = [];
  return {
    best,
    offer: (candidate: Candidate): void => {
      const last = best.at(-1);
      if (best.length === MOST_REFERENCES && last !== undefined && !isBetter(candidate, last)) return;
      const place = best.findIndex((other) => isBetter(candidate, other));
      best.splice(place === -1 ? best.length : place, 0, {
        ...candidate,
        address: Uint8Array.from(candidate.address),
      });
      if (best.length > MOST_REFERENCES) best.pop();
    },
  };
};

/** Runs the scan. Throws `AppError('UPSTREAM_UNAVAILABLE')`. */
export const takeCensus = async (
  pool: RpcPool,
  voteAccount: Address,
  currentEpoch: bigint,
  signal: AbortSignal,
): Promise<Census> => {
  let delegators = new Set<string>();
  let shortList = createShortList();
  const settledBefore = currentEpoch - SETTLED_EPOCHS;
  await runIndexScan({
    pool,
    voteAccount,
    keysOnly: false,
    minSlot: 0,
    plausible: () => true,
    timeoutMs: SCAN_TIMEOUT_MS,
    signal,
    // Another node is asked from the beginning.
    onStart: () => {
      delegators = new Set();
      shortList = createShortList();
    },
    onRow: ({ address, data }) => {
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      if (view.getBigUint64(stakeOffsets.deactivationEpoch, true) !== EPOCH_ABSENT) return;
      delegators.add(
        Buffer.from(data.buffer, data.byteOffset + stakeOffsets.withdrawer, 32).toString('latin1'),
      );
      const stakeLamports = view.getBigUint64(stakeOffsets.stake, true);
      if (stakeLamports < LEAST_STAKE_LAMPORTS) return;
      const activationEpoch = view.getBigUint64(stakeOffsets.activationEpoch, true);
      const isSettled = activationEpoch === EPOCH_ABSENT || activationEpoch <= settledBefore;
      shortList.offer({ address, stakeLamports, since: isSettled ? settledBefore : activationEpoch });
    },
  });
  const decoder = getBase58Decoder();
  return {
    delegators: delegators.size,
    references: shortList.best.map(({ address }) => decoder.decode(address) as Address),
  };
};
