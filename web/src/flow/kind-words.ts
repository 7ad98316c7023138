// Texts for each kind of transaction: in the review, in progress, afterwards, in the history, and on the
// buttons of an account.
import type { StakeAccount } from '../../../client/generated/stake-operations.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { RequestKind } from '../../../client/staking/staking-request.ts';
import type { TransactionVerdict } from '../../../client/staking/verify-against-request.ts';
import type { GoalName } from '../../../src/domain/plan/plan-goals.ts';
import { foreignText } from '../text/foreign-text.ts';
import { shortAddress, solShort, solText } from '../text/format-figures.ts';

/** One effect: a short title and an explanation. */
interface Effect {
  readonly title: string;
  readonly detail: string;
}

/** The account fields that the last steps need; null if the account does not exist. */
export type FollowedAccount = Pick<StakeAccount, 'state' | 'activationEpoch' | 'withdrawReady'> | null;

/** Steps after the confirmation, at the next epoch boundary. */
interface LastSteps {
  readonly isOver: (account: FollowedAccount) => boolean;
  /** `soon`: "when this epoch ends …". */
  readonly turning: (soon: string) => { readonly title: string; readonly detail: string };
  readonly turned: { readonly title: string; readonly result: string };
}

/** Button on an account for which the service suggests this action. */
interface AccountButton {
  readonly label: (account: Pick<StakeAccount, 'withdrawReady' | 'withdrawableSol'>) => string;
  readonly isPrimary: (account: Pick<StakeAccount, 'withdrawReady'>) => boolean;
  /** `review` opens immediately, `amount` asks for an amount first. */
  readonly opens: 'review' | 'amount';
}

interface KindWords {
  /** Title of the review. */
  readonly review: string;
  /** Title of the card in progress, such as `Staking`; an amount may follow. */
  readonly doing: string;
  /** Effects of the bytes, in order. `validator` is its name if known. */
  readonly effects: (checked: TransactionVerdict, validator: string | null) => readonly Effect[];
  /** Result of the confirmation. Default: the account is on chain. */
  readonly confirmed?: string;
  /** Null: nothing happens after the confirmation. */
  readonly last: LastSteps | null;
  /** Null: not an action on an existing account. */
  readonly button: AccountButton | null;
}

const verdictOf = ({ fields }: TransactionVerdict, field: string) =>
  fields.find((verdict) => verdict.field === field);

/** The address in a field. The bytes may contain several or none. */
const found = (checked: TransactionVerdict, field: string): string =>
  verdictOf(checked, field)?.found?.split(', ').map(shortAddress).join(' and ') ?? 'nobody';

const areRight = (checked: TransactionVerdict, ...fields: readonly string[]): boolean =>
  fields.every((field) => verdictOf(checked, field)?.ok === true);

const amountOf = ({ recognised: { lamports } }: TransactionVerdict): string =>
  lamports === undefined ? 'SOL' : `${solText(lamports)} SOL`;

const accountOf = ({ recognised: { stakeAccount } }: TransactionVerdict): string =>
  stakeAccount === undefined ? 'an account' : shortAddress(stakeAccount);

const delegation = (checked: TransactionVerdict, what: string, validator: string | null): Effect => ({
  title: `Delegate ${what} to ${areRight(checked, 'validator') ? (validator === null ? 'the validator' : foreignText(validator)) : 'another validator'}`,
  detail: `Vote account ${found(checked, 'validator')}. The validator cannot move or spend it.`,
});

const ACTIVATION: LastSteps = {
  isOver: (account) => account?.state === 'active',
  turning: (soon) => ({
    title: 'Activating',
    detail: `It becomes active ${soon}. There is nothing more to do.`,
  }),
  turned: { title: 'Active', result: 'It earns rewards, paid into the stake account each epoch.' },
};

/** Instructions by name. */
const INSTRUCTIONS: Readonly<Record<string, string>> = {
  createAccount: 'Open a stake account',
  initialize: 'Keep it yours',
  transfer: 'Transfer SOL',
  delegateStake: 'Delegate',
  deactivate: 'Unstake',
  split: 'Split off a part',
  merge: 'Merge two accounts',
  moveStake: 'Move stake',
  moveLamports: 'Move idle SOL',
  withdraw: 'Withdraw',
  authorize: 'Take the stake authority back',
};

const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{32,44}/g;

/** One effect for each instruction of the Stake and System programs, with short addresses. */
const instructionEffects = ({ instructions }: TransactionVerdict): readonly Effect[] =>
  instructions
    .filter(({ program }) => program === 'Stake' || program === 'System')
    .map(({ name, summary }) => ({
      title: INSTRUCTIONS[name] ?? foreignText(name),
      detail: foreignText(summary).replaceAll(ADDRESS, shortAddress),
    }));

