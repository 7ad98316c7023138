// Plans unstakes and withdrawals from the accounts on an RPC node, with the service's rules and planner.
import type { Address } from '@solana/kit';
import { HoldfastError } from '../../client/holdfast-error.ts';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { addressWithSeed } from '../../src/domain/address-with-seed.ts';
import { type EpochPositionLike, slotTimeOf } from '../../src/domain/epoch-clock.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { formatSol } from '../../src/domain/lamports.ts';
import { describePlan } from '../../src/domain/plan/describe-plan.ts';
import { finishPlan, type PlanResult } from '../../src/domain/plan/finish-plan.ts';
import { unstakeAmounts } from '../../src/domain/plan/goals/plan-unstake.ts';
import type { Plan, PlanInputs } from '../../src/domain/plan/plan.ts';
import { isNotDeactivating, isReleased, ownAccounts } from '../../src/domain/plan/plan-accounts.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { withdrawAmounts } from '../../src/domain/plan/withdraw-amounts.ts';
import { assessStake } from '../../src/domain/stake/stake-state.ts';
import { checkUnstake } from '../../src/domain/stake/unstake-rules.ts';
import { checkWithdraw } from '../../src/domain/stake/withdraw-rules.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../src/domain/transaction/instruction-fees.ts';
import { sha256 } from '../../src/kernel/sha256.ts';
import { refusalError } from '../../src/operations/plan/plan-refusals.ts';
import { goalOf } from '../../src/operations/plan/plan-request.ts';
import type { RpcNode } from './call-rpc-node.ts';
import { readNodeFacts, readWalletStakes } from './read-stakes.ts';

/** Memo of transactions that were built without a service. */
export const DIRECT_MEMO = 'holdfast --direct';

/**
 * Maximum number of accounts in one step of a request for all accounts. One call reads them all at the same
 * slot, and their transactions land well within the lifetime of one blockhash.
 */
const MAX_STEP_ACCOUNTS = 80;

const SLOT_MS = 400;
const SEED_CHARACTERS = 32;

/** Creates an error of a request without a service. */
export const directFailure = (errorCode: string, message: string, suggestedAction?: string): HoldfastError =>
  new HoldfastError({ errorCode, message, operation: 'direct', suggestedAction });

const addressesOfWallet = async (node: RpcNode, wallet: string): Promise<readonly Address[]> =>
  (await readWalletStakes(node, wallet)).map(({ account }) => account.address);

/** Derives the addresses of new accounts from the wallet and the idempotency key, so the wallet signs alone. */
const newAddresses = (wallet: Address, key: string): Pick<PlanInputs, 'newAddress' | 'seedOf'> => {
  const seeds = new Map<Address, string>();
  return {
    newAddress: (index) => {
      const hash = sha256(new TextEncoder().encode(`${key} ${index}`));
      const seed = Buffer.from(hash).toString('hex').slice(0, SEED_CHARACTERS);
      const address = addressWithSeed(wallet, seed, STAKE_PROGRAM)!;
      seeds.set(address, seed);
      return address;
    },
    seedOf: (account) => seeds.get(account) ?? '0'.repeat(SEED_CHARACTERS),
  };
};

/** Reads the planner's input. Addresses that are not stake accounts are left out. */
const readWorld = async (
  node: RpcNode,
  wallet: Address,
  accounts: readonly Address[],
  key: string,
): Promise<PlanInputs> => {
  // Nothing is delegated, so the validator is a placeholder.
  const facts = await readNodeFacts(node, { wallet, voteAccount: wallet, accounts });
  return {
    wallet,
    walletLamports: facts.walletLamports,
    accounts: [...facts.accounts.values()].filter((one) => one !== null),
    chain: facts.chain,
    voteAccount: wallet,
    ...newAddresses(wallet, key),
    signatureFeeLamports: LAMPORTS_PER_SIGNATURE,
    memoBytes: DIRECT_MEMO.length,
  };
};

