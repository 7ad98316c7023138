// Groups a client's rate key into larger networks (a site, a hosting provider), so that many addresses are of
// little advantage.

const V6 = /^([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):[0-9a-f]+::\/64$/;

/**
 * Number of client quotas that a site may use. A site with an IPv6 /48 has 65,536 networks, each of which
 * counts as a client.
 */
export const SITE_SHARES = 10;

/**
 * Returns the /48 that contains an IPv6 rate key (`2001:db8:1:2::/64`). Returns null for an IPv4 address,
 * which is a site of its own.
 */
export const siteOf = (rateKey: string): string | null => {
  const [, first, second, third] = V6.exec(rateKey) ?? [];
  return first === undefined ? null : `${first}:${second}:${third}::/48`;
};

/**
 * Returns the /32 of an IPv6 rate key or the /16 of an IPv4 one, which is roughly the network of one hosting
 * provider.
 */
export const providerOf = (rateKey: string): string => {
  const [, first, second] =
    /^([0-9a-f]+):([0-9a-f]+):/.exec(rateKey) ?? /^(\d+)\.(\d+)\./.exec(rateKey) ?? [];
  return first === undefined ? '' : `${first}/${second}`;
};
