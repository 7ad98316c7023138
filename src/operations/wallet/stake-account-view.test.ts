import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  OWNER,
  RENT,
  SOL,
  STAKE_ADDRESS,
  STAKER,
} from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { assessStake, type StakeChainFacts } from '../../domain/stake/stake-state.ts';
import {
  type ChainPosition,
  readinessView,
  stakeAccountSchema,
  stakeAccountView,
} from './stake-account-view.ts';

const nowMs = 1_700_000_000_000;
const U64_MAX = 2n ** 64n - 1n;
const links = { explorerUrl: 'https://explorer.example', explorerQuery: '?cluster=devnet' };

const view = (
  account: StakeAccount,
  { role = 'owner', facts = {} }: { role?: 'owner' | 'staker'; facts?: Partial<StakeChainFacts> } = {},
) => {
  const chain = chainFacts(facts);
  const position: ChainPosition['position'] = {
    epoch: chain.epoch,
    absoluteSlot: 20_000n,
    slotIndex: 400n,
    slotsInEpoch: 1_000n,
    readAtMs: nowMs,
    slotDurationMs: 1_000,
    fastestSlotMs: 1_000,
    slowestSlotMs: 1_000,
    epochRewardsActive: chain.epochRewardsActive,
    unixTimestamp: chain.unixTimestamp,
  };
  const moment = { position, limits: { stakeRentLamports: RENT, minimumDelegationLamports: SOL }, nowMs };
  const assessment = assessStake(account, chain);
  const whole = stakeAccountView(account, assessment, role, moment, links);
  const readiness = readinessView(account, assessment, moment);
  for (const [name, value] of Object.entries(readiness)) assert.deepEqual(whole[name as 'sol'], value, name);
  return whole;
};

test('an active stake has amounts and links, but no withdrawal date', () => {
  const { suggestedActions, ...shown } = view(delegatedStake({ lamports: 100n * SOL + RENT + 5n }));
  assert.deepEqual(
    [shown.state, shown.rawState, shown.activeSol, shown.excessSol, shown.withdrawableSol, shown.sol],
    ['active', 'delegated', 100, 5e-9, 5e-9, 100.002282885],
  );
  assert.deepEqual(
    [shown.withdrawableAtEpoch, shown.estimatedSecondsRemaining, shown.estimatedWithdrawableAt],
    [null, null, null],
  );
  assert.equal(shown.explorerUrl, `https://explorer.example/address/${STAKE_ADDRESS}?cluster=devnet`);
  assert.deepEqual([shown.activationEpoch, shown.deactivationEpoch, shown.lockup], [10, null, null]);
  assert.deepEqual(
    suggestedActions.map(({ action }) => action),
    // Withdrawing five lamports would cost more than it returns.
    ['unstake'],
  );
});

test('an account that was never delegated can be withdrawn now and has neither epochs nor a validator', () => {
  const shown = view(initializedStake());
  assert.deepEqual(
    [shown.rawState, shown.withdrawReady, shown.estimatedSecondsRemaining, shown.voteAccount],
    ['initialized', true, 0, null],
  );
  assert.deepEqual([shown.activationEpoch, shown.deactivationEpoch], [null, null]);
  assert.equal(shown.estimatedWithdrawableAt, new Date(nowMs).toISOString());
});

test('a deactivating account becomes withdrawable at the boundary', () => {
  const shown = view(delegatedStake({ delegation: { deactivationEpoch: 20n } }));
  assert.deepEqual(
    [shown.state, shown.deactivationEpoch, shown.withdrawableAtEpoch, shown.estimatedSecondsRemaining],
    ['deactivating', 20, 21, 600],
  );
});

test('a genesis stake, with 2^64 - 1 as its activation epoch, has no activation epoch in the response', () => {
  const shown = view(delegatedStake({ delegation: { activationEpoch: EPOCH_ABSENT } }));
  assert.deepEqual([shown.state, shown.activationEpoch], ['active', null]);
});

