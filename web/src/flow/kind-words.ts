// Texts for each kind of transaction: in the review, in progress, after its end, in the history, and on the
// buttons of an account.
import type { StakeAccount } from '../../../client/generated/stake-operations.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { RequestKind } from '../../../client/staking/staking-request.ts';
import type { TransactionVerdict } from '../../../client/staking/verify-against-request.ts';
import type { GoalName } from '../../../src/domain/plan/plan-goals.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { foreignText } from '../text/foreign-text.ts';
import { solShort, solText } from '../text/format-figures.ts';
import { verifierText } from '../text/notice-text.ts';
import { defineWords, type SimpleId } from '../words/define-words.ts';
import { flowEnglish } from '../words/en/flow/flow.ts';

const { say } = defineWords('flow', flowEnglish);

/** One effect in the review: a short title and an explanation. */
interface Effect {
  readonly title: string;
  readonly detail: string;
}

/** Account fields needed by the last steps; null if the account does not exist. */
export type FollowedAccount = Pick<StakeAccount, 'state' | 'activationEpoch' | 'withdrawReady'> | null;

/** Steps after the confirmation, at the next epoch boundary. */
interface LastSteps {
  readonly isOver: (account: FollowedAccount) => boolean;
  /** True if the account is in a state that a later transaction, not this one, caused. */
  readonly isOvertaken: (account: FollowedAccount) => boolean;
  /** `soon` completes "when this epoch ends …". */
  readonly turning: (soon: string) => { readonly title: string; readonly detail: string };
  readonly turned: () => { readonly title: string; readonly result: string };
}

/** Button on an account for which the service suggests this action. */
interface AccountButton {
  readonly label: (account: Pick<StakeAccount, 'withdrawReady' | 'withdrawableSol'>) => string;
  readonly isPrimary: (account: Pick<StakeAccount, 'withdrawReady'>) => boolean;
  /** `review` opens immediately, `amount` asks for an amount first. */
  readonly opens: 'review' | 'amount';
}

type TextId = SimpleId<typeof flowEnglish>;

interface KindWords {
  readonly review: TextId;
  /** Title of the card in progress, such as `Staking`. An amount may follow. */
  readonly doing: TextId;
  /** Effects of the bytes, in order. `validator` is its name if known. */
  readonly effects: (checked: TransactionVerdict, validator: string | null) => readonly Effect[];
  /** Text of the confirmed step. Default: says that the account is on chain. */
  readonly confirmed?: TextId;
  /** Null if nothing happens after the confirmation. */
  readonly last: LastSteps | null;
  /** Null if this kind does not apply to an existing account. */
  readonly button: AccountButton | null;
}

const checkedField = ({ fields }: TransactionVerdict, field: string) =>
  fields.find((one) => one.field === field);

/** Returns the short addresses in a field. A transaction may contain several addresses or none. */
const found = (checked: TransactionVerdict, field: string): string =>
  checkedField(checked, field)?.found?.split(', ').map(shortAddress).join(say('and')) ?? say('nobody');

const areRight = (checked: TransactionVerdict, ...fields: readonly string[]): boolean =>
  fields.every((field) => checkedField(checked, field)?.ok === true);

const amountOf = ({ recognized: { lamports } }: TransactionVerdict): string =>
  lamports === undefined ? 'SOL' : `${solText(lamports)} SOL`;

const accountOf = ({ recognized: { stakeAccount } }: TransactionVerdict): string =>
  stakeAccount === undefined ? say('anAccount') : shortAddress(stakeAccount);

const validatorName = (checked: TransactionVerdict, name: string | null): string =>
  !areRight(checked, 'validator')
    ? say('anotherValidator')
    : name === null
      ? say('theValidator')
      : foreignText(name);

const delegationText = (checked: TransactionVerdict): string =>
  say('delegateText', { voteAccount: found(checked, 'validator') });

const delegationAgain = (checked: TransactionVerdict, validator: string | null): Effect => ({
  title: say('delegateAgain', {
    account: accountOf(checked),
    validator: validatorName(checked, validator),
  }),
  detail: delegationText(checked),
});

const ACTIVATION: LastSteps = {
  isOver: (account) => account?.state === 'active',
  isOvertaken: (account) => account?.state !== 'active' && account?.state !== 'activating',
  turning: (soon) => ({
    title: say('activating'),
    detail: say('activatingText', { soon }),
  }),
  turned: () => ({ title: say('active'), result: say('activeText') }),
};

/** Instructions that have their own title in the review. */
const INSTRUCTIONS = [
  'createAccount',
  'initialize',
  'transfer',
  'delegateStake',
  'deactivate',
  'split',
  'merge',
  'moveStake',
  'moveLamports',
  'withdraw',
  'authorize',
] as const;

const instructionTitle = (name: string): string => {
  const known = INSTRUCTIONS.find((one) => one === name);
  return known === undefined ? foreignText(name) : say(known);
};

const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{32,44}/g;

/** Describes one effect for each instruction of the Stake and System programs, with short addresses. */
const instructionEffects = ({ instructions }: TransactionVerdict): readonly Effect[] =>
  instructions
    .filter(({ program }) => program === 'Stake' || program === 'System')
    .map(({ name, summarySentences }) => ({
      title: instructionTitle(name),
      detail: foreignText(verifierText(summarySentences)).replaceAll(ADDRESS, shortAddress),
    }));

