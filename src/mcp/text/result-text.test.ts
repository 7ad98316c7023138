// The text of a result states in one sentence what happened, contains every fact that the next call needs, and
// is much shorter than the JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solNumber } from '../../domain/lamports.ts';
import recorded from '../../http/openapi/recorded-examples.json' with { type: 'json' };
import { mcpTools } from '../tools.ts';
import { resultText } from './result-text.ts';

const responses = recorded.responses as unknown as Readonly<
  Record<string, Readonly<Record<string, unknown>>>
>;

test('the response of every tool begins with a sentence and is shorter than its JSON', () => {
  const seen: string[] = [];
  for (const { name, operation, instead } of mcpTools)
    for (const one of [operation, ...(instead ? [instead.operation] : [])]) {
      const body = responses[one.name];
      if (body === undefined) continue;
      const text = resultText(body);
      assert.match(text.split('\n')[0]!, /^[A-Z\d].*[.…]$/, `${name}: ${text.split('\n')[0]}`);
      const bytes = JSON.stringify(body).length;
      assert.ok(text.length < bytes, `${name}: ${text.length} of ${bytes}`);
      seen.push(name);
    }
  assert.ok(seen.length >= 28, seen.join());
});

test('an unsigned transaction comes with its bytes, signer, link and key, and without its instructions', () => {
  const body = responses.createStakeTransaction!;
  const text = resultText(body);
  for (const name of [
    'transaction',
    'stakeAccountAddress',
    'signUrl',
    'idempotencyKey',
    'estimatedExpiresAt',
  ])
    assert.ok(text.includes(`${name}: ${body[name]}`), `${name}\n${text}`);
  assert.ok(text.startsWith(`${body.message}\n`));
  assert.ok(!text.includes('programId'));
  assert.ok(text.length < JSON.stringify(body).length / 2);
});

test('the validator is name, yield, commission, stakers and votes in the first line', () => {
  const [first, ...rest] = resultText(responses.validatorProfile!).split('\n');
  assert.match(
    first!,
    /^\S.* pays about [\d.]+% per year after [\d.]+% commission\. Stakers: \d+, with [\d.]+ SOL\. The validator votes: [\d.]+% /,
  );
  assert.ok(!rest.some((line) => line.startsWith('voteState')), rest.join('\n'));
  const silent = { ...responses.validatorProfile, performance: { delinquent: true } };
  assert.match(resultText(silent).split('\n')[0]!, /The validator does not vote\.$/);
});

test('a refused withdrawal states its amounts and the state once', () => {
  const stateDescription = 'Active. Unstake first.';
  const text = resultText({
    errorCode: 'STAKE_NOT_WITHDRAWABLE',
    message: `3 SOL cannot be withdrawn now. The account holds 2 SOL: 1.9 staked, 0.1 for rent, 0 available. ${stateDescription}`,
    suggestedAction: 'Unstake it.',
    stateDescription,
    withdrawableSol: 0,
  });
  assert.equal(text.split(stateDescription).length, 2, text);
  assert.doesNotMatch(text, /^withdrawableSol/m);
});

test('the summary is one sentence with the facts that the next call needs, each once', () => {
  const at = '2026-11-27T09:37:27.476Z';
  const text = resultText({
    walletAddress: 'W',
    totalStakedSol: 2,
    walletBalanceSol: 8.7,
    portfolio: {
      liquidSol: 8.7,
      delegatedSol: 1.9,
      activeSol: 1.9,
      activatingSol: 0,
      deactivatingSol: 0,
      withdrawableSol: 0.000000087,
    },
    accounts: [
      {
        address: '2P',
        sol: 2,
        state: 'active',
        stateDescription: 'Active: …',
        withdrawableSol: 0.000000087,
        withdrawableWhen: 'not_fixed',
        ifUnstakedNow: { at, earliest: at, latest: at },
        lamports: 2_000_000_000,
        stakeAuthority: 'W',
        explorerUrl: 'https://explorer.solana.com/address/2P',
      },
    ],
    apy: { stakingApy: 6.6, totalApy: 7 },
    epochTiming: { currentEpoch: 802, slotIndex: 5, estimatedEpochEnd: at },
    recommendedAction: {
      action: 'STAKE',
      reason: 'Idle.',
      amountSol: 8,
      method: 'tool',
      endpoint: 'create_stake_transaction',
    },
  });
  assert.deepEqual(text.split('\n'), [
    '2 SOL in 1 stake account: 1.9 delegated, 0 withdrawable now, 0.000000087 idle; 8.7 SOL is in the wallet.',
    'walletAddress: W',
    'totalStakedSol: 2',
    'portfolio: activeSol 1.9, activatingSol 0, deactivatingSol 0',
    'accounts:',
    `- address 2P, sol 2, state active, withdrawableSol 0.000000087, ifUnstakedNow.at ${at}`,
    'apy: totalApy 7',
    `epochTiming: currentEpoch 802, estimatedEpochEnd ${at}`,
    'recommendedAction: action STAKE, reason Idle., amountSol 8, endpoint create_stake_transaction',
  ]);
});

