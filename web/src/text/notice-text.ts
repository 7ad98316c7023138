// Translates notices and other sentences of the service by their codes. In English the texts stay as they are,
// with shortened addresses.
import type { Sentence } from '../../../client/generated/shared-types.ts';
import { COLLECTED_WALLETS } from '../../../src/domain/alerts/theft-patterns.ts';
import { translate } from '../words/define-words.ts';
import { language } from '../words/language.ts';
import { atTimeText, count, percent } from './format-figures.ts';
import { amountText, serviceText } from './service-text.ts';

const bpsText = (bps: unknown): string => percent(Number(bps) / 100, Number(bps) % 100 === 0 ? 0 : 2);

/** Formats a notice as a sentence. */
export const noticeText = ({ code, params, text }: Sentence): string =>
  language === 'en'
    ? serviceText('serviceNotices', [], {}, text)
    : serviceText(
        'serviceNotices',
        [code],
        {
          // Default for notices without this parameter.
          stakeAccountAddress: 'none',
          epoch: 'none',
          nearBoundary: 'no',
          stakes: 0,
          entries: 0,
          otherWallets: 0,
          ...params,
          // MessageFormat case names must not contain hyphens.
          failure: String(params.failure).replaceAll('-', '_'),
          collects: Number(params.otherWallets) >= COLLECTED_WALLETS ? 'yes' : 'no',
          ...(params.at !== undefined && { at: atTimeText(String(params.at)) }),
          fromPercent: bpsText(params.fromBps),
          toPercent: bpsText(params.toBps),
          amount: amountText(params.amountSol),
          minimum: amountText(params.minimumStakeSol),
          slots: count(Number(params.slotsRemaining)),
        },
        text,
      );

/** Translates sentences about a state or a recommendation. A notice may be one of them. */
export const sentencesText = (sentences: readonly Sentence[]): string =>
  sentences.map((one) => serviceText('serviceStates', [one.code], one.params, noticeText(one))).join(' ');

/** Formats a figure of the verifier. Addresses are not shortened, because users compare them. */
const verifierFigure = (name: string, value: string | number): string | number =>
  /Sol$/.test(name)
    ? amountText(value)
    : name === 'memo'
      ? // Quoted, so that it cannot be mistaken for a part of the sentence.
        JSON.stringify(value)
      : value === 'unknown'
        ? (translate('serviceVerifier', 'HIDDEN_ADDRESS', {}) ?? value)
        : value;

/** Translates sentences of the verifier about a transaction or about this service. */
export const verifierText = (sentences: readonly Sentence[]): string =>
  sentences
    .map(({ code, params, text }) => {
      const figures = Object.entries(params).map(([name, value]) => [name, verifierFigure(name, value)]);
      return translate('serviceVerifier', code, Object.fromEntries(figures)) ?? text;
    })
    .join(' ');
