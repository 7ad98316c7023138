// One record per kind of transaction that this service builds: instructions, recognition and checks, lamport
// movements, and texts.
import type { Address } from '@solana/kit';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { formatSol } from '../lamports.ts';
import { checkNonce, isNonceForm } from './check-nonce-transactions.ts';
import { checkRearrangement, isRearrangement, rearrangementSentences } from './check-rearrangement.ts';
import {
  checkDonate,
  checkRestake,
  checkStake,
  checkUnstake,
  checkWithdraw,
  isDonation,
} from './check-single-account.ts';
import type { InstructionType, KindFacts, KindRecord } from './kind-record.ts';

const has =
  (type: InstructionType) =>
  (fields: readonly InstructionFields[]): boolean =>
    fields.some((data) => data.type === type);

/** Builds the sentence about a transaction that passed every check, with the values found in it. */
const only = (
  code: string,
  text: string,
  { lamports, stakeAccount, voteAccount, recipient, stakeAuthority }: Omit<KindFacts, 'signers'>,
): Sentence =>
  sentence(code, text, {
    ...(lamports !== undefined && { amountSol: formatSol(lamports) }),
    ...(stakeAccount !== undefined && { stakeAccount }),
    ...(voteAccount !== undefined && { voteAccount }),
    ...(recipient !== undefined && { recipient }),
    ...(stakeAuthority !== undefined && { stakeAuthority }),
  });

/**
 * Transaction kinds that this service builds. Add a new kind here first: code that does not handle it fails
 * to compile.
 */
export const kinds = {
  stake: {
    layout: ['system.createAccount', 'stake.initialize', 'stake.delegateStake', 'memo'],
    optional: 'stake.authorize',
    matches: (fields) =>
      has('stake.delegateStake')(fields) &&
      (has('system.createAccount')(fields) || has('stake.initialize')(fields)),
    check: checkStake,
    fields: [
      'stakeAccount',
      'stakeAuthority',
      'withdrawAuthority',
      'lockup',
      'validator',
      'fundedBy',
      'amount',
    ],
    moves: 'into stake accounts',
    verb: 'Stake',
    pastTense: 'Staked',
    noun: 'Stake',
    description:
      'Moves SOL from your wallet into a new stake account and delegates it to this service’s validator. Only your wallet can unstake and withdraw it. No derivative token is issued.',
    afterwards: 'It becomes active at the next epoch boundary at the earliest.',
    resultSentences: (found) => [
      only(
        found.stakeAuthority === undefined ? 'ONLY_STAKES' : 'STAKES_AND_GIVES_STAKE_AUTHORITY',
        found.stakeAuthority === undefined
          ? "It stakes {amountSol} SOL from the wallet in {stakeAccount} with {voteAccount}, under the wallet's own authority, and does nothing else."
          : 'It stakes {amountSol} SOL from the wallet in {stakeAccount} with {voteAccount}, makes {stakeAuthority} its stake authority, and does nothing else.',
        found,
      ),
    ],
  },
  unstake: {
    layout: ['stake.deactivate', 'memo'],
    matches: has('stake.deactivate'),
    check: checkUnstake,
    fields: ['stakeAccount', 'stakeAuthority'],
    amountFrom: 'delegation',
    moves: null,
    verb: 'Unstake',
    pastTense: 'Unstaked',
    noun: 'Unstake',
    description:
      "Deactivates one of your stake accounts. It still earns this epoch's reward. You can withdraw it once it is inactive, usually when the epoch ends, or at once if it was not active yet.",
    afterwards:
      'What was unstaked can be withdrawn once it is inactive, usually when the epoch ends, or at once if it was not active yet.',
    resultSentences: (found) => [
      only(
        'ONLY_DEACTIVATES',
        "It deactivates the wallet's stake {stakeAccount}, and does nothing else.",
        found,
      ),
    ],
  },
  withdraw: {
    layout: ['stake.withdraw', 'memo'],
    matches: has('stake.withdraw'),
    check: checkWithdraw,
    fields: ['stakeAccount', 'withdrawAuthority', 'recipient', 'amount'],
    recipient: ({ recipient }, wallet): Address => recipient ?? wallet,
    moves: 'out of stake accounts',
    verb: 'Withdraw',
    pastTense: 'Withdrawn',
    noun: 'Withdrawal',
    description:
      'Returns SOL from one of your stake accounts to your wallet. Without an amount it withdraws everything from an inactive account and closes it.',
    afterwards: 'The withdrawn SOL is in your wallet.',
    resultSentences: (found) => [
      only(
        'ONLY_WITHDRAWS',
        'It withdraws {amountSol} SOL from {stakeAccount} to {recipient}, and does nothing else.',
        found,
      ),
    ],
  },
  restake: {
    layout: ['stake.delegateStake', 'memo'],
    matches: has('stake.delegateStake'),
    check: checkRestake,
    fields: ['stakeAccount', 'stakeAuthority', 'validator'],
    amountFrom: 'delegation',
    moves: null,
    verb: 'Stake again',
    pastTense: 'Staked again',
    noun: 'Restake',
    description:
      'Delegates one of your inactive stake accounts to this service’s validator again, with everything it holds beyond its rent. Only the fee leaves your wallet, and you keep sole control of the account.',
    afterwards:
      'Stake that was unstaked in this epoch stays staked and misses no rewards. Other stake becomes active at the next epoch boundary at the earliest.',
    resultSentences: (found) => [
      only(
        'ONLY_DELEGATES',
        "It delegates the wallet's stake account {stakeAccount} to {voteAccount}, and does nothing else.",
        found,
      ),
    ],
  },
  donate: {
    layout: ['system.transfer', 'memo'],
    matches: (fields, expected) => fields.some(isDonation(expected)),
    check: checkDonate,
    fields: ['fundedBy', 'recipient', 'amount'],
    recipient: ({ donationAddress }): Address | undefined => donationAddress,
    moves: 'to the donation address',
    verb: 'Donate',
    pastTense: 'Donated',
    noun: 'Donation',
    description: 'Sends SOL to the donation address of this service. Donations are voluntary.',
    afterwards: 'Thank you.',
    resultSentences: (found) => [
      only('ONLY_DONATES', 'It donates {amountSol} SOL to {recipient}, and does nothing else.', found),
    ],
  },
  rearrange: {
    layout: [
      'system.createAccount',
      'system.transfer',
      'stake.initialize',
      'stake.delegateStake',
      'stake.deactivate',
      'stake.split',
      'stake.merge',
      'stake.moveStake',
      'stake.moveLamports',
      'stake.withdraw',
      'stake.authorize',
      'memo',
    ],
    isFree: true,
    matches: isRearrangement,
    check: checkRearrangement,
    fields: ['stakeAuthority', 'withdrawAuthority', 'lockup', 'validator', 'fundedBy', 'recipient'],
    recipient: (_, wallet): Address => wallet,
    moves: null,
    verb: 'Change stake',
    pastTense: 'Changed',
    noun: 'Stake change',
    description:
      'Splits, merges, moves, deactivates, delegates or withdraws stake of your wallet, several steps in one transaction. All of it stays yours.',
    afterwards: 'The accounts are as planned.',
    resultSentences: (found) => [
      found.voteAccount === undefined
        ? only(
            'ONLY_CHANGES_STAKE',
            "It changes the wallet's own stake, and gives nothing to anyone else.",
            found,
          )
        : only(
            'ONLY_CHANGES_AND_DELEGATES',
            "It changes the wallet's own stake, delegates to {voteAccount}, and gives nothing to anyone else.",
            found,
          ),
      ...rearrangementSentences(found),
    ],
  },
} as const satisfies Record<string, KindRecord>;

