// Callers that ask for the same at once share one call, and nothing of it is left behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SingleFlight } from './single-flight.ts';

test('while a call is under way the same question joins it, and another one does not', async () => {
  const flights = new SingleFlight<string, number>();
  const one = Promise.withResolvers<number>();
  let calls = 0;
  const ask = (key: string) =>
    flights.run(key, () => {
      calls += 1;
      return key === 'a' ? one.promise : Promise.resolve(2);
    });
  const [first, second, other] = [ask('a'), ask('a'), ask('b')];
  assert.deepEqual([calls, flights.size], [2, 2]);
  one.resolve(1);
  assert.deepEqual(await Promise.all([first, second, other]), [1, 1, 2]);
  assert.equal(flights.size, 0);
  await ask('a');
  assert.equal(calls, 3, 'what has ended is asked anew');
});

test('a failure reaches everybody who joined, is not kept, and does not keep others from waiting for the end', async () => {
  const flights = new SingleFlight<string, number>();
  const one = Promise.withResolvers<number>();
  const joined = [flights.run('a', () => one.promise), flights.run('a', () => one.promise)];
  let isSettled = false;
  const settled = flights.settled().then(() => {
    isSettled = true;
  });
  await Promise.resolve();
  assert.equal(isSettled, false, 'something is under way');
  one.reject(new Error('away'));
  for (const result of await Promise.allSettled(joined)) assert.equal(result.status, 'rejected');
  await settled;
  assert.equal(flights.size, 0);
  assert.equal(await flights.run('a', async () => 5), 5);
});
