// Prepares a change of a wallet's stake: reads its accounts, plans the change, and builds the plan's transactions.
import type { Address } from '@solana/kit';
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import type { Notice } from '../../domain/notice.ts';
import type { Plan, PlanWorld } from '../../domain/plan/plan.ts';
import { goalRecord } from '../../domain/plan/plan-goals.ts';
import { planStakeChange } from '../../domain/plan/plan-stake-change.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { type BuildFacts, boundaryNotices, lifetimeOf } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import { stakeAddressTaken } from '../stake/stake-address-taken.ts';
import { refusalError, refuseLateUndo } from './plan-refusals.ts';
import { goalOf, type PlanRequest, type PreviewRequest, refuseAmount } from './plan-request.ts';
import { planReadErrors, readWorld, worldOf } from './read-plan-world.ts';

/** A transaction of a plan, already signed by the accounts that it creates. */
export interface PlannedBytes {
  readonly built: BuiltTransaction;
  readonly signatures: ReadonlyMap<string, Uint8Array>;
}

/** A plan with its transactions, in order. */
export interface PreparedPlan {
  readonly plan: Plan;
  readonly world: PlanWorld;
  readonly facts: BuildFacts;
  readonly transactions: readonly PlannedBytes[];
  readonly notices: readonly Notice[];
}

/** Errors that can occur when reading, planning and building under a caller's key. */
export const planBuildErrors = [
  ...planReadErrors,
  'STAKE_ADDRESS_OCCUPIED',
  'IDEMPOTENCY_KEY_REUSED',
  'STORE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

type StakeKey = ReturnType<Context['chain']['stakeKeys']['derive']>;

const addressOccupied = (stakeAccountAddress: Address): AppError =>
  new AppError(
    'STAKE_ADDRESS_OCCUPIED',
    'A change with this idempotency key has already been made: it created the account that this one would create.',
    {
      reason: 'CHANGE_DONE',
      suggestedAction: 'Use a new idempotency key for a different change.',
      body: { stakeAccountAddress },
    },
  );

/**
 * Throws `STAKE_ADDRESS_OCCUPIED` if an account exists at one of the addresses. The error contains a new key if an outsider created
 * the account.
 */
const refuseTaken = async (ctx: Context, keys: readonly StakeKey[], signal: AbortSignal): Promise<void> => {
  if (keys.length === 0) return;
  const { accounts } = await ctx.chain.reads.accounts(
    keys.map(({ address }) => address),
    { signal },
  );
  const taken = accounts.find((account) => account !== null);
  if (!taken) return;
  throw taken.owner === STAKE_PROGRAM
    ? addressOccupied(taken.address)
    : stakeAddressTaken(
        taken.address,
        'CHANGE_FUNDED_BY_OTHERS',
        'Someone sent lamports to the address of the new stake account, so the chain would refuse to create it.',
      );
};

/**
 * Reads, plans and builds. Throws one of `planErrors` or `planReadErrors`, `VALIDATION_ERROR`, or
 * `STAKE_ADDRESS_OCCUPIED` if an account was created under this key before.
 */
export const preparePlan = async (
  ctx: Context,
  request: PlanRequest,
  signal: AbortSignal,
): Promise<PreparedPlan> => {
  refuseAmount(request);
  const { wallet, goal } = request;
  const read = await readWorld(ctx, request, signal);
  const { facts } = read;
  if (goal === 'undo') refuseLateUndo(read, ctx);
  using keys = new DisposableStack();
  const created: StakeKey[] = [];
  // Separated by a space, which callers' keys cannot contain.
  const newKey = (index: number): StakeKey =>
    keys.use(
      ctx.chain.stakeKeys.derive({
        use: request.use ?? 'builder',
        wallet,
        idempotencyKey: `${request.key} ${index}`,
      }),
    );
  const newAddress = (index: number): Address => {
    created[index] ??= newKey(index);
    const { address } = created[index];
    if (read.accounts.some((one) => one.address === address)) throw addressOccupied(address);
    return address;
  };
  const world = await worldOf(ctx, request, read, newAddress, signal);
  const result = planStakeChange(goalOf(request), world);
  if (!result.ok) throw refusalError(result.refusal, world, request);
  if (request.isCallersKey) await refuseTaken(ctx, created, signal);
  const { memo, transactionVersion } = ctx.service.settings;
  const transactions = result.plan.transactions.map(({ operations }): PlannedBytes => {
    const built = buildTransaction.rearrange({
      wallet,
      operations,
      memo,
      ...lifetimeOf(facts),
      version: request.transactionVersion ?? transactionVersion,
      unitPrice: world.unitPrice,
    });
    const signers = created.filter(({ address }) => built.requiredSigners.includes(address));
    return {
      built,
      signatures: new Map(signers.map((one) => [one.address as string, one.sign(built.messageBytes)])),
    };
  });
  const notices = [
    ...(goalRecord(goal).allowed.includes('stake.delegateStake') ? ctx.validator.status.notices() : []),
    ...boundaryNotices(facts.position),
  ];
  return { plan: result.plan, world, facts, transactions, notices };
};

/** Preview of a plan. No transactions are built and no keys are derived. */
export interface PlanPreview extends Pick<PreparedPlan, 'world' | 'facts'> {
  /** Null if no amount was requested. */
  readonly result: { readonly plan: Plan } | { readonly refusal: AppError } | null;
}

/** Placeholder for an account that a previewed plan creates. It gets an address only when the plan is built. */
const unnamedAddress = (index: number): Address => `new-${index + 1}` as Address;

/** Reads and plans like `preparePlan`, but returns a refusal as part of the response. */
export const previewPlan = async (
  ctx: Context,
  request: PreviewRequest & { readonly goal: 'unstake' | 'withdraw-amount' },
  signal: AbortSignal,
): Promise<PlanPreview> => {
  const read = await readWorld(ctx, request, signal);
  const world = await worldOf(ctx, request, read, unnamedAddress, signal);
  const { facts } = read;
  if (request.lamports === undefined) return { world, facts, result: null };
  const result = planStakeChange(goalOf(request), world);
  return {
    world,
    facts,
    result: result.ok ? { plan: result.plan } : { refusal: refusalError(result.refusal, world, request) },
  };
};
