// Resolves abbreviated arguments: a stake account from the first characters of its address, and ALL as an
// amount.
import type { StakeAccount } from '../../client/generated/stake-operations.ts';
import { HoldfastError } from '../../client/holdfast-error.ts';
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import type { TransactionRecord } from '../../client/staking/pending-transaction.ts';
import { readAmount, withoutUnit } from '../amount-argument.ts';
import { UsageError } from '../usage-error.ts';

/** Reads the figures that arguments refer to. The service's client is one; with `--direct`, a node is read. */
export interface ArgumentFigures {
  /** Absent with `--direct`, which cannot stake. */
  readonly balance?: (
    input: { readonly walletAddress: string },
    options: { readonly signal: AbortSignal },
  ) => Promise<{ readonly availableToStake: number }>;
  readonly listStakeAccounts: (
    input: { readonly walletAddress: string },
    options: { readonly signal: AbortSignal },
  ) => Promise<{
    readonly accounts: readonly Pick<StakeAccount, 'role' | 'withdrawableSol' | 'withdrawReady'>[];
  }>;
  readonly previewUnstake: (
    input: { readonly walletAddress: string; readonly want: 'unstake' | 'withdrawAmount' },
    options: { readonly signal: AbortSignal },
  ) => Promise<{ readonly reachable: readonly { readonly toSol: number }[] }>;
}

/** Resolves the arguments of a request. All methods throw `UsageError` if an argument cannot be resolved, and `HoldfastError` if the wallet has too little for it. */
export interface ArgumentResolver {
  /**
   * Returns the full address of a stake account: the given address, or the wallet's only account whose
   * address begins with the given text.
   */
  readonly account: (given: string | undefined) => Promise<string | undefined>;
  /**
   * Returns the lamports to take from the wallet: the given amount, or for ALL the maximum that the wallet can
   * stake.
   */
  readonly fromWallet: (given: string, want: 'stake' | 'top-up') => Promise<bigint>;
  /**
   * Returns the given amount in lamports. Throws a `HoldfastError` if it exceeds the amount that can be
   * withdrawn now.
   */
  readonly fromReady: (given: string) => Promise<bigint>;
  /** Returns the lamports of stake to change: the given amount, or for ALL the maximum for `want`. */
  readonly fromStake: (given: string, name: string, want: 'unstake' | 'withdraw-amount') => Promise<bigint>;
}

/** Keyword for the entire amount, as in Solana's own command line. */
export const ALL = 'ALL';

/**
 * True if the argument is ALL or a number, with or without its unit. Addresses always contain other letters.
 */
export const isAmount = (given: string | undefined): given is string =>
  given !== undefined && (given === ALL || /^\d{1,9}(?:\.\d*)?$/.test(withoutUnit(given)));

const MIN_PREFIX = 4;
/**
 * Minimum length of an address (addresses have 32 to 44 characters). Arguments of at least this length are
 * passed to the service, which refuses invalid addresses.
 */
const MIN_ADDRESS = 32;

/** Returns the lamports of a signed request of the kind or goal `want`; undefined for any other. */
const signedLamports = (signed: TransactionRecord | undefined, want: string): bigint | undefined =>
  signed?.amountLamports !== undefined && (signed.change?.goal ?? signed.kind) === want
    ? BigInt(signed.amountLamports)
    : undefined;

const lamportsOf = (sol: number): bigint => BigInt(Math.round(sol * 1e9));

/** Creates the error for correct arguments that the wallet's state does not allow. */
const notPossible = (
  errorCode: 'INSUFFICIENT_BALANCE' | 'AMOUNT_NOT_REACHABLE',
  message: string,
  suggestedAction?: string,
): HoldfastError => new HoldfastError({ errorCode, message, operation: 'cli', suggestedAction });

/** The wallet that a command's arguments refer to, and what it has already signed with this key. */
interface ArgumentOwner {
  readonly walletAddress: string;
  /** False if the wallet is only the stake authority. Default: true. */
  readonly isOwner?: boolean;
  /**
   * The transaction already signed with the command's idempotency key. ALL then means the amount that was
   * signed, because the repeated command must not become a different request.
   */
  readonly signed?: TransactionRecord | undefined;
  /**
   * Accounts that the transaction already signed with the command's idempotency key names. A prefix then means
   * one of them, because it may be closed by now.
   */
  readonly signedAccounts?: readonly string[] | undefined;
}

/** Creates the resolver of one wallet. `addresses` returns all stake accounts of the wallet. */
export const createResolver = (
  figures: ArgumentFigures,
  { walletAddress, isOwner = true, signed, signedAccounts = [] }: ArgumentOwner,
  addresses: () => Promise<readonly string[]>,
  signal: AbortSignal,
): ArgumentResolver => ({
  account: async (given) => {
    if (given === undefined || given.length >= MIN_ADDRESS) return given;
    if (/^\d+,\d*$/.test(given)) readAmount(given);
    if (given.length < MIN_PREFIX)
      throw new UsageError(`${given} is too short; enter at least ${MIN_PREFIX} characters of the address`);
    const matching = (all: readonly string[]) => all.filter((address) => address.startsWith(given));
    const signedBefore = matching(signedAccounts);
    const found = signedBefore.length === 1 ? signedBefore : matching(await addresses());
    if (found.length === 1) return found[0];
    throw new UsageError(
      found.length === 0
        ? `none of your stake accounts begins with ${given}`
        : `${found.length} of your stake accounts begin with ${given}: ${found.join(', ')}`,
    );
  },
  fromWallet: async (given, want) => {
    if (given !== ALL) return solToLamports(readAmount(given));
    const before = signedLamports(signed, want);
    if (before !== undefined) return before;
    const { availableToStake } = await figures.balance!({ walletAddress }, { signal });
    if (availableToStake > 0) return lamportsOf(availableToStake);
    throw notPossible('INSUFFICIENT_BALANCE', 'The wallet has nothing to stake beyond its fee reserve.');
  },
  fromReady: async (given) => {
    const lamports = solToLamports(readAmount(given));
    const { accounts } = await figures.listStakeAccounts({ walletAddress }, { signal });
    const owned = accounts.filter(({ role }) => role === 'owner');
    const ready = owned.reduce((sum, { withdrawableSol }) => sum + lamportsOf(withdrawableSol), 0n);
    if (lamports <= ready) return lamports;
    throw ready === 0n
      ? notPossible(
          'AMOUNT_NOT_REACHABLE',
          'Nothing can be withdrawn now.',
          'Unstake first. holdfast accounts shows when it can be withdrawn.',
        )
      : notPossible(
          'AMOUNT_NOT_REACHABLE',
          `At most ${lamportsToSol(ready)} SOL can be withdrawn now.`,
          // ALL withdraws only whole accounts.
          owned.some(({ withdrawReady }) => withdrawReady)
            ? 'Unstake more, or withdraw ALL.'
            : 'Unstake more. holdfast accounts shows when it can be withdrawn.',
        );
  },
  fromStake: async (given, name, want) => {
    if (given !== ALL) return solToLamports(readAmount(given, name));
    if (!isOwner) throw new UsageError('ALL does not work with --owner; give an amount or a stake account');
    const before = signedLamports(signed, want);
    if (before !== undefined) return before;
    const { reachable } = await figures.previewUnstake(
      { walletAddress, want: want === 'unstake' ? want : 'withdrawAmount' },
      { signal },
    );
    const most = reachable.at(-1)?.toSol;
    if (most !== undefined) return lamportsOf(most);
    throw notPossible('AMOUNT_NOT_REACHABLE', 'This wallet has no stake to unstake.');
  },
});
