// Finds the notices about the validator in a response, and the figures that contradict them because they are
// older. Pure.
import type { Notice } from '../../../client/generated/shared-types.ts';
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';
import type { ValidatorProfileAnswer } from '../../../client/generated/validator-operations.ts';

/** Notices about a state in which a stake earns nothing, or no inflation rewards. */
const UNPAID: readonly Notice['code'][] = [
  'VALIDATOR_CLOSED',
  'VALIDATOR_DELINQUENT',
  'VALIDATOR_NOT_ADMITTED',
  'COMMISSION_FULL',
];

/**
 * Notices that end or reduce the earnings of a stake. Other notices are about an account or about displayed
 * figures.
 */
export const VALIDATOR_NOTICES: readonly Notice['code'][] = [
  ...UNPAID,
  'DESTAKE_POSSIBLE',
  'COMMISSION_RAISED',
  'EPOCH_MISSED',
];

/** Returns the sentences of the notices about the validator, each once. */
export const validatorSentences = (notices: readonly Notice[] = []): string =>
  [...new Set(notices.flatMap(({ code, text }) => (VALIDATOR_NOTICES.includes(code) ? text : [])))].join(
    '\n',
  );

type Timed = { readonly _meta: { readonly timestamp: string } };

/** A response with notices that the service did not take from a cache. */
export type Noticed = Pick<StakingSummaryAnswer, 'notices'> & Timed;

type Figures = Pick<ValidatorProfileAnswer, 'commission'> & {
  readonly apy: Pick<ValidatorProfileAnswer['apy'], 'notices'>;
} & Timed;

/** Age at which the service no longer reports the state of the validator, in ms. */
const STATUS_LIFETIME_MS = 60_000;

/** Returns true if the figures and a notice cannot both be true now. Figures end much older notices. */
export const contradicts = ({ commission, apy, _meta }: Figures, noticed: Noticed): boolean =>
  Date.parse(_meta.timestamp) - Date.parse(noticed._meta.timestamp) < STATUS_LIFETIME_MS &&
  noticed.notices.some(({ code, params }) =>
    code === 'COMMISSION_RAISED'
      ? params.what === 'inflationCommissionBps' &&
        params.toBps !== (commission === null ? null : Math.round(commission * 100))
      : UNPAID.includes(code) && !apy.notices.some((one) => one.code === code),
  );
