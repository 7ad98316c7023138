// Names of the verifier's checks, the fields that show their failures, and the problems that they find.
import { type Sentence, type SentenceFigures, sentence } from '../../kernel/sentence.ts';

/** Parts of a transaction that are checked, in display order. */
export const CHECKED_FIELDS = [
  'feePayer',
  'instructions',
  'signers',
  'stakeAccount',
  'stakeAuthority',
  'withdrawAuthority',
  'lockup',
  'validator',
  'fundedBy',
  'recipient',
  'amount',
  'memo',
  'priorityFee',
] as const;

export type CheckedField = (typeof CHECKED_FIELDS)[number];

/** All checks of the verifier, each with the field that shows its failure. */
export const fieldOfCheck = {
  kind: 'instructions',
  order: 'instructions',
  instructions: 'instructions',
  'lookup-tables': 'instructions',
  signers: 'signers',
  wallet: 'feePayer',
  'create-account': 'stakeAccount',
  'stake-account': 'stakeAccount',
  'stake-authority': 'stakeAuthority',
  'withdraw-authority': 'withdrawAuthority',
  lockup: 'lockup',
  'vote-account': 'validator',
  recipient: 'recipient',
  sender: 'fundedBy',
  lamports: 'amount',
  memo: 'memo',
  'priority-fee': 'priorityFee',
} as const satisfies Record<string, CheckedField>;

export type VerifierCheck = keyof typeof fieldOfCheck;

/**
 * Every problem that the verifier can report, keyed by its stable code: the check that failed, and the
 * message with placeholders in braces.
 */
