// Figures keep the time of their last read until the chain responds and every account has been read again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionAt } from '../../../test/support/chain-snapshots.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { AppError } from '../../kernel/app-error.ts';
import { readPosition } from './delegator-view.ts';

test('after an outage, the figures are dated until the index has caught up', async () => {
  const clock = createManualClock();
  const state = { reachable: true, ready: true, ageSeconds: 0 };
  const last = positionAt(300n, clock.now());
  const cluster = {
    isReachable: () => state.reachable,
    lastEpochPosition: () => last,
    stakeHistory: async () => new Map(),
    epochPosition: async () => {
      if (state.reachable) return positionAt(400n, clock.now());
      throw new AppError('UPSTREAM_UNAVAILABLE', 'down');
    },
  };
  const ctx = { chain: { cluster, index: { totals: () => ({}), health: () => state } }, clock };
  const asOf = async () =>
    (await readPosition(ctx as unknown as Parameters<typeof readPosition>[0], new AbortController().signal))
      .asOf;
  const agoMs = (ms: number) => new Date(clock.now() - ms).toISOString();

  assert.equal(await asOf(), null);
  clock.advance(90_000);
  Object.assign(state, { reachable: false, ready: false, ageSeconds: 80 });
  assert.equal(await asOf(), agoMs(90_000), 'the position is older');
  state.reachable = true;
  assert.equal(await asOf(), agoMs(80_000), 'the chain responds, but the accounts have not been read again');
  Object.assign(state, { ready: true, ageSeconds: 0 });
  assert.equal(await asOf(), null);
});
