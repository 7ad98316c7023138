// Maps each reason for a planner refusal to an error code, a message, the next step and its parameters.
import { estimateEpochStart } from '../../domain/epoch-clock.ts';
import { solFigure, solNumber, solOrNull } from '../../domain/lamports.ts';
import type { PlanInputs, PlanRefusal } from '../../domain/plan/plan.ts';
import { isNotDeactivating, ownAccounts } from '../../domain/plan/plan-accounts.ts';
import { UNDO_MARGIN_SLOTS } from '../../domain/plan/plan-goals.ts';
import { REWARDS_FREEZE } from '../../domain/rewards-freeze.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { type Guidance, guidance, step } from '../../kernel/guidance.ts';
import type { SentenceFigures } from '../../kernel/sentence.ts';
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

type Why = PlanRefusal['why'];
type RefusalOf<Reason extends Why, One = PlanRefusal> = One extends { readonly why: infer Reasons }
  ? Reason extends Reasons
    ? One
    : never
  : never;

interface RefusalRecord<Reason extends Why> {
  readonly code: ErrorCode;
  readonly reason?: string | ((refusal: RefusalOf<Reason>, world: PlanInputs) => string);
  readonly message: string | ((refusal: RefusalOf<Reason>, world: PlanInputs) => string);
  readonly params?: (refusal: RefusalOf<Reason>, world: PlanInputs) => SentenceFigures;
  readonly suggestedAction?: Guidance | ((refusal: RefusalOf<Reason>, world: PlanInputs) => Guidance);
  readonly body?: (refusal: RefusalOf<Reason>, world: PlanInputs) => Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

/** Returns message placeholders for the nearest possible amounts below and above the requested one. */
const nearest = ({
  nearestBelowLamports,
  nearestAboveLamports,
}: RefusalOf<'AMOUNT_NOT_REACHABLE'>): readonly string[] => [
  ...(nearestBelowLamports === null ? [] : ['{nearestBelowSol}']),
  ...(nearestAboveLamports === null ? [] : ['{nearestAboveSol}']),
];

/** True if the amount exceeds the total. No larger amount is possible then, but the total always is. */
const exceedsAll = ({ nearestAboveLamports, isComplete }: RefusalOf<'AMOUNT_NOT_REACHABLE'>): boolean =>
  nearestAboveLamports === null && isComplete;

const amountFigures = (
  { nearestBelowLamports, nearestAboveLamports }: RefusalOf<'AMOUNT_NOT_REACHABLE'>,
  { chain }: PlanInputs,
): SentenceFigures => ({
  minimumDelegationSol: solFigure(chain.minimumDelegationLamports),
  ...(nearestBelowLamports !== null && { nearestBelowSol: solFigure(nearestBelowLamports) }),
  ...(nearestAboveLamports !== null && { nearestAboveSol: solFigure(nearestAboveLamports) }),
});

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

/** Refusals by reason, except `NOTHING_TO_DO`, whose message depends on the goal. */
const refusals: { readonly [Reason in Exclude<Why, 'NOTHING_TO_DO'>]: RefusalRecord<Reason> } = {
  AMOUNT_NOT_REACHABLE: {
    code: 'AMOUNT_NOT_REACHABLE',
    reason: (refusal) =>
      nearest(refusal).length === 0
        ? 'NO_STAKE'
        : exceedsAll(refusal)
          ? 'MORE_THAN_AVAILABLE'
          : refusal.isComplete
            ? 'NEAREST_KNOWN'
            : 'NEARER_POSSIBLE',
    params: amountFigures,
    message: (refusal) =>
      nearest(refusal).length === 0
        ? 'None of the wallet’s stakes can be used for this.'
        : exceedsAll(refusal)
          ? 'This is more than these stakes hold: at most {nearestBelowSol} SOL is possible.'
          : `This exact amount is not possible. Both the part that stays staked and the part taken out must be whole accounts or at least {minimumDelegationSol} SOL.${refusal.isComplete ? '' : ' Closer amounts may exist: there are too many combinations of these stakes to try them all.'}`,
    suggestedAction: (refusal, { wallet }) =>
      nearest(refusal).length === 0
        ? guidance`${step('listStakeAccounts', { walletAddress: wallet })} shows the state of each stake account.`
        : `Ask for ${nearest(refusal).join(' or ')} SOL.`,
    body: ({ nearestBelowLamports, nearestAboveLamports, isComplete }, { chain }) => ({
      nearestBelowSol: solOrNull(nearestBelowLamports),
      nearestAboveSol: solOrNull(nearestAboveLamports),
      complete: isComplete,
      minimumDelegationSol: solNumber(chain.minimumDelegationLamports),
    }),
  },
  BELOW_MINIMUM: {
    code: 'BELOW_MINIMUM_STAKE',
    reason: 'PLAN',
    message: 'The total is {shortfallSol} SOL short of the minimum that can be delegated.',
    params: ({ missingLamports }) => ({ shortfallSol: solFigure(missingLamports) }),
    suggestedAction: 'Withdraw it, or add the missing amount.',
    body: ({ missingLamports }) => ({ shortfallSol: solNumber(missingLamports) }),
  },
  WALLET_SHORT: {
    code: 'INSUFFICIENT_BALANCE',
    reason: 'FEES_AND_RENT',
    message: 'The wallet is {shortfallSol} SOL short of the fees and rent for this.',
    params: ({ missingLamports }) => ({ shortfallSol: solFigure(missingLamports) }),
    suggestedAction: 'Fund the wallet with at least {shortfallSol} more SOL, then try again.',
    body: ({ missingLamports }) => ({ shortfallSol: solNumber(missingLamports) }),
  },
  UNDO_IMPOSSIBLE: {
    code: 'UNDO_IMPOSSIBLE',
    reason: 'BALANCE',
    params: ({ missingLamports }) => ({ missingSol: solFigure(missingLamports) }),
    message:
      'The account is {missingSol} SOL short: the amount withdrawn from it would have to be returned and stay there.',
    suggestedAction: 'Wait until it is inactive, then stake it again together with more SOL or withdraw it.',
    body: ({ missingLamports }) => ({ why: 'balance', missingSol: solNumber(missingLamports) }),
  },
  UNDO_TOO_LATE: {
    code: 'UNDO_TOO_LATE',
    message: 'The epoch of the deactivation is over, so it cannot be undone.',
    suggestedAction: guidance`Once the account is inactive, stake it again: ${step('createRestakeTransaction')}.`,
  },
  NOTHING_TO_UNDO: {
    code: 'NOTHING_TO_UNDO',
    message: 'No stake of the wallet has been deactivated.',
    suggestedAction: (_, { wallet }) =>
      guidance`${step('listStakeAccounts', { walletAddress: wallet })} shows the state of each stake account.`,
  },
  NOT_ACTIVATING: {
    code: 'STAKE_NOT_ACTIVATING',
    message: 'No stake of the wallet is activating at this validator.',
    suggestedAction: guidance`Make a new stake: ${step('createStakeTransaction')}.`,
  },
  LOCKED: {
    code: 'STAKE_LOCKED',
    reason: 'ACTIVATING',
    message: 'The stake that is activating is locked up.',
  },
  EPOCH_REWARDS_ACTIVE: {
    code: 'EPOCH_REWARDS_ACTIVE',
    reason: 'DISTRIBUTION',
    ...REWARDS_FREEZE,
  },
};

/** An account holds rent in addition to its stake, so its balance is more than can be unstaked. */
const moreThanStaked: Partial<RefusalRecord<'AMOUNT_NOT_REACHABLE'>> = {
  reason: 'MORE_THAN_STAKED',
  params: (refusal, world) => ({
    ...amountFigures(refusal, world),
    rentSol: solFigure(rentOfStakes(world)),
  }),
  message:
    'At most {nearestBelowSol} SOL is staked. The accounts also hold {rentSol} SOL of rent, which is returned when everything is unstaked and withdrawn.',
};

/** Converts a planner refusal to an error, with its message and parameters. */
export const refusalError = (
  refusal: PlanRefusal,
  world: PlanInputs,
  asked: Pick<PlanRequest, 'goal' | 'use'>,
): AppError => {
  if (refusal.why === 'NOTHING_TO_DO') return nothingToDo(asked, refusal.blocked, world);
  const isMoreThanStaked =
    asked.goal === 'unstake' &&
    refusal.why === 'AMOUNT_NOT_REACHABLE' &&
    exceedsAll(refusal) &&
    nearest(refusal).length > 0;
  const { code, reason, message, params, suggestedAction, body, retryAfterSeconds } = {
    ...refusals[refusal.why],
    ...(isMoreThanStaked && moreThanStaked),
  } as RefusalRecord<Why>;
  const filled = <Value>(value: Value | ((one: never, world: PlanInputs) => Value)): Value =>
    typeof value === 'function' ? (value as CallableFunction)(refusal, world) : value;
  return new AppError(code, filled(message), {
    ...(reason !== undefined && { reason: filled(reason) }),
    ...(params !== undefined && { params: filled(params) }),
    ...(suggestedAction !== undefined && { suggestedAction: filled(suggestedAction) }),
    ...(body !== undefined && { body: filled(body) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
};

/** Throws `EPOCH_BOUNDARY_NEAR` if an undo might land in the next epoch, and `UNDO_IMPOSSIBLE` for stake at another validator. */
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
