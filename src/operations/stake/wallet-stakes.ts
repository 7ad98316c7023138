// A wallet's stake accounts, judged at one moment of the chain: from the index where it knows them, else asked of the chain.
import type { Address } from '@solana/kit';
import type { WalletRows } from '../../chain/index/stake-index.ts';
import type { ChainAccount, ClusterLimits, EpochPosition } from '../../chain/ports.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { assessStake, type StakeAssessment } from '../../domain/stake/stake-state.ts';
import { SYSTEM_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { stakeFacts } from '../act/build-facts.ts';
import type { Context } from '../context.ts';
import type { MetaExtras } from '../operation.ts';
import { refuseStakeAccountAsWallet } from './stake-account-input.ts';
import type { Moment } from './stake-account-view.ts';

/** One account with the wallet's part in it. */
export interface WalletStake {
  readonly account: StakeAccount;
  readonly assessment: StakeAssessment;
  readonly role: 'owner' | 'staker';
  /** Delegated to this service's validator; only these count in totals. */
  readonly ours: boolean;
}

/** What a wallet has, and how fresh that is. */
export interface WalletStakes {
  /** The largest first. */
  readonly stakes: readonly WalletStake[];
  readonly moment: Moment;
  readonly limits: ClusterLimits;
  /** What the wallet itself holds now. */
  readonly liquidLamports: bigint;
  /** False for an account that a program owns: it can neither fund a stake nor pay a fee. */
  readonly isWallet: boolean;
  /** For `_meta`: as of which slots the list is; nothing where the chain was asked. */
  readonly meta: Pick<MetaExtras, 'indexSlot' | 'verifiedSlot'>;
}

const EPOCH_REWARDS_SYSVAR = 'SysvarEpochRewards1111111111111111111111111' as Address;
/** Where the sysvar says whether rewards are being distributed (bincode). */
const EPOCH_REWARDS_ACTIVE = 80;

/** The wallet and the rewards switch in one read, never older than what a transaction through this service changed. */
const readOwn = async (ctx: Context, wallet: Address, signal: AbortSignal) => {
  const touchedSlot = ctx.index?.touchedSlot() ?? 0n;
  const { slot, accounts } = await ctx.reads.accounts([wallet, EPOCH_REWARDS_SYSVAR], {
    signal,
    ...(touchedSlot > 0n ? { minContextSlot: touchedSlot } : {}),
  });
  const [own = null, rewards = null] = accounts;
  return { slot, own, rewardsActive: rewards?.data[EPOCH_REWARDS_ACTIVE] === 1 };
};

const firstSlotOf = (position: EpochPosition): bigint => position.absoluteSlot - position.slotIndex;

interface Indexed {
  readonly rows: WalletRows;
  readonly position: EpochPosition;
  readonly own: ChainAccount | null;
}

/**
 * From the index, beside one read of the wallet itself. That read also shows whether the position at hand still holds: an epoch that
 * has ended or rewards that began since make it be read anew, and the rows with it. Null: ask the chain.
 */
const fromIndex = async (ctx: Context, wallet: Address, signal: AbortSignal): Promise<Indexed | null> => {
  const { index } = ctx;
  if (index === null) return null;
  const ownRead = readOwn(ctx, wallet, signal);
  // Where the index does not serve, the chain's way reads it again, and shares the request under way.
  ownRead.catch(() => undefined);
  const rows = await index.current(wallet, signal);
  if (rows === null) return null;
  const own = await ownRead;
  const indexed = (position: EpochPosition, found: WalletRows): Indexed => ({
    rows: found,
    position,
    own: own.own,
  });
  const recent = await ctx.cluster.recentEpochPosition(signal);
  const isOver = own.slot >= firstSlotOf(recent) + recent.slotsInEpoch;
  if (!isOver && own.rewardsActive === recent.epochRewardsActive) return indexed(recent, rows);
  const position = await ctx.cluster.epochPosition(signal);
  const again = await index.current(wallet, signal);
  const isCurrent = again?.rows.every(({ slot }) => slot >= firstSlotOf(position)) ?? false;
  return isCurrent ? indexed(position, again!) : null;
};

const bySize = (a: WalletStake, b: WalletStake): number => {
  if (a.account.lamports !== b.account.lamports) return a.account.lamports > b.account.lamports ? -1 : 1;
  return a.account.address < b.account.address ? -1 : 1;
};

const fromChain = async (ctx: Context, wallet: Address, scope: 'validator' | 'all', signal: AbortSignal) => {
  const touchedSlot = ctx.index?.touchedSlot() ?? 0n;
  const fresh = touchedSlot > 0n ? { minContextSlot: touchedSlot } : {};
  const [{ own }, ours, elsewhere, position] = await Promise.all([
    readOwn(ctx, wallet, signal),
    ctx.reads.stakeAccountsOf(wallet, ctx.settings.voteAccount, { signal, ...fresh }),
    scope === 'all' ? ctx.reads.stakeAccountsWithdrawableBy(wallet, { signal, ...fresh }) : { accounts: [] },
    ctx.cluster.epochPosition(signal),
  ]);
  const accounts = new Map(
    [...elsewhere.accounts, ...ours.accounts].map((account) => [account.address, account]),
  );
  const decoded = [...accounts.values()]
    .map((account) => decodeStakeAccount(account))
    .filter((account) => account !== null);
  return { own, position, accounts: decoded, meta: {} };
};

/**
 * `validator`: accounts delegated to our vote account whose withdraw or stake authority is the wallet. `all` adds those it may withdraw
 * from that are undelegated or delegated elsewhere, which no index knows. Throws `STAKE_ACCOUNT_ADDRESS_PROVIDED`, `UPSTREAM_UNAVAILABLE`.
 */
export const readWalletStakes = async (
  ctx: Context,
  wallet: Address,
  scope: 'validator' | 'all',
  signal: AbortSignal,
): Promise<WalletStakes> => {
  const [indexed, limits] = await Promise.all([
    scope === 'validator' ? fromIndex(ctx, wallet, signal) : null,
    ctx.cluster.limits(signal),
  ]);
  const { own, position, accounts, meta } = indexed
    ? {
        ...indexed,
        accounts: indexed.rows.rows.map(({ account }) => account),
        meta: {
          indexSlot: Number(indexed.rows.indexSlot),
          verifiedSlot: Number(indexed.rows.verifiedSlot),
        },
      }
    : await fromChain(ctx, wallet, scope, signal);
  refuseStakeAccountAsWallet(own);
  const facts = await stakeFacts(ctx, { limits, position }, signal);
  const stakes = accounts.map(
    (account): WalletStake => ({
      account,
      assessment: assessStake(account, facts),
      role: account.withdrawAuthority === wallet ? 'owner' : 'staker',
      ours: account.delegation?.voteAccount === ctx.settings.voteAccount,
    }),
  );
  return {
    stakes: stakes.sort(bySize),
    moment: { position, stakeRentLamports: limits.stakeRentLamports, nowMs: ctx.clock.now() },
    limits,
    liquidLamports: own?.lamports ?? 0n,
    isWallet: own === null || (own.owner === SYSTEM_PROGRAM && own.data.length === 0),
    meta,
  };
};
