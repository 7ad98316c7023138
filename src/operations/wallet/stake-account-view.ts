// Formats a stake account for responses: decoded, with its state at one slot and the suggested actions.
import { z } from 'zod';
import type { EpochPosition } from '../../chain/ports.ts';
import { epochStartBounds } from '../../domain/epoch-clock.ts';
import { lamportsNumber, solNumber } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { suggestedActions } from '../../domain/portfolio/suggested-actions.ts';
import type { DelegationLimits } from '../../domain/stake/restake-rules.ts';
import { EPOCH_ABSENT, type StakeAccount, shownLockup } from '../../domain/stake/stake-account.ts';
import type { StakeAssessment } from '../../domain/stake/stake-state.ts';
import { estimateWithdrawable } from '../../domain/stake/stake-state-estimate.ts';
import { textOf } from '../../kernel/sentence.ts';
import { accountUrl, type LinkSettings } from '../act/explorer-links.ts';
import { integer, lamports, printedStep, sentenceShape, sol, timestamp } from '../shared-schemas.ts';

export const readinessShape = {
  address: z.string(),
  sol: sol('Balance.'),
  state: z.enum(['initialized', 'activating', 'active', 'deactivating', 'inactive']),
  ...sentenceShape('stateDescription'),
  withdrawReady: z.boolean().meta({ description: 'The full balance can be withdrawn now.' }),
  withdrawableAtEpoch: integer(
    'First epoch in which the full balance can be withdrawn; null if it can be withdrawn now or no epoch is fixed yet (see withdrawableWhen).',
  ).nullable(),
  withdrawableWhen: z.enum(['now', 'at_epoch', 'not_fixed']).meta({
    description:
      'Time at which the full balance can be withdrawn. at_epoch: from `withdrawableAtEpoch` on. not_fixed: it is staked and not deactivated, or locked.',
  }),
  estimatedSecondsRemaining: z.number().nullable(),
  estimatedWithdrawableAt: timestamp('Wall-clock estimate.').nullable(),
  ifUnstakedNow: z
    .object({
      at: timestamp('Estimate; now if none of it is active yet.'),
      earliest: timestamp('Based on the fastest measured slots; equals at for later epochs.'),
      latest: timestamp('Based on the slowest measured slots; equals at for later epochs.'),
    })
    .meta({ id: 'IfUnstakedNow' })
    .nullable()
    .meta({
      description:
        'Time at which the full balance could be withdrawn if it were unstaked now. Null unless it is staked, and while a lockup has no known end date.',
    }),
};

/** Creates the notice for an account of the wallet whose stake authority is another address. */
export const foreignAuthority = ({
  address,
  stakeAuthority,
}: Pick<StakeAccount, 'address' | 'stakeAuthority'>): Notice =>
  notice(
    'FOREIGN_STAKE_AUTHORITY',
    '{stakeAuthority}, not this wallet, is the stake authority of {stakeAccountAddress} and can unstake or redelegate it.',
    { stakeAccountAddress: address, stakeAuthority },
  );

export const stakeAccountSchema = z
  .object({
    ...readinessShape,
    lamports: lamports('Balance in lamports.'),
    rawState: z.enum(['initialized', 'delegated']).meta({ description: 'The state type stored on chain.' }),
    activeSol: sol('Effective stake.'),
    activatingSol: sol('Warming up.'),
    deactivatingSol: sol('Deactivating stake: still earning, not yet withdrawable.'),
    withdrawableSol: sol('Largest withdrawal currently possible.'),
    partialWithdrawMaxSol: sol('Largest withdrawal that keeps the account open.'),
    excessSol: sol('Balance beyond stake and rent, while the account is staked.'),
    rentReserveSol: sol("The cluster's current rent-exempt minimum of a stake account."),
    role: z
      .enum(['owner', 'staker'])
      .meta({ description: 'owner: the wallet may withdraw. staker: it may only unstake.' }),
    activationEpoch: integer('Null if never delegated.').nullable(),
    deactivationEpoch: integer('Null if not set.').nullable(),
    stakeAuthority: z.string(),
    withdrawAuthority: z.string(),
    lockup: z
      .object({
        custodian: z.string(),
        unixTimestamp: integer('Seconds since the Unix epoch.'),
        epoch: integer('Epoch.'),
      })
      .nullable(),
    voteAccount: z.string().nullable(),
    explorerUrl: z.string().meta({ description: 'The account in an explorer.' }),
    suggestedActions: z.array(
      printedStep(
        z
          .object({
            action: z.string(),
            ...sentenceShape('reason'),
            method: z.string(),
            endpoint: z.string(),
            request: z
              .object({
                walletAddress: z.string(),
                stakeAccountAddress: z.string(),
                amountSol: sol('Present if only this part can be withdrawn.').optional(),
              })
              .optional()
              .meta({ description: 'Body of the request, ready to send. Absent for wait.' }),
          })
          .meta({ id: 'SuggestedAction' }),
      ),
    ),
  })
  .meta({ id: 'StakeAccount' });