/** By kind. */
export const kindWords: Readonly<Record<RequestKind, KindWords>> = {
  stake: {
    review: 'Review your stake',
    doing: 'Staking',
    effects: (checked, validator) => [
      {
        title: `Move ${amountOf(checked)} into a new stake account`,
        detail: `${accountOf(checked)}, created for this stake alone.`,
      },
      areRight(checked, 'feePayer', 'stakeAuthority', 'withdrawAuthority', 'lockup')
        ? {
            title: 'Keep it yours',
            detail: `Only ${found(checked, 'withdrawAuthority')}, your wallet, can unstake or withdraw it. No lockup, no custodian.`,
          }
        : {
            title: 'Give others control',
            detail: `${found(checked, 'withdrawAuthority')} could withdraw it, and ${found(checked, 'stakeAuthority')} unstake it. Lockup: ${verdictOf(checked, 'lockup')?.found ?? 'none'}.`,
          },
      delegation(checked, 'it', validator),
    ],
    last: ACTIVATION,
    button: null,
  },
  unstake: {
    review: 'Review unstaking',
    doing: 'Unstaking',
    effects: (checked) => [
      {
        title: `Stop delegating ${accountOf(checked)}`,
        detail:
          'It deactivates when the epoch ends at the earliest, then you can withdraw all of it. Nothing leaves the account yet.',
      },
    ],
    last: {
      isOver: (account) => account === null || account.state === 'inactive',
      turning: (soon) => ({ title: 'Deactivating', detail: `It can be withdrawn ${soon}.` }),
      turned: { title: 'Withdrawable', result: 'Withdraw it from your portfolio at any time.' },
    },
    button: { label: () => 'Unstake', isPrimary: () => false, opens: 'review' },
  },
  withdraw: {
    review: 'Review your withdrawal',
    doing: 'Withdrawing',
    confirmed: 'The SOL is in your wallet.',
    effects: (checked) => [
      {
        title: `Withdraw ${amountOf(checked)} from ${accountOf(checked)}`,
        detail: `To ${found(checked, 'recipient')}, ${areRight(checked, 'feePayer', 'recipient') ? '' : 'not '}your wallet.`,
      },
    ],
    last: null,
    button: {
      label: ({ withdrawReady, withdrawableSol }) =>
        withdrawReady ? 'Withdraw' : `Withdraw ${solShort(withdrawableSol)} unstaked SOL`,
      isPrimary: ({ withdrawReady }) => withdrawReady,
      opens: 'amount',
    },
  },
  restake: {
    review: 'Review staking again',
    doing: 'Staking again',
    effects: (checked, validator) => [
      delegation(checked, `${accountOf(checked)} again`, validator),
      {
        title: 'Keep everything in place',
        detail:
          'Stakes everything in the account except its rent. The account and its authorities stay the same.',
      },
    ],
    last: ACTIVATION,
    button: { label: () => 'Stake again', isPrimary: () => false, opens: 'review' },
  },
  rearrange: {
    review: 'Review the change',
    doing: 'Changing stake',
    effects: instructionEffects,
    last: null,
    button: null,
  },
};

/** Texts of changes by goal. */
const goalWords: Readonly<Record<GoalName, Pick<KindWords, 'review' | 'doing' | 'confirmed'>>> = {
  unstake: {
    review: 'Review unstaking',
    doing: 'Unstaking',
    confirmed: 'The stake is deactivated. Your portfolio shows when you can withdraw it.',
  },
  'withdraw-amount': {
    review: 'Review unstaking',
    doing: 'Unstaking',
    confirmed: 'The available SOL is in your wallet. Your portfolio shows when you can withdraw the rest.',
  },
  undo: {
    review: 'Review keeping it staked',
    doing: 'Keeping it staked',
    confirmed: 'It stays staked and keeps earning.',
  },
  restake: { review: 'Review staking again', doing: 'Staking again' },
  'top-up': {
    review: 'Review adding stake',
    doing: 'Adding stake',
    confirmed: 'It becomes active together with the rest of the stake.',
  },
  tidy: { review: 'Review tidying up', doing: 'Tidying up', confirmed: 'These accounts are merged.' },
  sweep: { review: 'Review moving idle SOL', doing: 'Moving idle SOL', confirmed: 'It arrived.' },
  migrate: {
    review: 'Review bringing your stake',
    doing: 'Bringing your stake',
    confirmed: 'Your portfolio shows when you can stake it here.',
  },
  rescue: {
    review: 'Review taking your stake back',
    doing: 'Taking your stake back',
    confirmed: 'Only your wallet controls it again.',
  },
  'withdraw-all': {
    review: 'Review your withdrawal',
    doing: 'Withdrawing',
    confirmed: 'It is in your wallet.',
  },
};

/** The texts for a request. */
export const wordsOf = ({ kind, change }: Pick<TransactionRecord, 'kind' | 'change'>): KindWords =>
  change === undefined ? kindWords[kind] : { ...kindWords[kind], ...goalWords[change.goal] };

/** An undo and a restake have the same bytes. In the epoch of the deactivation they cancel it. */
const undoEffects = (checked: TransactionVerdict, validator: string | null): readonly Effect[] => [
  delegation(checked, `${accountOf(checked)} again`, validator),
  {
    title: 'Take the unstaking back',
    detail: 'The same stake stays delegated and misses no reward. Nothing moves.',
  },
];

/**
 * The effects of a checked transaction, from its bytes alone. `goal` only selects the texts for the state of
 * the account.
 */
export const effectsOf = (
  checked: TransactionVerdict,
  validator: string | null,
  goal?: GoalName,
): readonly Effect[] => {
  const { kind } = checked.recognised;
  if (goal === 'undo' && kind === 'restake') return undoEffects(checked, validator);
  return Object.hasOwn(kindWords, kind)
    ? kindWords[kind as RequestKind].effects(checked, validator)
    : [{ title: 'Unknown transaction', detail: 'This transaction was not built by this service.' }];
};
