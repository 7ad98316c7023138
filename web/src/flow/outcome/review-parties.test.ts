// Tests that a review names the wallet, the stake account and, if the request involves one, the validator.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reviewParties } from './review-parties.ts';

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const ACCOUNT = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9';
const HERE = 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8';
const ELSEWHERE = '9QU2QSxhb24FUX3Tu2FpczXjpK3VYrvRudywSZaM29mF';

const parties = (record: object, { built = {}, voteAccount = undefined as string | undefined } = {}) =>
  reviewParties({ record: { walletAddress: WALLET, ...record }, built, voteAccount: HERE } as never, {
    voteAccount,
    validator: { voteAccount: HERE, name: 'Aurora' },
  }).map(({ label, text }) => `${label}: ${text}`);

it('the review of a stake or an unstake names all three parties', () => {
  assert.deepEqual(parties({ kind: 'stake', stakeAccountAddress: ACCOUNT }), [
    'Your wallet: 7Np4…T4K2',
    'New stake account: AKnL…RSZ9',
    'Validator: Aurora (CktR…Ezy8)',
  ]);
  assert.deepEqual(parties({ kind: 'unstake', stakeAccountAddress: ACCOUNT }, { voteAccount: ELSEWHERE }), [
    'Your wallet: 7Np4…T4K2',
    'Stake account: AKnL…RSZ9',
    'Validator: 9QU2…29mF',
  ]);
});

it('the review of a stake with another stake authority contains its whole address', () => {
  const stake = { kind: 'stake', stakeAccountAddress: ACCOUNT };
  assert.equal(parties({ ...stake, stakeAuthority: ELSEWHERE })[2], `May unstake: ${ELSEWHERE}`);
  assert.equal(parties({ ...stake, stakeAuthority: WALLET }).length, 3);
});

it('the review of a withdrawal names no validator', () => {
  assert.deepEqual(parties({ kind: 'withdraw', stakeAccountAddress: ACCOUNT }), [
    'Your wallet: 7Np4…T4K2',
    'Stake account: AKnL…RSZ9',
  ]);
});

it('the review of a plan names its account if only one account exists before, and otherwise leaves this to the table', () => {
  const change = (before: object | null, stakeAccountAddress: string) => ({
    stakeAccountAddress,
    before,
    after: { state: 'deactivating', sol: 2, stakedSol: 2 },
  });
  const one = change({ state: 'active', sol: 5, stakedSol: 5 }, ACCOUNT);
  const plan = {
    accounts: [one, change(null, 'new-1')],
    wallet: { beforeSol: 1, afterSol: 1, later: [] },
    cost: { feesSol: 0 },
    laterSteps: [],
  };
  const unstake = { kind: 'rearrange', change: { goal: 'unstake' } };
  assert.deepEqual(parties(unstake, { built: { plan } }), [
    'Your wallet: 7Np4…T4K2',
    'Stake account: AKnL…RSZ9',
    'Validator: Aurora (CktR…Ezy8)',
  ]);
  const both = { ...plan, accounts: [one, { ...one, stakeAccountAddress: ELSEWHERE }] };
  assert.equal(parties(unstake, { built: { plan: both } }).length, 2);
});
