// Reads the wallet, its stake accounts and the chain facts for a plan.
import type { Address } from '@solana/kit';
import { MAX_SNAPSHOT_ACCOUNTS } from '../../chain/cluster/chain-snapshot.ts';
import type { PlanWorld } from '../../domain/plan/plan.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../domain/transaction/instruction-fees.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import type { BuildOptions } from '../act/build-options.ts';
import { cannotPay, requirePlainWallet } from '../act/check-payer.ts';
import { choosePrice } from '../act/priority.ts';
import { type BuildFacts, readBuildFacts, readLifetime, stakeFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import { refuseStakeAccountAsWallet, requireStakeAccount } from '../wallet/stake-account-input.ts';
import { readWalletStakes } from '../wallet/wallet-stakes.ts';
import type { PreviewRequest } from './plan-request.ts';

/** Maximum number of accounts that are read together with the wallet in one call. */
export const MAX_PLAN_ACCOUNTS = MAX_SNAPSHOT_ACCOUNTS - 1;

/** Errors that can occur when reading the accounts for a plan. */
export const planReadErrors = [
  'NOT_A_STAKE_ACCOUNT',
  'STAKE_ACCOUNT_ADDRESS_PROVIDED',
  'WALLET_CANNOT_PAY',
  'NONCE_UNUSABLE',
  'UPSTREAM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** The wallet and its accounts, with the chain's state at the same slot. */
export interface ReadWorld {
  readonly facts: BuildFacts;
  readonly walletLamports: bigint;
  readonly accounts: readonly StakeAccount[];
}

/** Reads the accounts at these addresses and the wallet, at one slot. Omits closed accounts unless they were `named`. */
const readAt = async (
  ctx: Context,
  wallet: Address,
  addresses: readonly Address[],
  { isNamed, ...options }: Omit<BuildOptions, 'transactionVersion'> & { readonly isNamed: boolean },
  signal: AbortSignal,
): Promise<ReadWorld> => {
  const facts = await readBuildFacts(ctx, [wallet, ...addresses], signal, {
    ...options,
  });
  const [own = null, ...found] = facts.accounts!;
  refuseStakeAccountAsWallet(own);
  requirePlainWallet(wallet, own);
  const accounts = isNamed
    ? addresses.map((address, index) => requireStakeAccount(found[index] ?? null, address, wallet))
    : found.map((account) => account && decodeStakeAccount(account)).filter((account) => account !== null);
  return { facts, walletLamports: own?.lamports ?? 0n, accounts };
};

/**
 * Time for which a wallet is remembered as having no stake, in ms. Without it, each request for a migration
 * would scan all stake accounts of the cluster.
 */
const EMPTY_FOR_MS = 20_000;
/** Maximum number of remembered wallets, about 150 bytes each. */
const REMEMBERED_EMPTY = 10_000;

/**
 * Wallets without stake: when this was found, and the slot of the latest change through this service at that
 * time. Each source of reads has its own map.
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
 * Reads the accounts that are named or in the index in one call. Without an index, reads them like the list
 * of stake accounts.
 */
export const readWorld = async (
  ctx: Context,
  { wallet, goal, accounts, priority, nonce }: PreviewRequest,
  signal: AbortSignal,
): Promise<ReadWorld> => {
  if (accounts !== undefined)
    return readAt(ctx, wallet, [...new Set(accounts)], { isNamed: true, priority, nonce }, signal);
  // A migration concerns stake at other validators, which the index does not contain.
  if (goal !== 'migrate') {
    const rows = ctx.chain.index?.walletRows(wallet)?.rows;
    // Accounts that left the index may still exist undelegated, because moving stake out of an account leaves
    // the account open.
    const known = rows && [
      ...new Set([
        ...rows.map(({ account }) => account.address),
        ...(ctx.chain.index?.seenEver(wallet) ?? []),
      ]),
    ];
    if (known && rows.length <= MAX_PLAN_ACCOUNTS) {
      const read = await readAt(
        ctx,
        wallet,
        known.slice(0, MAX_PLAN_ACCOUNTS),
        { isNamed: false, priority, nonce },
        signal,
      );
      const { voteAccount } = ctx.service.settings;
      // Other accounts may be delegated to another validator by now.
      const isHere = ({ delegation }: StakeAccount) =>
        delegation === null || delegation.voteAccount === voteAccount;
      return { ...read, accounts: read.accounts.filter(isHere) };
    }
  }
  if (goal === 'migrate' && wasJustEmpty(ctx, wallet))
    return readAt(ctx, wallet, [], { isNamed: false, priority, nonce }, signal);
  const touchedSlot = ctx.chain.index?.touchedSlot() ?? 0n;
  const [read, lifetime] = await Promise.all([
    readWalletStakes(ctx, wallet, goal === 'migrate' ? 'all' : 'validator', signal),
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

/** Builds the wallet's state for the planner, with `newAddress` for new accounts. */
export const worldOf = async (
  ctx: Context,
  { wallet }: Pick<PreviewRequest, 'wallet'>,
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
      // Plans only need to know whether an address is a vote account.
      voteCredits: new Map([[voteAccount, 0n]]),
    },
    newAddress,
    signatureFeeLamports: LAMPORTS_PER_SIGNATURE,
    unitPrice: facts.price.unitPrice,
    memoBytes: new TextEncoder().encode(memo).length,
  };
};
