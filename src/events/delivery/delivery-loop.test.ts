// A clock that is set back does not delay any receiver.
import { test } from 'node:test';
import { deliveryWorld } from '../../../test/support/delivery-fixture.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { createRunningClock } from '../../../test/support/steerable-clock.ts';

const DAY_MS = 86_400_000;

test('a failed receiver is paused for a second, however far the clock is set back meanwhile', async (t) => {
  const clock = createRunningClock();
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(500).end());
  const world = await deliveryWorld(t, { clock });
  const registration = await world.register(receiver.url);
  world.start({ pollMs: 20 });
  await world.tell(registration);
  await world.settledCount(1);
  clock.setBack(DAY_MS);
  await world.tell(registration);
  await receiver.got(2);
});