/** Texts by kind. */
export const kindWords: Readonly<Record<RequestKind, KindWords>> = {
  stake: {
    review: 'reviewStake',
    doing: 'doingStake',
    effects: (checked, validator) => [
      {
        title: say('stakeTitle', { amount: amountOf(checked) }),
        detail: say('stakeText', { account: accountOf(checked) }),
      },
      areRight(checked, 'feePayer', 'stakeAuthority', 'withdrawAuthority', 'lockup')
        ? checked.recognized.stakeAuthority === undefined
          ? {
              title: say('initialize'),
              detail: say('keepYoursText', { wallet: found(checked, 'withdrawAuthority') }),
            }
          : {
              title: say('shareControl'),
              detail: say('shareControlText', {
                staker: shortAddress(checked.recognized.stakeAuthority),
                wallet: found(checked, 'withdrawAuthority'),
              }),
            }
        : {
            title: say('giveAway'),
            detail: say('giveAwayText', {
              withdrawer: found(checked, 'withdrawAuthority'),
              staker: found(checked, 'stakeAuthority'),
              lockup: checkedField(checked, 'lockup')?.found ?? say('none'),
            }),
          },
      {
        title: say('delegateIt', { validator: validatorName(checked, validator) }),
        detail: delegationText(checked),
      },
    ],
    last: ACTIVATION,
    button: null,
  },
  unstake: {
    review: 'reviewUnstake',
    doing: 'doingUnstake',
    effects: (checked) => [
      { title: say('unstakeTitle', { account: accountOf(checked) }), detail: say('unstakeText') },
    ],
    last: {
      isOver: (account) => account === null || account.state === 'inactive',
      isOvertaken: (account) => account?.state !== 'inactive' && account?.state !== 'deactivating',
      turning: (soon) => ({ title: say('deactivating'), detail: say('deactivatingText', { soon }) }),
      turned: () => ({ title: say('withdrawable'), result: say('withdrawableText') }),
    },
    button: { label: () => say('deactivate'), isPrimary: () => false, opens: 'review' },
  },
  withdraw: {
    review: 'reviewWithdraw',
    doing: 'doingWithdraw',
    confirmed: 'withdrawn',
    effects: (checked) => [
      {
        title: say('withdrawTitle', { amount: amountOf(checked), account: accountOf(checked) }),
        detail: say('withdrawText', {
          recipient: found(checked, 'recipient'),
          isOwn: String(areRight(checked, 'feePayer', 'recipient')),
        }),
      },
    ],
    last: null,
    button: {
      label: ({ withdrawReady, withdrawableSol }) =>
        withdrawReady ? say('withdraw') : say('withdrawUnstaked', { amount: solShort(withdrawableSol) }),
      isPrimary: ({ withdrawReady }) => withdrawReady,
      opens: 'amount',
    },
  },
  restake: {
    review: 'reviewRestake',
    doing: 'doingRestake',
    effects: (checked, validator) => [
      delegationAgain(checked, validator),
      { title: say('keepInPlace'), detail: say('keepInPlaceText') },
    ],
    last: ACTIVATION,
    button: { label: () => say('stakeAgain'), isPrimary: () => false, opens: 'review' },
  },
  rearrange: {
    review: 'reviewRearrange',
    doing: 'doingRearrange',
    effects: instructionEffects,
    last: null,
    button: null,
  },
};

/** Texts of stake changes by goal. */
const goalWords: Readonly<Record<GoalName, Pick<KindWords, 'review' | 'doing' | 'confirmed'>>> = {
  unstake: { review: 'reviewUnstake', doing: 'doingUnstake', confirmed: 'unstaked' },
  'withdraw-amount': { review: 'reviewUnstake', doing: 'doingUnstake', confirmed: 'partWithdrawn' },
  undo: { review: 'reviewUndo', doing: 'doingUndo', confirmed: 'keptStaked' },
  restake: { review: 'reviewRestake', doing: 'doingRestake' },
  'top-up': { review: 'reviewTopUp', doing: 'doingTopUp', confirmed: 'toppedUp' },
  tidy: { review: 'reviewTidy', doing: 'doingTidy', confirmed: 'merged' },
  sweep: { review: 'reviewSweep', doing: 'doingSweep', confirmed: 'arrived' },
  migrate: { review: 'reviewMigrate', doing: 'doingMigrate', confirmed: 'migrated' },
  rescue: { review: 'reviewRescue', doing: 'doingRescue', confirmed: 'rescued' },
  'withdraw-all': { review: 'reviewWithdraw', doing: 'doingWithdraw', confirmed: 'allWithdrawn' },
};

/** Returns the texts for a request. */
export const wordsOf = ({ kind, change }: Pick<TransactionRecord, 'kind' | 'change'>) => {
  const { review, doing, confirmed, last } = {
    ...kindWords[kind],
    ...(change === undefined ? {} : goalWords[change.goal]),
  };
  return {
    review: say(review),
    doing: say(doing),
    confirmed: confirmed === undefined ? undefined : say(confirmed),
    last,
  };
};

/**
 * An undo and a restake are the same transaction. In the epoch of the deactivation, it cancels the
 * deactivation.
 */
const undoEffects = (checked: TransactionVerdict, validator: string | null): readonly Effect[] => [
  delegationAgain(checked, validator),
  { title: say('takeUnstakingBack'), detail: say('takeUnstakingBackText') },
];

/**
 * Describes the effects of a checked transaction, from its bytes alone. If the effect also depends on the
 * account's state, `goal` selects the text.
 */
export const effectsOf = (
  checked: TransactionVerdict,
  validator: string | null,
  goal?: GoalName,
): readonly Effect[] => {
  const { kind } = checked.recognized;
  if (goal === 'undo' && kind === 'restake') return undoEffects(checked, validator);
  return Object.hasOwn(kindWords, kind)
    ? kindWords[kind as RequestKind].effects(checked, validator)
    : [{ title: say('unknown'), detail: say('unknownText') }];
};