const readPosition = async (
  node: RpcNode,
  epochRewardsActive: boolean,
  readAtMs: number,
): Promise<EpochPositionLike> => {
  type Samples = Parameters<typeof slotTimeOf>[0];
  type Info = Readonly<Record<'epoch' | 'slotIndex' | 'slotsInEpoch', number>>;
  const { epoch, slotIndex, slotsInEpoch } = await node.call<Info>('getEpochInfo', [
    { commitment: 'confirmed' },
  ]);
  // Some nodes have no samples.
  const samples = await node.call<Samples>('getRecentPerformanceSamples', [10]).catch(() => []);
  return {
    epoch: BigInt(epoch),
    slotIndex: BigInt(slotIndex),
    slotsInEpoch: BigInt(slotsInEpoch),
    readAtMs,
    epochRewardsActive,
    ...(slotTimeOf(samples) ?? { slotDurationMs: SLOT_MS, fastestSlotMs: SLOT_MS, slowestSlotMs: SLOT_MS }),
  };
};

/** Plans a request for one account, after the checks of the service. */
const planOneAccount = (
  request: Extract<StakingRequest, { kind: 'unstake' | 'withdraw' }>,
  world: PlanInputs,
): PlanResult => {
  const { wallet, chain } = world;
  const [account] = world.accounts;
  if (account === undefined)
    throw directFailure('NOT_FOUND', `${request.stakeAccountAddress} is not a stake account`);
  const assessment = assessStake(account, chain);
  const common = { account: account.address, authority: wallet };
  if (request.kind === 'unstake') {
    checkUnstake(account, assessment, { wallet });
    return finishPlan({ steps: [[{ type: 'deactivate', ...common }]] }, world);
  }
  const { lamports, custodianNeeded } = checkWithdraw(account, assessment, {
    wallet,
    chain,
    requestedLamports: request.amountLamports ?? null,
  });
  const custodian = custodianNeeded ? { custodian: wallet } : {};
  return finishPlan(
    { steps: [[{ type: 'withdraw', ...common, to: wallet, lamports, ...custodian }]] },
    world,
  );
};

const count = (accounts: number): string => `${accounts} account${accounts === 1 ? '' : 's'}`;

/** Says what happens next: when the rest can be withdrawn, and with which command. */
const nextText = (
  { transactions, wallet, accountsAfter, blocked }: Plan,
  world: PlanInputs,
  withdrawCommand: string,
): string => {
  const { epoch } = world.chain;
  const operations = transactions.flatMap((one) => one.operations);
  const deactivated = operations.flatMap((one) => (one.type === 'deactivate' ? [one.account] : []));
  const later = wallet.later.filter(({ account }) => deactivated.includes(account));
  const ready = accountsAfter.filter(
    (one) => deactivated.includes(one.address) && !later.some(({ account }) => account === one.address),
  );
  const withdraws = operations.some(({ type }) => type === 'withdraw');
  const waiting = blocked.flatMap(({ possibleFromEpoch }) => possibleFromEpoch ?? []);
  const atEpoch = (from: readonly bigint[]): string => {
    const last = from.reduce((one, other) => (one > other ? one : other));
    return last === epoch + 1n ? `once epoch ${epoch} has ended` : `from epoch ${last} on`;
  };
  const sum = (of: readonly { readonly lamports: bigint }[]): string =>
    formatSol(of.reduce((all, { lamports }) => all + lamports, 0n));
  return [
    ...(withdraws ? ['The withdrawn SOL is in your wallet.'] : []),
    ...(ready.length > 0 ? [`${sum(ready)} SOL was never active and can be withdrawn now.`] : []),
    ...(later.length > 0
      ? [`${sum(later)} SOL is deactivating and can be withdrawn ${atEpoch(later.map((one) => one.epoch))}.`]
      : []),
    ...(later.length === 0 && waiting.length > 0
      ? [`${count(waiting.length)} more can be withdrawn ${atEpoch(waiting)}.`]
      : []),
    ...(ready.length + later.length + waiting.length > 0 ? [`Then: ${withdrawCommand}`] : []),
  ].join(' ');
};

