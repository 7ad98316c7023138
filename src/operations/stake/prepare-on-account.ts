// Shared steps of unstake, withdraw and restake: reads the wallet and the stake account at one slot, applies
// the Stake program's rules, checks the payer and builds the transaction.
import type { Address } from '@solana/kit';
import type { BuiltTransaction, TransactionVersion } from '../../chain/transactions/transaction.ts';
import type { StakeAccount } from '../../domain/stake/stake-account.ts';
import { assessStake, type StakeAssessment, type StakeChainFacts } from '../../domain/stake/stake-state.ts';
import type { UnitPrice } from '../../domain/transaction/instruction-fees.ts';
import { AppError } from '../../kernel/app-error.ts';
import { type BuildOptions, versionOf } from '../act/build-options.ts';
import { checkPayers } from '../act/check-payer-balance.ts';
import { type BuildFacts, lifetimeOf, readBuildFacts, stakeFacts } from '../act/read-build-facts.ts';
import type { Context } from '../context.ts';
import { requireStakeAccount } from '../wallet/stake-account-input.ts';

export interface AccountRequest extends BuildOptions {
  readonly wallet: Address;
  readonly stakeAccount: Address;
  /** The withdraw authority that the account must have. Default: any. */
  readonly owner?: Address | undefined;
  /**
   * True if the request contains the secret key, so refusals suggest one-shot calls. Default: they suggest
   * builders.
   */
  readonly isOneShot?: boolean | undefined;
}

/** An account and its state, read at one slot. */
interface AssessedAccount {
  readonly stake: StakeAccount;
  readonly assessment: StakeAssessment;
  readonly chain: StakeChainFacts;
  readonly facts: BuildFacts;
}

/** Steps that differ between kinds of transactions. */
interface AccountSteps<Allowed> {
  /** Applies the Stake program's rules. Throws if the program would refuse the transaction. */
  readonly check: (account: AssessedAccount) => Allowed;
  readonly build: (
    input: {
      readonly wallet: Address;
      readonly stakeAccount: Address;
      readonly memo: string;
      readonly blockhash: string;
      readonly nonceAccount?: Address;
      readonly feePayer: Address | undefined;
      readonly version: TransactionVersion;
      readonly unitPrice: UnitPrice | undefined;
    },
    allowed: Allowed,
  ) => BuiltTransaction;
  /** Lamports that the transaction brings into the wallet. Default: 0. */
  readonly incomeLamports?: (allowed: Allowed) => bigint;
}

const refuseOtherOwner = ({ address, withdrawAuthority }: StakeAccount, owner: Address): void => {
  if (withdrawAuthority === owner) return;
  throw new AppError(
    'AUTHORITY_MISMATCH',
    'The owner of stake account {address} is {withdrawAuthority}, not {owner}.',
    {
      reason: 'OWNER',
      params: { address, withdrawAuthority, owner },
      suggestedAction: 'Name the owner of this stake account, or another account.',
    },
  );
};

/**
 * Reads, checks and builds. Throws `AppError` with the errors of `check`, and `NOT_A_STAKE_ACCOUNT`,
 * `EPOCH_REWARDS_ACTIVE`, `INSUFFICIENT_BALANCE`,
 * `WALLET_CANNOT_PAY`, `UPSTREAM_UNAVAILABLE`.
 */
export const prepareOnAccount = async <Allowed>(
  ctx: Context,
  { wallet, stakeAccount, owner, transactionVersion, ...options }: AccountRequest,
  steps: AccountSteps<Allowed>,
  signal: AbortSignal,
): Promise<AssessedAccount & { readonly built: BuiltTransaction; readonly allowed: Allowed }> => {
  const facts = await readBuildFacts(ctx, [wallet, stakeAccount], signal, {
    ...options,
  });
  const [walletAccount, account] = facts.accounts!;
  const stake = requireStakeAccount(account ?? null, stakeAccount, wallet);
  const chain = await stakeFacts(ctx, facts, signal);
  const assessed = { stake, assessment: assessStake(stake, chain), chain, facts };
  const allowed = steps.check(assessed);
  if (owner !== undefined) refuseOtherOwner(stake, owner);
  const built = steps.build(
    {
      wallet,
      stakeAccount,
      memo: ctx.service.settings.memo,
      ...lifetimeOf(facts),
      feePayer: facts.payer?.address,
      version: versionOf(ctx, { transactionVersion }),
      unitPrice: facts.price.unitPrice,
    },
    allowed,
  );
  checkPayers(
    {
      wallet,
      account: walletAccount ?? null,
      spendLamports: 0n,
      incomeLamports: steps.incomeLamports?.(allowed) ?? 0n,
      feeLamports: built.networkFeeLamports,
      reserveLamports: 0n,
    },
    facts,
  );
  return { ...assessed, built, allowed };
};
