import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noticeText } from './notice-text.ts';
import { serviceText } from './service-text.ts';

it('a text without a translation stays in English, with shortened addresses', () => {
  const english =
    'Locked until epoch 9: only the custodian 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 may allow it.';
  assert.equal(
    serviceText('serviceStates', ['NONE'], {}, english),
    'Locked until epoch 9: only the custodian 7Np4…T4K2 may allow it.',
  );
  assert.match(noticeText({ code: 'NONE', params: {}, text: english }), /custodian 7Np4…T4K2 may/);
  const signature = '5'.repeat(88);
  assert.equal(serviceText('serviceStates', ['NONE'], {}, signature), signature);
});
