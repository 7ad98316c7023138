// Checks that a German page translates the verifier's sentences about a transaction and about checking the
// service by their codes, with their figures.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import type { InstructionFields } from '../../src/domain/instruction-types.ts';
import { unknownEffect } from '../../src/domain/transaction/effects/approval-effects.ts';
import { instructionSentence } from '../../src/domain/transaction/instruction-summary.ts';
import { problemOf } from '../../src/domain/transaction/verifier-problems.ts';
import { sentence } from '../../src/kernel/sentence.ts';
import { verificationSteps } from '../../src/operations/verify/code-integrity.ts';

Object.assign(globalThis, { document: { documentElement: { dataset: { languages: 'en de' } } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { german } = await import('../../web/src/words/de/german.ts');
const { addTranslations } = await import('../../web/src/words/define-words.ts');
const { verifierText } = await import('../../web/src/text/notice-text.ts');

const A = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ' as Address;
const lamports = 1_234_500_000_000n;

it('without translations, the sentences are shown as the verifier wrote them', () => {
  assert.equal(
    verifierText([problemOf('OTHER_AMOUNT'), problemOf('MEMO_MISSING')]),
    'It moves a different amount. It does not contain this service’s memo.',
  );
});

it('the description of an instruction is German, with whole addresses, and a memo is quoted', () => {
  addTranslations(german);
  const fields: readonly InstructionFields[] = [
    { type: 'system.transfer', from: A, to: A, lamports },
    { type: 'stake.deactivate', stakeAccount: A, stakeAuthority: A },
    { type: 'memo', text: 'Transfers 1 SOL from you to me.' },
    { type: 'computeBudget.setComputeUnitLimit', units: 5_000 },
  ];
  assert.deepEqual(
    fields.map((data) => verifierText([instructionSentence(data, 'Example', 'example')])),
    [
      `Überträgt 1.234,5 SOL von ${A} an ${A}.`,
      `Deaktiviert das Stake-Konto ${A}.`,
      'Trägt das Memo "Transfers 1 SOL from you to me.".',
      'Begrenzt die Transaktion auf 5000 Compute Units.',
    ],
  );
  const hidden = { type: 'stake.deactivate', stakeAccount: null, stakeAuthority: A } as const;
  assert.equal(
    verifierText([instructionSentence(hidden, 'Stake', 'deactivate')]),
    'Deaktiviert das Stake-Konto ein Konto aus einer Adresstabelle.',
  );
});

it('problems and unverified details are described in German, with German amounts', () => {
  assert.equal(
    verifierText([
      problemOf('STAKES_DIFFERENT', { stakedSol: '1.5', askedSol: '1000' }),
      problemOf('MEMO_MISSING'),
    ]),
    'Sie stakt 1,5 SOL, nicht 1.000 SOL. Sie trägt nicht das Memo dieses Dienstes.',
  );
  assert.match(
    verifierText([unknownEffect(A, 'NEW_STAKE_MERGED', { amountSol: '0.25' })]),
    /^0,25 SOL neuer Stake werden damit zusammengeführt\. /,
  );
});

it('every German text of the verifier contains its figures, and none is in English', () => {
  const figures: Readonly<Record<string, string | number>> = { splits: 2, most: 1, transaction: 1 };
  for (const [code, text] of Object.entries(german.serviceVerifier)) {
    const names = [...text.matchAll(/\{(\w+)[},]/g)].map(([, name]) => name!);
    const params = Object.fromEntries(names.map((name) => [name, figures[name] ?? '1']));
    assert.doesNotMatch(verifierText([sentence(code, 'English.', params)]), /English|undefined|[{}]/, code);
  }
});

it('every step to check the service is in German wherever its code is published', () => {
  for (const published of [undefined, 'https://example.org/code'])
    for (const step of verificationSteps(published))
      assert.doesNotMatch(verifierText([{ ...step, text: 'English.' }]), /English|undefined|[{}]/, step.code);
});

it('a code unknown to the page stays in English', () => {
  assert.equal(verifierText([sentence('TOMORROWS', 'English.')]), 'English.');
});
