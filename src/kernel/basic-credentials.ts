// Builds the Basic authorization header from a URL's user info.

/** `authorization` for a URL's user info; undefined where it has none. A `%` that begins no escape is itself, as everywhere in URLs. */
export const basicCredentials = ({ username, password }: URL): string | undefined => {
  if (username === '' && password === '') return undefined;
  // A URL writes all but ASCII as escapes.
  const bytes = `${username}:${password}`.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}`;
};
