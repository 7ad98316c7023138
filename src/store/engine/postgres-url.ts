// Settings of a PostgreSQL session, sent while its connection is made.

/** `url` with these settings. The operator's own `options` come later and win. */
export const withSessionSettings = (
  url: string,
  settings: Readonly<Record<string, string | number>>,
): string => {
  const whole = new URL(url);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const given = whole.searchParams.get('options');
  whole.searchParams.set('options', [...options, ...(given ? [given] : [])].join(' '));
  return whole.href;
};
