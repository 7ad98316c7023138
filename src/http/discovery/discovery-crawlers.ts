// `/robots.txt` and `/sitemap.xml`: crawlers read what is written for reading and leave the interface to those who use it.
import { type DiscoveryFacts, MCP_PATH, servedDocuments } from './discovery-facts.ts';

// Everything under these acts, costs the chain's nodes a call, or is about one wallet.
const CLOSED = ['/api/', '/sandbox', '/health', '/ready', MCP_PATH];

/** RFC 9309; the longest matching rule decides, and `$` ends a path. */
export const createRobots = (facts: DiscoveryFacts): string => {
  // Kept answers about the validator cost nothing more when a crawler asks, and concern nobody.
  const kept = facts.routes.filter(
    ({ method, cacheTtlSeconds }) => method === 'GET' && cacheTtlSeconds !== undefined,
  );
  const isClosed = (path: string): boolean => CLOSED.some((closed) => path.startsWith(closed));
  const open = [...kept, ...servedDocuments(facts)].map(({ path }) => path).filter(isClosed);
  return [
    'User-agent: *',
    'Allow: /',
    ...CLOSED.map((path) => `Disallow: ${path}`),
    ...open.map((path) => `Allow: ${path}$`),
    '',
    `Sitemap: ${facts.publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The first page and the documents for people. */
export const createSitemap = (facts: DiscoveryFacts): string => {
  const paths = [
    '/',
    ...servedDocuments(facts)
      .filter(({ forPrograms }) => forPrograms !== true)
      .map(({ path }) => path),
  ];
  const urls = paths.map((path) => `  <url><loc>${escapeXml(facts.publicUrl + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
};
