// Generates a plausible cluster around the sandbox's validator for both statistics providers. The cluster is
// the same on every start, and its figures change every epoch.

import { createHash } from 'node:crypto';
import { encodeBase58 } from '../base58.ts';
import { CREDITS_PER_EPOCH } from '../epochs/apply-epoch-boundary.ts';
import { PROVIDER_CITIES, type ProviderCity } from './provider-cities.ts';

/** One validator in one epoch. */
export type ProviderValidator = {
  readonly identity: string;
  readonly voteAccount: string;
  readonly name: string | null;
  readonly website: string | null;
  readonly place: ProviderCity | null;
  readonly stakeLamports: bigint;
  readonly commissionPct: number;
  readonly runsJito: boolean;
  readonly jitoCommissionBps: number;
  readonly delinquent: boolean;
  readonly skipRatePct: number;
  readonly voteSuccessPct: number;
  readonly uptimePct: number;
  readonly credits: bigint;
  readonly epochCredits: bigint;
  readonly lastVote: number;
  readonly rootSlot: number;
  readonly firstEpochWithStake: number | null;
  /** Tips for the epoch, reported only after it has ended. */
  readonly tipLamports: bigint;
};

type ProviderClusterOptions = {
  /** Total effective stake of all peers, in lamports. */
  readonly restLamports: bigint;
  /** Tips in one epoch, in billionths of the stake. */
  readonly tipPpb: number;
  /** Peers with a vote account on the sandbox's chain. Their commission never changes. */
  readonly others: readonly {
    readonly identity: string;
    readonly voteAccount: string;
    readonly commissionPct: number;
  }[];
};

/** A point in time on the chain. */
type ProviderSnapshot = {
  readonly epoch: number;
  readonly slot: number;
  /** Share of the epoch that has passed, 0 to 1. */
  readonly progress: number;
};

const COMMISSIONS = [0, 0, 0, 2, 5, 5, 5, 5, 7, 8, 10, 100];
const JITO_COMMISSIONS_BPS = [0, 0, 500, 800, 800, 1_000, 10_000];
/** Indexes of peers that have published no name or location. */
const ANONYMOUS = new Set([20, 45]);

/** Derives a number from 0 to 1 from the given words, the same on every machine. */
function chance(...words: (string | number)[]): number {
  const digest = createHash('sha256')
    .update(`holdfast sandbox peers: ${words.join(' ')}`)
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

function pick<T>(items: readonly T[], share: number): T {
  return items[Math.floor(share * items.length)] as T;
}

function addressOf(...words: (string | number)[]): string {
  return encodeBase58(
    createHash('sha256')
      .update(`holdfast sandbox peer address: ${words.join(' ')}`)
      .digest(),
  );
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

type Peer = {
  readonly index: number;
  readonly identity: string;
  readonly voteAccount: string;
  readonly place: ProviderCity;
  readonly weight: number;
};

/** The generated peers, which are the rest of the cluster. */
export class ProviderCluster {
  readonly #options: ProviderClusterOptions;
  readonly #peers: readonly Peer[];

  constructor(options: ProviderClusterOptions) {
    this.#options = options;
    this.#peers = PROVIDER_CITIES.flatMap((place) => Array.from({ length: place.peers }, () => place)).map(
      (place, index) => ({
        index,
        identity: options.others[index]?.identity ?? addressOf('identity', index),
        voteAccount: options.others[index]?.voteAccount ?? addressOf('vote', index),
        place,
        // A few peers have a large weight and many have a small one, regardless of location.
        weight: 1 / (3 + chance('weight', index) * 60),
      }),
    );
  }

  /** Lists every peer at `moment`. For the end of a finished epoch, use a `progress` of 1. */
  at(moment: ProviderSnapshot): ProviderValidator[] {
    const stakes = this.#stakesLamports(moment.epoch);
    return this.#peers.map((peer) => this.#validator(peer, stakes[peer.index] as bigint, moment));
  }

  /** Returns the stake by peer index. The sum is exactly the stake of the rest of the cluster. */
  #stakesLamports(epoch: number): bigint[] {
    // The stake of a peer changes by up to one percent each epoch.
    const weights = this.#peers.map(
      ({ index, weight }) => weight * (0.99 + chance('stake', index, epoch) * 0.01),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    // Computed in billionths to keep lamports whole. The first peer receives the remainder.
    const stakes = weights.map(
      (weight) => (this.#options.restLamports * BigInt(Math.floor((weight / sum) * 1e9))) / 1_000_000_000n,
    );
    const left = stakes.reduce((rest, stake) => rest - stake, this.#options.restLamports);
    return stakes.map((stake, index) => (index === 0 ? stake + left : stake));
  }

  #commissionPct(index: number, epoch: number): number {
    const onChain = this.#options.others[index];
    if (onChain) return onChain.commissionPct;
    const usual = pick(COMMISSIONS, chance('commission', index));
    const raised = usual < 20 && chance('raise', index, Math.floor(epoch / 10)) < 0.04;
    return raised ? usual + 5 : usual;
  }

  #validator(
    peer: Peer,
    stakeLamports: bigint,
    { epoch, slot, progress }: ProviderSnapshot,
  ): ProviderValidator {
    const { index, identity, voteAccount } = peer;
    const anonymous = ANONYMOUS.has(index);
    const delinquent = chance('delinquent', index, epoch) < 0.02;
    const voteShare = delinquent ? 0.4 : 0.97 + chance('votes', index, epoch) * 0.029;
    const lag = delinquent ? 20_000 : Math.floor(chance('lag', index, epoch) * 4);
    const runsJito = chance('jito', index) >= 0.08;
    const firstEpochWithStake = Math.min(epoch, Math.floor(100 + chance('since', index) * 600));
    const earned = BigInt(Math.floor(Number(CREDITS_PER_EPOCH) * voteShare * progress));
    return {
      identity,
      voteAccount,
      name: anonymous ? null : `Sandbox Peer ${index + 1}`,
      website: anonymous ? null : `https://peer-${index + 1}.example.org`,
      place: anonymous ? null : peer.place,
      stakeLamports,
      commissionPct: this.#commissionPct(index, epoch),
      runsJito,
      jitoCommissionBps: runsJito ? pick(JITO_COMMISSIONS_BPS, chance('jito commission', index)) : 0,
      delinquent,
      skipRatePct: round(delinquent ? 60 : chance('skip', index, epoch) * 4, 2),
      voteSuccessPct: round(voteShare * 100, 2),
      uptimePct: round(97 + chance('uptime', index) * 3, 2),
      credits: BigInt(epoch - firstEpochWithStake) * CREDITS_PER_EPOCH + earned,
      epochCredits: earned,
      lastVote: Math.max(0, slot - 1 - lag),
      rootSlot: Math.max(0, slot - 32 - lag),
      firstEpochWithStake,
      tipLamports: runsJito
        ? (stakeLamports *
            BigInt(Math.round(this.#options.tipPpb * (0.8 + chance('tips', index, epoch) * 0.4)))) /
          1_000_000_000n
        : 0n,
    };
  }
}
