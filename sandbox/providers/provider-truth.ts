// Our own validator as providers tell it: stake, credits, commission and tips are the chain's, not made up.

import { PROVIDER_CITIES } from './provider-cities.ts';
import type { ProviderValidator } from './provider-cluster.ts';
import type { ProviderLedger } from './provider-ledger.ts';

/** The entry of `getVoteAccounts` for one validator, as far as it is used here. */
export type VoteAccountAnswer = {
  readonly votePubkey: string;
  readonly nodePubkey: string;
  readonly activatedStake: bigint;
  readonly commission: number;
  readonly lastVote: number;
  readonly rootSlot: number;
  readonly epochCredits: readonly (readonly [epoch: number | bigint, credits: bigint, before: bigint])[];
};

/** Our validator at this moment. */
export function ownValidator(vote: VoteAccountAnswer, ledger: ProviderLedger): ProviderValidator {
  const [, credits = 0n, before = 0n] = vote.epochCredits.at(-1) ?? [];
  return {
    identity: vote.nodePubkey,
    voteAccount: vote.votePubkey,
    name: 'Holdfast Sandbox',
    // It has no website but the service beside it, whose port nobody here knows.
    website: null,
    place: PROVIDER_CITIES[0] ?? null,
    stakeLamports: vote.activatedStake,
    commissionPct: vote.commission,
    runsJito: true,
    jitoCommissionBps: 0,
    delinquent: false,
    // The sandbox produces every block and votes at a rate of 98.5 %.
    skipRatePct: 0,
    voteSuccessPct: 98.5,
    uptimePct: 100,
    credits,
    epochCredits: credits - before,
    lastVote: vote.lastVote,
    rootSlot: vote.rootSlot,
    firstEpochWithStake: ledger.history(vote.votePubkey).at(-1)?.epoch ?? null,
    tipLamports: 0n,
  };
}
