// Divides a draft's steps into transactions and runs these in the stake machine. A draft that the machine
// refuses does not become a plan.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../machine/merge-class.ts';
import { applyOperations, type MachineRefusal, walletRentLamports } from '../machine/stake-machine.ts';
import {
  type MachineAccount,
  type MachineAccounts,
  type MachineOperation,
  SYSTEM_ERROR,
} from '../machine/stake-machine-state.ts';
import { EPOCH_ABSENT } from '../stake/stake-account.ts';
import { predictCooledEpoch } from '../stake/stake-state-prediction.ts';
import { priorityFeeOf } from '../transaction/instruction-fees.ts';
import type {
  AtomicStep,
  DraftOrRefusal,
  LamportsFromEpoch,
  Plan,
  PlanDraft,
  PlanInputs,
  PlannedTransaction,
  PlanRefusal,
} from './plan.ts';
import { isLocked } from './plan-accounts.ts';
import { MAX_PLANNED_BYTES, signersOf, transactionBytes } from './transaction-size.ts';

export type PlanResult =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly refusal: PlanRefusal };

const refused = (refusal: PlanRefusal): PlanResult => ({ ok: false, refusal });

/** Turns a draft into a plan or a refusal. */
export const finishPlan = (drafted: DraftOrRefusal, world: PlanInputs): PlanResult => {
  if ('refusal' in drafted) return refused(drafted.refusal);
  if (world.chain.epochRewardsActive) return refused({ why: 'EPOCH_REWARDS_ACTIVE' });
  const result = carriedOut(drafted, world);
  if (result.ok || result.refusal.why !== 'WALLET_SHORT' || drafted.otherwise === undefined) return result;
  let { refusal } = result;
  for (const other of drafted.otherwise()) {
    const otherResult = carriedOut(other, world);
    if (otherResult.ok || otherResult.refusal.why !== 'WALLET_SHORT') return otherResult;
    if (otherResult.refusal.missingLamports < refusal.missingLamports) refusal = otherResult.refusal;
  }
  return refused(refusal);
};

const carriedOut = (draft: PlanDraft, world: PlanInputs): PlanResult => {
  const steps = draft.steps.filter((step) => step.length > 0);
  if (steps.length === 0) return refused({ why: 'NOTHING_TO_DO', blocked: draft.blocked ?? [] });
  const packed = draft.isPacked === false ? steps : packSteps(steps, world);
  const transactions = packed.map((operations) => planned(operations, world));
  const carried = run(transactions, world);
  return carried === null
    ? refused({ why: 'WALLET_SHORT', missingLamports: missingLamports(transactions, world) })
    : { ok: true, plan: planOf(draft, transactions, carried, world) };
};

const planned = (operations: readonly MachineOperation[], world: PlanInputs): PlannedTransaction => {
  const signatures = signersOf(world.wallet, operations).size;
  return {
    operations,
    bytes: transactionBytes(world, operations),
    signatures,
    feeLamports:
      BigInt(signatures) * world.signatureFeeLamports +
      (priorityFeeOf(world.unitPrice, operations, world.memoBytes)?.lamports ?? 0n),
  };
};

/** Runs the transactions in the stake machine. Returns null if the wallet cannot pay. */
const run = (
  transactions: readonly PlannedTransaction[],
  { wallet, walletLamports, accounts, chain }: PlanInputs,
): MachineAccounts | null => {
  const least = walletRentLamports(chain.stakeRentLamports);
  let now: MachineAccounts = {
    stakes: new Map(accounts.map((account) => [account.address, account])),
    wallets: new Map([[wallet, walletLamports]]),
  };
  for (const { operations, feeLamports } of transactions) {
    const before = now.wallets.get(wallet) ?? 0n;
    const left = before - feeLamports;
    // The fee is charged first, and the payer must remain rent-exempt if it was before. It may have had less
    // before, because rent can rise above a wallet's balance.
    if (left < 0n || (left > 0n && left < least && before >= least)) return null;
    const result = applyOperations(
      operations,
      { stakes: now.stakes, wallets: new Map(now.wallets).set(wallet, left) },
      chain,
    );
    if (!result.ok) {
      assertShort(operations, result.refusal);
      return null;
    }
    now = result.accounts;
  }
  return now;
};

const paidBy = (one: MachineOperation): bigint =>
  one.type === 'create' || one.type === 'transfer' ? one.lamports : 0n;

/**
 * Throws unless the refusal means that the wallet cannot pay, which drafts do not check. Any other refusal is
 * a bug in this folder.
 */
const assertShort = (operations: readonly MachineOperation[], { operation, code }: MachineRefusal): void => {
  // The Stake program's LockupInForce has the same code, so the operation must also be one that the wallet pays
  // for.
  const isShort = code === SYSTEM_ERROR.ResultWithNegativeLamports && paidBy(operations[operation!]!) > 0n;
  if (!isShort && code !== 'InsufficientFundsForRent')
    throw new Error(`The planner created a transaction that is refused with ${code}.`);
};

