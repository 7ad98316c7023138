import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ToldOfValidator, validatorWarnings } from './validator-warnings.ts';

type Told = ToldOfValidator['alerts'][number];
const told = (what: string, from: string, to: string, more: Partial<Told> = {}): Told => ({
  what,
  from,
  to,
  epoch: 800,
  nearBoundary: false,
  ...more,
});
const textsOf = (epoch: bigint, alerts: readonly Told[], values: Record<string, string> = {}) =>
  validatorWarnings({ state: { values }, alerts }, epoch).map(({ text }) => text);

test('a commission that was raised is warned about for five epochs, as a rug pull where it was at a boundary, and not once it is lowered', () => {
  const raised = told('inflationCommissionBps', '0', '750', { nearBoundary: true });
  const words =
    'The commission of the validator rose from 0 % to 7.5 % in epoch 800, right at the boundary, as rug pulls do.';
  assert.deepEqual(textsOf(805n, [raised]), [words]);
  assert.deepEqual(textsOf(806n, [raised]), []);
  assert.deepEqual(textsOf(801n, [told('inflationCommissionBps', '750', '0', { epoch: 801 }), raised]), []);
  assert.deepEqual(textsOf(800n, [told('blockRevenueCommissionBps', '0', '5000'), raised]), [
    'The commission of the validator on block revenue rose from 0 % to 50 % in epoch 800.',
    words,
  ]);
});

test('a missed epoch is warned about for two epochs, and stake that anybody may deactivate for as long as they may', () => {
  const absent = told('absent', '', '801', { epoch: 802 });
  assert.equal(textsOf(803n, [absent]).length, 1);
  assert.deepEqual(textsOf(804n, [absent]), []);
  const destake = told('destake', '', '805');
  assert.equal(textsOf(820n, [destake], { destake: '805' }).length, 1);
  assert.deepEqual(textsOf(820n, [destake], { destake: '' }), []);
});

test('what is no matter before signing is no warning', () => {
  const alerts = [
    told('voting', 'yes', 'no'),
    told('inflationCollector', 'a', 'b'),
    told('stakeRentLamports', '1', '2'),
  ];
  assert.deepEqual(textsOf(800n, alerts), []);
});
