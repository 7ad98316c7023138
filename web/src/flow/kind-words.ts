// What the page says of each kind of transaction: in the review, while it is on its way, afterwards, in the history, and on the buttons of an account.
import type { HistoryEntry, StakeAccount } from '../../../client/generated/stake-operations.ts';
import type { RequestKind } from '../../../client/staking/staking-request.ts';
import type { TransactionVerdict } from '../../../client/staking/verify-transaction.ts';
import { foreignText } from '../ui/foreign-text.ts';
import { shortAddress, solShort, solText } from '../ui/format.ts';

/** One effect: a short name and what it means for the person. */
export interface Effect {
  readonly title: string;
  readonly detail: string;
}

/** An account on chain as far as the last steps depend on it; null: not there (any more). */
export type FollowedAccount = Pick<StakeAccount, 'state' | 'activationEpoch' | 'withdrawReady'> | null;

/** What happens at the next epoch boundary, after the confirmation. */
interface LastSteps {
  readonly isOver: (account: FollowedAccount) => boolean;
  /** `soon`: "when this epoch ends …". */
  readonly turning: (soon: string) => { readonly title: string; readonly detail: string };
  readonly turned: { readonly title: string; readonly result: string };
}

/** The button on an account to which the service suggests this. */
interface AccountButton {
  readonly label: (account: Pick<StakeAccount, 'withdrawReady' | 'withdrawableSol'>) => string;
  readonly isPrimary: (account: Pick<StakeAccount, 'withdrawReady'>) => boolean;
  /** `review` at once, or `amount`: how much is asked first. */
  readonly opens: 'review' | 'amount';
}

interface KindWords {
  /** Title of the review. */
  readonly review: string;
  /** `Staking`: title of the card while it is on its way; an amount may follow. */
  readonly doing: string;
  /** What the bytes do, in the order in which it happens. `validator` is its name, where one is known. */
  readonly effects: (checked: TransactionVerdict, validator: string | null) => readonly Effect[];
  /** Null: the confirmation is the end. */
  readonly last: LastSteps | null;
  /** Null: not done to an account that exists. */
  readonly button: AccountButton | null;
}

const verdictOf = ({ fields }: TransactionVerdict, field: string) =>
  fields.find((verdict) => verdict.field === field);

/** Whom a field names; the bytes may name several, or nobody. */
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
    detail: `It becomes active ${soon}. Nothing is left for you to do.`,
  }),
  turned: { title: 'Active', result: 'It earns rewards, paid into the stake account each epoch.' },
};

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
            title: 'Let others have a say in it',
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
          'It cools down until the epoch ends at the earliest, then all of it can be withdrawn. Nothing leaves the account now.',
      },
    ],
    last: {
      isOver: (account) => account === null || account.state === 'inactive',
      turning: (soon) => ({ title: 'Cooling down', detail: `It can be withdrawn ${soon}.` }),
      turned: { title: 'Withdrawable', result: 'Withdraw it from the portfolio whenever you like.' },
    },
    button: { label: () => 'Unstake', isPrimary: () => false, opens: 'review' },
  },
  withdraw: {
    review: 'Review your withdrawal',
    doing: 'Withdrawing',
    effects: (checked) => [
      {
        title: `Withdraw ${amountOf(checked)} from ${accountOf(checked)}`,
        detail: `To ${found(checked, 'recipient')}, ${areRight(checked, 'feePayer', 'recipient') ? '' : 'not '}your wallet.`,
      },
    ],
    last: null,
    button: {
      label: ({ withdrawReady, withdrawableSol }) =>
        withdrawReady ? 'Withdraw' : `Withdraw ${solShort(withdrawableSol)} SOL beside the stake`,
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
        title: 'Leave everything where it is',
        detail:
          'All that the account holds beyond its rent is staked. It stays in the account, under the same authorities.',
      },
    ],
    last: ACTIVATION,
    button: { label: () => 'Stake again', isPrimary: () => false, opens: 'review' },
  },
};

/** A landed transaction of any kind in the history: what it is called, and the tone of its pill. */
export const historyWords = {
  stake: ['Stake', 'good'],
  unstake: ['Unstake', 'warn'],
  withdraw: ['Withdrawal', 'accent'],
  restake: ['Stake again', 'good'],
  donate: ['Donation', 'info'],
} as const satisfies Record<HistoryEntry['type'], readonly [what: string, tone: string]>;

/** What a checked transaction does, from its bytes alone, never from what was asked for. */
export const effectsOf = (checked: TransactionVerdict, validator: string | null): readonly Effect[] => {
  const { kind } = checked.recognised;
  return Object.hasOwn(kindWords, kind)
    ? kindWords[kind as RequestKind].effects(checked, validator)
    : [{ title: 'Something else', detail: 'This is not a transaction of this service.' }];
};
