// Serves the discovery documents as pages. Each is built at its first request and can be read from any origin.
import type { oas31 } from 'zod-openapi';
import { DATA_POLICY, JSON_TYPE, TEXT_TYPE } from '../../adapter/exchange.ts';
import { createLazyDocument, type LazyDocument } from '../pages/lazy-document.ts';
import { ICON_PATH } from '../routes/discovery-routes.ts';
import { createAgentCard } from './agent-card.ts';
import { type DiscoveryFacts, servedDocuments } from './discovery-facts.ts';
import { createServerJson } from './discovery-server-json.ts';
import { createLlmsFull } from './llms-full.ts';
import { createLlmsIndex } from './llms-index.ts';

/** Logo of the page header, in the size that wallets show. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512" role="img" aria-label="Holdfast">
<rect width="512" height="512" rx="96" fill="#0b6e5b"/>
<path fill="none" stroke="#fff" stroke-width="40" stroke-linecap="round" stroke-linejoin="round" d="M168 136v240M344 136v240M168 256h176"/>
</svg>
`;

interface Made {
  readonly contentType: string;
  readonly make: () => string;
}

const json = (make: () => unknown): Made => ({
  contentType: JSON_TYPE,
  make: () => JSON.stringify(make(), null, 1),
});
const text = (make: () => string, contentType: string = TEXT_TYPE): Made => ({ contentType, make });

/**
 * Documents by path. Entries of `discoveryDocuments` that are missing here are served elsewhere, as pages of
 * their own or by other protocols.
 */
const makers = (
  facts: DiscoveryFacts,
  document: () => oas31.OpenAPIObject,
): Readonly<Record<string, Made>> => ({
  '/llms.txt': text(() => createLlmsIndex(facts)),
  '/llms-full.txt': text(() => createLlmsFull(facts, document())),
  '/.well-known/agent.json': json(() => createAgentCard(facts)),
  '/server.json': json(() => createServerJson(facts)),
});

/** Creates the pages. `document` must be the OpenAPI document of the routes in `facts`. */
export const createDiscoveryPages = (
  facts: DiscoveryFacts,
  document: () => oas31.OpenAPIObject,
): readonly LazyDocument[] => {
  const policy = [...DATA_POLICY, 'cache-control', 'no-cache'];
  const page = (path: string, { contentType, make }: Made): LazyDocument =>
    createLazyDocument(path, contentType, policy, make);
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
