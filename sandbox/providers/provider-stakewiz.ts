// Serves the cluster in the format of StakeWiz's public API: same paths, fields and units.

import type { ProviderValidator } from './provider-cluster.ts';

export type StakewizView = {
  readonly epoch: number;
  readonly slotIndex: number;
  readonly nowMs: number;
  readonly validators: readonly ProviderValidator[];
  /** Annual yields in percent before commission, for two-day epochs. */
  readonly stakingApyPct: number;
  readonly jitoApyPct: number;
};

const LAMPORTS_PER_SOL = 1e9;
const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Formats a time as in `2026-11-21 06:31:02.123000+00`. */
function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}000+00`;
}

function scoresOf(validator: ProviderValidator): Record<string, number> {
  return {
    vote_success_score: round(validator.voteSuccessPct / 5, 2),
    skip_rate_score: round(15 * (1 - validator.skipRatePct / 100), 2),
    info_score: validator.name === null ? 0 : 10,
    commission_score: round(5 * (1 - validator.commissionPct / 100), 2),
    uptime_score: round(validator.uptimePct * 0.15, 2),
  };
}

function yieldsOf(validator: ProviderValidator, view: StakewizView): Record<string, number | null> {
  const live = validator.delinquent ? 0 : validator.voteSuccessPct / 98.5;
  const staking = round(view.stakingApyPct * live * (1 - validator.commissionPct / 100), 2);
  const jito = validator.runsJito
    ? round(view.jitoApyPct * live * (1 - validator.jitoCommissionBps / 10_000), 2)
    : 0;
  const total = round(staking + jito, 2);
  return { apy_estimate: total, staking_apy: staking, jito_apy: jito, total_apy: total };
}

function entryOf(
  validator: ProviderValidator,
  view: StakewizView,
  totalLamports: bigint,
): Record<string, unknown> {
  const { place } = validator;
  const scores = scoresOf(validator);
  const weight = round(Number((validator.stakeLamports * 1_000_000n) / (totalLamports || 1n)) / 10_000, 2);
  return {
    identity: validator.identity,
    vote_identity: validator.voteAccount,
    last_vote: validator.lastVote,
    root_slot: validator.rootSlot,
    credits: Number(validator.credits),
    epoch_credits: Number(validator.epochCredits),
    activated_stake: Number(validator.stakeLamports) / LAMPORTS_PER_SOL,
    version: '4.1.2',
    delinquent: validator.delinquent,
    skip_rate: validator.skipRatePct,
    updated_at: timestamp(view.nowMs),
    first_epoch_with_stake: validator.firstEpochWithStake,
    name: validator.name,
    keybase: '',
    description: validator.name === null ? null : 'A sandbox validator.',
    website: validator.website,
    commission: validator.commissionPct,
    image: null,
    ip_latitude: place === null ? null : String(place.latitude),
    ip_longitude: place === null ? null : String(place.longitude),
    ip_city: place?.city ?? null,
    ip_country: place?.country ?? null,
    ip_asn: place === null ? null : 'AS64500',
    ip_org: place === null ? null : 'Example Networks',
    mod: false,
    is_jito: validator.runsJito,
    jito_commission_bps: validator.jitoCommissionBps,
    admin_comment: null,
    vote_success: validator.voteSuccessPct,
    wiz_skip_rate: validator.skipRatePct,
    ...scores,
    first_epoch_distance: view.epoch - (validator.firstEpochWithStake ?? view.epoch),
    epoch_distance_score: 10,
    stake_weight: weight,
    above_halt_line: false,
    stake_weight_score: round(15 * (1 - weight / 100), 2),
    withdraw_authority_score: 0,
    asn: place === null ? null : 'AS64500',
    asn_concentration: 0,
    asn_concentration_score: 0,
    tpu_ip: null,
    tpu_ip_concentration: 0,
    tpu_ip_concentration_score: 0,
    uptime: validator.uptimePct,
    wiz_score: round(
      Object.values(scores).reduce((sum, score) => sum + score, 25),
      2,
    ),
    version_valid: true,
    city_concentration: 0,
    city_concentration_score: 0,
    invalid_version_score: 0,
    superminority_penalty: 0,
    score_version: 42,
    no_voting_override: false,
    epoch: view.epoch,
    epoch_slot_height: view.slotIndex,
    asncity_concentration: 0,
    asncity_concentration_score: 0,
    skip_rate_ignored: false,
    stake_ratio: weight,
    credit_ratio: validator.voteSuccessPct,
    ...yieldsOf(validator, view),
  };
}

/** `GET /validators`: sorted by score, best first. The position is the rank. */
export function stakewizValidators(view: StakewizView): Record<string, unknown>[] {
  const total = view.validators.reduce((sum, { stakeLamports }) => sum + stakeLamports, 0n);
  return view.validators
    .map((validator) => entryOf(validator, view, total))
    .sort((a, b) => (b.wiz_score as number) - (a.wiz_score as number))
    .map((entry, index) => ({ rank: index + 1, ...entry }));
}

/** `GET /validator_total_stakes/{vote}`: SOL by epoch, newest first. */
export function stakewizTotalStakes(
  epochs: readonly { readonly epoch: number; readonly stakeLamports: bigint }[],
): { epoch: number; stake: number }[] {
  return epochs
    .slice(0, 30)
    .map(({ epoch, stakeLamports }) => ({ epoch, stake: Number(stakeLamports) / LAMPORTS_PER_SOL }));
}