test('rewards begin with their totals, and a history names each act once', () => {
  const history = [
    { type: 'unstake', act: 'unstake', title: 'Unstake 1 SOL', signature: 'S', explorerUrl: 'https://e' },
  ];
  assert.equal(
    resultText({ history }),
    '1 transaction on this page, newest first.\nhistory:\n- title Unstake 1 SOL, signature S',
  );
  const totals = { inflationSol: 0.2, tipsSol: 0.1 };
  assert.match(
    resultText({ rewards: [], totals, fromEpoch: 770, toEpoch: 799 }),
    /^0\.2 SOL of rewards and 0\.1 SOL of tips in epochs 770 to 799\.\n/,
  );
});

test('a failure says what to do and keeps its code', () => {
  const text = resultText({
    error: 'Conflict',
    errorCode: 'X_Y',
    reason: 'X_Z',
    params: { seconds: 1 },
    message: 'It is busy.',
    suggestedAction: 'Wait.',
    details: [{ path: 'a', message: 'b' }],
  });
  assert.equal(text, 'It is busy. Wait.\nerrorCode: X_Y\ndetails:\n- path a, message b');
});

test('a refused input is explained once, in sentences', () => {
  const text = resultText({
    errorCode: 'VALIDATION_ERROR',
    message: 'a: is required',
    suggestedAction: 'Pass it.',
    details: [{ path: 'a', code: 'required', message: 'is required' }],
  });
  assert.equal(text, 'a: is required. Pass it.\nerrorCode: VALIDATION_ERROR');
});

test('a plan shows its amount and every changed account before and after', () => {
  const state = (sol: number) => ({ state: 'active', sol, stakedSol: sol });
  const account = (stakeAccountAddress: string, before: unknown, after: unknown) => ({
    stakeAccountAddress,
    before,
    after,
  });
  const text = resultText({
    refusal: null,
    plan: {
      amountSol: 1.5,
      accounts: [
        account('9w', state(6), state(4.5)),
        account('8R', null, state(1.5)),
        account('7K', state(3), null),
        account('same', state(1), state(1)),
      ],
    },
  });
  assert.deepEqual(text.split('\n').slice(0, 4), [
    'This change is possible with 1.5 SOL and changes 3 stake accounts.',
    '- 9w: 6 active -> 4.5 active',
    '- 8R: new -> 1.5 active',
    '- 7K: 3 active -> closed',
  ]);
});

test('amounts are exact, long lists are cut, and no text starts a new line', () => {
  const accounts = Array.from({ length: 12 }, (_, index) => ({
    at: index,
    sol: solNumber(1n),
    inner: { deep: { deeper: 1 }, here: 2 },
  }));
  const text = resultText({
    totalStakedSol: solNumber(9_007_199_254_740_995n),
    delegatedSol: solNumber(9_007_199_254_740_993n),
    withdrawableSol: solNumber(2n),
    accounts,
    empty: [],
    none: null,
    note: 'a\nsol: 5',
  });
  const lines = text.split('\n');
  assert.equal(
    lines[0],
    '9007199.254740995 SOL in 12 stake accounts: 9007199.254740993 delegated, 0.000000002 withdrawable now.',
  );
  assert.equal(lines[5], '- at 0, sol 0.000000001, inner.here 2');
  assert.equal(lines[15], '- and 2 more in the structured content');
  assert.deepEqual(lines.slice(16), ['empty: none', String.raw`note: "a\nsol: 5"`]);
});

test('withdrawable SOL and idle SOL of staked accounts are listed separately, unless not all accounts are listed', () => {
  const accounts = [
    { sol: 1.50166624, withdrawableSol: 1.50166624, withdrawableWhen: 'now' },
    { sol: 2.5, withdrawableSol: 0.000000207, withdrawableWhen: 'not_fixed' },
    { sol: 3, withdrawableSol: 0.4, withdrawableWhen: 'not_fixed', role: 'staker' },
  ];
  const body = { totalStakedSol: 4.00166624, delegatedSol: 2.49833376, withdrawableSol: 1.501666447 };
  const said = (more: object): string => resultText({ ...body, ...more }).split('\n')[0]!;
  assert.equal(
    said({ accountCount: 3, accounts }),
    '4.00166624 SOL in 3 stake accounts: 2.49833376 delegated, 1.50166624 withdrawable now, 0.000000207 idle.',
  );
  assert.equal(
    said({ accountCount: 60, accounts }),
    '4.00166624 SOL in 60 stake accounts: 2.49833376 delegated, 1.501666447 withdrawable now, idle SOL included.',
  );
  assert.equal(
    resultText({ readyCount: 0, totalAccounts: 2 }).split('\n')[0],
    '0 of 2 stake accounts can be withdrawn in full now.',
  );
});

test('a sentence claims no more than the response: unread votes do not count as voting, and a failed transaction does not count as one without memo', () => {
  const first = (body: Record<string, unknown>): string => resultText(body).split('\n')[0]!;
  assert.equal(first({ delinquent: null }), 'The validator’s votes could not be read.');
  assert.equal(first({ delinquent: false }), 'The validator votes.');
  assert.equal(
    first({ delinquent: false, voteSuccessRate: 99.2 }),
    'The validator votes: 99.2% of its possible vote credits this epoch.',
  );
  assert.match(first({ totalApy: 0.2, stakingApy: 0 }), /^Stake earns about 0.2% per year, from tips alone/);
  assert.equal(first({ delinquent: true }), 'The validator does not vote.');
  assert.match(
    first({ verified: false, memo: 'here' }),
    /^Not verified: the transaction failed or does not contain/,
  );
});
