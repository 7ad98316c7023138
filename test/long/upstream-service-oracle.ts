// Checks the service's responses against the providers' responses of the same round, parsed independently, and
// against the chain, which does not change.
import assert from 'node:assert/strict';
import { isAddress } from '@solana/kit';
import { isSent, isWithin, type Sent, Written } from './upstream-oracle.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

export interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** The content of each provider's response, with numbers as text. Undefined if the response is invalid. */
export interface SentRound {
  readonly validators: unknown;
  readonly validator: unknown;
  readonly stakeHistory: unknown;
  readonly commission: unknown;
  readonly rewards: unknown;
}

/** The service's validator, and the chain. */
export interface Served {
  readonly voteAccount: string;
  readonly epoch: number;
}

/** Seconds per year of 365 days. */
const YEAR_SECONDS = 365 * 86_400;
const MEASURED_EPOCHS = 5;
/**
 * Stake above which an epoch certainly counts towards the rate. Epochs with less may be too small and are not
 * checked.
 */
const SURELY_ENOUGH_SOL = 1_000;

const entriesOf = (sent: unknown): readonly Sent[] => (Array.isArray(sent) ? sent.filter(isSent) : []);

const numberOf = (raw: unknown, least: number, most: number, whole = false): number | null =>
  isWithin(raw, least, most, whole) ? Number(raw.text) + 0 : null;

const ownOf = (sent: SentRound, { voteAccount }: Served): Sent | null =>
  isSent(sent.validator) && sent.validator.vote_identity === voteAccount ? sent.validator : null;

const listedOf = (sent: SentRound, { voteAccount }: Served): Sent | null => {
  const list = isSent(sent.commission) ? entriesOf(sent.commission.validators) : [];
  return list.find((entry) => entry.vote_account === voteAccount) ?? null;
};

/** Returns the first entry of each epoch, because later ones do not count. */
const byEpoch = (sent: unknown): ReadonlyMap<number, Sent> => {
  const entries = new Map<number, Sent>();
  for (const entry of entriesOf(sent)) {
    const epoch = numberOf(entry.epoch, 0, 1_000_000, true);
    if (epoch !== null && !entries.has(epoch)) entries.set(epoch, entry);
  }
  return entries;
};

/** A warning that every new sandbox reports, regardless of the providers' responses. */
const ofTheChain = /^No account here has been paid /;

const checkWarned = (where: string, body: Json): void => {
  const reported = body.warnings.filter((warning: string) => !ofTheChain.test(warning));
  assert.ok(reported.length > 0, `${where}: null without a warning`);
};

/** Returns every commission sent, with its epoch. */
const sentCommissions = (sent: SentRound, served: Served): (readonly [number | null, number | null])[] => {
  const [listed, own] = [listedOf(sent, served), ownOf(sent, served)];
  return [
    [numberOf(listed?.mev_commission_bps, 0, 10_000, true), served.epoch] as const,
    ...[...byEpoch(sent.rewards)].map(
      ([epoch, entry]) => [numberOf(entry.mev_commission_bps, 0, 10_000, true), epoch] as const,
    ),
    [numberOf(own?.jito_commission_bps, 0, 10_000, true), numberOf(own?.epoch, 0, 1_000_000, true)] as const,
  ];
};

const checkMevCommission = (
  where: string,
  body: Json,
  sent: SentRound,
  served: Served,
  epoch?: number | null,
): void => {
  const bps: number | null = body.jitoCommissionBps;
  if (bps === null) {
    const runsNone = listedOf(sent, served)?.running_jito === false || ownOf(sent, served)?.is_jito === false;
    if (!runsNone) checkWarned(where, body);
    return;
  }
  assert.ok(
    sentCommissions(sent, served).some(
      ([one, itsEpoch]) => one === bps && (epoch === undefined || epoch === itsEpoch),
    ),
    `${where}: a commission of ${bps} (epoch ${epoch}) that was not sent`,
  );
};

