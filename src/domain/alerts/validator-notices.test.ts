import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReportedChanges, validatorWarnings } from './validator-notices.ts';

type Reported = ReportedChanges['alerts'][number];
const reported = (what: string, from: string, to: string, more: Partial<Reported> = {}): Reported => ({
  what,
  from,
  to,
  epoch: 800,
  nearBoundary: false,
  ...more,
});
const textsOf = (epoch: bigint, alerts: readonly Reported[], values: Record<string, string> = {}) =>
  validatorWarnings({ state: { values }, alerts }, epoch).map(({ text }) => text);

test('a raised commission triggers a warning for five epochs, and a rug-pull warning if raised at an epoch boundary', () => {
  const raised = reported('inflationCommissionBps', '0', '750', { nearBoundary: true });
  const words =
    'The validator’s commission on rewards rose from 0% to 7.5% in epoch 800, right at the epoch boundary, as in rug pulls.';
  assert.deepEqual(textsOf(805n, [raised]), [words]);
  assert.deepEqual(textsOf(806n, [raised]), []);
  assert.deepEqual(
    textsOf(801n, [reported('inflationCommissionBps', '750', '0', { epoch: 801 }), raised]),
    [],
  );
  assert.deepEqual(textsOf(800n, [reported('blockRevenueCommissionBps', '0', '5000'), raised]), [
    'The validator’s commission on block revenue rose from 0% to 50% in epoch 800.',
    words,
  ]);
});

test('a missed epoch triggers a warning for two epochs, and stake that anyone may deactivate triggers one as long as that lasts', () => {
  const absent = reported('absent', '', '801', { epoch: 802 });
  assert.equal(textsOf(803n, [absent]).length, 1);
  assert.deepEqual(textsOf(804n, [absent]), []);
  const destake = reported('destake', '', '805');
  assert.equal(textsOf(820n, [destake], { destake: '805' }).length, 1);
  assert.deepEqual(textsOf(820n, [destake], { destake: '' }), []);
});

test('changes that are irrelevant before signing trigger no warning', () => {
  const alerts = [
    reported('voting', 'yes', 'no'),
    reported('inflationCollector', 'a', 'b'),
    reported('stakeRentLamports', '1', '2'),
  ];
  assert.deepEqual(textsOf(800n, alerts), []);
});
