// Tests that the refusal of a goal that changes nothing contains the reason and the next step: when to retry,
// or which call helps.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import { guidanceText } from '../../../test/support/guidance-text.ts';
import type { BlockedAccount } from '../../domain/plan/plan.ts';
import { goalNames } from '../../domain/plan/plan-goals.ts';
import { guidanceParts, isStep } from '../../kernel/guidance.ts';
import { nothingToDo } from './explain-nothing-to-do.ts';

const wallet = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;
const account = 'FAe4sisG95oZ42w7buUn5qEE4TAnfTTFPiguZUHmhiF' as Address;
const waiting = (possibleFromEpoch: bigint | null): BlockedAccount => ({
  account,
  reason: 'cooling down',
  possibleFromEpoch,
});

it('the refusal of every goal states a reason and suggests a call', () => {
  for (const goal of goalNames) {
    const { message, suggestedAction } = nothingToDo({ goal }, [], { wallet });
    assert.match(message, /^[A-Z].*\.$/);
    assert.ok(guidanceParts(suggestedAction!).some(isStep), goal);
  }
});

it('the refusal states the first possible epoch if waiting helps', () => {
  const blocked = [waiting(null), waiting(806n), waiting(805n)];
  const { suggestedAction, body } = nothingToDo({ goal: 'withdraw-all' }, blocked, { wallet });
  assert.match(guidanceText(suggestedAction), /in epoch 805 or later/);
  assert.deepEqual(
    (body.blocked as { possibleFromEpoch: number | null }[]).map((one) => one.possibleFromEpoch),
    [null, 806, 805],
  );
});

it('refusals of one-shot calls suggest one-shot calls, and other refusals suggest a builder', () => {
  const next = (use?: 'one-shot') =>
    guidanceText(nothingToDo({ goal: 'withdraw-all', use }, [waiting(null)], { wallet }).suggestedAction);
  assert.equal(next('one-shot'), 'Unstake first: unstake.');
  assert.equal(next(), 'Unstake first: createUnstakeTransaction.');
});
