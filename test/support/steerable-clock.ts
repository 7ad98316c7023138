// The machine's clock, but a test can skip hours: what is kept for a while grows old at once, while real sockets and timers go on.
import { type Clock, systemClock } from '../../src/kernel/clock.ts';

/** A clock that runs, ahead of the machine's by what was skipped. */
export interface SteerableClock extends Clock {
  readonly skip: (ms: number) => void;
}

/** Starts at the machine's time. */
export const createSteerableClock = (): SteerableClock => {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    sleep: systemClock.sleep,
    skip: (ms) => {
      aheadMs += ms;
    },
  };
};
