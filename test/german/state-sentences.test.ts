// Checks that a German page shows the service's sentences about states and recommendations in German, with
// their figures.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recommendationRows } from '../../src/domain/portfolio/recommended-action-table.ts';
import { EPOCH_ABSENT } from '../../src/domain/stake/stake-account.ts';
import { assessStake } from '../../src/domain/stake/stake-state.ts';
import { sentence } from '../../src/kernel/sentence.ts';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  SOL,
} from '../support/stake-account-examples.ts';

Object.assign(globalThis, { document: { documentElement: { dataset: { languages: 'en de' } } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { german } = await import('../../web/src/words/de/german.ts');
const { addTranslations } = await import('../../web/src/words/define-words.ts');
const { sentencesText } = await import('../../web/src/text/notice-text.ts');

const ENGLISH = 'English.';

it('without translations, the sentences are shown as the service sends them', () => {
  const sentences = assessStake(delegatedStake(), chainFacts()).stateSentences();
  assert.equal(sentencesText(sentences), sentences.map(({ text }) => text).join(' '));
});

it('every state, lockup and freeze of an account is German', () => {
  addTranslations(german);
  const lockup = (unixTimestamp: bigint, epoch: bigint) => ({ unixTimestamp, epoch, custodian: CUSTODIAN });
  const unstaked = { deactivationEpoch: 20n };
  const ended = { deactivationEpoch: 19n };
  const crowded = {
    effectiveLamports: 1_000n * SOL,
    activatingLamports: 200n * SOL,
    deactivatingLamports: 0n,
  };
  for (const [account, chain] of [
    [initializedStake(), chainFacts()],
    [delegatedStake(), chainFacts()],
    [delegatedStake({ delegation: { activationEpoch: 20n } }), chainFacts()],
    [
      delegatedStake({ delegation: { activationEpoch: 10n } }),
      chainFacts({ epoch: 11n, history: new Map([[10n, crowded]]) }),
    ],
    [delegatedStake({ delegation: unstaked }), chainFacts()],
    [delegatedStake({ delegation: unstaked, lockup: lockup(0n, EPOCH_ABSENT) }), chainFacts()],
    [delegatedStake({ delegation: ended }), chainFacts({ epochRewardsActive: true })],
    [delegatedStake({ delegation: { activationEpoch: 19n, ...ended } }), chainFacts()],
    [initializedStake({ lockup: lockup(2_000_000_000n, 30n) }), chainFacts()],
    [initializedStake({ lockup: lockup(1n, 30n) }), chainFacts()],
    [initializedStake({ lockup: lockup(2_000_000_000n, 1n) }), chainFacts()],
  ] as const)
    for (const one of assessStake(account, chain).stateSentences())
      assert.doesNotMatch(sentencesText([{ ...one, text: ENGLISH }]), /English|undefined|[{}]/, one.code);
  assert.equal(
    sentencesText([sentence('ACTIVE', ENGLISH, { activeSol: 1_234.5 })]),
    'Aktiv: 1.234,5 SOL bringen Erträge. Zum Auszahlen lösen Sie den Stake zuerst auf.',
  );
});

it('every recommendation is German, and so is the notice in it', () => {
  for (const { code } of recommendationRows)
    if (code !== null)
      assert.doesNotMatch(
        sentencesText([sentence(code, ENGLISH, { amountSol: 1 })]),
        /English|undefined|[{}]/,
        code,
      );
  assert.match(
    sentencesText([sentence('STAKE_ACTIVE', ENGLISH), sentence('VALIDATOR_DELINQUENT', ENGLISH)]),
    /^Der Stake ist aktiv\. Der Validator stimmt nicht ab/,
  );
});

it('a sentence unknown to the page stays in English', () => {
  assert.equal(sentencesText([sentence('TOMORROWS', ENGLISH)]), ENGLISH);
});