/**
 * Computes the wallet's shortfall across all transactions, some of which bring in SOL before others spend it.
 */
const missingLamports = (transactions: readonly PlannedTransaction[], world: PlanInputs): bigint => {
  const { wallet, walletLamports, chain } = world;
  let lamports = walletLamports;
  let lowestBalance = lamports;
  let lowestBetweenTransactions = lamports - transactions[0]!.feeLamports;
  for (const { operations, feeLamports } of transactions) {
    lamports -= feeLamports;
    if (lamports < lowestBetweenTransactions) lowestBetweenTransactions = lamports;
    for (const one of operations) {
      lamports -= paidBy(one);
      if (one.type === 'withdraw' && one.to === wallet) lamports += one.lamports;
      if (lamports < lowestBalance) lowestBalance = lamports;
    }
    if (lamports < lowestBetweenTransactions) lowestBetweenTransactions = lamports;
  }
  if (lowestBetweenTransactions < lowestBalance) lowestBalance = lowestBetweenTransactions;
  const shortfallToZero = -lowestBalance;
  const shortfallToRent = walletRentLamports(chain.stakeRentLamports) - lowestBetweenTransactions;
  const richer = { ...world, walletLamports: walletLamports + shortfallToZero };
  // The wallet may also end up empty.
  const isEnough = shortfallToZero > 0n && run(transactions, richer) !== null;
  const missing = isEnough || shortfallToZero > shortfallToRent ? shortfallToZero : shortfallToRent;
  if (missing <= 0n)
    throw new Error(
      'The planner created a transaction that leaves an account below its rent-exempt minimum.',
    );
  return missing;
};

const planOf = (
  draft: PlanDraft,
  transactions: readonly PlannedTransaction[],
  after: MachineAccounts,
  world: PlanInputs,
): Plan => {
  const { accounts, chain, wallet, walletLamports } = world;
  const accountsAfter = [...after.stakes.values()];
  return {
    transactions,
    accountsBefore: accounts,
    accountsAfter,
    wallet: {
      beforeLamports: walletLamports,
      afterLamports: after.wallets.get(wallet) ?? 0n,
      later: accountsAfter.flatMap((account) => laterLamports(account, world)),
    },
    cost: {
      feesLamports: transactions.reduce((sum, { feeLamports }) => sum + feeLamports, 0n),
      rentLockedLamports: BigInt(accountsAfter.length - accounts.length) * chain.stakeRentLamports,
      forgone: draft.forgone ?? [],
    },
    amountLamports: draft.amountLamports ?? null,
    cancelsActivationOf: canceled(transactions, world),
    laterSteps: draft.laterSteps ?? [],
    blocked: draft.blocked ?? [],
  };
};

/**
 * Lists the lamports that a deactivating account releases later. Excludes accounts locked by another
 * custodian, because the wallet does not control when the lockup ends.
 */
const laterLamports = (account: MachineAccount, world: PlanInputs): readonly LamportsFromEpoch[] => {
  const { wallet, chain } = world;
  if (account.kind !== 'delegated' || account.withdrawAuthority !== wallet || isLocked(account, world))
    return [];
  const { delegation } = account;
  if (delegation === null || delegation.deactivationEpoch === EPOCH_ABSENT) return [];
  if (mergeClassOf(account, chain) === 'inactive') return [];
  const epoch = predictCooledEpoch(delegation, chain.epoch, chain.history);
  return [{ account: account.address, lamports: account.lamports, epoch }];
};

/** Lists accounts whose stake, or a part split off from it, is deactivated before it has become effective. */
const canceled = (
  transactions: readonly PlannedTransaction[],
  { accounts, chain }: PlanInputs,
): readonly Address[] => {
  const operations = transactions.flatMap((one) => one.operations);
  const sourceOf = new Map(
    operations.flatMap((one) => (one.type === 'split' ? [[one.into, one.account] as const] : [])),
  );
  const origins = new Set(
    operations.flatMap((one) =>
      one.type === 'deactivate' ? [sourceOf.get(one.account) ?? one.account] : [],
    ),
  );
  return accounts
    .filter((one) => origins.has(one.address) && mergeClassOf(one, chain) === 'activating')
    .map(({ address }) => address);
};

/**
 * Packs whole steps in order, as many per transaction as fit. Throws `RangeError` if a step does not fit into
 * one transaction.
 */
const packSteps = (
  steps: readonly AtomicStep[],
  world: Pick<PlanInputs, 'wallet' | 'memoBytes' | 'unitPrice'>,
): readonly (readonly MachineOperation[])[] => {
  const packed: MachineOperation[][] = [];
  for (const step of steps) {
    const last = packed.at(-1);
    const joined = [...(last ?? []), ...step];
    if (last && transactionBytes(world, joined) <= MAX_PLANNED_BYTES) last.push(...step);
    else if (transactionBytes(world, step) <= MAX_PLANNED_BYTES) packed.push([...step]);
    else throw new RangeError(`A step of ${step.length} instructions does not fit into a transaction.`);
  }
  return packed;
};
