// Builds the notes of the review about effects that the transactions do not show, so users can decide about
// them.

import type { Notice } from '../../../client/generated/shared-types.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import type { EffectsCheck } from '../../../src/domain/transaction/effects/check-effects.ts';
import { type Noticed, VALIDATOR_NOTICES } from '../api/validator-notices.ts';
import { foreignText } from '../text/foreign-text.ts';
import { solText } from '../text/format-figures.ts';
import { verifierText } from '../text/notice-text.ts';
import { defineWords } from '../words/define-words.ts';
import { reviewEnglish } from '../words/en/flow/review.ts';

const { say } = defineWords('review', reviewEnglish);

/** A sentence about one account or about all accounts. */
interface ReviewNote {
  readonly account: string | null;
  readonly text: string;
}

/** Maximum loss that needs no decision, about the rent of a few accounts. */
const SMALL_RISK_LAMPORTS = 10_000_000n;

/** True if an amount differs from the requested one, or if more than a little rent is at risk. */
export const needsDecision = ({
  unknowns,
  effects,
}: {
  readonly unknowns: readonly Pick<EffectsCheck['unknowns'][number], 'fact'>[];
  readonly effects: Pick<EffectsCheck['effects'], 'atRiskLamports'>;
}): boolean =>
  effects.atRiskLamports > SMALL_RISK_LAMPORTS || unknowns.some(({ fact }) => fact === 'rounded-amount');

/** Builds one sentence for each account with an effect that the transaction does not show. */
export const reviewNotes = (
  { unknowns, effects: { fullyDelegated, atRiskLamports } }: EffectsCheck,
  voteAccount: string,
): readonly ReviewNote[] => [
  ...unknowns.map((unknown) => ({ account: unknown.account, text: foreignText(verifierText([unknown])) })),
  ...fullyDelegated
    .filter((account) => !unknowns.some((one) => one.account === account && one.fact === 'staked-amount'))
    .map((account) => ({ account, text: say('fullyDelegated', { validator: shortAddress(voteAccount) }) })),
  ...(atRiskLamports > 0n && !unknowns.some(({ fact }) => fact === 'rent-at-risk')
    ? [
        {
          account: null,
          text: say('rentAtRisk', { amount: solText(atRiskLamports) }),
        },
      ]
    : []),
];

/**
 * States that the checked transactions do no more than the review says. With notes, it claims this only for the
 * actions, because the notes list effects that the transactions do not show.
 */
export const nothingElse = (count: number, hasNotes: boolean): string =>
  say(hasNotes ? 'isAllButDetails' : 'isAll', { count });

/** True if some critical notice is not among those already shown. */
export const hasNewCritical = (notices: readonly Notice[], shown: readonly Notice[]): boolean =>
  notices.some(({ severity, code }) => severity === 'critical' && !shown.some((one) => one.code === code));

/** Returns the notices of a built transaction, after those about the validator that a later response adds. */
export const noticesWithNews = (
  { notices = [], _meta }: Partial<Noticed> & Pick<Noticed, '_meta'>,
  later: Noticed | undefined,
): readonly Notice[] =>
  later === undefined || Date.parse(later._meta.timestamp) <= Date.parse(_meta.timestamp)
    ? notices
    : [
        ...later.notices.filter(
          ({ code, params }) =>
            VALIDATOR_NOTICES.includes(code) &&
            !notices.some((one) => one.code === code && one.params.toBps === params.toBps),
        ),
        ...notices,
      ];
