// Tests the question that a policy requires: it repeats the review only if a screen does not already show it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { CommandCall } from '../command.ts';
import { askForPolicy } from './ask-before-signing.ts';

test('with --yes, the approval that a policy requires is asked below the review that a screen already shows', async () => {
  let printed = '';
  const terminal = {
    canAsk: true,
    isScreen: true,
    err: (text: string) => {
      printed += text;
    },
    ask: async () => 'y',
  };
  const call = { yes: true, json: false, values: {}, terminal, signal: new AbortController().signal };
  const ask = askForPolicy(call as unknown as CommandCall)!;
  // Formatting a review would throw here.
  assert.equal(await ask({} as Prepared, 'May it?'), true);
  assert.equal(printed, 'May it?\n');
});
