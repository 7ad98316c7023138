// The current time for a component, updated at an interval. All components update in the same second, so two
// countdowns to one time never differ.
import { useEffect, useState } from 'react';

/** Returns the end of the current interval, so a countdown never shows more than the remaining time. */
const alignedTo = (everyMs: number): number => (Math.floor(Date.now() / everyMs) + 1) * everyMs;

/**
 * Returns Unix milliseconds, rounded to a multiple of `everyMs` and updated at that interval; null stops the
 * updates.
 */
export const useNow = (everyMs: number | null): number => {
  const [nowMs, setNowMs] = useState(() => (everyMs === null ? Date.now() : alignedTo(everyMs)));
  useEffect(() => {
    if (everyMs === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const update = (): void => {
      setNowMs(alignedTo(everyMs));
      timer = setTimeout(update, everyMs - (Date.now() % everyMs));
    };
    update();
    return () => clearTimeout(timer);
  }, [everyMs]);
  return nowMs;
};
