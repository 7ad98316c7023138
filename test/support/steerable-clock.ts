// The machine's clock, but a test can skip hours: what is cached grows old at once, while real sockets and timers go on.
import { type Clock, systemClock, withoutStepsBack } from '../../src/kernel/clock.ts';

/** A clock that runs, ahead of the machine's by what was skipped. */
export interface SteerableClock extends Clock {
  readonly skip: (ms: number) => void;
}

/** Starts at the machine's time. */
export const createSteerableClock = (): SteerableClock => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  return {
    now,
    steadyNow: withoutStepsBack(now),
    sleep: systemClock.sleep,
    skip: (ms) => {
      aheadMs += ms;
    },
  };
};
