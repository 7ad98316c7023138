// A value once it has stopped changing, for questions that need not be asked at every keystroke.
import { useEffect, useState } from 'react';

/** `value` once it has not changed for `restMs`; the first one at once. */
export const useRested = <Value>(value: Value, restMs: number): Value => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
};
