// Reads the wallet, its stake accounts and the chain data for a plan.
import type { Address } from '@solana/kit';
import { MAX_SNAPSHOT_ACCOUNTS } from '../../chain/cluster/chain-snapshot.ts';
import type { PlanInputs } from '../../domain/plan/plan.ts';
import type { StakeAccount } from '../../domain/stake/stake-account.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import type { BuildOptions } from '../act/build-options.ts';
import { cannotPay, requirePlainWallet } from '../act/check-payer-balance.ts';
import { choosePrice } from '../act/choose-priority-fee.ts';
import { type BuildFacts, readBuildFacts, readLifetime, stakeFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import { refuseStakeAccountAsWallet, requireStakeAccount } from '../wallet/stake-account-input.ts';
import { readWalletStakes } from '../wallet/wallet-stakes.ts';
import type { PreviewRequest } from './plan-request.ts';

/** Maximum number of accounts that are read in the same call as the wallet. */
export const MAX_PLAN_ACCOUNTS = MAX_SNAPSHOT_ACCOUNTS - 1;

/** Errors that can occur when the accounts for a plan are read. */
export const planReadErrors = [
  'NOT_A_STAKE_ACCOUNT',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
  'WALLET_CANNOT_PAY',
  'NONCE_UNUSABLE',
  'UPSTREAM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** A wallet and its accounts with the chain's state at the same slot. */
export interface WalletAtSlot {
  readonly facts: BuildFacts;
  readonly walletLamports: bigint;
  readonly accounts: readonly StakeAccount[];
}

/** Reads the wallet and the accounts named in the request, all at one slot. */
const readNamed = async (
  ctx: Context,
  wallet: Address,
  addresses: readonly Address[],
  options: Omit<BuildOptions, 'transactionVersion'>,
  signal: AbortSignal,
): Promise<WalletAtSlot> => {
  const facts = await readBuildFacts(ctx, [wallet, ...addresses], signal, options);
  const [own = null, ...found] = facts.accounts!;
  refuseStakeAccountAsWallet(own);
  requirePlainWallet(wallet, own);
  const accounts = addresses.map((address, index) =>
    requireStakeAccount(found[index] ?? null, address, wallet),
  );
  return { facts, walletLamports: own?.lamports ?? 0n, accounts };
};

/**
 * Time for which a wallet is remembered as having no stake, in ms. Without this, each migration request would
 * scan all stake accounts of the cluster.
 */
const EMPTY_FOR_MS = 20_000;
/** Maximum number of remembered wallets, at about 150 bytes each. */
const REMEMBERED_EMPTY = 10_000;

/**
 * Wallets without stake: the time of the check, and the slot of the latest change through this service at that
 * time. Keyed by the object that reads the chain, because tests run several.
 */
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

/**
 * Reads the current state of the accounts named in the request, or of all the wallet's accounts in the stake
 * list.
 */
export const readWorld = async (
  ctx: Context,
  { wallet, goal, accounts, priority, nonce }: PreviewRequest,
  signal: AbortSignal,
): Promise<WalletAtSlot> => {
  if (accounts !== undefined)
    return readNamed(ctx, wallet, [...new Set(accounts)], { priority, nonce }, signal);
  if (goal === 'migrate' && wasJustEmpty(ctx, wallet))
    return readNamed(ctx, wallet, [], { priority, nonce }, signal);
  const touchedSlot = ctx.chain.index?.touchedSlot() ?? 0n;
  const [read, lifetime] = await Promise.all([
    // A migration needs stake with other validators, which the index does not contain.
    readWalletStakes(ctx, wallet, goal === 'migrate' ? 'all' : 'validator', signal, { reread: true }),
    readLifetime(ctx, { wallet, nonce }, signal),
  ]);
  if (goal === 'migrate' && read.stakes.length === 0)
    emptyWalletsOf(ctx).set(wallet, { atMs: ctx.clock.now(), touchedSlot });
  if (!read.isWallet) throw cannotPay(wallet);
  const accountsRead = read.stakes.map(({ account }) => account);
  const addresses = [wallet, ...accountsRead.map(({ address }) => address)];
  const price = await choosePrice(ctx, priority, addresses, signal);
  return {
    facts: { limits: read.limits, position: read.moment.position, ...lifetime, accounts: null, price },
    walletLamports: read.liquidLamports,
    accounts: accountsRead,
  };
};

/** Builds the planner's input from the wallet's state. `newAddress` provides addresses for new accounts. */
export const worldOf = async (
  ctx: Context,
  { wallet, owner }: Pick<PreviewRequest, 'wallet' | 'owner'>,
  { facts, walletLamports, accounts }: WalletAtSlot,
  newAddress: PlanInputs['newAddress'],
  signal: AbortSignal,
): Promise<PlanInputs> => {
  const { voteAccount, memo } = ctx.service.settings;
  return {
    wallet,
    owner,
    walletLamports,
    accounts,
    voteAccount,
    chain: {
      ...(await stakeFacts(ctx, facts, signal)),
      minimumDelegationLamports: facts.limits.minimumDelegationLamports,
      // The planner only checks whether an address is a vote account.
      voteCredits: new Map([[voteAccount, 0n]]),
    },
    newAddress,
    signatureFeeLamports: LAMPORTS_PER_SIGNATURE,
    unitPrice: facts.price.unitPrice,
    memoBytes: new TextEncoder().encode(memo).length,
  };
};
