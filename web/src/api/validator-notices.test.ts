// Tests which figures about the validator contradict a notice, and so must not be shown under it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Notice } from '../../../client/generated/shared-types.ts';
import { contradicts, validatorSentences } from './validator-notices.ts';

const notice = (code: Notice['code'], params: Notice['params'] = {}): Notice => ({
  code,
  severity: 'warning',
  text: code,
  params,
});
const at = (seconds: number) => ({ timestamp: new Date(1_000_000 + seconds * 1_000).toISOString() });
const figures = (commission: number | null, notices: Notice[] = [], seconds = 0) => ({
  commission,
  apy: { notices },
  _meta: at(seconds),
});
const noticed = (...notices: Notice[]) => ({ notices, _meta: at(0) });
const silent = notice('VALIDATOR_DELINQUENT');
const raised = notice('COMMISSION_RAISED', { what: 'inflationCommissionBps', toBps: 755 });

it('figures without the reason for which stake earns nothing contradict a notice about it', () => {
  assert.equal(contradicts(figures(5), noticed(silent)), true);
  assert.equal(contradicts(figures(5, [silent]), noticed(silent)), false);
  assert.equal(contradicts(figures(5, [silent]), noticed()), false);
});

it('figures with another commission, or without one, contradict a notice about a raised commission', () => {
  assert.equal(contradicts(figures(5), noticed(raised)), true);
  assert.equal(contradicts(figures(null), noticed(raised)), true);
  assert.equal(contradicts(figures(7.55), noticed(raised)), false);
  const blocks = notice('COMMISSION_RAISED', { what: 'blockRevenueCommissionBps', toBps: 755 });
  assert.equal(contradicts(figures(5), noticed(blocks)), false);
});

it('figures that are a minute newer than a notice are shown, because it may have ended', () => {
  assert.equal(contradicts(figures(5, [], 59), noticed(silent)), true);
  assert.equal(contradicts(figures(5, [], 60), noticed(silent)), false);
});

it('only notices about the validator are news about it, each once', () => {
  assert.equal(
    validatorSentences([notice('TIPS_UNKNOWN'), silent, raised, silent]),
    `${silent.code}\n${raised.code}`,
  );
  assert.equal(validatorSentences(), '');
});
