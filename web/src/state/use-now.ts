// The time as a component shows it, renewed as often as it needs; several components share no timer, each stops its own.
import { useEffect, useState } from 'react';

/** Unix milliseconds, renewed every `everyMs`; null: it stands still. */
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
