// Describes the sandbox's own validator to the statistics providers, with its real stake, credits, commission
// and tips from the chain.

import { PROVIDER_CITIES } from './provider-cities.ts';
import type { ProviderValidator } from './provider-cluster.ts';
import type { ProviderLedger } from './provider-ledger.ts';

/** Fields of a `getVoteAccounts` entry that are used here. */
export type VoteAccountResponse = {
  readonly votePubkey: string;
  readonly nodePubkey: string;
  readonly activatedStake: bigint;
  readonly commission: number;
  readonly lastVote: number;
  readonly rootSlot: number;
  readonly isDelinquent?: boolean;
  readonly epochCredits: readonly (readonly [epoch: number | bigint, credits: bigint, before: bigint])[];
};

/** Returns the current values of the sandbox's own validator. */
export function ownValidator(vote: VoteAccountResponse, ledger: ProviderLedger): ProviderValidator {
  const [, credits = 0n, before = 0n] = vote.epochCredits.at(-1) ?? [];
  return {
    identity: vote.nodePubkey,
    voteAccount: vote.votePubkey,
    name: 'Holdfast Sandbox',
    // The validator's only website is the service, whose port is unknown here.
    website: null,
    place: PROVIDER_CITIES[0] ?? null,
    stakeLamports: vote.activatedStake,
    commissionPct: vote.commission,
    runsJito: true,
    jitoCommissionBps: 0,
    delinquent: vote.isDelinquent === true,
    // The sandbox's validator skips no leader slot and votes on 98.5 % of slots.
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
