// Serves the cluster in the format of Jito's public validator API: same paths, fields and units.

import type { ProviderValidator } from './provider-cluster.ts';

/**
 * `/api/v1/validators`: the list of one epoch. Tips of the current epoch are 0, because they settle at its
 * end.
 */
export function jitoValidators(
  validators: readonly ProviderValidator[],
  finished: boolean,
): { validators: Record<string, unknown>[] } {
  return {
    validators: validators.map((validator) => ({
      identity_account: validator.identity,
      vote_account: validator.voteAccount,
      mev_commission_bps: validator.runsJito ? validator.jitoCommissionBps : null,
      mev_rewards: finished ? validator.tipLamports : 0n,
      priority_fee_commission_bps: validator.runsJito ? 10_000 : null,
      priority_fee_rewards: 0n,
      running_jito: validator.runsJito,
      running_bam: false,
      active_stake: validator.stakeLamports,
      jito_directed_stake_target: false,
      jito_directed_stake_lamports: null,
    })),
  };
}

/** `/api/v1/validators/{vote}`: finished epochs with their tips, newest first. */
export function jitoRewards(
  epochs: readonly { readonly epoch: number; readonly tipLamports: bigint; readonly commissionBps: number }[],
): Record<string, unknown>[] {
  return epochs.map(({ epoch, tipLamports, commissionBps }) => ({
    epoch,
    mev_commission_bps: commissionBps,
    mev_rewards: tipLamports,
    priority_fee_commission_bps: 10_000,
    priority_fee_rewards: 0n,
  }));
}
