// Prepares a change of a wallet's stake: reads its accounts, has the change planned, and builds the transactions of the plan.

import type { Address } from '@solana/kit';
import { MOST_SNAPSHOT_ACCOUNTS } from '../../chain/cluster/chain-snapshot.ts';
import {
  type BuiltTransaction,
  buildTransaction,
  type TransactionVersion,
} from '../../chain/transactions/transaction.ts';
import { estimateEpochStart } from '../../domain/epoch-clock.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { formatSol, solNumber, solOrNull } from '../../domain/lamports.ts';
import type { Notice } from '../../domain/notice.ts';
import type { Plan, PlanRefusal, PlanWorld } from '../../domain/plan/plan.ts';
import { type GoalName, goalRecord, UNDO_MARGIN_SLOTS } from '../../domain/plan/plan-goals.ts';
import { type PlanGoal, planStakeChange } from '../../domain/plan/plan-stake-change.ts';
import type { SweepGoal } from '../../domain/plan/plan-sweep.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { cannotPay, requirePlainWallet } from '../act/check-payer.ts';
import { spoiltAddress } from '../act/idempotency-key.ts';
import { type BuildFacts, boundaryNotices, readBuildFacts, stakeFacts } from '../act/read-build-facts.ts';
import { unusedBlockhash } from '../act/unused-blockhash.ts';
import type { Context } from '../context.ts';
import { refuseStakeAccountAsWallet, requireStakeAccount } from '../wallet/stake-account-input.ts';
import { readWalletStakes } from '../wallet/wallet-stakes.ts';
import { nothingToDo } from './nothing-to-do.ts';

