// Counts delegators and selects sample accounts for rewards in one scan.
import type { Address } from '@solana/kit';
import { runIndexScan } from '../chain/index/index-scan.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import { EPOCH_ABSENT } from '../domain/stake/stake-account.ts';
import { MAX_MEASURED_EPOCHS } from './measured-inflation.ts';
import type { DelegatorScan } from './validator-sources.ts';

/**
 * Maximum number of sample accounts. One call returns all their rewards at no extra cost, and their median is
 * stable.
 */
const MAX_REFERENCES = 20;
/** Minimum stake of a sample account. Below this, rewards in whole lamports are too coarse for a rate. */
const MIN_STAKE_LAMPORTS = 100_000_000n;
/**
 * Age in epochs from which all sample accounts count as equally old, because they have a reward in every
 * measured epoch.
 */
const SETTLED_EPOCHS = BigInt(MAX_MEASURED_EPOCHS + 1);

// Timeout of a scan. The first scan of a large program takes minutes on public nodes.
const SCAN_TIMEOUT_MS = 300_000;

interface Candidate {
  readonly address: Address;
  readonly stakeLamports: bigint;
  /**
   * Activation epoch for sorting, because accounts activated later cover fewer epochs. All accounts that
   * cover enough epochs have the same value.
   */
  readonly since: bigint;
}

const isBetter = (one: Candidate, other: Candidate): boolean =>
  one.since === other.since ? one.stakeLamports > other.stakeLamports : one.since < other.since;

/** Creates a list that keeps the best of the offered accounts, best first. */
const createShortList = () => {
  const best: Candidate[] = [];
  return {
    best,
    offer: (candidate: Candidate): void => {
      const last = best.at(-1);
      if (best.length === MAX_REFERENCES && last !== undefined && !isBetter(candidate, last)) return;
      const place = best.findIndex((other) => isBetter(candidate, other));
      best.splice(place === -1 ? best.length : place, 0, candidate);
      if (best.length > MAX_REFERENCES) best.pop();
    },
  };
};

/**
 * Counts the delegators and selects the sample accounts. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC
 * node returns a usable response.
 */
export const scanDelegators = async (
  pool: RpcPool,
  voteAccount: Address,
  currentEpoch: bigint,
  signal: AbortSignal,
): Promise<DelegatorScan> => {
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
    // A retry on another node starts from the beginning.
    onStart: () => {
      delegators = new Set();
      shortList = createShortList();
    },
    onRow: (address, account) => {
      if (account === null || account.delegation.deactivationEpoch !== EPOCH_ABSENT) return;
      delegators.add(account.withdrawAuthority);
      const { stakeLamports, activationEpoch } = account.delegation;
      if (stakeLamports < MIN_STAKE_LAMPORTS) return;
      const isSettled = activationEpoch === EPOCH_ABSENT || activationEpoch <= settledBefore;
      shortList.offer({ address, stakeLamports, since: isSettled ? settledBefore : activationEpoch });
    },
  });
  return { delegators: delegators.size, references: shortList.best.map(({ address }) => address) };
};
