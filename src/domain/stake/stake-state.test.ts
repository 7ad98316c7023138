import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  NOBODY,
  RENT,
  SOL,
  steadyHistory,
} from '../../../test/support/stake-account-examples.ts';
import { textOf } from '../../kernel/sentence.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import { assessStake } from './stake-state.ts';

const crowdedExit = {
  effectiveLamports: 1_000n * SOL,
  activatingLamports: 0n,
  deactivatingLamports: 300n * SOL,
};

test('active: stake and rent are reserved, and lamports in excess of them can be withdrawn', () => {
  const found = assessStake(delegatedStake({ lamports: 103n * SOL + RENT }), chainFacts());
  assert.equal(found.state, 'active');
  assert.equal(found.rawState, 'delegated');
  assert.equal(found.activeLamports, 100n * SOL);
  assert.equal(found.withdrawableLamports, 3n * SOL);
  assert.equal(found.partialWithdrawMaxLamports, 3n * SOL);
  assert.equal(found.excessLamports, 3n * SOL);
  assert.equal(found.withdrawReady, false);
  assert.equal(found.withdrawableAtEpoch, null);
});

test('a lower rent frees lamports, and a higher one reserves more but never makes the excess negative', () => {
  const at = (stakeRentLamports: bigint) => assessStake(delegatedStake(), chainFacts({ stakeRentLamports }));
  assert.equal(at(RENT - 1_000n).withdrawableLamports, 1_000n);
  assert.equal(at(RENT + 1_000n).withdrawableLamports, 0n);
  assert.equal(at(RENT + 1_000n).excessLamports, 0n);
});

test('activating: the whole delegation is reserved even though nothing is effective yet', () => {
  const found = assessStake(
    delegatedStake({ lamports: 101n * SOL + RENT, delegation: { activationEpoch: 20n } }),
    chainFacts(),
  );
  assert.equal(found.state, 'activating');
  assert.equal(found.activeLamports, 0n);
  assert.equal(found.activatingLamports, 100n * SOL);
  assert.equal(found.withdrawableLamports, SOL);
  assert.equal(found.withdrawReady, false);
});

test('deactivating: in the epoch of the deactivation all of it is still effective, and the next epoch is predicted', () => {
  const found = assessStake(delegatedStake({ delegation: { deactivationEpoch: 20n } }), chainFacts());
  assert.equal(found.state, 'deactivating');
  assert.equal(found.deactivatingLamports, 100n * SOL);
  assert.equal(found.withdrawableLamports, 0n);
  assert.equal(found.withdrawReady, false);
  assert.equal(found.withdrawableAtEpoch, 21n);
});

test('deactivating under the cap: the inactive part can be withdrawn, but the account must stay open', () => {
  const found = assessStake(
    delegatedStake({ delegation: { activationEpoch: EPOCH_ABSENT, deactivationEpoch: 19n } }),
    chainFacts({ history: steadyHistory(0n, 20n, crowdedExit) }),
  );
  assert.equal(found.state, 'deactivating');
  assert.equal(found.activeLamports, 70n * SOL);
  assert.equal(found.withdrawableLamports, 30n * SOL);
  assert.equal(found.partialWithdrawMaxLamports, 30n * SOL);
  // On entering epoch 20, 210 SOL are waiting. On entering 21 and 22, 81.9 and 74.5 SOL leave, so the rest is
  // inactive on entering 23.
  assert.equal(found.withdrawableAtEpoch, 23n);
});

test('inactive: the full balance can be withdrawn, or up to the balance minus the rent-exempt minimum', () => {
  const found = assessStake(delegatedStake({ delegation: { deactivationEpoch: 19n } }), chainFacts());
  assert.equal(found.state, 'inactive');
  assert.equal(found.rawState, 'delegated');
  assert.equal(found.withdrawableLamports, 100n * SOL + RENT);
  assert.equal(found.partialWithdrawMaxLamports, 100n * SOL);
  assert.equal(found.excessLamports, 0n);
  assert.equal(found.withdrawReady, true);
  assert.equal(found.withdrawableAtEpoch, null);
});

test('stake activated and deactivated in one epoch is withdrawable in that epoch', () => {
  const found = assessStake(
    delegatedStake({ delegation: { activationEpoch: 20n, deactivationEpoch: 20n } }),
    chainFacts(),
  );
  assert.equal(found.state, 'inactive');
  assert.equal(found.withdrawReady, true);
});

test('a deactivation in a later epoch than the current one still reserves the whole delegation', () => {
  const found = assessStake(
    delegatedStake({ lamports: 101n * SOL + RENT, delegation: { deactivationEpoch: 21n } }),
    chainFacts(),
  );
  assert.equal(found.state, 'deactivating');
  assert.equal(found.withdrawableLamports, SOL);
  assert.equal(found.withdrawableAtEpoch, 22n);
});

test('initialized: the full balance can be withdrawn, or up to the balance minus the rent-exempt minimum', () => {
  const found = assessStake(initializedStake(), chainFacts());
  assert.equal(found.state, 'initialized');
  assert.equal(found.rawState, 'initialized');
  assert.equal(found.withdrawReady, true);
  assert.equal(found.withdrawableLamports, 100n * SOL + RENT);
  assert.equal(found.partialWithdrawMaxLamports, 100n * SOL);
});

