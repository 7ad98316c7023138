// Translates a transaction error of the chain into an error code and message of this service.
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';

/** The refused transaction, as far as known. `programs` lists the program of each instruction. */
interface RefusedTransaction {
  readonly programs: readonly string[];
  /**
   * The transaction was planned over accounts that allowed it, so a refusal by the Stake program means that the accounts
   * changed.
   */
  readonly isPlanned?: boolean;
  /** The service built and signed the transaction in one call, so the caller repeats that call. */
  readonly isOneShot?: boolean;
}

type Rule = readonly [code: ErrorCode, message: string, suggestedAction?: string];

const RESUBMIT = 'Build the transaction again to get a fresh blockhash, sign it and submit it.';
const PLAN_AGAIN = 'Plan it again.';
const REPEAT = 'Send the request again; the same idempotency key is safe.';

// TransactionError variants, by their RPC names.
const transactionRules: Readonly<Record<string, Rule>> = {
  BlockhashNotFound: [
    'BLOCKHASH_EXPIRED',
    'No node knows the blockhash of this transaction: it is too old or belongs to another cluster. The transaction was not sent.',
    RESUBMIT,
  ],
  AccountNotFound: [
    'INSUFFICIENT_BALANCE',
    'The fee payer does not exist on this cluster: it holds no SOL.',
    'Fund the wallet first.',
  ],
  InsufficientFundsForFee: [
    'INSUFFICIENT_BALANCE',
    'The fee payer cannot pay the network fee.',
    'Fund the wallet first.',
  ],
  InsufficientFundsForRent: [
    'INSUFFICIENT_BALANCE',
    'The transaction would leave an account with less than the rent-exempt minimum; the account must keep that much or nothing.',
  ],
  InvalidAccountForFee: ['WALLET_CANNOT_PAY', 'The fee payer is not a System account and cannot pay fees.'],
  SignatureFailure: ['INVALID_TRANSACTION', 'A signature of this transaction does not match its message.'],
  SanitizeFailure: ['INVALID_TRANSACTION', 'The transaction is malformed.'],
};

// InstructionError `Custom` numbers of the Stake program (v5).
const stakeRules: Readonly<Record<number, Rule>> = {
  1: ['STAKE_LOCKED', 'The stake account is locked up.'],
  2: ['STAKE_ALREADY_DEACTIVATED', 'The stake account is already deactivated or deactivating.'],
  3: [
    'SUBMISSION_FAILED',
    'The stake account can be delegated again only once its deactivation is complete.',
  ],
  4: ['INSUFFICIENT_STAKE_BALANCE', 'The split amount is more than is staked.'],
  12: ['BELOW_MINIMUM_STAKE', "The delegation would be below the cluster's minimum."],
  16: [
    'EPOCH_REWARDS_ACTIVE',
    'Epoch rewards are being distributed; stake instructions are refused until that ends.',
    'Try again in a minute.',
  ],
};

/** Refusals that do not mean that the accounts changed: a lockup, and the distribution of epoch rewards. */
const TIMELY: ReadonlySet<number | null> = new Set([1, 16]);

const variantOf = (error: unknown): { name: string; detail: unknown } => {
  if (typeof error === 'string') return { name: error, detail: undefined };
  if (error !== null && typeof error === 'object') {
    const [entry] = Object.entries(error);
    if (entry) return { name: entry[0], detail: entry[1] };
  }
  return { name: 'unknown', detail: undefined };
};

const instructionRule = (detail: unknown, refused: RefusedTransaction): Rule => {
  const [index, reason] = Array.isArray(detail) ? detail : [];
  const program = refused.programs[Number(index)];
  const variant = variantOf(reason);
  const custom = variant.name === 'Custom' ? Number(variant.detail) : null;
  if (program === STAKE_PROGRAM && refused.isPlanned && !TIMELY.has(custom))
    return [
      'STAKE_BALANCE_CHANGED',
      `The stake accounts do not allow this any more (instruction ${Number(index)}: ${variant.name}${custom === null ? '' : ` ${custom}`}): they changed since it was planned.`,
      PLAN_AGAIN,
    ];
  if (program === STAKE_PROGRAM && custom !== null && stakeRules[custom]) return stakeRules[custom];
  if (program === STAKE_PROGRAM && variant.name === 'InsufficientFunds') {
    return [
      'STAKE_BALANCE_CHANGED',
      'The stake account cannot release this amount now: its balance or state changed since the transaction was built.',
    ];
  }
  if (
    program === STAKE_PROGRAM &&
    (variant.name === 'InvalidAccountOwner' || variant.name === 'UninitializedAccount')
  ) {
    return [
      'STAKE_BALANCE_CHANGED',
      'The stake account was closed or emptied since the transaction was built.',
    ];
  }
  if (program === STAKE_PROGRAM && variant.name === 'MissingRequiredSignature') {
    return ['AUTHORITY_MISMATCH', 'The signer is not the required authority of this stake account.'];
  }
  if (program === SYSTEM_PROGRAM && custom === 0) {
    return [
      'STAKE_ADDRESS_OCCUPIED',
      'The address of the new stake account is already in use.',
      'Repeat the request with a new idempotency key.',
    ];
  }
  if (program === SYSTEM_PROGRAM && custom === 1) {
    return [
      'INSUFFICIENT_BALANCE',
      'The wallet does not hold the lamports that this transaction moves.',
      'Fund the wallet first.',
    ];
  }
  return [
    'SUBMISSION_FAILED',
    `Instruction ${Number(index)} was refused by its program (${variant.name}${custom === null ? '' : ` ${custom}`}).`,
  ];
};

const asOneShot = (suggestedAction: string): string =>
  suggestedAction === RESUBMIT || suggestedAction === PLAN_AGAIN ? REPEAT : suggestedAction;

/** Creates the error for a refused or failed transaction. The chain's own error is in `chainError`. */
export const chainRefusal = (
  error: unknown,
  refused: RefusedTransaction,
  extra: Readonly<Record<string, unknown>> = {},
): AppError => {
  const variant = variantOf(error);
  const [code, message, suggestedAction] =
    variant.name === 'InstructionError'
      ? instructionRule(variant.detail, refused)
      : (transactionRules[variant.name] ??
        (['SUBMISSION_FAILED', `The cluster refused the transaction (${variant.name}).`] as Rule));
  return new AppError(code, message, {
    ...(suggestedAction
      ? { suggestedAction: refused.isOneShot ? asOneShot(suggestedAction) : suggestedAction }
      : {}),
    body: { chainError: error, ...extra },
    ...(code === 'EPOCH_REWARDS_ACTIVE' ? { retryAfterSeconds: 30 } : {}),
  });
};
