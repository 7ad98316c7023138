// Prepares a stake: finds every reason for which the chain might refuse it, before anything is built or signed.
import type { Address } from '@solana/kit';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import type { ChainAccount } from '../../chain/ports.ts';
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { refuseDuringEpochRewards } from '../../domain/rewards-freeze.ts';
import { AppError } from '../../kernel/app-error.ts';
import { type BuildOptions, versionOf } from '../act/build-options.ts';
import { BALANCE_UNCHECKED, checkPayers } from '../act/check-payer-balance.ts';
import { type BuildFacts, boundaryNotices, lifetimeOf, readBuildFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import {
  type AddressHistory,
  type EarlierRequest,
  type EarlierStake,
  findEarlierStake,
  readHistory,
} from './find-earlier-stake.ts';
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
   * The other addresses that the same idempotency key derives. If a stake account exists at one of them, this
   * stake was already made. Default: none.
   */
  readonly otherAccounts?: readonly Pick<EarlierRequest, 'stakeAccount' | 'seed'>[] | undefined;
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

/**
 * Checks and builds, or returns the stake that was created earlier at the address, or at another one of its
 * key. Throws `AppError` with `BELOW_MINIMUM_STAKE`, `INSUFFICIENT_BALANCE`, `WALLET_CANNOT_PAY`,
 * `EPOCH_REWARDS_ACTIVE`, `STAKE_ADDRESS_OCCUPIED`, `UPSTREAM_UNAVAILABLE`.
 */
export const prepareStake = async (
  ctx: Context,
  request: StakeRequest,
  signal: AbortSignal,
): Promise<{ plan: PreparedStake } | { earlier: EarlierStake }> => {
  const { otherAccounts: others = [] } = request;
  const [facts, history] = await Promise.all([
    readBuildFacts(
      ctx,
      [request.wallet, request.stakeAccount, ...others.map((one) => one.stakeAccount)],
      signal,
      {
        accountsOptional: true,
        hasUniqueBytes: true,
        ...request,
      },
    ),
    request.addressMayExist
      ? readHistory(ctx, request.stakeAccount, signal)
      : ({ rows: [], isComplete: true } as const),
  ]);
  const [walletAccount, stakeAccount, ...otherAccounts] = facts.accounts ?? [];
  const isVault = request.walletSigns === false;
  const earlier = isVault ? null : await findEarlierStake(ctx, request, history, signal);
  if (earlier !== null && earlier !== 'undecided') return { earlier };
  refuseOccupied(stakeAccount ?? null);
  const occupied = otherAccounts.findIndex((account) => account?.owner === STAKE_PROGRAM);
  const other = others[occupied];
  if (other) {
    const otherHistory = await readHistory(ctx, other.stakeAccount, signal);
    const made = await findEarlierStake(ctx, { ...other, wallet: request.wallet }, otherHistory, signal);
    if (made !== null && made !== 'undecided') return { earlier: made };
    refuseOccupied(otherAccounts[occupied]!);
  }
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
 * Refuses an address that appears in any of these transactions, unless it failed. A program may have created
 * the account for its vault inside that transaction, where the transaction's own instructions do not show it.
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
