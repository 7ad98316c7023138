// Checks an adapter's result by parsing the response independently: each number must be the number sent, or
// null with a warning.
import assert from 'node:assert/strict';
import type { MevCommission, MevEpochRewards } from '../../src/upstream/mev-statistics.ts';
import type { EpochStake, ValidatorStatistic } from '../../src/upstream/network-statistics.ts';
import type { Snapshot } from '../../src/upstream/provider-snapshot.ts';
import type { ProviderResponse } from '../support/scripted-provider.ts';

/** The original text of a number, so the oracle does not round it either. */
export class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Sent = Readonly<Record<string, unknown>>;

export const isSent = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses the response as sent, keeping numbers as text. Returns undefined if it is not JSON or did not arrive
 * completely with status 200.
 */
export const sentBy = (response: ProviderResponse): unknown => {
  if (typeof response === 'string' || (response.status ?? 200) !== 200) return undefined;
  if (response.cutAfter !== undefined || response.unfinished || response.headers?.['content-encoding'])
    return undefined;
  const text = response.body.toString();
  if (text.length > 33 * 1024 * 1024) return undefined;
  const keep = (_key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === 'number' ? new Written(context.source ?? '') : value;
  try {
    return JSON.parse(text, keep as Parameters<typeof JSON.parse>[1]);
  } catch {
    return undefined;
  }
};

/**
 * Returns true if the sent text is a number within the range. Compares its digits instead of using a schema.
 */
export const isWithin = (raw: unknown, least: number, most: number, whole: boolean): raw is Written => {
  if (!(raw instanceof Written)) return false;
  const value = Number(raw.text);
  return (
    value >= least && value <= most && (!whole || (Number.isInteger(value) && Math.abs(value) < 2 ** 53))
  );
};

/**
 * Checks that a number in the result equals the number sent, or is null with a warning if the sent one is
 * absent or impossible.
 */
const checkNumber = (
  where: string,
  got: number | null | undefined,
  raw: unknown,
  range: readonly [least: number, most: number, whole?: boolean],
  hasWarning: boolean,
): void => {
  const [least, most, whole = false] = range;
  if (isWithin(raw, least, most, whole))
    assert.equal(got, Number(raw.text) + 0, `${where}: the sent value is right`);
  else {
    assert.equal(got, null, `${where}: the sent value is impossible`);
    if (raw !== undefined && raw !== null) assert.ok(hasWarning, `${where}: no warning`);
  }
};

const checkLamports = (where: string, got: bigint | null, raw: unknown, hasWarning: boolean): void => {
  if (raw instanceof Written && /^\d+$/.test(raw.text) && BigInt(raw.text) <= 10n ** 18n) {
    assert.equal(got, BigInt(raw.text), `${where}: exact to the lamport`);
    return;
  }
  // `1e3` and `5.0` are also whole numbers. All other notations are not.
  if (raw instanceof Written && got !== null) {
    assert.equal(Number(got), Number(raw.text) + 0, `${where}: as it was written`);
    return;
  }
  assert.equal(got, null, `${where}: no amount was sent`);
  if (raw !== undefined && raw !== null) assert.ok(hasWarning, `${where}: no warning`);
};

const warned = (snapshot: Snapshot<unknown>, field: string): boolean =>
  snapshot.warnings.some((warning) => warning.field === field);

/** The service's names for StakeWiz's numbers, with their ranges. */
const numbers: readonly (readonly [keyof ValidatorStatistic, string, number, number, boolean?])[] = [
  ['epoch', 'epoch', 0, 1_000_000, true],
  ['activatedStakeSol', 'activated_stake', 0, 1e9],
  ['skipRatePct', 'skip_rate', 0, 100],
  ['voteSuccessPct', 'vote_success', 0, 100],
  ['creditsThisEpoch', 'epoch_credits', 0, 100_000_000, true],
  ['stakingApyPct', 'staking_apy', 0, 1_000],
  ['jitoApyPct', 'jito_apy', 0, 1_000],
];

const checkStatistic = (statistic: ValidatorStatistic, entry: Sent, snapshot: Snapshot<unknown>): void => {
  for (const [ours, theirs, least, most, whole] of numbers) {
    checkNumber(
      theirs,
      statistic[ours] as number | null,
      entry[theirs],
      [least, most, whole],
      warned(snapshot, theirs),
    );
  }
  const total = entry.total_apy === undefined || entry.total_apy === null ? 'apy_estimate' : 'total_apy';
  checkNumber(total, statistic.totalApyPct, entry[total], [0, 1_000], warned(snapshot, total));
  if (entry.is_jito === false) assert.equal(statistic.jitoCommissionBps, null);
  else {
    const bps = entry.jito_commission_bps;
    checkNumber(
      'bps',
      statistic.jitoCommissionBps,
      bps,
      [0, 10_000, true],
      warned(snapshot, 'jito_commission_bps'),
    );
  }
  assert.equal(statistic.delinquent, typeof entry.delinquent === 'boolean' ? entry.delinquent : null);
  assert.equal(statistic.runsJito, typeof entry.is_jito === 'boolean' ? entry.is_jito : null);
  for (const text of [statistic.name, statistic.city, statistic.country, statistic.description])
    assert.ok(text === null || (text.length > 0 && text.length <= 2_000 && !/[\p{Cc}\p{Cf}]/u.test(text)));
};

/**
 * Checks that a snapshot without a value states the reason, and that one with a value comes from a response
 * that arrived.
 */
const checkWhole = (snapshot: Snapshot<unknown>, sent: unknown): void => {
  if (snapshot.value === null) assert.ok(snapshot.warnings.length > 0, 'null without a warning');
  else assert.notEqual(sent, undefined, 'a value from a response that did not arrive');
};

export const checkValidators = (snapshot: Snapshot<readonly ValidatorStatistic[]>, sent: unknown): void => {
  checkWhole(snapshot, sent);
  if (snapshot.value === null) return;
  const entries = (sent as unknown[]).filter(isSent);
  const seen = new Set<string>();
  for (const statistic of snapshot.value) {
    assert.ok(!seen.has(statistic.voteAccount), 'a validator twice');
    seen.add(statistic.voteAccount);
    const entry = entries.find((item) => item.vote_identity === statistic.voteAccount);
    assert.ok(entry, 'a validator that was not sent');
    checkStatistic(statistic, entry, snapshot);
  }
};

/** Checks the service's own validator only. */
export const checkValidator = (snapshot: Snapshot<ValidatorStatistic>, sent: unknown, ours: string): void => {
  checkWhole(snapshot, sent);
  if (snapshot.value === null) {
    assert.ok(
      !isSent(sent) || sent.vote_identity !== ours,
      'a complete response about our validator was discarded',
    );
    return;
  }
  assert.ok(isSent(sent) && sent.vote_identity === ours);
  checkStatistic(snapshot.value, sent, snapshot);
};

const firstOfEpoch = (sent: unknown, epoch: number): Sent => {
  const entry = (sent as unknown[])
    .filter(isSent)
    .find((item) => item.epoch instanceof Written && Number(item.epoch.text) === epoch);
  assert.ok(entry, `epoch ${epoch} was never sent`);
  return entry;
};

export const checkStakeHistory = (snapshot: Snapshot<readonly EpochStake[]>, sent: unknown): void => {
  checkWhole(snapshot, sent);
  for (const { epoch, activeStakeSol } of snapshot.value ?? [])
    checkNumber(
      'stake',
      activeStakeSol,
      firstOfEpoch(sent, epoch).stake,
      [0, 1e9],
      warned(snapshot, 'stake'),
    );
};

export const checkRewards = (snapshot: Snapshot<readonly MevEpochRewards[]>, sent: unknown): void => {
  checkWhole(snapshot, sent);
  for (const rewards of snapshot.value ?? []) {
    const entry = firstOfEpoch(sent, rewards.epoch);
    checkLamports('mev_rewards', rewards.mevLamports, entry.mev_rewards, warned(snapshot, 'mev_rewards'));
    const bps = entry.mev_commission_bps;
    checkNumber('bps', rewards.commissionBps, bps, [0, 10_000, true], warned(snapshot, 'mev_commission_bps'));
  }
};

/**
 * Checks the commission against the list that was sent. The rewards, which may also contain the commission,
 * were sent unchanged.
 */
export const checkCommission = (
  snapshot: Snapshot<MevCommission>,
  sent: unknown,
  { ours, epoch, older }: { readonly ours: string; readonly epoch: number; readonly older: MevCommission },
): void => {
  const list = isSent(sent) && Array.isArray(sent.validators) ? sent.validators.filter(isSent) : [];
  const entry = list.find((item) => item.vote_account === ours);
  const { value } = snapshot;
  assert.ok(value, 'the older commission is always known here');
  const runsJito = typeof entry?.running_jito === 'boolean' ? entry.running_jito : null;
  assert.equal(value.runsJito, runsJito);
  const bps = entry?.mev_commission_bps;
  if (runsJito === false) assert.deepEqual(value, { epoch, commissionBps: null, runsJito });
  else if (isWithin(bps, 0, 10_000, true))
    assert.deepEqual(value, { epoch, commissionBps: Number(bps.text) + 0, runsJito });
  else {
    assert.deepEqual(value, { ...older, runsJito });
    assert.ok(snapshot.warnings.length > 0, 'an older commission without a warning');
  }
};