/** A kind of transaction that this service builds. */
export type TransactionKind = keyof typeof kinds;

export type MovingKind = {
  [Kind in TransactionKind]: (typeof kinds)[Kind]['moves'] extends null ? never : Kind;
}[TransactionKind];

/**
 * A transaction that creates, advances or closes one of the wallet's nonce accounts. It does not change stake,
 * so histories and statistics omit it.
 */
const nonceRecord: KindRecord = {
  layout: [
    'system.createAccount',
    'system.initializeNonceAccount',
    'system.advanceNonceAccount',
    'system.withdrawNonceAccount',
    'memo',
  ],
  isFree: true,
  matches: isNonceForm,
  check: checkNonce,
  fields: ['fundedBy', 'recipient', 'amount'],
  recipient: (_, wallet): Address => wallet,
  moves: null,
  verb: 'Change nonce account',
  pastTense: 'Changed',
  noun: 'Nonce account change',
  description:
    'Creates, advances or closes a nonce account of your wallet, whose value replaces the blockhash of transactions that must not expire.',
  afterwards: 'The nonce account is changed.',
  resultSentences: (found) => [
    only(
      'ONLY_CHANGES_NONCE',
      'It creates, advances or closes a nonce account that only the wallet can use, and does nothing else.',
      found,
    ),
  ],
};

/** One of our kinds, a change of a nonce account, or `other`. */
export type RecognizedKind = TransactionKind | 'nonce' | 'other';

/** All recognized kinds except `other`. */
export const recognizedKinds = [...(Object.keys(kinds) as TransactionKind[]), 'nonce' as const];

/** All kinds, in the order of the records. */
export const transactionKinds = Object.keys(kinds) as [TransactionKind, ...TransactionKind[]];

/** Kinds that move lamports. */
export const movingKinds = transactionKinds.filter((kind): kind is MovingKind => kinds[kind].moves !== null);

/** Returns the record of a kind, with the same type for all kinds. */
export const kindRecord = (kind: Exclude<RecognizedKind, 'other'>): KindRecord =>
  kind === 'nonce' ? nonceRecord : kinds[kind];
