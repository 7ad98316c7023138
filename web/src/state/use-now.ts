// The current time for a component, updated at an interval. Each component has its own timer.
import { useEffect, useState } from 'react';

/** Returns Unix milliseconds, updated every `everyMs`; null stops the updates. */
export const useNow = (everyMs: number | null): number => {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === null) return;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
};
