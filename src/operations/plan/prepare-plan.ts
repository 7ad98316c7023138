// Prepares a change of a wallet's stake: reads its accounts, plans the change, and builds the plan's transactions.
import type { Address } from '@solana/kit';
import { type Addressing, STAKE_SEED_CHARACTERS } from '../../chain/transactions/derive-stake-key.ts';
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import type { Plan, PlanInputs } from '../../domain/plan/plan.ts';
import { mayWithdraw, ownerOf } from '../../domain/plan/plan-accounts.ts';
import { planStakeChange } from '../../domain/plan/plan-for-goal.ts';
import { goalRecord } from '../../domain/plan/plan-goals.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { addressingOf, otherAddressing, versionOf } from '../act/build-options.ts';
import { type BuildFacts, boundaryNotices, lifetimeOf } from '../act/read-build-facts.ts';
import { withdrawalNotices } from '../act/withdrawal-notices.ts';
import type { Context } from '../context.ts';
import { stakeAddressTaken } from '../stake/stake-address-taken-error.ts';
import { refusalError, refuseLateUndo } from './plan-refusals.ts';
import {
  goalOf,
  type PlanRequest,
  type PreviewRequest,
  refuseAmount,
  refuseForStakeAuthority,
} from './plan-request.ts';
import { planReadErrors, readWorld, worldOf } from './read-plan-inputs.ts';

/** A transaction of a plan, already signed with the keys of the accounts that it creates. */
export interface PlannedBytes {
  readonly built: BuiltTransaction;
  readonly signatures: ReadonlyMap<string, Uint8Array>;
}

/** A plan with its transactions, in order. */
export interface PreparedPlan {
  readonly plan: Plan;
  readonly world: PlanInputs;
  readonly facts: BuildFacts;
  readonly transactions: readonly PlannedBytes[];
  readonly notices: readonly Notice[];
}

/** Errors that can occur when a plan with a caller's idempotency key is read, planned and built. */
export const planBuildErrors = [
  ...planReadErrors,
  'STAKE_ADDRESS_OCCUPIED',
  'IDEMPOTENCY_KEY_REUSED',
  'STORE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

type StakeKey = ReturnType<Context['chain']['stakeKeys']['derive']>;

/** Creates the notice that the rent of new accounts goes to the owner. */
const rentForOwner = (world: PlanInputs): Notice =>
  notice('RENT_FOR_OWNER', '{walletAddress} pays the rent of new accounts. Only {owner} can get it back.', {
    walletAddress: world.wallet,
    owner: ownerOf(world),
  });

/** True for goals that only move SOL into the wallet. */
const returnsOnly = ({ goal, to = 'wallet' }: PlanRequest): boolean =>
  goal === 'withdraw-amount' || goal === 'withdraw-all' || (goal === 'sweep' && to === 'wallet');

/**
 * Returns the requested amount, which can include later withdrawals. Without one, returns the sum of the plan's
 * withdrawals.
 */
const returnedLamports = ({ amountLamports, transactions }: Plan): bigint =>
  amountLamports ??
  transactions
    .flatMap(({ operations }) => operations)
    .reduce((sum, one) => sum + (one.type === 'withdraw' ? one.lamports : 0n), 0n);

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
 * Throws `AppError('STAKE_ADDRESS_OCCUPIED')` if any account exists at one of the addresses, or a stake account
 * exists at an address that the same key yields by the other derivation. The error contains a new key if an
 * outsider created the account.
 */
const refuseTaken = async (
  ctx: Context,
  keys: readonly StakeKey[],
  others: readonly StakeKey[],
  signal: AbortSignal,
): Promise<void> => {
  if (keys.length === 0) return;
  const { accounts } = await ctx.chain.reads.accounts(
    [...keys, ...others].map(({ address }) => address),
    { signal },
  );
  const taken = accounts.find(
    (account, index) => account !== null && (index < keys.length || account.owner === STAKE_PROGRAM),
  );
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
 * Reads, plans and builds. Throws one of `planErrors` or `planReadErrors`, `AppError('VALIDATION_ERROR')`, or
 * `AppError('STAKE_ADDRESS_OCCUPIED')` if an account was already created with this idempotency key.
 */
export const preparePlan = async (
  ctx: Context,
  request: PlanRequest,
  signal: AbortSignal,
): Promise<PreparedPlan> => {
  refuseAmount(request);
  refuseForStakeAuthority(request);
  const { wallet, goal } = request;
  const read = await readWorld(ctx, request, signal);
  const { facts } = read;
  if (goal === 'undo') refuseLateUndo(read, ctx);
  using keys = new DisposableStack();
  /** Keys by the index that the planner chose. The planner may skip an index. */
  const created = new Map<number, StakeKey>();
  const addressing = addressingOf(wallet, request);
  // Callers' keys cannot contain a space, so the derived keys never collide with them.
  const newKey = (index: number, addressing: Addressing): StakeKey =>
    keys.use(
      ctx.chain.stakeKeys.derive({
        use: request.use ?? 'builder',
        wallet,
        idempotencyKey: `${request.key} ${index}`,
        addressing,
      }),
    );
  const newAddress = (index: number): Address => {
    const stakeKey = created.get(index) ?? newKey(index, addressing);
    created.set(index, stakeKey);
    const { address } = stakeKey;
    if (read.accounts.some((one) => one.address === address)) throw addressOccupied(address);
    return address;
  };
  const seedOf = (account: Address): string =>
    created.values().find(({ address }) => address === account)?.seed ?? '0'.repeat(STAKE_SEED_CHARACTERS);
  const world = {
    ...(await worldOf(ctx, request, read, newAddress, signal)),
    ...(addressing === 'seed' && { seedOf }),
  };
  const result = planStakeChange(goalOf(request), world);
  if (!result.ok) throw refusalError(result.refusal, world, request);
  if (request.isCallersKey) {
    const others = created.keys().map((index) => newKey(index, otherAddressing(addressing)));
    await refuseTaken(ctx, [...created.values()], [...others], signal);
  }
  const { memo } = ctx.service.settings;
  const transactions = result.plan.transactions.map(({ operations }): PlannedBytes => {
    const built = buildTransaction.rearrange({
      wallet,
      operations,
      memo,
      ...lifetimeOf(facts),
      version: versionOf(ctx, request),
      unitPrice: world.unitPrice,
    });
    const signers = created.values().filter(({ address }) => built.requiredSigners.includes(address));
    return {
      built,
      signatures: new Map(signers.map((one) => [one.address as string, one.sign(built.messageBytes)])),
    };
  });
  const notices = [
    ...(goalRecord(goal).allowed.includes('stake.delegateStake') ? ctx.validator.status.notices() : []),
    ...boundaryNotices(facts.position),
    ...(returnsOnly(request)
      ? withdrawalNotices(returnedLamports(result.plan), result.plan.cost.feesLamports)
      : []),
    ...(mayWithdraw(world) || created.size === 0 ? [] : [rentForOwner(world)]),
  ];
  return { plan: result.plan, world, facts, transactions, notices };
};

/** A preview of a plan. It builds no transactions and derives no keys. */
export interface PlanPreview extends Pick<PreparedPlan, 'world' | 'facts'> {
  /** Null if no amount was requested. */
  readonly result: { readonly plan: Plan } | { readonly refusal: AppError } | null;
}

/**
 * Placeholder for an account that a previewed plan would create. The real address is derived only when the plan
 * is built.
 */
const unnamedAddress = (index: number): Address => `new-${index + 1}` as Address;

/** Reads and plans like `preparePlan`, but returns a planner refusal instead of throwing it. */
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
