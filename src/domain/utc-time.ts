// Formats times in UTC for display.

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

/** Formats a time in UTC, e.g. `26 Nov 2026, 14:02 UTC`. */
export const utcTime = (atMs: number): string => DATE.format(atMs);

/** Formats a period in UTC, e.g. `from 26 Nov 2026, 14:02 to 14:10 UTC`. */
export const utcPeriod = (fromMs: number, toMs: number): string => {
  const [from, to] = [utcTime(fromMs), utcTime(toMs)];
  const [day] = from.split(',');
  return to.startsWith(`${day},`)
    ? `from ${from.slice(0, -' UTC'.length)} to${to.slice(day!.length + 1)}`
    : `from ${from} to ${to}`;
};
