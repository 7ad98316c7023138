// Builds the Basic authorization header from a URL's user info.

/**
 * Builds the `authorization` header from a URL's user info. Returns undefined if there is none. A `%` without
 * a valid escape is literal, as everywhere in URLs.
 */
export const basicCredentials = ({ username, password }: URL): string | undefined => {
  if (username === '' && password === '') return undefined;
  // Non-ASCII characters are always escaped in URLs.
  const bytes = `${username}:${password}`.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}`;
};