/** A plan, ready to be built, as a service would describe it. */
export const planDirect = async (
  node: RpcNode,
  request: StakingRequest,
  {
    key,
    nowMs,
    withdrawCommand,
  }: { readonly key: string; readonly nowMs: number; readonly withdrawCommand: string },
) => {
  const wallet = request.walletAddress as Address;
  if (request.kind !== 'unstake' && request.kind !== 'withdraw' && request.kind !== 'rearrange')
    throw directFailure('NOT_CONFIGURED', 'without a service, you can only unstake and withdraw');
  const named =
    request.stakeAccountAddress === undefined
      ? request.kind === 'rearrange'
        ? request.accounts
        : undefined
      : [request.stakeAccountAddress];
  const addresses = (named as readonly Address[] | undefined) ?? (await addressesOfWallet(node, wallet));
  const world = await readWorld(node, wallet, addresses, key);
  const result =
    request.kind === 'rearrange'
      ? planStakeChange(
          goalOf({
            wallet,
            goal: request.goal,
            lamports: request.amountLamports,
            rounding: request.rounding,
            accounts: addresses,
          }),
          world,
        )
      : planOneAccount(request, world);
  if (!result.ok)
    throw refusalError(result.refusal, world, {
      goal:
        request.kind === 'rearrange' ? request.goal : request.kind === 'unstake' ? 'unstake' : 'withdraw-all',
    });
  const { plan } = result;
  const position = await readPosition(node, world.chain.epochRewardsActive, nowMs);
  return {
    plan,
    described: describePlan(plan, { chain: world.chain, position, nowMs, forgoneSol: null }),
    message: nextText(plan, world, withdrawCommand),
  };
};

const AMOUNTS = { unstake: unstakeAmounts, 'withdraw-amount': withdrawAmounts } as const;

const mostOf = (goal: keyof typeof AMOUNTS, world: PlanInputs): bigint =>
  AMOUNTS[goal](world).ranges.at(-1)?.high ?? 0n;

/** Returns the maximum that the wallet can unstake or withdraw, across all validators. */
export const mostDirect = async (
  node: RpcNode,
  walletAddress: string,
  goal: keyof typeof AMOUNTS,
): Promise<bigint> => {
  const wallet = walletAddress as Address;
  return mostOf(goal, await readWorld(node, wallet, await addressesOfWallet(node, wallet), ''));
};

/**
 * Divides a request for everything into steps of at most 80 accounts, each with its own transactions and its
 * own approval. If a later step fails, the same command continues with the accounts that are left. Other
 * requests stay as they are, but name the wallet's accounts, because the accounts may be with any validator.
 */
export const directSteps = async (
  node: RpcNode,
  request: StakingRequest,
): Promise<readonly StakingRequest[]> => {
  if (request.kind !== 'rearrange' || request.stakeAccountAddress !== undefined) return [request];
  const wallet = request.walletAddress as Address;
  const world = await readWorld(node, wallet, await addressesOfWallet(node, wallet), '');
  const { goal, amountLamports } = request;
  const isByAmount = goal === 'unstake' || goal === 'withdraw-amount';
  const own = ownAccounts(world);
  const everything = {
    ...request,
    accounts: (goal === 'unstake' ? own : world.accounts).map(({ address }) => address),
  };
  if (isByAmount && amountLamports !== mostOf(goal, world)) return [everything];
  const affected = world.accounts.filter(
    (one) =>
      (goal !== 'withdraw-all' && own.includes(one) && isNotDeactivating(one)) ||
      (goal !== 'unstake' && isReleased(one, world)),
  );
  if (affected.length <= MAX_STEP_ACCOUNTS) return [everything];
  const steps: StakingRequest[] = [];
  for (let at = 0; at < affected.length; at += MAX_STEP_ACCOUNTS) {
    const accounts = affected.slice(at, at + MAX_STEP_ACCOUNTS);
    steps.push({
      ...request,
      accounts: accounts.map(({ address }) => address),
      ...(isByAmount && { amountLamports: mostOf(goal, { ...world, accounts }) }),
    });
  }
  return steps;
};
