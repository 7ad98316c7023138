// Translates a transaction error from the chain into an error code and message of this service.
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { REWARDS_FREEZE } from '../../domain/rewards-freeze.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import type { Guidance } from '../../kernel/guidance.ts';

/** The refused transaction. `programs` lists the program of each instruction. */
interface RefusedTransaction {
  readonly programs: readonly string[];
  /**
   * True if the planner checked the accounts, so a refusal by the Stake program means that they have changed
   * since.
   */
  readonly isPlanned?: boolean;
  /** True if the transaction landed on chain and failed, so it can never succeed. */
  readonly hasLanded?: boolean;
  /** True if the service built and signed the transaction in one call, so the caller repeats that call. */
  readonly isOneShot?: boolean;
}

/**
 * Error code, reason and message for one chain error. The reason distinguishes messages with the same code. A
 * message may contain `{instruction}` and `{chainReason}`.
 */
type Rule = {
  readonly [Code in ErrorCode]: readonly [
    code: Code,
    reason: ErrorReason<Code>,
    message: string,
    suggestedAction?: Guidance,
  ];
}[ErrorCode];

const RESUBMIT = 'Build the transaction again to get a fresh blockhash, sign it and submit it.';
const PLAN_AGAIN = 'Plan it again.';
const REPEAT = 'Send the request again; the same idempotency key is safe.';

// TransactionError variants, by RPC name.
const transactionRules: Readonly<Record<string, Rule>> = {
  BlockhashNotFound: [
    'BLOCKHASH_EXPIRED',
    'UNKNOWN_BLOCKHASH',
    'No node knows this transaction’s blockhash: it is too old or belongs to another cluster. The transaction was not sent.',
    RESUBMIT,
  ],
  AccountNotFound: [
    'INSUFFICIENT_BALANCE',
    'PAYER_ABSENT',
    'The fee payer does not exist on this cluster: it holds no SOL.',
    'Fund the wallet first.',
  ],
  InsufficientFundsForFee: [
    'INSUFFICIENT_BALANCE',
    'PAYER_SHORT_OF_FEE',
    'The fee payer cannot pay the network fee.',
    'Fund the wallet first.',
  ],
  InsufficientFundsForRent: [
    'INSUFFICIENT_BALANCE',
    'LEAVES_BELOW_RENT',
    'The transaction would leave an account with less than the rent-exempt minimum. An account must keep at least that much, or nothing.',
  ],
  InvalidAccountForFee: [
    'WALLET_CANNOT_PAY',
    'PAYER_NOT_PLAIN',
    'The fee payer is not a System account and cannot pay fees.',
  ],
  SignatureFailure: [
    'INVALID_TRANSACTION',
    'WRONG_SIGNATURE',
    'A signature does not match the transaction’s message.',
  ],
  SanitizeFailure: ['INVALID_TRANSACTION', 'MALFORMED', 'The transaction is malformed.'],
  UnsupportedVersion: [
    'SUBMISSION_FAILED',
    'VERSION_NOT_SUPPORTED',
    'The cluster does not accept transactions of this version. The transaction was not sent.',
    'Build it again with transactionVersion legacy.',
  ],
};

/**
 * Matches a node's error for bytes that it cannot parse. This service has parsed them, so the node does not
 * support their version.
 */
const UNREADABLE = /deserializ/i;

// `Custom` error codes of the Stake program (v5), as found in InstructionError.
const stakeRules: Readonly<Record<number, Rule>> = {
  1: ['STAKE_LOCKED', 'CHAIN', 'The stake account is locked up.'],
  2: ['STAKE_ALREADY_DEACTIVATED', 'CHAIN', 'The stake account is already deactivated or deactivating.'],
  3: [
    'SUBMISSION_FAILED',
    'STILL_DEACTIVATING',
    'The stake account can be delegated again only once its deactivation is complete.',
  ],
  4: ['INSUFFICIENT_STAKE_BALANCE', 'SPLIT', 'The split amount is more than is staked.'],
  12: ['BELOW_MINIMUM_STAKE', 'CHAIN', "The delegation would be below the cluster's minimum."],
  16: ['EPOCH_REWARDS_ACTIVE', 'CHAIN', REWARDS_FREEZE.message, REWARDS_FREEZE.suggestedAction],
};

/** Rule for a transaction that landed while rewards were being distributed. It can never succeed. */
const landedDuringRewards: Rule = [
  'SUBMISSION_FAILED',
  'LANDED_DURING_REWARDS',
  'The transaction landed while rewards of the last epoch were being distributed, so the Stake program refused it. Only its fee was charged.',
  'Build the transaction again, sign it and submit it once the distribution is over.',
];

