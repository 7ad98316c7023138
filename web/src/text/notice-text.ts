// Notices and other sentences of the service in the page's language: notices by code, sentences without a code by their
// English text. In English they stay as received.
import type { Sentence } from '../../../client/generated/shared-types.ts';
import { COLLECTED_WALLETS } from '../../../src/domain/alerts/compromise-patterns.ts';
import { parseSol } from '../../../src/domain/lamports.ts';
import { translate, translatedIds } from '../words/define-words.ts';
import { language } from '../words/language.ts';
import { count, percent, solText } from './format-figures.ts';
import { serviceText } from './service-text.ts';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const amountText = (sol: unknown): string => {
  const lamports = parseSol(String(sol));
  return typeof lamports === 'bigint' ? solText(lamports) : String(sol);
};

/** The varying parts of `sentence`, if `pattern` with their names in braces matches it; else null. */
const partsOf = (pattern: string, sentence: string): Record<string, string> | null => {
  const source = pattern
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `(?<${part}>.+)` : escaped(part)))
    .join('');
  const match = new RegExp(`^${source}$`).exec(sentence);
  return (
    match &&
    Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, part]) => [
        name,
        name === 'amount' ? amountText(part) : part,
      ]),
    )
  );
};

/** A sentence of the service that has no code. Unknown ones stay English. */
export const sentenceText = (sentence: string): string => {
  for (const pattern of translatedIds('serviceSentences')) {
    const parts = partsOf(pattern, sentence);
    if (parts !== null) return translate('serviceSentences', pattern, parts) ?? sentence;
  }
  return sentence;
};

const bpsText = (bps: unknown): string => percent(Number(bps) / 100, Number(bps) % 100 === 0 ? 0 : 2);

/** A notice as a sentence. */
export const noticeText = ({ code, params, text }: Sentence): string =>
  language === 'en'
    ? text
    : serviceText(
        'serviceNotices',
        [code],
        {
          // Some notices of a code have fewer parameters.
          stakeAccountAddress: 'none',
          epoch: 'none',
          nearBoundary: 'no',
          stakes: 0,
          entries: 0,
          otherWallets: 0,
          ...params,
          // Names of cases have no hyphens.
          failure: String(params.failure).replaceAll('-', '_'),
          collects: Number(params.otherWallets) >= COLLECTED_WALLETS ? 'yes' : 'no',
          fromPercent: bpsText(params.fromBps),
          toPercent: bpsText(params.toBps),
          amount: amountText(params.amountSol),
          minimum: amountText(params.minimumStakeSol),
          slots: count(Number(params.slotsRemaining)),
        },
        sentenceText(text),
      );

/** Sentences about a state or a recommendation. A notice may be one of them. */
export const sentencesText = (sentences: readonly Sentence[]): string =>
  sentences.map((one) => serviceText('serviceStates', [one.code], one.params, noticeText(one))).join(' ');