/** Chain position for which account states are determined. */
export interface ChainPosition {
  readonly position: EpochPosition;
  readonly limits: DelegationLimits;
  readonly nowMs: number;
}

// Genesis stakes have 2^64-1 as their activation epoch, which JSON numbers cannot represent and which means
// nothing to callers.
const epochNumber = (epoch: bigint | undefined): number | null =>
  epoch === undefined || epoch === EPOCH_ABSENT ? null : Number(epoch);

const ifUnstakedNowView = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { position, nowMs }: ChainPosition,
): { at: string; earliest: string; latest: string } | null => {
  const ifUnstakedNow = assessment.ifUnstakedNow();
  const estimate = ifUnstakedNow && estimateWithdrawable(account, ifUnstakedNow, position, nowMs);
  if (ifUnstakedNow === null || estimate === null) return null;
  const { at } = estimate;
  const epoch = ifUnstakedNow.withdrawableAtEpoch;
  const bounds = epoch === null ? null : epochStartBounds(position, epoch, nowMs);
  // A lockup's date is exact, not an estimate.
  return bounds === null || bounds.at !== at ? { at, earliest: at, latest: at } : bounds;
};

/** Formats the withdrawal fields, which are also part of `stakeAccountView`. */
export const readinessView = (
  account: StakeAccount,
  assessment: StakeAssessment,
  moment: ChainPosition,
): z.input<z.ZodObject<typeof readinessShape>> => {
  const withdrawableAtEpoch = epochNumber(assessment.withdrawableAtEpoch ?? undefined);
  const estimate = estimateWithdrawable(account, assessment, moment.position, moment.nowMs);
  const stateDescriptionSentences = [...assessment.stateSentences()];
  return {
    address: account.address,
    sol: solNumber(account.lamports),
    state: assessment.state,
    stateDescription: textOf(stateDescriptionSentences),
    stateDescriptionSentences,
    withdrawReady: assessment.withdrawReady,
    withdrawableAtEpoch,
    withdrawableWhen: assessment.withdrawReady
      ? 'now'
      : withdrawableAtEpoch === null
        ? 'not_fixed'
        : 'at_epoch',
    estimatedSecondsRemaining: estimate?.secondsRemaining ?? null,
    estimatedWithdrawableAt: estimate?.at ?? null,
    ifUnstakedNow: ifUnstakedNowView(account, assessment, moment),
  };
};

export const stakeAccountView = (
  account: StakeAccount,
  assessment: StakeAssessment,
  role: 'owner' | 'staker',
  moment: ChainPosition,
  settings: LinkSettings,
): z.input<typeof stakeAccountSchema> => {
  const { delegation } = account;
  return {
    ...readinessView(account, assessment, moment),
    lamports: lamportsNumber(account.lamports),
    rawState: assessment.rawState,
    activeSol: solNumber(assessment.activeLamports),
    activatingSol: solNumber(assessment.activatingLamports),
    deactivatingSol: solNumber(assessment.deactivatingLamports),
    withdrawableSol: solNumber(assessment.withdrawableLamports),
    partialWithdrawMaxSol: solNumber(assessment.partialWithdrawMaxLamports),
    excessSol: solNumber(assessment.excessLamports),
    rentReserveSol: solNumber(moment.limits.stakeRentLamports),
    role,
    activationEpoch: epochNumber(delegation?.activationEpoch),
    deactivationEpoch: epochNumber(delegation?.deactivationEpoch),
    stakeAuthority: account.stakeAuthority,
    withdrawAuthority: account.withdrawAuthority,
    lockup: shownLockup(account.lockup),
    voteAccount: delegation?.voteAccount ?? null,
    explorerUrl: accountUrl(settings, account.address),
    suggestedActions: suggestedActions(account, assessment, role, moment.limits).map(
      ({ reason, ...step }) => ({
        ...step,
        reason: reason.text,
        reasonSentences: [reason],
      }),
    ),
  };
};
