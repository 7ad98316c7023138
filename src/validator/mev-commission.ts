// The commission on MEV tips and its epoch, from the MEV provider or, failing that, from the statistics
// provider.

import { NO_MEV_PROVIDER, NO_NETWORK_PROVIDER } from './mev-rates.ts';
import { EPOCH_UNAVAILABLE, type Part, part, providerPart, warningsOf } from './response-part.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** Null fields are unknown. */
export interface KnownMevCommission {
  readonly commissionBps: number | null;
  readonly epoch: number | null;
  readonly runsJito: boolean | null;
}

/** Returns the commission on MEV tips. Rejects only if `signal` is aborted. */
export const mevCommission = async (
  sources: ValidatorSources,
  signal: AbortSignal,
): Promise<Part<KnownMevCommission>> => {
  const position = await part(sources.cluster.recentEpochPosition(signal), EPOCH_UNAVAILABLE);
  // If the epoch is unknown, epoch 0 is requested. No provider has data for it, so the newest finished epoch
  // is used.
  const epoch = Number(position.value?.epoch ?? 0n);
  const asked = await providerPart(sources.mev?.commission(epoch, signal), NO_MEV_PROVIDER);
  if (asked.value !== null && (asked.value.commissionBps !== null || asked.value.runsJito === false))
    return { value: asked.value, warnings: asked.warnings };
  const provider = await providerPart(sources.network?.validator(signal), NO_NETWORK_PROVIDER);
  if (provider.value === null) return { value: asked.value, warnings: warningsOf(asked, provider) };
  const { jitoCommissionBps, epoch: providerEpoch, runsJito } = provider.value;
  return {
    value: {
      commissionBps: jitoCommissionBps,
      epoch: jitoCommissionBps === null ? null : providerEpoch,
      runsJito: asked.value?.runsJito ?? runsJito,
    },
    warnings: asked.warnings,
  };
};
