// Parses StakeWiz's JSON into validator statistics. Shapes and sources are listed in fixtures/README.md.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { EpochStake, ValidatorStatistic } from './network-statistics.ts';
import { asEntry, type Entry, listOf, readEpochs } from './provider-entries.ts';
import { ProviderFailure } from './provider-failure.ts';
import {
  addressText,
  basisPoints,
  epochNumber,
  numberBetween,
  percent,
  plainText,
  webUrl,
  wholeNumberUpTo,
  yieldPct,
} from './provider-field-types.ts';
import { expectedField, FieldTally, optionalField, readFields } from './provider-fields.ts';
import type { ParsedResponse } from './provider-snapshot.ts';

/** An amount of more SOL than exists. Larger numbers are probably lamports. */
const MAX_SOL = 1_000_000_000;
/**
 * Maximum number of credits in an epoch: 432,000 slots with at most 16 credits each, plus room for longer
 * epochs.
 */
const MAX_EPOCH_CREDITS = 100_000_000;

const fields = {
  identity: optionalField('identity', addressText),
  name: optionalField('name', plainText(100)),
  description: optionalField('description', plainText(1_000)),
  website: optionalField('website', webUrl),
  iconUrl: optionalField('image', webUrl),
  epoch: expectedField('epoch', epochNumber),
  runsJito: expectedField('is_jito', z.boolean()),
  jitoCommissionBps: optionalField('jito_commission_bps', basisPoints),
  activatedStakeSol: expectedField('activated_stake', numberBetween(0, MAX_SOL)),
  delinquent: expectedField('delinquent', z.boolean()),
  skipRatePct: expectedField('skip_rate', percent),
  voteSuccessPct: expectedField('vote_success', percent),
  creditsThisEpoch: expectedField('epoch_credits', wholeNumberUpTo(MAX_EPOCH_CREDITS)),
  stakingApyPct: expectedField('staking_apy', yieldPct),
  jitoApyPct: optionalField('jito_apy', yieldPct),
  totalApyPct: optionalField('total_apy', yieldPct),
  apyEstimatePct: expectedField('apy_estimate', yieldPct),
  softwareVersion: optionalField('version', plainText(50)),
  city: optionalField('ip_city', plainText(80)),
  country: optionalField('ip_country', plainText(80)),
};

const statisticOf = (voteAccount: string, entry: Entry, tally: FieldTally): ValidatorStatistic => {
  const { apyEstimatePct, ...read } = readFields(fields, entry, tally);
  return {
    voteAccount,
    ...read,
    jitoCommissionBps: read.runsJito === false ? null : read.jitoCommissionBps,
    // The older estimate replaces a missing total, but not an invalid one.
    totalApyPct: entry.total_apy == null ? apyEstimatePct : read.totalApyPct,
  };
};

const voteAccountOf = (entry: Entry | null): string | null => {
  const parsed = addressText.safeParse(entry?.vote_identity);
  return parsed.success ? parsed.data : null;
};

/** Number of entries parsed before yielding to other requests. 2,000 entries take 65 ms (November 2026). */
const ENTRIES_PER_TURN = 100;

/**
 * Reads `GET /validators`, yielding to other work in between. Throws `ProviderFailure` if no entry is valid.
 */
export const readValidators = async (
  json: unknown,
): Promise<ParsedResponse<readonly ValidatorStatistic[]>> => {
  const tally = new FieldTally('stakewiz');
  const validators = new Map<string, ValidatorStatistic>();
  for (const [index, item] of listOf(json).entries()) {
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await nextTurn();
    const entry = asEntry(item);
    const voteAccount = voteAccountOf(entry);
    if (entry === null || voteAccount === null) tally.note('row-invalid');
    else if (validators.has(voteAccount)) tally.note('row-duplicate');
    else validators.set(voteAccount, statisticOf(voteAccount, entry, tally));
  }
  // A cluster always has validators. An empty list is a broken response and would distort the medians.
  if (validators.size === 0) throw new ProviderFailure('garbage');
  return { value: [...validators.values()], warnings: tally.warnings };
};

/** Reads `GET /validator/{vote}`. Throws `ProviderFailure` if the response is not about this validator. */
export const readValidator = (json: unknown, voteAccount: string): ParsedResponse<ValidatorStatistic> => {
  const entry = asEntry(json);
  if (entry === null || voteAccountOf(entry) !== voteAccount) throw new ProviderFailure('garbage');
  const tally = new FieldTally('stakewiz');
  return {
    value: statisticOf(voteAccount, entry, tally),
    warnings: tally.warnings.map(({ count: _, ...warning }) => warning),
  };
};

const stakeFields = { activeStakeSol: expectedField('stake', numberBetween(0, MAX_SOL)) };

/**
 * Reads `GET /validator_total_stakes/{vote}`. Throws `ProviderFailure` if the list does not have the
 * documented shape.
 */
export const readStakeHistory = (json: unknown): ParsedResponse<readonly EpochStake[]> =>
  readEpochs('stakewiz', stakeFields, json);
