// Converts each planner refusal to an error with its code, message, next step and parameters.
import { rescuableStakes } from '../../domain/alerts/rescuable-stakes.ts';
import { estimateEpochStart } from '../../domain/epoch-clock.ts';
import { solFigure, solNumber, solOrNull } from '../../domain/lamports.ts';
import type { PlanInputs, PlanRefusal } from '../../domain/plan/plan.ts';
import { isNotDeactivating, mayWithdraw, ownAccounts } from '../../domain/plan/plan-accounts.ts';
import { UNDO_MARGIN_SLOTS } from '../../domain/plan/plan-goals.ts';
import { duringEpochRewards } from '../../domain/rewards-freeze.ts';
import type { StakeAccount } from '../../domain/stake/stake-account.ts';
import { TAKE_BACK } from '../../domain/stake/unstake-rules.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import { type Guidance, guidance, step } from '../../kernel/guidance.ts';
import type { Context } from '../context.ts';
import { nothingToDo } from './explain-nothing-to-do.ts';
import type { PlanRequest } from './plan-request.ts';
import type { WalletAtSlot } from './read-plan-inputs.ts';

/** Error codes of planner refusals, in addition to read errors. */
export const planErrors = [
  'AMOUNT_NOT_REACHABLE',
  'NOTHING_TO_DO',
  'UNDO_TOO_LATE',
  'NOTHING_TO_UNDO',
  'UNDO_IMPOSSIBLE',
  'EPOCH_BOUNDARY_NEAR',
  'STAKE_NOT_ACTIVATING',
  'STAKE_LOCKED',
  'BELOW_MINIMUM_STAKE',
  'INSUFFICIENT_BALANCE',
  'EPOCH_REWARDS_ACTIVE',
] as const satisfies readonly ErrorCode[];

/**
 * Sums the rent of the accounts whose stake can be unstaked. An account's rent is returned when it is closed.
 */
const rentOfStakes = (world: PlanInputs): bigint =>
  ownAccounts(world)
    .filter(isNotDeactivating)
    .map(({ lamports, delegation }) => lamports - (delegation?.stakeLamports ?? 0n))
    .reduce(
      (sum, free) => sum + (free < world.chain.stakeRentLamports ? free : world.chain.stakeRentLamports),
      0n,
    );

/**
 * Lists the wallet's stakes that a plan leaves out because another address is their stake authority. The wallet
 * can take that authority back.
 */
const excludedStakes = (world: PlanInputs): readonly StakeAccount[] =>
  mayWithdraw(world) ? rescuableStakes(world.accounts, world.wallet).filter(isNotDeactivating) : [];

const INEXACT =
  'This exact amount is not possible. Both the part that stays staked and the part taken out must be whole accounts or at least {minimumDelegationSol} SOL.';

const EXCLUDED =
  'Another address ({stakeAuthority}) is the stake authority of {excludedSol} SOL of this wallet’s stake, so this wallet cannot unstake it.';

const amountMessages: Readonly<Record<ErrorReason<'AMOUNT_NOT_REACHABLE'>, string>> = {
  NO_STAKE: 'The wallet has no stake that can be used for this.',
  NO_CONTROLLED_STAKE: `${EXCLUDED} The wallet has no other stake that can be used for this.`,
  MORE_THAN_CONTROLLED: `${EXCLUDED} Without it, at most {nearestBelowSol} SOL is possible.`,
  MORE_THAN_AVAILABLE:
    'This is more than these stakes hold in addition to their rent: at most {nearestBelowSol} SOL is possible.',
  // An account holds rent in addition to its stake, so its balance is more than can be unstaked.
  MORE_THAN_STAKED:
    'At most {nearestBelowSol} SOL is staked. The accounts also hold {rentSol} SOL of rent, which is returned when everything is unstaked and withdrawn.',
  NEAREST_KNOWN: INEXACT,
  NEARER_POSSIBLE: `${INEXACT} Closer amounts may exist: there are too many combinations of these stakes to try them all.`,
};