/** What a wallet wants, as callers say it. */
export interface PlanRequest {
  readonly wallet: Address;
  readonly goal: GoalName;
  readonly lamports?: bigint | undefined;
  /** Default `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Of a sweep; default: the wallet. */
  readonly to?: SweepGoal['to'] | undefined;
  /** The activating account of a top-up, or of a sweep into one. Default: the largest. */
  readonly into?: Address | undefined;
  /** Of a top-up: one transaction has to do. */
  readonly isSingle?: boolean | undefined;
  /** Nothing but these. Default: what the wallet has at this validator, with a migration what it has anywhere. */
  readonly accounts?: readonly Address[] | undefined;
  /** Leads to the addresses of new accounts. */
  readonly key: string;
  /** The key came from the caller, so outsiders may know the addresses that it leads to. Default false. */
  readonly isCallersKey?: boolean | undefined;
  /** Whose key it is: the same one leads to other addresses. Default: the builders'. */
  readonly use?: 'builder' | 'one-shot' | undefined;
  /** Default: that of the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
}

/** The same where nothing is built. */
type Asked = Omit<PlanRequest, 'key' | 'isCallersKey' | 'use' | 'transactionVersion'>;

/** So many accounts are read beside the wallet in one call. */
export const MOST_PLAN_ACCOUNTS = MOST_SNAPSHOT_ACCOUNTS - 1;

/** A transaction of a plan, signed by the accounts that it creates. */
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

/** What reading for a plan raises. */
export const planReadErrors = [
  'NOT_A_STAKE_ACCOUNT',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
  'WALLET_CANNOT_PAY',
  'UPSTREAM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** What building a plan under a caller's key raises, reading included. */
export const planBuildErrors = [
  ...planReadErrors,
  'STAKE_ADDRESS_OCCUPIED',
  'IDEMPOTENCY_KEY_REUSED',
  'STORE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** What `preparePlan` refuses with, beside what reading raises. */
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

type StakeKey = ReturnType<Context['chain']['stakeKeys']['derive']>;

interface ReadWorld {
  readonly facts: BuildFacts;
  readonly walletLamports: bigint;
  readonly accounts: readonly StakeAccount[];
}

/** The accounts at these addresses and the wallet, of one slot. What is gone is left out unless it was `named`. */
const readAt = async (
  ctx: Context,
  wallet: Address,
  addresses: readonly Address[],
  isNamed: boolean,
  signal: AbortSignal,
): Promise<ReadWorld> => {
  const facts = await readBuildFacts(ctx, [wallet, ...addresses], signal, { signer: wallet });
  const [own = null, ...found] = facts.accounts!;
  refuseStakeAccountAsWallet(own);
  requirePlainWallet(wallet, own);
  const accounts = isNamed
    ? addresses.map((address, index) => requireStakeAccount(found[index] ?? null, address, wallet))
    : found.map((account) => account && decodeStakeAccount(account)).filter((account) => account !== null);
  return { facts, walletLamports: own?.lamports ?? 0n, accounts };
};

/** How long a wallet without any stake is taken for one, ms: a migration asks for scans of all stake accounts of the cluster. */
const EMPTY_FOR_MS = 20_000;
/** About 150 bytes each. */
const REMEMBERED_EMPTY = 10_000;

/** When wallets were found without any stake, and after which change through this service; by the reads that found it. */
const emptyWallets = new WeakMap<
  Context['chain']['reads'],
  BoundedMap<Address, { readonly atMs: number; readonly touchedSlot: bigint }>
>();

const emptyWalletsOf = (ctx: Context) => {
  const known = emptyWallets.get(ctx.chain.reads) ?? new BoundedMap(REMEMBERED_EMPTY);
  emptyWallets.set(ctx.chain.reads, known);
  return known;
};

const wasJustEmpty = (ctx: Context, wallet: Address): boolean => {
  const found = emptyWalletsOf(ctx).get(wallet);
  if (found === undefined || found.touchedSlot !== (ctx.chain.index?.touchedSlot() ?? 0n)) return false;
  return Math.abs(ctx.clock.now() - found.atMs) < EMPTY_FOR_MS;
};

/** Named accounts and those that the index knows in one call; otherwise as lists of accounts are read. */
const readWorld = async (
  ctx: Context,
  { wallet, goal, accounts }: Asked,
  signal: AbortSignal,
): Promise<ReadWorld> => {
  if (accounts !== undefined) return readAt(ctx, wallet, [...new Set(accounts)], true, signal);
  // A migration is about what is staked elsewhere, which no index knows.
  if (goal !== 'migrate') {
    const rows = ctx.chain.index?.walletRows(wallet)?.rows;
    // Of what left the index some may be undelegated: stake moves out of an account, and the account stays.
    const known = rows && [
      ...new Set([
        ...rows.map(({ account }) => account.address),
        ...(ctx.chain.index?.seenEver(wallet) ?? []),
      ]),
    ];
    if (known && rows.length <= MOST_PLAN_ACCOUNTS) {
      const read = await readAt(ctx, wallet, known.slice(0, MOST_PLAN_ACCOUNTS), false, signal);
      const { voteAccount } = ctx.service.settings;
      // Others of them are delegated to another validator by now.
      const isHere = ({ delegation }: StakeAccount) =>
        delegation === null || delegation.voteAccount === voteAccount;
      return { ...read, accounts: read.accounts.filter(isHere) };
    }
  }
  if (goal === 'migrate' && wasJustEmpty(ctx, wallet)) return readAt(ctx, wallet, [], false, signal);
  const touchedSlot = ctx.chain.index?.touchedSlot() ?? 0n;
  const [read, blockhash] = await Promise.all([
    readWalletStakes(ctx, wallet, goal === 'migrate' ? 'all' : 'validator', signal),
    unusedBlockhash(ctx, wallet, signal),
  ]);
  if (goal === 'migrate' && read.stakes.length === 0)
    emptyWalletsOf(ctx).set(wallet, { atMs: ctx.clock.now(), touchedSlot });
  if (!read.isWallet) throw cannotPay(wallet);
  return {
    facts: { limits: read.limits, position: read.moment.position, blockhash, accounts: null },
    walletLamports: read.liquidLamports,
    accounts: read.stakes.map(({ account }) => account),
  };
};

const goalOf = ({
  goal,
  lamports,
  rounding = 'exact',
  to = 'wallet',
  into,
  isSingle = false,
  accounts,
}: Asked): PlanGoal => {
  const named = accounts === undefined ? {} : { accounts };
  const target = into === undefined ? {} : { account: into };
  switch (goal) {
    case 'unstake':
    case 'withdraw-amount':
      return { goal, lamports: lamports!, rounding };
    case 'undo':
      return { goal, ...named, ...(lamports === undefined ? {} : { lamports }) };
    case 'restake':
    case 'migrate':
    case 'rescue':
      return { goal, ...named };
    case 'top-up':
      return { goal, lamports: lamports!, isSingle, ...target };
    case 'sweep':
      if (to === 'stake') return { goal, to, addedLamports: lamports ?? 0n };
      return to === 'activating' ? { goal, to, ...target } : { goal, to };
    default:
      return { goal };
  }
};

const refuseAmount = ({ goal, lamports }: PlanRequest): void => {
  const { amount } = goalRecord(goal);
  const problem =
    amount === 'required' && lamports === undefined
      ? `is required to ${goal}`
      : amount === 'none' && lamports !== undefined
        ? `must not be given: ${goal} concerns all there is`
        : null;
  if (problem !== null) throw validationError([{ path: 'amountSol', code: 'custom', message: problem }]);
};

/** Why there is no plan, in words and figures. */
const refusalError = (
  refusal: PlanRefusal,
  world: PlanWorld,
  asked: Pick<PlanRequest, 'goal' | 'use'>,
): AppError => {
  const { chain } = world;
  switch (refusal.why) {
    case 'AMOUNT_NOT_REACHABLE': {
      const { nearestBelowLamports, nearestAboveLamports, isComplete } = refusal;
      const near = [nearestBelowLamports, nearestAboveLamports].filter((one) => one !== null).map(formatSol);
      return new AppError(
        'AMOUNT_NOT_REACHABLE',
        near.length === 0
          ? 'There is no stake that this could be done with.'
          : `This exact amount is not possible. What is left staked and what is taken out must each be whole accounts or at least ${formatSol(chain.minimumDelegationLamports)} SOL.${isComplete ? '' : ' Nearer amounts may exist: there are too many combinations of these stakes to try them all.'}`,
        {
          suggestedAction:
            near.length === 0
              ? 'List the stake accounts of the wallet to see their states.'
              : `Ask for ${near.join(' or ')} SOL.`,
          body: {
            nearestBelowSol: solOrNull(nearestBelowLamports),
            nearestAboveSol: solOrNull(nearestAboveLamports),
            complete: isComplete,
            minimumDelegationSol: solNumber(chain.minimumDelegationLamports),
          },
        },
      );
    }
    case 'BELOW_MINIMUM':
      return new AppError(
        'BELOW_MINIMUM_STAKE',
        `Together it is ${formatSol(refusal.missingLamports)} SOL too little to be delegated.`,
        {
          suggestedAction: 'Withdraw it, or add that much.',
          body: { shortfallSol: solNumber(refusal.missingLamports) },
        },
      );
    case 'WALLET_SHORT':
      return new AppError(
        'INSUFFICIENT_BALANCE',
        `The wallet is ${formatSol(refusal.missingLamports)} SOL short of the fees and rent that this takes.`,
        {
          suggestedAction: `Fund the wallet with at least ${formatSol(refusal.missingLamports)} more SOL, then try again.`,
          body: { shortfallSol: solNumber(refusal.missingLamports) },
        },
      );
    case 'UNDO_IMPOSSIBLE':
      return new AppError(
        'UNDO_IMPOSSIBLE',
        `The account holds ${formatSol(refusal.missingLamports)} SOL too little: what was withdrawn from it would have to come back and stay.`,
        {
          suggestedAction: 'Let it cool down and stake it again together with more, or withdraw it.',
          body: { why: 'balance', missingSol: solNumber(refusal.missingLamports) },
        },
      );
    case 'UNDO_TOO_LATE':
      return new AppError('UNDO_TOO_LATE', 'The epoch of the deactivation is over, so it cannot be undone.', {
        suggestedAction: guidance`Once the account is inactive, stake it again: ${step('createRestakeTransaction')}.`,
      });
    case 'NOTHING_TO_UNDO':
      return new AppError('NOTHING_TO_UNDO', 'No stake of the wallet has been deactivated.', {
        suggestedAction: guidance`${step('listStakeAccounts', { walletAddress: world.wallet })} shows the state of each stake account.`,
      });
    case 'NOT_ACTIVATING':
      return new AppError('STAKE_NOT_ACTIVATING', 'No stake of the wallet is activating at this validator.', {
        suggestedAction: guidance`Make a new stake: ${step('createStakeTransaction')}.`,
      });
    case 'LOCKED':
      return new AppError('STAKE_LOCKED', 'The stake that is activating is locked up.');
    case 'EPOCH_REWARDS_ACTIVE':
      return new AppError(
        'EPOCH_REWARDS_ACTIVE',
        'Epoch rewards are being distributed; the Stake program refuses every instruction until that ends.',
        { suggestedAction: 'Try again in a minute.' },
      );
    case 'NOTHING_TO_DO':
      return nothingToDo(asked, refusal.blocked, world);
  }
};

const refuseLateUndo = ({ accounts, facts: { position } }: ReadWorld, ctx: Context): void => {
  const slotsRemaining = position.slotsInEpoch - position.slotIndex;
  if (slotsRemaining <= BigInt(UNDO_MARGIN_SLOTS))
    throw new AppError(
      'EPOCH_BOUNDARY_NEAR',
      `The epoch ends in about ${slotsRemaining} slots: what is signed now could land behind the boundary, where it would stake anew and lose an epoch.`,
      {
        suggestedAction: 'Once the account has cooled down, stake it again.',
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
      `It is delegated to another validator (${elsewhere[0]!.delegation!.voteAccount}); this service delegates to none but its own.`,
      { body: { why: 'other-validator' } },
    );
};

/** The wallet's world, with these addresses for new accounts. */
const worldOf = async (
  ctx: Context,
  { wallet }: Asked,
  { facts, walletLamports, accounts }: ReadWorld,
  newAddress: PlanWorld['newAddress'],
  signal: AbortSignal,
): Promise<PlanWorld> => {
  const { voteAccount, memo } = ctx.service.settings;
  return {
    wallet,
    walletLamports,
    accounts,
    voteAccount,
    chain: {
      ...(await stakeFacts(ctx, facts, signal)),
      minimumDelegationLamports: facts.limits.minimumDelegationLamports,
      // Whether an address is a vote account is all that plans depend on.
      voteCredits: new Map([[voteAccount, 0n]]),
    },
    newAddress,
    signatureFeeLamports: LAMPORTS_PER_SIGNATURE,
    priorityFeeLamports: 0n,
    memoBytes: new TextEncoder().encode(memo).length,
  };
};

const addressOccupied = (stakeAccountAddress: Address): AppError =>
  new AppError(
    'STAKE_ADDRESS_OCCUPIED',
    'A change was already carried out under this idempotency key: it opened the account that this one would open.',
    {
      suggestedAction: 'Use a new idempotency key for another change.',
      body: { stakeAccountAddress },
    },
  );

/** Throws `STAKE_ADDRESS_OCCUPIED` where an account is at one of the addresses, with a fresh key where an outsider put it there. */
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
    : spoiltAddress(
        taken.address,
        'Someone sent lamports to the address of the stake account that this would open, so the chain would refuse to create it.',
      );
};

/**
 * Reads, plans and builds. Throws one of `planErrors` or `planReadErrors`, `STAKE_ADDRESS_OCCUPIED` for a key under which an account was
 * opened before, `VALIDATION_ERROR`.
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
  // No key that a caller may send holds a space.
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
      blockhash: facts.blockhash.blockhash,
      version: request.transactionVersion ?? transactionVersion,
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

/** What an unstake would come to, with no transaction built and no key derived. */
export interface PlanPreview extends Pick<PreparedPlan, 'world' | 'facts'> {
  /** Null: no amount was asked for. */
  readonly result: { readonly plan: Plan } | { readonly refusal: AppError } | null;
}

/** Accounts that a previewed plan opens: a transaction gives them their addresses. */
const unnamedAddress = (index: number): Address => `new-${index + 1}` as Address;

/** Reads and plans as `preparePlan` does; why there is no plan is a part of the answer. */
export const previewPlan = async (
  ctx: Context,
  request: Asked & { readonly goal: 'unstake' | 'withdraw-amount' },
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
