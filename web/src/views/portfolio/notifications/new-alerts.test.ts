import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletAlert } from '../../../../../client/generated/stake-operations.ts';
import type { ValidatorAlert } from '../../../../../client/generated/validator-operations.ts';
import { addTranslations } from '../../../words/define-words.ts';
import { changeTitle, newAlerts, patternTexts, validatorChangeWords } from './new-alerts.ts';

const ACCOUNT = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const stolen = (signature: string) =>
  ({
    type: 'stake_authority_changed',
    slot: 1,
    timestamp: null,
    level: 'warning',
    explanation: ['Another address may unstake it.'],
    data: { stakeAccountAddress: ACCOUNT, signature, patterns: [] },
  }) as unknown as WalletAlert;
const raised = (slot: number): ValidatorAlert => ({
  change: 'commission',
  level: 'critical',
  epoch: 800,
  slot,
  timestamp: '',
  what: 'inflationCommissionBps',
  from: '0',
  to: '750',
  nearBoundary: true,
  seenByNodes: 1,
});

it('earlier alerts cause no notification, and each new one causes one notification, at most hourly per account and kind', () => {
  let nowMs = 0;
  const notice = newAlerts(() => nowMs);
  assert.deepEqual(notice([stolen('a')], [raised(1)]), []);
  assert.deepEqual(
    notice([stolen('c'), stolen('b'), stolen('a')], [raised(2), raised(1)]).map(({ title, body }) => [
      ...[title, body],
    ]),
    [
      ['The validator changed its commission', 'Epoch 800. From 0% to 7.5%, right at the epoch boundary.'],
      ['Control of a stake changed', 'Stake account 7Np4…T4K2. Another address may unstake it.'],
    ],
  );
  assert.deepEqual(notice([stolen('c')], []), []);
  nowMs = 3_599_999;
  assert.deepEqual(notice([stolen('d')], []), []);
  nowMs = 3_600_000;
  assert.equal(notice([stolen('e')], []).length, 1);
  assert.deepEqual(notice([stolen('c'), stolen('a')], [raised(2)]), []);
});

it('a missed epoch is named, not the later one in which it was noticed', () => {
  const bodyOf = (change: ValidatorAlert['change'], to: string) =>
    validatorChangeWords({ ...raised(1), change, what: change, to }).body;
  assert.equal(bodyOf('absent', '798'), 'Epoch 798.');
  assert.equal(bodyOf('destake-possible', '803'), 'From epoch 803.');
  assert.equal(bodyOf('delinquent', 'false'), 'Epoch 800.');
});

it('regained control is not reported like a theft', () => {
  const change = stolen('a');
  assert.equal(changeTitle(change), 'Control of a stake changed');
  assert.equal(changeTitle({ ...change, level: 'info' }), 'Control returned to your wallet');
});

it('a pattern is explained in the language of the page, or in the words of the service if the page does not know it', () => {
  addTranslations({ servicePatterns: { 'unknown-custodian': 'Unbekannt.' } });
  const patterns = ['unknown-custodian', 'while-activating'] as const;
  const explanation = ['Unknown.', 'It was activating.'];
  assert.deepEqual(patternTexts({ data: { ...stolen('a').data, patterns }, explanation }), [
    'Unbekannt.',
    'It was activating.',
  ]);
});
