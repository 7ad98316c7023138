// Tests that the review lists each account once that the transactions do not fully show, and the rent that may
// be lost.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import type { Notice } from '../../../client/generated/shared-types.ts';
import { unknownEffect } from '../../../src/domain/transaction/effects/approval-effects.ts';
import { NO_EFFECTS } from '../../../test/support/no-effects.ts';
import { hasNewCritical, needsDecision, nothingElse, noticesWithNews, reviewNotes } from './review-notes.ts';

const account = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9' as Address;
const voteAccount = 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8';

it('the list is empty if the bytes show everything', () => {
  assert.deepEqual(reviewNotes(NO_EFFECTS, voteAccount), []);
});

it('the list contains the unknown effects, the accounts that are delegated as a whole, and the rent at risk', () => {
  const unknowns = [
    unknownEffect(account, 'ALL_DELEGATED', { voteAccount }),
    unknownEffect(account, 'RENT_AT_RISK', { rentSol: '0.5' }),
  ];
  const effects = { ...NO_EFFECTS.effects, fullyDelegated: [account], atRiskLamports: 1_666_240n };
  const notes = (some: typeof unknowns) =>
    reviewNotes({ ...NO_EFFECTS, effects, unknowns: some }, voteAccount).map(({ text }) => text);
  assert.deepEqual(
    notes(unknowns),
    unknowns.map(({ text }) => text),
  );
  const [delegated, rent] = notes([]);
  assert.match(delegated!, /^The whole balance will be delegated to CktR/);
  assert.match(rent!, /^0\.00166624 SOL of rent in the new account is yours if you can withdraw/);
});

it('the user must decide if the amount may differ or more than a little rent is at risk', () => {
  const needs = (unknowns: Parameters<typeof needsDecision>[0]['unknowns'], atRiskLamports = 0n) =>
    needsDecision({ unknowns, effects: { atRiskLamports } });
  assert.equal(needs([unknownEffect(account, 'PART_TAKEN')], 1_666_240n), false);
  assert.equal(needs([], 20_000_000n), true);
  assert.equal(
    needs([unknownEffect(account, 'DEACTIVATES_ROUNDED', { totalSol: '3', askedSol: '2' })]),
    true,
  );
});

it('the review claims that nothing else happens only if the bytes of all transactions of a plan show everything', () => {
  assert.equal(nothingElse(1, false), 'The transaction does nothing else.');
  assert.equal(nothingElse(2, false), 'The 2 transactions together do nothing else.');
  assert.equal(nothingElse(2, true), 'The 2 transactions together contain no other action.');
});

it('only a critical notice that was not shown before holds up a signature', () => {
  const notice = (code: Notice['code'], severity: Notice['severity']): Notice => ({
    code,
    severity,
    text: code,
    params: {},
  });
  const [full, raised] = [notice('COMMISSION_FULL', 'critical'), notice('COMMISSION_RAISED', 'warning')];
  assert.equal(hasNewCritical([raised, full], [raised]), true);
  assert.equal(hasNewCritical([full], [full]), false);
  assert.equal(hasNewCritical([raised], []), false);
});

it('news about the validator since the transaction was built is added once, and older or other notices are not', () => {
  const notice = (code: Notice['code'], params: Notice['params'] = {}): Notice => ({
    code,
    severity: 'warning',
    text: code,
    params,
  });
  const response = (seconds: number, ...notices: Notice[]) => ({
    notices,
    _meta: { timestamp: new Date(seconds * 1_000).toISOString() },
  });
  const [raised, higher] = [500, 700].map((toBps) => notice('COMMISSION_RAISED', { toBps }));
  const built = response(10, raised!);
  const later = response(11, raised!, higher!, notice('TIPS_UNKNOWN'));
  assert.deepEqual(noticesWithNews(built, later), [higher, raised]);
  assert.deepEqual(noticesWithNews(built, response(10, higher!)), [raised]);
  assert.deepEqual(noticesWithNews(built, undefined), [raised]);
});
