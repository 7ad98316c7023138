// Tests that the explanation of a policy lists only what its operations can do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyText } from '../../test/support/policy-acts.ts';
import { explainPolicy } from './explain-policy.ts';
import { parsePolicy } from './policy-file.ts';

test('withdrawals are explained only if an allowed operation can withdraw', () => {
  const about = (operations: readonly string[]): readonly string[] =>
    explainPolicy(parsePolicy(policyText({ operations }), '/policies/policy.json')).can.flatMap(
      (line) =>
        /^(Withdraw only to|There is no limit on the SOL (?:withdrawn|unstaked|paid))/.exec(line)?.[1] ?? [],
    );
  const [unstakes, fees] = ['There is no limit on the SOL unstaked', 'There is no limit on the SOL paid'];
  const withdraws = 'There is no limit on the SOL withdrawn';
  assert.deepEqual(about(['stake']), [fees]);
  assert.deepEqual(about(['stake', 'unstake']), [unstakes, fees]);
  assert.deepEqual(about(['tidy']), ['Withdraw only to', withdraws, fees]);
});
