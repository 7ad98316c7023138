// Reads a wallet's stake accounts with their state at one slot, from the index if it is available, otherwise
// from the chain.
import type { Address } from '@solana/kit';
import { MAX_SNAPSHOT_ACCOUNTS } from '../../chain/cluster/chain-snapshot.ts';
import type { ChainSnapshot, ClusterLimits } from '../../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { assessStake, type StakeAssessment } from '../../domain/stake/stake-state.ts';
import { stakeFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import type { MetaExtras } from '../operation.ts';
import { sol } from '../shared-schemas.ts';
import { refuseStakeAccountAsWallet } from './stake-account-input.ts';
import type { ChainPosition } from './stake-account-view.ts';

export interface WalletStake {
  readonly account: StakeAccount;
  readonly assessment: StakeAssessment;
  readonly role: 'owner' | 'staker';
  /** True if the stake is delegated to this service's validator. Totals include only such stakes. */
  readonly ours: boolean;
}

/** A wallet's stakes and their freshness. */
interface WalletStakes {
  readonly stakes: readonly WalletStake[];
  readonly moment: ChainPosition;
  readonly limits: ClusterLimits;
  /** Balance of the wallet itself. */
  readonly liquidLamports: bigint;
  /** False for an account owned by a program, which can neither fund a stake nor pay a fee. */
  readonly isWallet: boolean;
  /** Slots for `_meta`. Empty if the accounts were read from the chain. */
  readonly meta: Pick<MetaExtras, 'indexSlot' | 'verifiedSlot'>;
}

export const totalStakedSolSchema = sol(
  'Balances of all owned accounts with this validator, including rent, and including inactive accounts, which earn nothing. `delegatedSol` is the part that is staked, without rent and inactive balances.',
);

export const delegatedSolSchema = sol(
  'Stake of those accounts that is active, activating or deactivating, without rent and inactive balances.',
);

/** Returns the stake with this service's validator, without rent-exempt minimums and inactive balances. */
export const stakedLamports = ({ assessment, ours }: WalletStake): bigint =>
  ours ? assessment.activeLamports + assessment.activatingLamports : 0n;

const bySize = (a: WalletStake, b: WalletStake): number => {
  if (a.account.lamports !== b.account.lamports) return a.account.lamports > b.account.lamports ? -1 : 1;
  return a.account.address < b.account.address ? -1 : 1;
};

/** A wallet's accounts, with the snapshot that determines their states. */
interface ReadStakes {
  readonly snapshot: ChainSnapshot;
  readonly accounts: readonly StakeAccount[];
  readonly meta: WalletStakes['meta'];
}

/** Reads the accounts from the index. Returns null if the chain must be read instead. */
const fromIndex = async (
  ctx: Context,
  wallet: Address,
  signal: AbortSignal,
  options: { readonly reread: boolean },
): Promise<ReadStakes | null> => {
  const current = await ctx.chain.index?.current(wallet, signal, options);
  if (!current) return null;
  const { snapshot, rows, emptied, indexSlot, verifiedSlot } = current;
  return {
    snapshot,
    accounts: [...rows.map(({ account }) => account), ...emptied],
    meta: { indexSlot: Number(indexSlot), verifiedSlot: Number(verifiedSlot) },
  };
};

/**
 * True if all stake was moved out of the account, leaving only the rent-exempt minimum, which only the wallet
 * can withdraw.
 */
const isEmptiedOf = (wallet: Address, account: StakeAccount | null): boolean =>
  account !== null && account.delegation === null && account.withdrawAuthority === wallet;

/** Reads the accounts from the chain, at or after the slot of the latest change made through this service. */
const fromChain = async (
  ctx: Context,
  wallet: Address,
  scope: 'validator' | 'all',
  signal: AbortSignal,
): Promise<ReadStakes> => {
  const touchedSlot = ctx.chain.index?.touchedSlot() ?? 0n;
  const options = { signal, ...(touchedSlot > 0n ? { minContextSlot: touchedSlot } : {}) };
  const seen = (ctx.chain.index?.seenEver(wallet) ?? []).slice(0, MAX_SNAPSHOT_ACCOUNTS - 1);
  const [snapshot, ours, elsewhere] = await Promise.all([
    ctx.chain.cluster.readChainSnapshot([wallet, ...seen], options),
    // Each scan searches all stake accounts of the cluster. The scope `validator` needs only one.
    scope === 'all'
      ? ctx.chain.reads.stakeAccountsStakedBy(wallet, ctx.service.settings.voteAccount, options)
      : ctx.chain.reads.stakeAccountsOf(wallet, ctx.service.settings.voteAccount, options),
    scope === 'all' ? ctx.chain.reads.stakeAccountsWithdrawableBy(wallet, options) : { accounts: [] },
  ]);
  const accounts = new Map(
    [...elsewhere.accounts, ...ours.accounts].map((account) => [account.address, account]),
  );
  for (const account of snapshot.accounts.slice(1)) {
    const isEmptied = account && isEmptiedOf(wallet, decodeStakeAccount(account));
    if (isEmptied && !accounts.has(account.address)) accounts.set(account.address, account);
  }
  const decoded = [...accounts.values()]
    .map((account) => decodeStakeAccount(account))
    .filter((account) => account !== null);
  return { snapshot, accounts: decoded, meta: {} };
};

/**
 * Reads a wallet's stakes. `validator`: accounts delegated to our vote account whose withdraw or stake
 * authority is the wallet, and accounts that the wallet emptied by moving their stake away, if this process
 * noticed that. `all`: also every account that the wallet may withdraw from and that is undelegated or
 * delegated elsewhere. If the wallet has more accounts than fit into one call (about 90), those from the
 * index may be 30 s old, unless `reread` is set. Throws `AppError('STAKE_ACCOUNT_ADDRESS_PROVIDED')` if the
 * address is a stake account, and `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable
 * response.
 */
export const readWalletStakes = async (
  ctx: Context,
  wallet: Address,
  scope: 'validator' | 'all',
  signal: AbortSignal,
  { reread = false }: { readonly reread?: boolean } = {},
): Promise<WalletStakes> => {
  const indexed = scope === 'validator' ? await fromIndex(ctx, wallet, signal, { reread }) : null;
  const { snapshot, accounts, meta } = indexed ?? (await fromChain(ctx, wallet, scope, signal));
  const { position } = snapshot;
  const own = snapshot.accounts[0] ?? null;
  refuseStakeAccountAsWallet(own);
  const limits = await ctx.chain.cluster.limits(signal, snapshot);
  const facts = await stakeFacts(ctx, { limits, position }, signal);
  const stakes = accounts.map(
    (account): WalletStake => ({
      account,
      assessment: assessStake(account, facts),
      role: account.withdrawAuthority === wallet ? 'owner' : 'staker',
      ours: account.delegation?.voteAccount === ctx.service.settings.voteAccount,
    }),
  );
  return {
    stakes: stakes.sort(bySize),
    moment: { position, limits, nowMs: ctx.clock.now() },
    limits,
    liquidLamports: own?.lamports ?? 0n,
    isWallet: own === null || (own.owner === SYSTEM_PROGRAM && own.data.length === 0),
    meta,
  };
};