type AmountRefusal = Extract<PlanRefusal, { readonly why: 'AMOUNT_NOT_REACHABLE' }>;

const whyNotReachable = (
  { nearestBelowLamports, nearestAboveLamports, isComplete }: AmountRefusal,
  goal: PlanRequest['goal'],
  isStakeExcluded: boolean,
): ErrorReason<'AMOUNT_NOT_REACHABLE'> => {
  if (nearestBelowLamports === null && nearestAboveLamports === null)
    return isStakeExcluded ? 'NO_CONTROLLED_STAKE' : 'NO_STAKE';
  if (!isComplete) return 'NEARER_POSSIBLE';
  if (nearestAboveLamports !== null) return 'NEAREST_KNOWN';
  if (isStakeExcluded) return 'MORE_THAN_CONTROLLED';
  // The amount exceeds the total. Nothing above the total is possible, but the total itself always is.
  return goal === 'unstake' ? 'MORE_THAN_STAKED' : 'MORE_THAN_AVAILABLE';
};

const amountNotReachable = (
  refusal: AmountRefusal,
  world: PlanInputs,
  goal: PlanRequest['goal'],
): AppError => {
  const { nearestBelowLamports: below, nearestAboveLamports: above, isComplete } = refusal;
  const { minimumDelegationLamports } = world.chain;
  const excluded = goal === 'unstake' || goal === 'withdraw-amount' ? excludedStakes(world) : [];
  const reason = whyNotReachable(refusal, goal, excluded.length > 0);
  const isExcludedNamed = reason === 'NO_CONTROLLED_STAKE' || reason === 'MORE_THAN_CONTROLLED';
  const possible = [below === null ? '' : '{nearestBelowSol}', above === null ? '' : '{nearestAboveSol}'];
  return new AppError('AMOUNT_NOT_REACHABLE', amountMessages[reason], {
    reason,
    params: {
      minimumDelegationSol: solFigure(minimumDelegationLamports),
      ...(below !== null && { nearestBelowSol: solFigure(below) }),
      ...(above !== null && { nearestAboveSol: solFigure(above) }),
      ...(reason === 'MORE_THAN_STAKED' && { rentSol: solFigure(rentOfStakes(world)) }),
      ...(isExcludedNamed && {
        excludedSol: solFigure(
          excluded.reduce((sum, { delegation }) => sum + (delegation?.stakeLamports ?? 0n), 0n),
        ),
        stakeAuthority: [...new Set(excluded.map(({ stakeAuthority }) => stakeAuthority))].join(', '),
      }),
    },
    suggestedAction: isExcludedNamed
      ? TAKE_BACK
      : reason === 'NO_STAKE'
        ? accountStates(world)
        : `Ask for ${possible.filter(Boolean).join(' or ')} SOL.`,
    body: {
      nearestBelowSol: solOrNull(below),
      nearestAboveSol: solOrNull(above),
      complete: isComplete,
      minimumDelegationSol: solNumber(minimumDelegationLamports),
    },
  });
};

const accountStates = ({ wallet }: PlanInputs): Guidance =>
  guidance`${step('listStakeAccounts', { walletAddress: wallet })} shows the state of each stake account.`;

