// Shows that no receiver waits for, and none is given, the time by which the machine's clock was set back.
import { test } from 'node:test';
import { deliveryWorld } from '../../../test/support/delivery-fixture.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { createSteerableClock } from '../../../test/support/steerable-clock.ts';
import { ATTEMPT_TIMEOUT_MS } from './send-attempt.ts';

const DAY_MS = 86_400_000;

test('a receiver that failed rests a second, however far the clock is set back meanwhile', async (t) => {
  const clock = createSteerableClock();
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(500).end());
  const world = await deliveryWorld(t, { clock });
  const registration = await world.register(receiver.url);
  world.start({ pollMs: 20 });
  await world.tell(registration);
  await world.settledCount(1);
  clock.skip(-DAY_MS);
  await world.tell(registration);
  await receiver.got(2);
});

test('receivers that hang keep no places from the others though the clock is set back', async (t) => {
  const steerable = createSteerableClock();
  // No attempt times out: nothing but its own place is waited for.
  const sleep: typeof steerable.sleep = (ms, signal) =>
    ms < ATTEMPT_TIMEOUT_MS - 1_000 ? steerable.sleep(ms, signal) : new Promise(() => {});
  const clock = { ...steerable, sleep };
  const hanging = await startReceiver(t, () => {});
  const prompt = await startReceiver(t);
  const world = await deliveryWorld(t, { clock });
  const [slow, slower, well] = [
    await world.register(`${hanging.url}/a`),
    await world.register(`${hanging.url}/b`),
    await world.register(prompt.url),
  ];
  world.start({ pollMs: 20, places: 2 });
  await world.tell(slow);
  await world.tell(slower);
  await hanging.got(2);
  clock.skip(-DAY_MS);
  await world.tell(well);
  await prompt.got(1);
});
