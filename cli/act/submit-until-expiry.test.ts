// Tests that a submission which the service does not acknowledge ends at the transaction's expiry, and that the
// user's own node is asked for its outcome.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError } from '../../client/holdfast-error.ts';
import type { StakingService } from '../../client/staking/staking-request.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { submitUntilExpiry } from './submit-until-expiry.ts';

const hangs = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Submits a transaction that expires after 60 s. The submission never responds. */
const start = (
  stateOf: StakingService['stateOf'],
  outcomeOf?: Parameters<typeof submitUntilExpiry>[0]['outcomeOf'],
) => {
  const clock = createManualClock();
  let known = 0;
  let aborted = false;
  const ended = submitUntilExpiry(
    {
      service: {
        submit: (_bytes, _key, signal) => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          return hangs(signal);
        },
        stateOf,
      },
      clock,
      outcomeOf,
    },
    { bytes: 'AAAA', signature: 'sig', idempotencyKey: 'k', expiresAtMs: clock.now() + 60_000 },
    new AbortController().signal,
    () => {
      known += 1;
    },
  );
  return {
    ended,
    known: () => known,
    isAborted: () => aborted,
    /** Lets 70 s pass in steps, or stops as soon as no caller waits. */
    pass: async () => {
      for (let step = 0; step < 20; step += 1) {
        clock.advance(3_500);
        await new Promise(setImmediate);
      }
      return clock.due();
    },
  };
};

test('a submission that hangs ends at the expiry with the time that passed, and is aborted', async () => {
  const here = start((_signature, signal) => hangs(signal));
  const rejected = assert.rejects(here.ended, {
    errorCode: 'TIMEOUT',
    message: 'The service did not answer within 63 s.',
  });
  assert.deepEqual(await here.pass(), []);
  await rejected;
  assert.deepEqual([here.known(), here.isAborted()], [0, true]);
});

test('once the service has the transaction, its response is awaited however long that takes', async () => {
  let polls = 0;
  const here = start(async () => {
    polls += 1;
    if (polls === 1)
      throw new HoldfastError({ errorCode: 'NOT_FOUND', operation: 'transactionState', message: 'unknown' });
    return { state: 'pending', error: null, explorerUrl: '' };
  });
  assert.deepEqual(await here.pass(), []);
  assert.deepEqual([here.known(), polls, here.isAborted()], [1, 2, false]);
});

test("while the service hangs, the user's own node reports the outcome", async () => {
  const seen = [null, { error: null }];
  const here = start(
    (_signature, signal) => hangs(signal),
    async () => seen.shift() ?? null,
  );
  await here.pass();
  assert.deepEqual(await here.ended, { signature: 'sig', explorerUrl: '' });
  const failed = start(
    (_signature, signal) => hangs(signal),
    async () => ({ error: { InstructionError: [0, 'Custom'] } }),
  );
  const rejected = assert.rejects(failed.ended, { errorCode: 'SUBMISSION_FAILED' });
  await failed.pass();
  await rejected;
});
