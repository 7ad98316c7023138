// The documents of discovery as pages: each made once, at its first request, and open to pages of any origin.
import type { oas31 } from 'zod-openapi';
import { DATA_POLICY, JSON_TYPE, TEXT_TYPE } from '../../adapter/exchange.ts';
import { createPage, type Page } from '../pages/pages.ts';
import { ICON_PATH } from '../routes/discovery-routes.ts';
import { createAgentCard, createOlderAgentCard } from './agent-card.ts';
import { createRobots, createSitemap } from './discovery-crawlers.ts';
import { type DiscoveryFacts, servedDocuments } from './discovery-facts.ts';
import {
  createMcpCatalog,
  createServerCard,
  createServerJson,
  SERVER_CARD_PATH,
  SERVER_CARD_TYPE,
} from './discovery-server-json.ts';
import { createLlmsFull } from './llms-full.ts';
import { createLlmsIndex } from './llms-index.ts';

/** A shield, like the page's own small icon, at the size that wallets show. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512" role="img" aria-label="Holdfast">
<rect width="512" height="512" rx="96" fill="#f2f7f5"/>
<path fill="#0b6e5b" d="M112 128h288v112a144 184 0 0 1-288 0z"/>
<path fill="none" stroke="#f2f7f5" stroke-width="28" stroke-linecap="round" stroke-linejoin="round" d="M192 248l48 48 88-96"/>
</svg>
`;

interface Made {
  readonly contentType: string;
  readonly make: () => string;
}

const json = (make: () => unknown, contentType: string = JSON_TYPE): Made => ({
  contentType,
  make: () => JSON.stringify(make(), null, 1),
});
const text = (make: () => string, contentType: string = TEXT_TYPE): Made => ({ contentType, make });

/** By path. What is listed in `discoveryDocuments` and missing here is served by others: pages of their own, or mounts. */
const makers = (
  facts: DiscoveryFacts,
  document: () => oas31.OpenAPIObject,
): Readonly<Record<string, Made>> => {
  const server = json(() => createServerJson(facts));
  return {
    '/llms.txt': text(() => createLlmsIndex(facts)),
    '/llms-full.txt': text(() => createLlmsFull(facts, document())),
    '/.well-known/agent-card.json': json(() => createAgentCard(facts)),
    '/.well-known/agent.json': json(() => createOlderAgentCard(facts)),
    '/server.json': server,
    '/.well-known/mcp/server.json': server,
    [SERVER_CARD_PATH]: json(() => createServerCard(facts), SERVER_CARD_TYPE),
    '/.well-known/mcp/catalog.json': json(() => createMcpCatalog(facts)),
    '/robots.txt': text(() => createRobots(facts)),
    '/sitemap.xml': text(() => createSitemap(facts), 'application/xml; charset=utf-8'),
  };
};

/** `document` is the OpenAPI document of the facts' routes. */
export const createDiscoveryPages = (
  facts: DiscoveryFacts,
  document: () => oas31.OpenAPIObject,
): readonly Page[] => {
  const policy = [...DATA_POLICY, 'cache-control', 'no-cache'];
  const page = (path: string, { contentType, make }: Made): Page =>
    createPage(path, contentType, policy, make);
  const made = makers(facts, document);
  return [
    page(
      ICON_PATH,
      text(() => ICON, 'image/svg+xml'),
    ),
    ...servedDocuments(facts).flatMap(({ path }) =>
      made[path] === undefined ? [] : [page(path, made[path])],
    ),
  ];
};
