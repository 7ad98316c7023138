// One record per kind of transaction that this service makes: its instructions, how it is recognised and checked, what it moves, and the words for it.
import type { Address } from '@solana/kit';
import { formatSol } from '../lamports.ts';
import { STAKE_ACCOUNT_BYTES } from '../stake/stake-account.ts';
import { MEMO_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from './instruction-programs.ts';
import type { InstructionFields } from './instruction-types.ts';

/** What our transactions look like, and, where it is known, what this one was asked to be. */
export interface Expectations {
  readonly voteAccount: Address;
  /** Where a donation may go. Absent: nothing is a donation. */
  readonly donationAddress?: Address;
  /** Exact text. */
  readonly memo: string;
  /** Programs under which a memo counts. Default: all known ones. */
  readonly memoPrograms?: readonly Address[];
  /** Checked only where given. */
  readonly wallet?: Address;
  readonly stakeAccount?: Address;
  readonly lamports?: bigint;
  /** Where a withdrawal must go. Default: the wallet. */
  readonly recipient?: Address;
  /** The most a wallet may have added as priority fee. Default 0.01 SOL. */
  readonly maxPriorityFeeLamports?: bigint;
  /**
   * True for what a wallet returned: it may have added assertions of its own. Default false: bytes that no wallet has seen hold nothing
   * beside our instructions but a compute budget.
   */
  readonly allowWalletGuards?: boolean;
}

/** The parts of a transaction that can be right or wrong, in the order in which they are shown. */
export const VERDICT_FIELDS = [
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

/** One of them. */
export type VerdictField = (typeof VERDICT_FIELDS)[number];

/** Every check of the verifier, with the field in which its failure shows. */
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
} as const satisfies Record<string, VerdictField>;

/** The name of a check. */
export type VerifierCheck = keyof typeof fieldOfCheck;

/** What the check of a kind is given. `fields` holds at least the instruction by which the kind was recognised. */
export interface Checking {
  readonly fields: readonly InstructionFields[];
  /** The fee payer. */
  readonly wallet: Address;
  readonly expected: Expectations;
  readonly demand: (holds: boolean, check: VerifierCheck, text: string) => void;
}

/** What the check of a kind found. */
export interface Found {
  readonly stakeAccount?: Address;
  /** Where a stake is delegated to. */
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  /** Who must sign beside the wallet. */
  readonly signers: readonly Address[];
}

type InstructionType = InstructionFields['type'];
type Fields<Type extends InstructionType> = Extract<InstructionFields, { type: Type }>;
/** The instructions of which our transactions are made. */
type OwnInstruction = Extract<InstructionType, `system.${string}` | `stake.${string}` | 'memo'>;

/** Everything that differs between one kind of transaction and another. */
interface KindRecord {
  /** Its instructions, in the order in which they must stand; `chain/transaction.ts` builds them. */
  readonly layout: readonly OwnInstruction[];
  /** True for any transaction that is meant as this kind, rightly made or not. Kinds are asked in the order of the record. */
  readonly matches: (fields: readonly InstructionFields[], expected: Expectations) => boolean;
  /** Checks its own fields: whose authority, whose account, how much, to whom. */
  readonly check: (checking: Checking) => Found;
  /** The fields that its verdict shows beside those that every transaction has. */
  readonly fields: readonly VerdictField[];
  /** Where the lamports must go. Absent: nowhere that the recipient field speaks of. */
  readonly recipient?: (expected: Expectations, wallet: Address) => Address | undefined;
  /** `delegation`: the amount is what the account has delegated afterwards. Absent: the bytes say it. */
  readonly amountFrom?: 'delegation';
  /** Where the lamports go, in words: "Moved …". Null: it moves none. */
  readonly moves: string | null;
  /** `Stake`: what a button says. */
  readonly verb: string;
  /** `Staked`: what was done, as in `totalSolStaked`. */
  readonly pastTense: string;
  /** `Stake`: what was carried out; with an s for several. */
  readonly noun: string;
  /** What it does, for whoever decides about it. */
  readonly description: string;
  /** What follows once it is confirmed. */
  readonly afterwards: string;
  /** What a transaction does that passed every check: one sentence about these bytes. */
  readonly verdict: (found: Omit<Found, 'signers'>) => string;
}

const first = <Type extends InstructionType>(
  fields: readonly InstructionFields[],
  type: Type,
): Fields<Type> | undefined => fields.find((data): data is Fields<Type> => data.type === type);

const has =
  (type: InstructionType) =>
  (fields: readonly InstructionFields[]): boolean =>
    fields.some((data) => data.type === type);

const isDonation =
  ({ donationAddress }: Expectations) =>
  (data: InstructionFields): data is Fields<'system.transfer'> =>
    donationAddress !== undefined && data.type === 'system.transfer' && data.to === donationAddress;

const known = <Key extends string>(key: Key, address: Address | null | undefined): { [K in Key]?: Address } =>
  (address === null || address === undefined ? {} : { [key]: address }) as { [K in Key]?: Address };

const solOf = ({ lamports }: Pick<Found, 'lamports'>): string =>
  lamports === undefined ? 'an unknown amount of' : formatSol(lamports);

const checkStake = ({ fields, wallet, expected, demand }: Checking): Found => {
  const delegate = first(fields, 'stake.delegateStake')!;
  const create = first(fields, 'system.createAccount');
  const initialize = first(fields, 'stake.initialize');
  const { stakeAccount } = delegate;
  demand(
    delegate.voteAccount === expected.voteAccount,
    'vote-account',
    'It delegates to another vote account.',
  );
  demand(
    delegate.stakeAuthority === wallet,
    'stake-authority',
    'Another authority than the fee payer delegates.',
  );
  demand(stakeAccount !== null && stakeAccount !== wallet, 'stake-account', 'It names no stake account.');
  if (create) {
    demand(create.from === wallet, 'sender', 'Another account than the fee payer funds the stake account.');
    demand(
      create.newAccount === stakeAccount,
      'stake-account',
      'It creates another account than it delegates.',
    );
    demand(
      create.owner === STAKE_PROGRAM && create.space === BigInt(STAKE_ACCOUNT_BYTES),
      'create-account',
      'The new account is no stake account.',
    );
  }
  if (initialize) {
    const { custodian, epoch, unixTimestamp } = initialize.lockup;
    demand(
      initialize.stakeAccount === stakeAccount,
      'stake-account',
      'It initializes another account than it delegates.',
    );
    demand(initialize.staker === wallet, 'stake-authority', 'The stake authority is not the fee payer.');
    demand(
      initialize.withdrawer === wallet,
      'withdraw-authority',
      'The withdraw authority is not the fee payer.',
    );
    demand(
      unixTimestamp === 0n && epoch === 0n && custodian === SYSTEM_PROGRAM,
      'lockup',
      'It sets a lockup or a custodian.',
    );
  }
  return {
    ...known('stakeAccount', stakeAccount),
    ...known('voteAccount', delegate.voteAccount),
    ...(create ? { lamports: create.lamports } : {}),
    signers: stakeAccount === null ? [] : [stakeAccount],
  };
};

const checkRestake = ({ fields, wallet, expected, demand }: Checking): Found => {
  const { stakeAccount, voteAccount, stakeAuthority } = first(fields, 'stake.delegateStake')!;
  demand(voteAccount === expected.voteAccount, 'vote-account', 'It delegates to another vote account.');
  demand(stakeAuthority === wallet, 'stake-authority', 'Another authority than the fee payer delegates.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return { ...known('stakeAccount', stakeAccount), ...known('voteAccount', voteAccount), signers: [] };
};

const checkUnstake = ({ fields, wallet, demand }: Checking): Found => {
  const { stakeAccount, stakeAuthority } = first(fields, 'stake.deactivate')!;
  demand(stakeAuthority === wallet, 'stake-authority', 'Another authority than the fee payer deactivates.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return { ...known('stakeAccount', stakeAccount), signers: [] };
};

const checkWithdraw = ({ fields, wallet, expected, demand }: Checking): Found => {
  const { stakeAccount, recipient, withdrawAuthority, custodian, lamports } = first(
    fields,
    'stake.withdraw',
  )!;
  demand(
    withdrawAuthority === wallet,
    'withdraw-authority',
    'Another authority than the fee payer withdraws.',
  );
  demand(recipient === (expected.recipient ?? wallet), 'recipient', 'The lamports go to somebody else.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return {
    ...known('stakeAccount', stakeAccount),
    ...known('recipient', recipient),
    lamports,
    signers: custodian === null ? [] : [custodian],
  };
};

const checkDonate = ({ fields, wallet, expected, demand }: Checking): Found => {
  const transfer = fields.find(isDonation(expected))!;
  demand(transfer.from === wallet, 'sender', 'Another account than the fee payer donates.');
  return { ...known('recipient', transfer.to), lamports: transfer.lamports, signers: [] };
};

/** The kinds of transactions that this service makes. A new kind begins here: what does not know it yet fails to compile. */
export const kinds = {
  stake: {
    layout: ['system.createAccount', 'stake.initialize', 'stake.delegateStake', 'memo'],
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
      'Puts SOL from your wallet into a new stake account and delegates it to the validator of this service. Your wallet alone may unstake and withdraw it; no derivative token is issued.',
    afterwards: 'It becomes active at the next epoch boundary at the earliest, and earns from then on.',
    verdict: (found) =>
      `It stakes ${solOf(found)} SOL of the wallet in ${found.stakeAccount} with ${found.voteAccount}, under the wallet's own authority, and does nothing else.`,
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
      "Deactivates one of your stake accounts. It still earns this epoch's reward. It can be withdrawn once it has cooled down, usually when the epoch ends; at once if it was not active yet.",
    afterwards:
      'It can be withdrawn once it has cooled down, usually when the epoch ends; at once if it was not active yet.',
    verdict: ({ stakeAccount }) =>
      `It deactivates the wallet's stake ${stakeAccount}, and does nothing else.`,
  },
  withdraw: {
    layout: ['stake.withdraw', 'memo'],
    matches: has('stake.withdraw'),
    check: checkWithdraw,
    fields: ['stakeAccount', 'withdrawAuthority', 'recipient', 'amount'],
    recipient: ({ recipient }, wallet) => recipient ?? wallet,
    moves: 'out of stake accounts',
    verb: 'Withdraw',
    pastTense: 'Withdrawn',
    noun: 'Withdrawal',
    description:
      'Returns SOL from one of your stake accounts to your wallet. Without an amount it takes all of it, which closes the account.',
    afterwards: 'The SOL is in your wallet.',
    verdict: (found) =>
      `It withdraws ${solOf(found)} SOL from ${found.stakeAccount} to ${found.recipient}, and does nothing else.`,
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
      'Delegates one of your inactive stake accounts to the validator of this service again, with all that it holds beyond its rent. Nothing leaves your wallet but the fee, and nobody else gets a say in the account.',
    afterwards: 'It becomes active at the next epoch boundary at the earliest, and earns from then on.',
    verdict: ({ stakeAccount, voteAccount }) =>
      `It delegates the wallet's stake account ${stakeAccount} to ${voteAccount}, and does nothing else.`,
  },
  donate: {
    layout: ['system.transfer', 'memo'],
    matches: (fields, expected) => fields.some(isDonation(expected)),
    check: checkDonate,
    fields: ['fundedBy', 'recipient', 'amount'],
    recipient: ({ donationAddress }) => donationAddress,
    moves: 'to the donation address',
    verb: 'Donate',
    pastTense: 'Donated',
    noun: 'Donation',
    description: 'Sends SOL to the donation address of this service. Nothing here depends on a donation.',
    afterwards: 'Thank you.',
    verdict: (found) => `It donates ${solOf(found)} SOL to ${found.recipient}, and does nothing else.`,
  },
} as const satisfies Record<string, KindRecord>;

/** A kind of transaction that this service makes. */
export type TransactionKind = keyof typeof kinds;

/** A kind that moves lamports. */
export type MovingKind = {
  [Kind in TransactionKind]: (typeof kinds)[Kind]['moves'] extends null ? never : Kind;
}[TransactionKind];

/** What any transaction can be: one of ours, or something else. */
export type RecognisedKind = TransactionKind | 'other';

/** All kinds, in the order of the record. */
export const transactionKinds = Object.keys(kinds) as [TransactionKind, ...TransactionKind[]];

/** Those of them that move lamports. */
export const movingKinds = transactionKinds.filter((kind): kind is MovingKind => kinds[kind].moves !== null);

/** The record of a kind, for readers that do not depend on which one it is. */
export const kindRecord = (kind: TransactionKind): KindRecord => kinds[kind];

/** The kind that a transaction is meant as; `other` where it is none of them. */
export const kindOf = (fields: readonly InstructionFields[], expected: Expectations): RecognisedKind =>
  transactionKinds.find((kind) => kindRecord(kind).matches(fields, expected)) ?? 'other';

const programOf = (type: OwnInstruction): Address =>
  type === 'memo' ? MEMO_PROGRAM : type.startsWith('stake.') ? STAKE_PROGRAM : SYSTEM_PROGRAM;

/** The program of each instruction of a kind, in order. */
export const programsOf = (kind: TransactionKind): readonly Address[] => kinds[kind].layout.map(programOf);

/** True where the Stake program must run it, which it refuses while epoch rewards are distributed. */
export const usesStakeProgram = (kind: TransactionKind): boolean => programsOf(kind).includes(STAKE_PROGRAM);

const holds =
  (type: OwnInstruction) =>
  (kind: TransactionKind): boolean =>
    kindRecord(kind).layout.includes(type);

/** True where it makes a new stake account. */
export const createsAccount = holds('system.createAccount');

/** True where it delegates to a validator. */
export const delegates = holds('stake.delegateStake');

/** A value for each kind. */
export const perKind = <T>(value: (kind: TransactionKind) => T): Record<TransactionKind, T> =>
  Object.fromEntries(transactionKinds.map((kind) => [kind, value(kind)])) as Record<TransactionKind, T>;