/** Converts a planner refusal to an error, with its message and parameters. */
export const refusalError = (
  refusal: PlanRefusal,
  world: PlanInputs,
  asked: Pick<PlanRequest, 'goal' | 'use'>,
): AppError => {
  switch (refusal.why) {
    case 'NOTHING_TO_DO':
      return nothingToDo(asked, refusal.blocked, world);
    case 'AMOUNT_NOT_REACHABLE':
      return amountNotReachable(refusal, world, asked.goal);
    case 'BELOW_MINIMUM':
      return new AppError(
        'BELOW_MINIMUM_STAKE',
        'The total is {shortfallSol} SOL short of the minimum that can be delegated.',
        {
          reason: 'PLAN',
          params: { shortfallSol: solFigure(refusal.missingLamports) },
          suggestedAction: 'Withdraw it, or add the missing amount.',
          body: { shortfallSol: solNumber(refusal.missingLamports) },
        },
      );
    case 'WALLET_SHORT':
      return new AppError(
        'INSUFFICIENT_BALANCE',
        'The wallet needs {shortfallSol} SOL more to cover the fees and rent.',
        {
          reason: 'FEES_AND_RENT',
          params: { shortfallSol: solFigure(refusal.missingLamports) },
          suggestedAction: 'Fund the wallet with at least {shortfallSol} more SOL, then try again.',
          body: { shortfallSol: solNumber(refusal.missingLamports) },
        },
      );
    case 'UNDO_IMPOSSIBLE':
      return new AppError(
        'UNDO_IMPOSSIBLE',
        'The account is {missingSol} SOL short: the amount withdrawn from it would have to be returned and stay there.',
        {
          reason: 'BALANCE',
          params: { missingSol: solFigure(refusal.missingLamports) },
          suggestedAction:
            'Wait until it is inactive, then stake it again together with more SOL or withdraw it.',
          body: { why: 'balance', missingSol: solNumber(refusal.missingLamports) },
        },
      );
    case 'UNDO_TOO_LATE':
      return new AppError('UNDO_TOO_LATE', 'The epoch of the deactivation is over, so it cannot be undone.', {
        suggestedAction: guidance`Once the account is inactive, stake it again: ${step('createRestakeTransaction')}.`,
      });
    case 'NOTHING_TO_UNDO':
      return new AppError('NOTHING_TO_UNDO', 'No stake of the wallet has been deactivated.', {
        suggestedAction: accountStates(world),
      });
    case 'NOT_ACTIVATING':
      return new AppError('STAKE_NOT_ACTIVATING', 'No stake of the wallet is activating at this validator.', {
        suggestedAction: guidance`Make a new stake: ${step('createStakeTransaction')}.`,
      });
    case 'LOCKED':
      return new AppError('STAKE_LOCKED', 'The stake that is activating is locked up.', {
        reason: 'ACTIVATING',
      });
    case 'EPOCH_REWARDS_ACTIVE':
      return duringEpochRewards();
  }
};

/**
 * Throws `AppError('EPOCH_BOUNDARY_NEAR')` if an undo might land in the next epoch, and
 * `AppError('UNDO_IMPOSSIBLE')` for stake at another validator.
 */
export const refuseLateUndo = ({ accounts, facts: { position } }: WalletAtSlot, ctx: Context): void => {
  const slotsRemaining = position.slotsInEpoch - position.slotIndex;
  if (slotsRemaining <= BigInt(UNDO_MARGIN_SLOTS))
    throw new AppError(
      'EPOCH_BOUNDARY_NEAR',
      'The epoch ends in about {slotsRemaining} slots: a transaction signed now could land after the epoch boundary. That would restart activation and cost you one epoch of rewards.',
      {
        params: { slotsRemaining: Number(slotsRemaining) },
        suggestedAction: 'Once the account is inactive, stake it again.',
        body: {
          slotsRemaining: Number(slotsRemaining),
          estimatedEpochEnd: estimateEpochStart(position, position.epoch + 1n, ctx.clock.now()).at,
        },
      },
    );
  const cooling = accounts.filter(({ delegation }) => delegation?.deactivationEpoch === position.epoch);
  const elsewhere = cooling.filter(
    ({ delegation }) => delegation!.voteAccount !== ctx.service.settings.voteAccount,
  );
  if (cooling.length > 0 && elsewhere.length === cooling.length)
    throw new AppError(
      'UNDO_IMPOSSIBLE',
      'It is delegated to another validator ({voteAccount}); this service delegates only to its own.',
      {
        reason: 'OTHER_VALIDATOR',
        params: { voteAccount: elsewhere[0]!.delegation!.voteAccount },
        body: { why: 'other-validator' },
      },
    );
};
