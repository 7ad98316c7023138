import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTODIAN, OWNER, STAKE_ADDRESS, STAKER } from '../../../test/support/stake-account-examples.ts';
import { NO_LOCKUP } from '../stake/stake-account.ts';
import type { AccountControl, ChangeFact } from './detect-control-changes.ts';
import {
  allDeactivatedOf,
  assessChange,
  type TransactionContext,
  theftPatternNames,
} from './theft-patterns.ts';

const owned: AccountControl = { stakeAuthority: OWNER, withdrawAuthority: OWNER, lockup: NO_LOCKUP };
const calm: TransactionContext = { otherWalletsOf: () => 0, isAllDeactivated: () => false };

type Fields = { readonly [Member in keyof ChangeFact]?: ChangeFact[Member] } & {
  readonly type: ChangeFact['type'];
};

const change = (fields: Fields): ChangeFact =>
  ({
    account: STAKE_ADDRESS,
    wallet: OWNER,
    epoch: 20n,
    identity: '',
    stamp: { slots: [1n] },
    signature: 'signature',
    signers: [OWNER],
    seconds: 1_000n,
    before: owned,
    after: owned,
    isActivating: false,
    ...fields,
  }) as ChangeFact;

const authority = (after: Partial<AccountControl>, fields: Partial<Fields> = {}) =>
  change({ ...fields, type: 'stake_authority_changed', after: { ...owned, ...after } });
const locked = { epoch: 99n, unixTimestamp: 0n, custodian: CUSTODIAN };
const stolen = { stakeAuthority: STAKER, withdrawAuthority: STAKER };

test('every theft pattern is detected only from its own changes and has its own level', () => {
  const cases: readonly [ChangeFact, Partial<TransactionContext>, string, readonly string[]][] = [
    [authority({ stakeAuthority: STAKER }), {}, 'warning', ['first-separate-stake-authority']],
    [authority(stolen), {}, 'critical', ['withdraw-authority-gone', 'both-authorities-at-once']],
    [
      authority({ stakeAuthority: STAKER }, { isActivating: true }),
      {},
      'warning',
      ['while-activating', 'first-separate-stake-authority'],
    ],
    [
      authority({ stakeAuthority: STAKER }),
      { otherWalletsOf: (one) => (one === STAKER ? 3 : 0) },
      'critical',
      ['first-separate-stake-authority', 'authority-collects-stakes'],
    ],
    [
      authority({ stakeAuthority: STAKER }),
      { otherWalletsOf: () => 2 },
      'warning',
      ['first-separate-stake-authority'],
    ],
    [authority({}, { before: { ...owned, stakeAuthority: STAKER }, isActivating: true }), {}, 'info', []],
    [
      change({ type: 'stake_lockup_changed', after: { ...owned, lockup: locked } }),
      {},
      'critical',
      ['unknown-custodian'],
    ],
    [
      change({ type: 'stake_lockup_changed', after: { ...owned, lockup: { ...locked, custodian: OWNER } } }),
      {},
      'warning',
      [],
    ],
    [
      change({
        type: 'stake_lockup_changed',
        before: { ...owned, stakeAuthority: STAKER },
        after: { ...owned, stakeAuthority: STAKER, lockup: { ...locked, custodian: STAKER } },
      }),
      {},
      'warning',
      [],
    ],
    [
      change({
        type: 'stake_lockup_changed',
        before: { ...owned, stakeAuthority: STAKER },
        after: { ...owned, stakeAuthority: STAKER, lockup: { ...locked, custodian: OWNER } },
      }),
      {},
      'warning',
      [],
    ],
    [
      change({
        type: 'stake_lockup_changed',
        before: { ...owned, lockup: locked },
        after: { ...owned, lockup: { ...locked, epoch: 120n } },
      }),
      {},
      'warning',
      [],
    ],
    [change({ type: 'unexpected_deactivation' }), {}, 'warning', []],
    [
      change({ type: 'unexpected_deactivation' }),
      { isAllDeactivated: () => true },
      'critical',
      ['all-deactivated-at-once'],
    ],
    [change({ type: 'stake_moved_away' }), {}, 'info', []],
    [change({ type: 'stake_moved_away', signers: [STAKER, OWNER] }), {}, 'info', []],
    [change({ type: 'stake_moved_away', signers: [STAKER] }), {}, 'warning', []],
  ];
  for (const [fact, around, level, patterns] of cases)
    assert.deepEqual(assessChange(fact, { ...calm, ...around }), { level, patterns });
  const found = new Set(cases.flatMap(([, , , patterns]) => patterns));
  assert.deepEqual([...found].toSorted(), [...theftPatternNames].toSorted(), 'every pattern has a case');
});

test('several stakes deactivated within a minute count as a mass deactivation only if no stake is left', () => {
  const one = change({ type: 'unexpected_deactivation' });
  const at = (seconds: bigint) => change({ type: 'unexpected_deactivation', account: STAKER, seconds });
  const isAll = (second: ChangeFact, left: number) => allDeactivatedOf([one, second], () => left)(one);
  assert.equal(isAll(at(1_060n), 0), true);
  assert.equal(isAll(at(1_061n), 0), false);
  assert.equal(isAll(at(1_000n), 1), false);
  assert.equal(isAll(one, 0), false);
});
