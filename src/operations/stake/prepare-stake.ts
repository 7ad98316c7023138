// Prepares a stake: finds every reason for which the chain might refuse it, before anything is built or signed.
import type { Address, Signature } from '@solana/kit';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import type { AddressSignature, ChainAccount } from '../../chain/ports.ts';
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { decodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { refuseDuringEpochRewards } from '../../domain/rewards-freeze.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { type BuildOptions, versionOf } from '../act/build-options.ts';
import { BALANCE_UNCHECKED, checkPayers } from '../act/check-payer-balance.ts';
import { recognize } from '../act/intents/recognize-transaction.ts';
import { type BuildFacts, boundaryNotices, lifetimeOf, readBuildFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import { stakeAddressTaken } from './stake-address-taken-error.ts';

interface StakeRequest extends BuildOptions {
  readonly wallet: Address;
  /** Total moved into the new account, including the rent-exempt minimum. */
  readonly lamports: bigint;
  readonly stakeAccount: Address;
  /**
   * Seed with which the account's address is derived from the wallet. Default: none, in which case the
   * account's own key signs too.
   */
  readonly seed?: string | undefined;
  /**
   * The address that the same idempotency key derives with the other addressing. If an account exists there,
   * this stake was already made.
   */
  readonly otherAccount?: Address | undefined;
  /**
   * False for a program-derived wallet, whose program signs for it through a cross-program invocation. Default:
   * true.
   */
  readonly walletSigns?: boolean | undefined;
  /** The address that becomes the stake authority. Default: the wallet. */
  readonly stakeAuthority?: Address | undefined;
  /** True if the caller supplied the key, so the address may have been used before. */
  readonly addressMayExist: boolean;
}

/** A stake that passed every check. */
export interface PreparedStake {
  readonly facts: BuildFacts;
  readonly built: BuiltTransaction;
  readonly notices: readonly Notice[];
}

/** A stake that was created at the derived address earlier. */
export interface EarlierStake {
  readonly signature: string;
  readonly slot: bigint;
  readonly wireBytes: Uint8Array;
  readonly lamports: bigint;
}

/**
 * Checks and builds, or returns the stake that was created at the address earlier. Throws `AppError` with
 * `BELOW_MINIMUM_STAKE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`, `EPOCH_REWARDS_ACTIVE`,
 * `STAKE_ADDRESS_OCCUPIED`, `UPSTREAM_UNAVAILABLE`.
 */
export const prepareStake = async (
  ctx: Context,
  request: StakeRequest,
  signal: AbortSignal,
): Promise<{ plan: PreparedStake } | { earlier: EarlierStake }> => {
  const { otherAccount: other } = request;
  const [facts, history] = await Promise.all([
    readBuildFacts(ctx, [request.wallet, request.stakeAccount, ...(other ? [other] : [])], signal, {
      accountsOptional: true,
      hasUniqueBytes: true,
      ...request,
    }),
    request.addressMayExist
      ? readHistory(ctx, request.stakeAccount, signal)
      : ({ rows: [], isComplete: true } as const),
  ]);
  const [walletAccount, stakeAccount, otherAccount] = facts.accounts ?? [];
  const isVault = request.walletSigns === false;
  const earlier = isVault ? null : await findEarlierStake(ctx, request, history, signal);
  if (earlier !== null && earlier !== 'undecided') return { earlier };
  refuseOccupied(stakeAccount ?? null);
  if (otherAccount?.owner === STAKE_PROGRAM) refuseOccupied(otherAccount);
  if (isVault) refuseMentioned(request.stakeAccount, history);
  if (earlier === 'undecided' || (isVault && !history.isComplete))
    throw stakeAddressTaken(
      request.stakeAccount,
      'MANY_MENTIONS',
      'Outsiders have sent so many transactions to this stake account’s address that the service cannot yet determine whether the account was created before.',
    );
  refuseDuringEpochRewards(facts.position.epochRewardsActive);
  refuseBelowMinimum(request.lamports, facts.limits);
  const built = buildTransaction.stake({
    wallet: request.wallet,
    stakeAccount: request.stakeAccount,
    stakeAuthority: request.stakeAuthority,
    seed: request.seed,
    voteAccount: ctx.service.settings.voteAccount,
    lamports: request.lamports,
    memo: ctx.service.settings.memo,
    ...lifetimeOf(facts),
    feePayer: facts.payer?.address,
    version: versionOf(ctx, request),
    unitPrice: facts.price.unitPrice,
  });
  if (facts.accounts) {
    checkPayers(
      {
        wallet: request.wallet,
        account: walletAccount ?? null,
        spendLamports: request.lamports,
        feeLamports: built.networkFeeLamports,
        reserveLamports: ctx.service.settings.feeReserveLamports,
        minimumSpendLamports: minimumStakeLamports(facts.limits),
      },
      facts,
    );
  }
  const notices = [
    ...boundaryNotices(facts.position),
    ...(facts.accounts ? [] : [BALANCE_UNCHECKED]),
    ...indivisibleNotices(request.lamports, facts.limits),
  ];
  return { plan: { facts, built, notices } };
};

/**
 * Creates the notice that a stake is too small to be split, because each part would need the minimum
 * delegation.
 */
export const indivisibleNotices = (
  lamports: bigint,
  {
    minimumDelegationLamports,
    stakeRentLamports,
  }: Pick<BuildFacts['limits'], 'minimumDelegationLamports' | 'stakeRentLamports'>,
): readonly Notice[] => {
  const divisibleLamports = 2n * minimumDelegationLamports + stakeRentLamports;
  return lamports >= divisibleLamports
    ? []
    : [
        notice(
          'STAKE_INDIVISIBLE',
          'A stake of less than {divisibleSol} SOL cannot be split: you can only unstake all of it.',
          { divisibleSol: solFigure(divisibleLamports) },
        ),
      ];
};

const refuseBelowMinimum = (lamports: bigint, limits: BuildFacts['limits']): void => {
  const minimum = minimumStakeLamports(limits);
  if (lamports >= minimum) return;
  throw new AppError(
    'BELOW_MINIMUM_STAKE',
    '{amountSol} SOL is {shortfallSol} SOL below the minimum stake of {minimumStakeSol} SOL ({minimumDelegationSol} SOL minimum delegation plus {rentSol} SOL rent, as currently set by the cluster).',
    {
      reason: 'STAKE',
      params: {
        amountSol: solFigure(lamports),
        shortfallSol: solFigure(minimum - lamports),
        minimumStakeSol: solFigure(minimum),
        minimumDelegationSol: solFigure(limits.minimumDelegationLamports),
        rentSol: solFigure(limits.stakeRentLamports),
      },
      suggestedAction: 'Stake at least {minimumStakeSol} SOL.',
      body: { minimumStakeSol: solNumber(minimum) },
    },
  );
};

const refuseOccupied = (account: ChainAccount | null): void => {
  if (!account) return;
  if (account.owner === STAKE_PROGRAM)
    throw new AppError(
      'STAKE_ADDRESS_OCCUPIED',
      'A stake account has already been created with this idempotency key.',
      {
        reason: 'STAKE_EXISTS',
        suggestedAction: 'Use a new idempotency key only for a different stake.',
        body: { stakeAccountAddress: account.address },
      },
    );
  throw stakeAddressTaken(
    account.address,
    'FUNDED_BY_OTHERS',
    'Someone sent lamports to the address of this stake account before it was created, so the chain would refuse to create it.',
  );
};

/**
 * Refuses an address that appears in any of these transactions, unless it failed. A program may have created the account for its vault
 * inside that transaction, where the transaction's own instructions do not show it.
 */
const refuseMentioned = (stakeAccountAddress: Address, { rows }: AddressHistory): void => {
  const mention = rows.find(({ succeeded }) => succeeded);
  if (mention === undefined) return;
  const { signature } = mention;
  throw new AppError(
    'STAKE_ADDRESS_OCCUPIED',
    'Transaction {signature} mentions the address of this stake account, so this stake may be done already.',
    {
      reason: 'VAULT_MENTIONED',
      params: { signature },
      suggestedAction:
        'Look at that transaction in an explorer. If it did not create the account, or created it for a different stake, use a new idempotency key.',
      body: { stakeAccountAddress, signature },
    },
  );
};

/** Maximum number of rows that an RPC returns per call. */
const HISTORY_PAGE = 1_000;
/** Maximum number of pages per request. Outsiders pay a transaction fee for each row that they add. */
const MAX_PAGES = 3;

interface AddressHistory {
  /** Transactions that mention the address, newest first. */
  readonly rows: readonly AddressSignature[];
  readonly isComplete: boolean;
}

/**
 * Reads the newest transactions that mention the address. Outsiders may have sent any number of them since the
 * account was created.
 */
const readHistory = async (
  ctx: Context,
  stakeAccount: Address,
  signal: AbortSignal,
): Promise<AddressHistory> => {
  const rows: AddressSignature[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const before = rows.at(-1)?.signature;
    const read = await ctx.chain.reads.signaturesFor(stakeAccount, {
      signal,
      limit: HISTORY_PAGE,
      ...(before === undefined ? {} : { before }),
    });
    rows.push(...read);
    if (read.length < HISTORY_PAGE) return { rows, isComplete: true };
  }
  return { rows, isComplete: false };
};

/** Maximum number of transactions that one request reads in parallel to find an earlier stake. */
const MAX_READS = 8;
/** Maximum number of remembered transactions, at about 200 bytes each. */
const REMEMBERED_MENTIONS = 50_000;

/**
 * Transactions that mention an address but are not signed by it. Landed transactions never change, so each is
 * read only once. Keyed by the object that reads the chain.
 */
const knownMentions = new WeakMap<Context['chain']['reads'], BoundedMap<string, true>>();

const mentionsOf = (reads: Context['chain']['reads']): BoundedMap<string, true> => {
  const known = knownMentions.get(reads) ?? new BoundedMap<string, true>(REMEMBERED_MENTIONS);
  knownMentions.set(reads, known);
  return known;
};

/**
 * Decodes the transaction. Returns null for formats that this service cannot read and therefore never signed.
 */
const decoded = (wireBytes: Uint8Array): WireTransaction | null => {
  try {
    return decodeWire(wireBytes);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/**
 * Finds the transaction that created the account at the address. Only a transaction signed by the address, or
 * by the wallet from which it is derived, can have created it. This service signs nothing without a memo, so
 * transactions without a memo are not read. Returns `undecided` if outsiders sent more transactions with a memo
 * than one request reads. A background search then continues within the shared budget, and a later request uses
 * its result.
 */
const findEarlierStake = async (
  ctx: Context,
  { stakeAccount, seed, wallet }: Pick<StakeRequest, 'stakeAccount' | 'seed' | 'wallet'>,
  { rows, isComplete }: AddressHistory,
  signal: AbortSignal,
): Promise<EarlierStake | 'undecided' | null> => {
  const mentions = mentionsOf(ctx.chain.reads);
  const nameOf = (row: AddressSignature): string => `${stakeAccount} ${row.signature}`;
  const readCreate = async (row: AddressSignature, until: AbortSignal): Promise<EarlierStake | null> => {
    const landed = await ctx.chain.reads.transaction(row.signature as Signature, { signal: until });
    if (!landed || landed.error !== null) return null;
    const wire = decoded(landed.wireBytes);
    if (!wire?.signatures.has(seed === undefined ? stakeAccount : wallet)) {
      mentions.set(nameOf(row), true);
      return null;
    }
    const seen = recognize(ctx, wire);
    return seen.kind === 'stake' && seen.stakeAccount === stakeAccount && seen.lamports !== undefined
      ? { signature: row.signature, slot: row.slot, wireBytes: landed.wireBytes, lamports: seen.lamports }
      : null;
  };
  // Reads the oldest first: unless outsiders know the idempotency key, they learn the address only from the
  // transaction that creates the account.
  const worthReading = rows
    .filter((row) => row.succeeded && row.memo !== null && !mentions.has(nameOf(row)))
    .reverse();
  const found = await Promise.all(worthReading.slice(0, MAX_READS).map((row) => readCreate(row, signal)));
  const earlier = found.find((one) => one !== null);
  if (earlier) return earlier;
  const left = worthReading.slice(MAX_READS);
  if (left.length > 0)
    searchOn(ctx, stakeAccount, async (until) => {
      for (const row of left)
        if (!ctx.chain.searchBudget.take() || (await readCreate(row, until)) !== null) return;
    });
  return left.length > 0 || !isComplete ? 'undecided' : null;
};

/**
 * Addresses that are being searched in the background, keyed by the object that reads the chain. At most one
 * search runs per address.
 */
const searching = new WeakMap<Context['chain']['reads'], Set<Address>>();
const MAX_SEARCHES = 20;

const searchOn = (ctx: Context, address: Address, search: (signal: AbortSignal) => Promise<void>): void => {
  const underWay = searching.get(ctx.chain.reads) ?? new Set<Address>();
  searching.set(ctx.chain.reads, underWay);
  if (underWay.has(address) || underWay.size >= MAX_SEARCHES) return;
  underWay.add(address);
  search(ctx.service.lifetime)
    // Errors are ignored, because the next request for the address searches again.
    .catch(() => undefined)
    .finally(() => underWay.delete(address));
};