const problemTexts = {
  KIND_UNKNOWN: ['kind', 'It is not a known kind of staking transaction.'],
  LOOKUP_TABLES: ['lookup-tables', 'It uses lookup tables, which cannot be checked.'],
  NOT_ITS_LAYOUT: ['order', 'It does not consist of {layout}, in this order.'],
  INSTRUCTIONS_NOT_NEEDED: ['order', 'It contains instructions that the request does not need.'],
  FOREIGN_INSTRUCTIONS: ['instructions', 'It contains additional instructions that no wallet adds.'],
  EARLY_WALLET_GUARDS: ['instructions', 'It contains wallet guards although no wallet has signed it.'],
  FOREIGN_ACCOUNTS: [
    'instructions',
    'An additional instruction uses a signer or a writable account that the checked instructions do not need.',
  ],
  TOO_MANY_TRANSACTIONS: [
    'instructions',
    'It takes {transactions} transactions, more than this request needs.',
  ],
  NONCE_NOT_ASKED: ['instructions', 'It never expires, because it uses a nonce that was not requested.'],
  NONCE_MISSING: ['instructions', 'It does not use the requested nonce.'],
  OTHER_NONCE: ['instructions', 'It uses a different nonce account than requested.'],
  NONCE_OF_OTHER: ['instructions', 'Someone else controls the nonce account.'],
  NOT_A_NONCE_ACCOUNT: ['instructions', 'The new account is not a nonce account.'],
  NONCE_RENT_TOO_HIGH: ['instructions', 'It puts more than the rent-exempt minimum into a nonce account.'],
  NOT_APPROVED: ['instructions', 'It does something other than what was approved.'],
  OTHER_PAYER: ['wallet', 'A different wallet pays and signs.'],
  FEE_PAYER_USED: ['wallet', 'The fee payer is part of an instruction, so it could lose more than the fee.'],
  UNEXPECTED_SIGNERS: ['signers', 'It requires unexpected signatures.'],
  MEMO_MISSING: ['memo', 'It does not contain this service’s memo.'],
  MEMO_TOO_LONG: ['memo', 'The memo has more than {mostBytes} bytes.'],
  PRIORITY_FEE_NOT_ANNOUNCED: [
    'priority-fee',
    'It pays a priority fee of {feeSol} SOL, but {announcedSol} SOL was announced.',
  ],
  LIMITS_NOT_ANNOUNCED: ['priority-fee', 'The limits in its header are not those that were announced.'],
  HEADER_LIMIT_MISSING: [
    'priority-fee',
    'Its header sets no limit for compute units or account data, so it would fail and still cost the fee.',
  ],
  PRIORITY_FEE_TOO_HIGH: ['priority-fee', 'Its priority fee of {feeSol} SOL is above {mostSol} SOL.'],

  STAKE_AUTHORITY_NOT_PAYER: ['stake-authority', 'The stake authority is not the wallet.'],
  DELEGATED_BY_OTHER: ['stake-authority', 'It delegates with an authority other than the wallet.'],
  DEACTIVATED_BY_OTHER: ['stake-authority', 'It deactivates with an authority other than the wallet.'],
  ACTED_ON_BY_OTHER: ['stake-authority', 'An authority other than the wallet acts.'],
  GIVES_AUTHORITY_AWAY: ['stake-authority', 'It gives an authority away.'],
  GIVES_OTHER_AUTHORITY: [
    'stake-authority',
    'It changes more than the stake authority of the new stake account.',
  ],
  STAKE_AUTHORITY_NOT_SET: ['stake-authority', 'It does not set the requested stake authority.'],
  NEEDS_OWNER: [
    'withdraw-authority',
    'It does more than a stake authority can: only {owner} can withdraw or change an authority.',
  ],
  WITHDRAW_AUTHORITY_NOT_PAYER: ['withdraw-authority', 'The withdraw authority is not the wallet.'],
  WITHDRAWN_BY_OTHER: ['withdraw-authority', 'It withdraws with an authority other than the wallet.'],
  WITHDRAWABLE_BY_OTHER: ['withdraw-authority', 'Someone else can withdraw {account}.'],
  SETS_LOCKUP: ['lockup', 'It sets a lockup or a custodian.'],
  CUSTODIAN_SIGNS: ['lockup', 'A custodian signs.'],
  OTHER_CUSTODIAN_SIGNS: ['lockup', 'Another custodian signs.'],
  FUNDED_BY_OTHER: ['sender', 'A new account is not funded by the wallet.'],
  TRANSFERRED_BY_OTHER: ['sender', 'An account other than the wallet transfers lamports.'],
  DONATED_BY_OTHER: ['sender', 'The donor is not the wallet.'],
  OTHER_RECIPIENT: ['recipient', 'The lamports go to another address.'],
  LOAN_NOT_RETURNED: ['recipient', 'It transfers lamports without taking them back in the same transaction.'],

  OTHER_VOTE_ACCOUNT: ['vote-account', 'It delegates to a different vote account.'],
  CHANGES_OTHER_VALIDATOR: ['vote-account', 'It changes {account}, which is delegated to another validator.'],
  MERGE_INTO_OTHER_VALIDATOR: [
    'vote-account',
    'It merges into {account}, which is delegated to another vote account.',
  ],
  MERGE_NOT_DELEGATED: [
    'vote-account',
    'It merges {from} into {into} and does not delegate that account in the same transaction.',
  ],

  NO_STAKE_ACCOUNT: ['stake-account', 'It contains no stake account.'],
  OTHER_STAKE_ACCOUNT: ['stake-account', 'It acts on a different stake account.'],
  MORE_STAKE_ACCOUNTS: ['stake-account', 'It also affects other stake accounts.'],
  STAKE_ACCOUNTS_NOT_NAMED: ['stake-account', 'It affects stake accounts that are not part of the request.'],
  CREATES_OTHER_ACCOUNT: ['stake-account', 'It creates a different account than it delegates.'],
  INITIALIZES_OTHER_ACCOUNT: ['stake-account', 'It initializes a different account than it delegates.'],
  DELEGATES_NOT_ACTIVATING: [
    'stake-account',
    'It delegates {account}, which is not activating at this validator.',
  ],
  DELEGATES_NOT_UNDONE: ['stake-account', 'It delegates {account}, which was not deactivated in this epoch.'],
  DELEGATES_NOT_INACTIVE: ['stake-account', 'It delegates {account}, which is not inactive yet.'],
  DELEGATES_NOT_MIGRATED: [
    'stake-account',
    'It delegates {account}, which is not stake with another validator that can be changed now.',
  ],
  DELEGATES_NOT_ASKED: ['stake-account', 'It delegates {account}, which must not be delegated.'],
  DEACTIVATES_OWN: ['stake-account', 'It deactivates {account}, which is staked here.'],
  DEACTIVATES_NOT_ASKED: ['stake-account', 'It deactivates {account}.'],
  WITHDRAWS_WITHOUT_STAKE: ['stake-account', 'It withdraws from {account}, which holds no stake.'],
  MERGE_NOT_NEW: [
    'stake-account',
    'It merges {from}, which is not a stake that an earlier transaction creates.',
  ],

  NOT_A_STAKE_ACCOUNT: ['create-account', 'A new account is not a stake account.'],
  DERIVED_FROM_OTHER: [
    'create-account',
    'The address of a new account is derived from an address other than the wallet.',
  ],
  NOT_ITS_SEEDS_ADDRESS: ['create-account', 'The address of a new account does not follow from its seed.'],
  INITIALIZES_FOREIGN: ['create-account', 'It initializes an account that it did not create.'],
  SPLITS_INTO_FOREIGN: ['create-account', 'It splits into an account that it did not create.'],
  SPLIT_ABOVE_RENT: [
    'create-account',
    'It puts more than the rent-exempt minimum into a newly split account.',
  ],
  EMPTIED_BEYOND_RENT: [
    'create-account',
    'It leaves an amount other than the rent-exempt minimum in a new account.',
  ],
  CREATED_ONLY: ['create-account', 'It creates an account but does not make it a stake account.'],
  CREATED_IDLE: ['create-account', 'It creates a stake account but neither delegates nor merges it.'],
  CREATED_TWICE: ['create-account', 'It creates {account} more than once.'],
  TOO_MANY_ACCOUNTS: ['create-account', 'It creates more accounts ({accounts}) than this request needs.'],
  TOO_MANY_SPLITS: [
    'create-account',
    'It splits stake {splits} times; this request needs at most {most}, each from a different account.',
  ],
  TOO_MUCH_RENT: [
    'create-account',
    'It puts {rentSol} SOL of rent into new accounts, more than {mostSol} SOL.',
  ],

  LATER_TRANSACTION: ['kind', 'Transaction {transaction}: {problem}'],
  OTHER_KIND: ['kind', 'It is a different kind of transaction than requested: {kind}.'],
  GOAL_NOT_NAMED: [
    'kind',
    'It changes several accounts. Specify the goal, and the amount if any, so that its effects can be checked.',
  ],
  NO_GOAL: ['kind', 'The request has no goal to compare the change of stake with.'],
  MERGE_NOT_ASKED: ['kind', 'It merges {from} into {into}.'],
  MERGE_NOT_MOVED: [
    'kind',
    'It merges {from} into {into}, and no stake is moved from or to that account afterwards. Merge your accounts in a separate step first, or check with an RPC node.',
  ],
  MERGE_CANCELS_ACTIVATION: [
    'kind',
    'It merges {from}, which is activating, into an account that is not delegated: that cancels it.',
  ],
  MERGE_OF_DIFFERENT: ['kind', 'It merges {from}, which is {fromState}, into {into}, which is {intoState}.'],
  PROGRAM_REFUSES: [
    'kind',
    'Given the accounts on your node, the Stake program would refuse transaction {transaction} ({refusal}).',
  ],

  OTHER_AMOUNT: ['lamports', 'It moves a different amount.'],
  STAKES_OTHER_AMOUNT: ['lamports', 'It stakes a different amount.'],
  WITHDRAWS_AND_STAKES: [
    'lamports',
    'It withdraws {withdrawnSol} SOL and stakes {stakedSol} SOL from the wallet.',
  ],
  STAKES_NOT_ASKED: ['lamports', 'It stakes {stakedSol} SOL from the wallet.'],
  STAKES_ABOVE: ['lamports', 'It stakes {stakedSol} SOL from the wallet, not {askedSol} SOL.'],
  STAKES_DIFFERENT: ['lamports', 'It stakes {stakedSol} SOL, not {askedSol} SOL.'],
  WITHDRAWS_NOT_ASKED: ['lamports', 'It withdraws {withdrawnSol} SOL.'],
  TAKES_OUT_DIFFERENT: ['lamports', 'It takes out {totalSol} SOL, not {askedSol} SOL.'],
  DEACTIVATES_DIFFERENT: ['lamports', 'It deactivates {totalSol} SOL, not {askedSol} SOL.'],
} as const satisfies Record<string, readonly [check: VerifierCheck, text: string]>;

export type ProblemCode = keyof typeof problemTexts;

/** A check that failed, as a sentence. */
export interface VerifierProblem extends Sentence {
  readonly code: ProblemCode;
  readonly check: VerifierCheck;
  /** The field that shows the failure. */
  readonly field: CheckedField;
}

/** Creates the problem for `code`, with that code's check and text. */
export const problemOf = (code: ProblemCode, figures?: SentenceFigures): VerifierProblem => {
  const [check, text] = problemTexts[code];
  return { ...sentence(code, text, figures), code, check, field: fieldOfCheck[check] };
};

/** Records a problem if `holds` is false. Does not throw, so that all problems are reported. */
export type RecordUnless = (holds: boolean, code: ProblemCode, figures?: SentenceFigures) => void;

/** Creates an empty list of problems, and a function that adds to it. */
export const problemList = (): {
  readonly problems: readonly VerifierProblem[];
  readonly demand: RecordUnless;
} => {
  const problems: VerifierProblem[] = [];
  return {
    problems,
    demand: (holds, code, figures) => {
      if (!holds) problems.push(problemOf(code, figures));
    },
  };
};
