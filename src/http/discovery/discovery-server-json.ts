// Builds `/server.json`: the MCP server in the MCP registry's format, with the endpoints that are mounted.
import { isIP } from 'node:net';
import { INTERFACE_VERSION } from '../openapi/openapi.ts';
import { ICON_PATH } from '../routes/discovery-routes.ts';
import { type DiscoveryFacts, mcpRemotes } from './discovery-facts.ts';

const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** At most 100 characters, as the schema requires. */
const DESCRIPTION = 'Native SOL staking for one Solana validator: build, check, submit and watch stakes.';

/** Returns the host name, or `localhost` for IP addresses and names without a dot. */
const domainOf = (publicUrl: string): string => {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 || !host.includes('.') ? 'localhost' : host;
};

/** Returns the reverse-DNS name, e.g. `com.example.stake/holdfast`. */
const nameOf = (publicUrl: string): string =>
  `${domainOf(publicUrl).split('.').reverse().join('.')}/holdfast`;

const FORGES: Readonly<Record<string, string>> = { 'github.com': 'github', 'gitlab.com': 'gitlab' };

const repositoryOf = (sourceUrl: string | undefined) => {
  const source = URL.canParse(sourceUrl ?? '') ? FORGES[new URL(sourceUrl as string).hostname] : undefined;
  return source === undefined ? {} : { repository: { url: sourceUrl, source } };
};

export const createServerJson = (facts: DiscoveryFacts) => ({
  $schema: SERVER_SCHEMA,
  name: nameOf(facts.publicUrl),
  title: 'Holdfast',
  description: DESCRIPTION,
  version: INTERFACE_VERSION,
  websiteUrl: `${facts.publicUrl}/docs`,
  ...repositoryOf(facts.sourceUrl),
  // The schema only accepts icons over HTTPS.
  ...(facts.publicUrl.startsWith('https:')
    ? { icons: [{ src: facts.publicUrl + ICON_PATH, mimeType: 'image/svg+xml', sizes: ['any'] }] }
    : {}),
  remotes: mcpRemotes(facts),
});
