// What unstake, withdraw and restake share: wallet and stake account read at one slot, the Stake program's rules, the bytes, and a payer who can pay.
import type { Address } from '@solana/kit';
import type { BuiltTransaction, TransactionVersion } from '../../chain/transactions/transaction.ts';
import type { StakeAccount } from '../../domain/stake/stake-account.ts';
import { assessStake, type StakeAssessment, type StakeChainFacts } from '../../domain/stake/stake-state.ts';
import { checkPayer } from '../act/check-payer.ts';
import { type BuildFacts, readBuildFacts, stakeFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import { requireStakeAccount } from '../wallet/stake-account-input.ts';

/** Which account, and who signs and pays. */
export interface AccountRequest {
  readonly wallet: Address;
  readonly stakeAccount: Address;
  /** The caller's key signs in the same call: refusals name one-shot calls. Default: they name builders. */
  readonly isOneShot?: boolean | undefined;
  /** Default: that of the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
}

/** The account as it stands, all of one slot. */
interface AssessedAccount {
  readonly stake: StakeAccount;
  readonly assessment: StakeAssessment;
  readonly chain: StakeChainFacts;
  readonly facts: BuildFacts;
}

/** How one kind of transaction differs. */
interface AccountSteps<Allowed> {
  /** What the Stake program would let it do. Throws what it would refuse. */
  readonly check: (account: AssessedAccount) => Allowed;
  readonly build: (
    input: {
      readonly wallet: Address;
      readonly stakeAccount: Address;
      readonly memo: string;
      readonly blockhash: string;
      readonly version: TransactionVersion;
    },
    allowed: Allowed,
  ) => BuiltTransaction;
  /** Lamports that it brings into the wallet; default none. */
  readonly incomeLamports?: (allowed: Allowed) => bigint;
}

/**
 * Reads, checks and builds. Throws what `check` throws, and `NOT_A_STAKE_ACCOUNT`, `EPOCH_REWARDS_ACTIVE`, `INSUFFICIENT_BALANCE`,
 * `WALLET_CANNOT_PAY`, `UPSTREAM_UNAVAILABLE`.
 */
export const prepareOnAccount = async <Allowed>(
  ctx: Context,
  { wallet, stakeAccount, transactionVersion }: AccountRequest,
  steps: AccountSteps<Allowed>,
  signal: AbortSignal,
): Promise<AssessedAccount & { readonly built: BuiltTransaction; readonly allowed: Allowed }> => {
  const facts = await readBuildFacts(ctx, [wallet, stakeAccount], signal, { signer: wallet });
  const [walletAccount, account] = facts.accounts!;
  const stake = requireStakeAccount(account ?? null, stakeAccount, wallet);
  const chain = await stakeFacts(ctx, facts, signal);
  const assessed = { stake, assessment: assessStake(stake, chain), chain, facts };
  const allowed = steps.check(assessed);
  const built = steps.build(
    {
      wallet,
      stakeAccount,
      memo: ctx.service.settings.memo,
      blockhash: facts.blockhash.blockhash,
      version: transactionVersion ?? ctx.service.settings.transactionVersion,
    },
    allowed,
  );
  checkPayer({
    wallet,
    account: walletAccount ?? null,
    spendLamports: 0n,
    incomeLamports: steps.incomeLamports?.(allowed) ?? 0n,
    feeLamports: built.networkFeeLamports,
    reserveLamports: 0n,
    walletRentLamports: facts.limits.walletRentLamports,
  });
  return { ...assessed, built, allowed };
};