test('the largest possible balance is exact to the lamport, even in JSON', () => {
  const shown = view(initializedStake({ lamports: U64_MAX }));
  const { lamports, sol } = JSON.parse(
    JSON.stringify(shown),
    (_name, value, { source }: { source?: string } = {}) => (typeof value === 'number' ? source : value),
  );
  assert.deepEqual([lamports, sol], ['18446744073709551615', '18446744073.709551615']);
});

test('an empty account shows neither an excess nor a negative amount', () => {
  const shown = view(initializedStake({ lamports: 0n }));
  for (const [name, value] of Object.entries(shown))
    if (typeof value === 'number') assert.ok(value >= 0, name);
  assert.deepEqual([shown.sol, shown.withdrawableSol, shown.lamports], [0, 0, 0]);
});

test('an address that is only the stake authority sees the withdraw authority and is offered no withdrawal', () => {
  const shown = view(delegatedStake({ stakeAuthority: STAKER, lamports: 101n * SOL + RENT }), {
    role: 'staker',
  });
  assert.deepEqual([shown.role, shown.stakeAuthority, shown.withdrawAuthority], ['staker', STAKER, OWNER]);
  assert.deepEqual(
    shown.suggestedActions.map(({ action }) => action),
    ['unstake'],
  );
});

test('a lockup is shown with its custodian, and a lockup without an end has no withdrawal date', () => {
  const lockup = { unixTimestamp: 2n ** 63n - 1n, epoch: 0n, custodian: CUSTODIAN };
  const shown = view(initializedStake({ lockup }));
  assert.equal(shown.lockup?.custodian, CUSTODIAN);
  assert.deepEqual(
    [shown.withdrawReady, shown.withdrawableSol, shown.estimatedWithdrawableAt],
    [false, 0, null],
  );
  assert.ok(
    stakeAccountSchema.omit({ suggestedActions: true }).safeParse(JSON.parse(JSON.stringify(shown))).success,
  );
});

test('nothing can be withdrawn while rewards are being paid out, not even the excess', () => {
  const shown = view(delegatedStake({ lamports: 200n * SOL }), { facts: { epochRewardsActive: true } });
  assert.deepEqual([shown.withdrawableSol, shown.withdrawReady], [0, false]);
  assert.ok(shown.excessSol > 99);
  assert.deepEqual(
    shown.suggestedActions.map(({ action }) => action),
    ['wait'],
  );
});

test('ifUnstakedNow is the next epoch for an active stake, now for one that never became active, and later for a locked one', () => {
  const nowIso = new Date(nowMs).toISOString();
  // The current epoch has 600 slots of one second left.
  const nextEpoch = new Date(nowMs + 600_000).toISOString();
  assert.equal(view(delegatedStake()).ifUnstakedNow?.at, nextEpoch);
  const { epoch } = chainFacts();
  const activating = delegatedStake({ delegation: { activationEpoch: epoch } });
  assert.deepEqual(view(activating).ifUnstakedNow, { at: nowIso, earliest: nowIso, latest: nowIso });
  const lockup = { unixTimestamp: 0n, epoch: epoch + 3n, custodian: CUSTODIAN };
  const locked = view(delegatedStake({ lockup })).ifUnstakedNow;
  assert.equal(locked?.at, new Date(nowMs + 600_000 + 2 * 1_000_000).toISOString());
  assert.deepEqual([locked.earliest, locked.latest], [locked.at, locked.at]);
});

test('ifUnstakedNow is null without a delegation, after a deactivation, and under a lockup without an end', () => {
  const { epoch } = chainFacts();
  const lockup = { unixTimestamp: 0n, epoch: U64_MAX, custodian: CUSTODIAN };
  for (const account of [
    initializedStake(),
    delegatedStake({ delegation: { deactivationEpoch: epoch } }),
    delegatedStake({ delegation: { deactivationEpoch: epoch - 5n } }),
    delegatedStake({ lockup }),
  ])
    assert.equal(view(account).ifUnstakedNow, null);
});