test('below the rent-exempt minimum, the account can only be emptied', () => {
  const found = assessStake(initializedStake({ lamports: RENT - 1n }), chainFacts());
  assert.equal(found.withdrawableLamports, RENT - 1n);
  assert.equal(found.partialWithdrawMaxLamports, 0n);
});

test('a lockup blocks withdrawals in any state until both its epoch and its date have passed', () => {
  const lockup = { unixTimestamp: 0n, epoch: 25n, custodian: CUSTODIAN };
  for (const account of [
    initializedStake({ lockup }),
    delegatedStake({ lockup, delegation: { deactivationEpoch: 19n } }),
    delegatedStake({ lockup, delegation: { deactivationEpoch: 20n } }),
  ]) {
    const found = assessStake(account, chainFacts());
    assert.equal(found.lockupInForce, true);
    assert.equal(found.withdrawReady, false);
    assert.equal(found.withdrawableLamports, 0n);
    assert.equal(found.partialWithdrawMaxLamports, 0n);
    assert.equal(found.withdrawableAtEpoch, 25n, 'the later of cooldown and lockup');
  }
  assert.equal(assessStake(delegatedStake({ lockup }), chainFacts()).withdrawableAtEpoch, null);
});

test('a lockup that ends before the cooldown does not shorten it, and a lockup without end has no epoch', () => {
  const at = (epoch: bigint) =>
    assessStake(
      delegatedStake({
        lockup: { unixTimestamp: 0n, epoch, custodian: CUSTODIAN },
        delegation: { activationEpoch: EPOCH_ABSENT, deactivationEpoch: 19n },
      }),
      chainFacts({ history: steadyHistory(0n, 20n, crowdedExit) }),
    );
  assert.equal(at(21n).withdrawableAtEpoch, 23n);
  assert.equal(at(EPOCH_ABSENT).withdrawableAtEpoch, null);
  assert.equal(at(2n ** 53n).withdrawableAtEpoch, null);
  assert.equal(at(2n ** 53n - 1n).withdrawableAtEpoch, 2n ** 53n - 1n);
  assert.match(textOf(at(EPOCH_ABSENT).stateSentences()), /not withdrawable yet.*never comes/);
});

test('an expired lockup has no effect', () => {
  const lockup = { unixTimestamp: 1_700_000_000n, epoch: 20n, custodian: CUSTODIAN };
  const found = assessStake(initializedStake({ lockup }), chainFacts());
  assert.equal(found.lockupInForce, false);
  assert.equal(found.withdrawReady, true);
});

test('while rewards are being distributed, nothing can be withdrawn, but the state stays the same', () => {
  const found = assessStake(
    delegatedStake({ delegation: { deactivationEpoch: 19n } }),
    chainFacts({ epochRewardsActive: true }),
  );
  assert.equal(found.state, 'inactive');
  assert.equal(found.withdrawReady, false);
  assert.equal(found.withdrawableLamports, 0n);
  assert.equal(found.withdrawableAtEpoch, 20n);
  assert.equal(found.epochRewardsActive, true);
});

test('an excess is reported even while it cannot be withdrawn', () => {
  const account = delegatedStake({
    lamports: 103n * SOL + RENT,
    lockup: { unixTimestamp: 2_000_000_000n, epoch: 0n, custodian: NOBODY },
  });
  const found = assessStake(account, chainFacts());
  assert.equal(found.excessLamports, 3n * SOL);
  assert.equal(found.withdrawableLamports, 0n);
});

test('the description of every state contains its amounts', () => {
  const say = (...args: Parameters<typeof assessStake>) => textOf(assessStake(...args).stateSentences());
  assert.match(say(delegatedStake(), chainFacts()), /^Active: 100 SOL/);
  assert.match(
    say(delegatedStake({ delegation: { activationEpoch: 20n } }), chainFacts()),
    /^Activating: 100 SOL start/,
  );
  assert.match(
    say(
      delegatedStake({ delegation: { activationEpoch: 10n } }),
      chainFacts({
        epoch: 11n,
        history: new Map([[10n, { ...crowdedExit, activatingLamports: 200n * SOL }]]),
      }),
    ),
    /^Activating: 45 SOL is earning rewards, 55 SOL/,
  );
  assert.match(
    say(delegatedStake({ delegation: { deactivationEpoch: 20n } }), chainFacts()),
    /since epoch 20: 100 SOL .* before epoch 21\.$/,
  );
  assert.match(
    say(delegatedStake({ delegation: { deactivationEpoch: 19n } }), chainFacts()),
    /^Inactive\..*full balance can be withdrawn\.$/,
  );
  assert.match(
    say(delegatedStake({ delegation: { activationEpoch: 19n, deactivationEpoch: 19n } }), chainFacts()),
    /never active/,
  );
  assert.match(say(initializedStake(), chainFacts()), /^Not delegated/);
  assert.match(say(initializedStake(), chainFacts({ epochRewardsActive: true })), /being paid out/);
  const locked = initializedStake({
    lockup: { unixTimestamp: 1_800_000_000n, epoch: 30n, custodian: CUSTODIAN },
  });
  assert.match(
    say(locked, chainFacts()),
    /until 2027-01-15T08:00:00\.000Z and epoch 30: only the custodian 9xQe/,
  );
  const forever = initializedStake({ lockup: { unixTimestamp: 2n ** 62n, epoch: 0n, custodian: CUSTODIAN } });
  assert.match(say(forever, chainFacts()), /a date that never comes/);
});
