// Prepares a stake: every reason the chain could have to refuse it is found here, before anything is built or signed.
import type { Address, Signature } from '@solana/kit';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import type { AddressSignature, ChainAccount } from '../../chain/ports.ts';
import {
  type BuiltTransaction,
  buildTransaction,
  type TransactionVersion,
} from '../../chain/transactions/transaction.ts';
import { decodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { formatSol, solNumber } from '../../domain/lamports.ts';
import { refuseDuringEpochRewards } from '../../domain/rewards-freeze.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { BALANCE_UNCHECKED, checkPayer } from '../act/check-payer.ts';
import { type BuildFacts, boundaryWarnings, readBuildFacts } from '../act/read-build-facts.ts';
import { recognise } from '../act/recognise-transaction.ts';
import type { Context } from '../context.ts';

/** What is to be staked, by whom, at which address. */
interface StakeRequest {
  readonly wallet: Address;
  /** Total moved into the new account, rent included. */
  readonly lamports: bigint;
  readonly stakeAccount: Address;
  /** The key came from the caller, so the address may have been used before. */
  readonly addressMayExist: boolean;
  /** Default: that of the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
}

/** A stake that nothing known stands against. */
export interface PreparedStake {
  readonly facts: BuildFacts;
  readonly built: BuiltTransaction;
  readonly warnings: string[];
}

/** The stake that already stands, or once stood, at the derived address. */
interface EarlierStake {
  readonly signature: string;
  readonly slot: bigint;
  readonly wireBytes: Uint8Array;
  readonly lamports: bigint;
}

/**
 * Checks and builds. Throws `BELOW_MINIMUM_STAKE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`, `EPOCH_REWARDS_ACTIVE`,
 * `STAKE_ADDRESS_OCCUPIED`, `UPSTREAM_UNAVAILABLE`. Returns the earlier stake where the address was created before.
 */
export const prepareStake = async (
  ctx: Context,
  request: StakeRequest,
  signal: AbortSignal,
): Promise<{ plan: PreparedStake } | { earlier: EarlierStake }> => {
  const [facts, history] = await Promise.all([
    readBuildFacts(ctx, [request.wallet, request.stakeAccount], signal, { accountsOptional: true }),
    request.addressMayExist ? readHistory(ctx, request.stakeAccount, signal) : [],
  ]);
  const earlier = await findEarlierStake(ctx, request.stakeAccount, history, signal);
  if (earlier) return { earlier };
  const [walletAccount, stakeAccount] = facts.accounts ?? [];
  refuseOccupied(stakeAccount ?? null);
  refuseDuringEpochRewards(facts.position.epochRewardsActive);
  refuseBelowMinimum(request.lamports, facts.limits);
  const built = buildTransaction.stake({
    wallet: request.wallet,
    stakeAccount: request.stakeAccount,
    voteAccount: ctx.settings.voteAccount,
    lamports: request.lamports,
    memo: ctx.settings.memo,
    blockhash: facts.blockhash.blockhash,
    version: request.transactionVersion ?? ctx.settings.transactionVersion,
  });
  if (facts.accounts) {
    checkPayer({
      wallet: request.wallet,
      account: walletAccount ?? null,
      spendLamports: request.lamports,
      feeLamports: built.networkFeeLamports,
      reserveLamports: ctx.settings.feeReserveLamports,
      walletRentLamports: facts.limits.walletRentLamports,
    });
  }
  const warnings = [...boundaryWarnings(facts.position), ...(facts.accounts ? [] : [BALANCE_UNCHECKED])];
  return { plan: { facts, built, warnings } };
};

const refuseBelowMinimum = (lamports: bigint, limits: BuildFacts['limits']): void => {
  const minimum = minimumStakeLamports(limits);
  if (lamports >= minimum) return;
  throw new AppError(
    'BELOW_MINIMUM_STAKE',
    `${formatSol(lamports)} SOL is ${formatSol(minimum - lamports)} SOL below the minimum stake of ${formatSol(minimum)} SOL (${formatSol(limits.minimumDelegationLamports)} SOL minimum delegation plus ${formatSol(limits.stakeRentLamports)} SOL rent, as the cluster has them now).`,
    {
      suggestedAction: `Stake at least ${formatSol(minimum)} SOL.`,
      body: { minimumStakeSol: solNumber(minimum) },
    },
  );
};

const occupied = (stakeAccountAddress: Address, message: string): AppError =>
  new AppError('STAKE_ADDRESS_OCCUPIED', message, {
    suggestedAction: 'Repeat the request with a new idempotency key to get another address.',
    body: { stakeAccountAddress },
  });

const refuseOccupied = (account: ChainAccount | null): void => {
  if (!account) return;
  throw occupied(
    account.address,
    'Someone sent lamports to the address of this stake account before it was created, so the chain would refuse to create it.',
  );
};

// The most that an RPC gives at once.
const HISTORY_PAGE = 1_000;

/** Everything that ever named the address, newest first: outsiders may have piled any number of transactions onto the create. */
const readHistory = async (
  ctx: Context,
  stakeAccount: Address,
  signal: AbortSignal,
): Promise<readonly AddressSignature[]> => {
  const rows: AddressSignature[] = [];
  for (;;) {
    const before = rows.at(-1)?.signature;
    const page = await ctx.reads.signaturesFor(stakeAccount, {
      signal,
      limit: HISTORY_PAGE,
      ...(before === undefined ? {} : { before }),
    });
    rows.push(...page);
    if (page.length < HISTORY_PAGE) return rows;
  }
};

/** Transactions that are read at once while an earlier stake is looked for. */
const READS_AT_ONCE = 8;
/** Mentions that are remembered in memory, about 200 bytes each. */
const REMEMBERED_MENTIONS = 50_000;

/** Transactions that name an address without its signature: what landed never changes, so each is read once. By the reads they came from. */
const knownMentions = new WeakMap<Context['reads'], BoundedMap<string, true>>();

const mentionsOf = (reads: Context['reads']): BoundedMap<string, true> => {
  const known = knownMentions.get(reads) ?? new BoundedMap<string, true>(REMEMBERED_MENTIONS);
  knownMentions.set(reads, known);
  return known;
};

/** Null for forms that this service does not read: it never signed one. */
const decoded = (wireBytes: Uint8Array): WireTransaction | null => {
  try {
    return decodeWire(wireBytes);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/**
 * The successful create of the address, read from the chain itself; null when there is none. Only a transaction that the address signed can
 * have created it: what others wrote about it is passed over, however much there is.
 */
const findEarlierStake = async (
  ctx: Context,
  stakeAccount: Address,
  history: readonly AddressSignature[],
  signal: AbortSignal,
): Promise<EarlierStake | null> => {
  const mentions = mentionsOf(ctx.reads);
  const readCreate = async (row: AddressSignature): Promise<EarlierStake | null> => {
    const landed = await ctx.reads.transaction(row.signature as Signature, { signal });
    if (!landed || landed.error !== null) return null;
    const wire = decoded(landed.wireBytes);
    if (!wire?.signatures.has(stakeAccount)) {
      mentions.set(`${stakeAccount} ${row.signature}`, true);
      return null;
    }
    const seen = recognise(ctx, wire);
    return seen.kind === 'stake' && seen.stakeAccount === stakeAccount && seen.lamports !== undefined
      ? {
          signature: row.signature,
          slot: row.slot,
          wireBytes: landed.wireBytes,
          lamports: seen.lamports,
        }
      : null;
  };
  // Oldest first: nothing but transfers and mentions by others can precede a create.
  const rows = history
    .filter(({ succeeded, signature }) => succeeded && !mentions.has(`${stakeAccount} ${signature}`))
    .reverse();
  for (let at = 0; at < rows.length; at += READS_AT_ONCE) {
    const found = await Promise.all(rows.slice(at, at + READS_AT_ONCE).map(readCreate));
    const earlier = found.find((one) => one !== null);
    if (earlier) return earlier;
  }
  return null;
};