/** Returns the yield of the sent tips in percent. Undefined if a number can be read in more than one way. */
const tipsYield = (sent: SentRound, served: Served, secondsPerEpoch: number): number | null | undefined => {
  const stakes = byEpoch(sent.stakeHistory);
  const rates: number[] = [];
  for (const [epoch, entry] of byEpoch(sent.rewards)) {
    if (epoch >= served.epoch || epoch < served.epoch - MEASURED_EPOCHS) continue;
    const { mev_rewards: lamports } = entry;
    const stake = numberOf(stakes.get(epoch)?.stake, 0, 1e9);
    const bps = numberOf(entry.mev_commission_bps, 0, 10_000, true);
    if (!(lamports instanceof Written) || stake === null || bps === null) continue;
    if (!/^\d+$/.test(lamports.text)) {
      if (/^-[1-9]\d*$/.test(lamports.text)) continue;
      return undefined;
    }
    if (stake < SURELY_ENOUGH_SOL) return undefined;
    if (BigInt(lamports.text) > 10n ** 18n) continue;
    rates.push((Number(lamports.text) * (1 - bps / 10_000)) / (stake * 1e9));
  }
  if (rates.length === 0) return null;
  return ((rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * 100 * YEAR_SECONDS) / secondsPerEpoch;
};

const checkMevYield = (body: Json, sent: SentRound, served: Served): void => {
  const { jitoMevApy: got, method } = body;
  const expected = tipsYield(sent, served, method.secondsPerEpoch);
  if (got === null) {
    assert.equal(method.jitoMev, null);
    assert.ok(expected === null || expected === undefined, 'tips that were sent are not reported');
    checkWarned('jitoMevApy', body);
    return;
  }
  const { source } = method.jitoMev;
  if (expected !== undefined) assert.equal(source === 'realised', expected !== null, `tips from ${source}`);
  if (source === 'none')
    assert.deepEqual(
      [got, listedOf(sent, served)?.running_jito],
      [0, false],
      'tips are missing although all were known',
    );
  else if (source === 'provider')
    assert.equal(got, numberOf(ownOf(sent, served)?.jito_apy, 0, 1_000), 'a yield that was not sent');
  else if (typeof expected === 'number') {
    // The length of an epoch is reported in whole seconds.
    const slack = 0.000_1 + expected * 0.000_2;
    assert.ok(Math.abs(got - expected) <= slack, `tips of ${expected} % reported as ${got} %`);
  }
};

/** Checks `/validator/apy`. `chain` is its response before anything was broken. */
export const checkApy = (body: Json, chain: Json, sent: SentRound, served: Served): void => {
  assert.deepEqual(
    [body.commission, body.stakingApy, body.method.staking.source],
    [chain.commission, chain.stakingApy, 'expected'],
    "the chain's value",
  );
  checkMevYield(body, sent, served);
  checkMevCommission('apy', body, sent, served);
  const { stakingApy, jitoMevApy, totalApy } = body;
  if (jitoMevApy === null) assert.equal(totalApy, null, 'a sum that includes an unknown value');
  else assert.ok(Math.abs(totalApy - stakingApy - jitoMevApy) < 0.000_1);
};

/** Checks `/validator`. */
export const checkProfile = (body: Json, chain: Json, sent: SentRound, served: Served): void => {
  const chainMembers = (reported: Json) => [
    reported.commission,
    reported.blockRevenueCommission,
    reported.voteState?.inflationCollector ?? null,
    reported.activatedStakeSol,
    reported.delegatorCount,
    reported.rank,
    reported.voteCreditRank.rank,
    reported.software,
    reported.performance.totalActiveStake,
    reported.performance.delinquent,
  ];
  assert.deepEqual(chainMembers(body), chainMembers(chain), "the chain's value");
  checkMevCommission('validator', body, sent, served, body.jitoCommissionEpoch);
  checkApy(body.apy, chain.apy, sent, served);
};

/** Checks `/validator/live`. */
export const checkLive = (body: Json, chain: Json, sent: SentRound, served: Served): void => {
  const chainMembers = (reported: Json) => [
    reported.currentEpoch,
    reported.activatedStakeSol,
    reported.commission,
  ];
  assert.deepEqual(chainMembers(body), chainMembers(chain), "the chain's value");
  checkMevCommission('live', body, sent, served);
};

/**
 * Checks `/validator/history`: every stake equals the stake sent for its epoch, and no valid stake is missing.
 */
export const checkHistory = (body: Json, _chain: Json, sent: SentRound, served: Served): void => {
  const stakes = new Map([...byEpoch(sent.stakeHistory)].filter(([epoch]) => epoch < served.epoch));
  assert.deepEqual(
    body.epochs.map(({ epoch }: Json) => epoch),
    [...stakes.keys()].sort((a, b) => b - a),
  );
  for (const { epoch, activeStakeSol, ...own } of body.epochs) {
    assert.equal(activeStakeSol, numberOf(stakes.get(epoch)?.stake, 0, 1e9), `stake of epoch ${epoch}`);
    assert.deepEqual(own, { credits: null, apy: null, commission: null, skipRate: null });
    if (activeStakeSol === null) checkWarned('stake', body);
  }
  if (!Array.isArray(sent.stakeHistory)) checkWarned('stakes', body);
};

const round2 = (value: number): number => Math.round(value * 100) / 100;

const validatorsSent = (sent: SentRound): readonly Sent[] => {
  const byAddress = new Map<string, Sent>();
  for (const entry of entriesOf(sent.validators)) {
    const { vote_identity: address } = entry;
    if (typeof address === 'string' && isAddress(address) && !byAddress.has(address))
      byAddress.set(address, entry);
  }
  return [...byAddress.values()];
};

/** Checks `/network/peer-density`, which is empty if the list is unavailable. */
export const checkPeers = ({ status, body }: Answered, sent: SentRound): void => {
  const peers = validatorsSent(sent);
  assert.equal(status, peers.length === 0 ? 502 : 200);
  if (status !== 200) return;
  const totals = peers.map((peer) => peer.total_apy ?? peer.apy_estimate);
  const yields = totals
    .map((raw, index) => (peers[index]?.delinquent === false ? numberOf(raw, 0, 1_000) : null))
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
  assert.deepEqual([body.totalValidators, body.scoredValidators], [peers.length, yields.length]);
  const [low, high] = [yields[(yields.length - 1) >> 1], yields[yields.length >> 1]];
  if (low === undefined || high === undefined) assert.equal(body.globalMedianApy, null);
  else assert.equal(body.globalMedianApy, round2((low + high) / 2), 'the median of the sent values');
  if (totals.some((raw) => numberOf(raw, 0, 1_000) === null)) checkWarned('yields', body);
  for (const { validatorCount, sharePct, scored, medianApy } of body.cities) {
    assert.equal(sharePct, round2((validatorCount / peers.length) * 100));
    assert.equal(medianApy === null, scored < 3);
    if (medianApy !== null) assert.ok(medianApy >= round2(yields[0]!) && medianApy <= round2(yields.at(-1)!));
  }
};

/** Checks `/stake/simulate` with the yield of `/validator/apy` in the same round. */
export const checkSimulation = (body: Json, apy: Json): void => {
  assert.equal(body.effectiveApy, apy.totalApy);
  if (apy.jitoMevApy === null) checkWarned('simulation', body);
  const { rewardSol, balanceSol } = body.projections.annual;
  assert.ok(rewardSol >= 0 && Math.abs(balanceSol - body.amountSol - rewardSol) < 1e-8);
};