/**
 * Stake program errors that do not mean that the accounts changed: a lockup (1), and the distribution of epoch
 * rewards (16).
 */
const TIMELY: ReadonlySet<number | null> = new Set([1, 16]);

const variantOf = (error: unknown): { name: string; detail: unknown } => {
  if (typeof error === 'string')
    return { name: UNREADABLE.test(error) ? 'UnsupportedVersion' : error, detail: undefined };
  if (error !== null && typeof error === 'object') {
    const [entry] = Object.entries(error);
    if (entry) return { name: entry[0], detail: entry[1] };
  }
  return { name: 'unknown', detail: undefined };
};

const instructionErrorOf = (detail: unknown) => {
  const [index, reason] = Array.isArray(detail) ? detail : [];
  const variant = variantOf(reason);
  return {
    instruction: Number(index),
    variant,
    custom: variant.name === 'Custom' ? Number(variant.detail) : null,
  };
};

/** Returns the parameters for messages. */
const figuresOf = ({ name, detail }: { name: string; detail: unknown }) => {
  if (name !== 'InstructionError') return { chainReason: name };
  const { instruction, variant, custom } = instructionErrorOf(detail);
  return { instruction, chainReason: custom === null ? variant.name : `${variant.name} ${custom}` };
};

const instructionRule = (detail: unknown, refused: RefusedTransaction): Rule => {
  const { instruction, variant, custom } = instructionErrorOf(detail);
  const program = refused.programs[instruction];
  if (program === STAKE_PROGRAM && refused.isPlanned && !TIMELY.has(custom))
    return [
      'STAKE_BALANCE_CHANGED',
      'SINCE_PLANNED',
      'The stake accounts do not allow this any more (instruction {instruction}: {chainReason}): they have changed since it was planned.',
      PLAN_AGAIN,
    ];
  if (program === STAKE_PROGRAM && custom !== null && stakeRules[custom]) return stakeRules[custom];
  if (program === STAKE_PROGRAM && variant.name === 'InsufficientFunds') {
    return [
      'STAKE_BALANCE_CHANGED',
      'SINCE_BUILT',
      'The stake account cannot release this amount now: its balance or state has changed since the transaction was built.',
    ];
  }
  if (
    program === STAKE_PROGRAM &&
    (variant.name === 'InvalidAccountOwner' || variant.name === 'UninitializedAccount')
  ) {
    return [
      'STAKE_BALANCE_CHANGED',
      'CLOSED_SINCE_BUILT',
      'The stake account was closed or emptied after the transaction was built.',
    ];
  }
  if (program === STAKE_PROGRAM && variant.name === 'MissingRequiredSignature') {
    return ['AUTHORITY_MISMATCH', 'CHAIN', 'The signer is not the required authority of this stake account.'];
  }
  if (program === SYSTEM_PROGRAM && custom === 0) {
    return [
      'STAKE_ADDRESS_OCCUPIED',
      'CHAIN',
      'The address of the new stake account is already in use.',
      'Repeat the request with a new idempotency key.',
    ];
  }
  if (program === SYSTEM_PROGRAM && custom === 1) {
    return [
      'INSUFFICIENT_BALANCE',
      'TRANSFER',
      'The wallet does not hold enough SOL for this transaction.',
      'Fund the wallet first.',
    ];
  }
  return [
    'SUBMISSION_FAILED',
    'INSTRUCTION_REFUSED',
    'Instruction {instruction} was refused by its program ({chainReason}).',
  ];
};

const asOneShot = (suggestedAction: Guidance): Guidance =>
  suggestedAction === RESUBMIT || suggestedAction === PLAN_AGAIN ? REPEAT : suggestedAction;

/** Creates the error for a refused or failed transaction. The chain's own error is in `chainError`. */
export const translateChainError = (error: unknown, refused: RefusedTransaction): AppError => {
  const variant = variantOf(error);
  const rule: Rule =
    variant.name === 'InstructionError'
      ? instructionRule(variant.detail, refused)
      : (transactionRules[variant.name] ?? [
          'SUBMISSION_FAILED',
          'TRANSACTION_REFUSED',
          'The cluster refused the transaction ({chainReason}).',
        ]);
  const [code, reason, message, suggestedAction] =
    rule[0] === 'EPOCH_REWARDS_ACTIVE' && refused.hasLanded ? landedDuringRewards : rule;
  return new AppError(code, message, {
    reason,
    params: figuresOf(variant),
    ...(suggestedAction
      ? { suggestedAction: refused.isOneShot ? asOneShot(suggestedAction) : suggestedAction }
      : {}),
    body: { chainError: error },
    ...(code === 'EPOCH_REWARDS_ACTIVE' ? { retryAfterSeconds: REWARDS_FREEZE.retryAfterSeconds } : {}),
  });
};
