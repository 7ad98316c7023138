// Parses the JSON of Jito's validator API into MEV statistics. Shapes and sources are listed in
// fixtures/README.md.
import { z } from 'zod';
import type { MevCommission, MevEpochRewards } from './mev-statistics.ts';
import { asEntry, listOf, readEpochs } from './provider-entries.ts';
import { ProviderFailure } from './provider-failure.ts';
import { addressText, basisPoints, lamports } from './provider-field-types.ts';
import { expectedField, FieldTally, optionalField, readFields } from './provider-fields.ts';
import type { ParsedResponse } from './provider-snapshot.ts';

const validatorFields = {
  // Jito reports null for validators that do not run Jito, so a missing value alone causes no warning.
  commissionBps: optionalField('mev_commission_bps', basisPoints),
  runsJito: expectedField('running_jito', z.boolean()),
};

/**
 * Reads our validator from `POST /api/v1/validators {epoch}`. Throws `ProviderFailure` if the list does not
 * have the documented shape.
 */
export const readCommission = (
  json: unknown,
  { epoch, voteAccount }: { readonly epoch: number; readonly voteAccount: string },
): ParsedResponse<MevCommission> => {
  const tally = new FieldTally('jito');
  const entries = listOf(asEntry(json)?.validators).map(asEntry);
  const ours = entries.filter((entry) => entry?.vote_account === voteAccount);
  const entry = ours[0];
  if (entry == null) {
    // A list without any valid validator does not mean that our validator is missing.
    if (entries.length > 0 && !entries.some((item) => addressText.safeParse(item?.vote_account).success))
      throw new ProviderFailure('garbage');
    return {
      value: { epoch: null, commissionBps: null, runsJito: null },
      warnings: [{ provider: 'jito', word: 'validator-missing' }],
    };
  }
  ours.slice(1).forEach(() => {
    tally.note('row-duplicate');
  });
  const { commissionBps, runsJito } = readFields(validatorFields, entry, tally);
  if (runsJito === true && entry.mev_commission_bps == null)
    tally.note('field-missing', 'mev_commission_bps');
  return {
    value: { epoch, commissionBps: runsJito === false ? null : commissionBps, runsJito },
    warnings: tally.warnings,
  };
};

const rewardFields = {
  mevLamports: expectedField('mev_rewards', lamports),
  commissionBps: expectedField('mev_commission_bps', basisPoints),
};

/**
 * Reads `GET /api/v1/validators/{vote}`. Throws `ProviderFailure` if the list does not have the documented
 * shape.
 */
export const readRewards = (json: unknown): ParsedResponse<readonly MevEpochRewards[]> =>
  readEpochs('jito', rewardFields, json);
