// The documents beside the routes: the first page, the OpenAPI document, and what is made from it for people, agents and crawlers.
import type { DiscoveryFacts } from '../discovery/discovery-facts.ts';
import { createDiscoveryPages } from '../discovery/discovery-pages.ts';
import { createOpenApiDocument } from '../openapi/openapi.ts';
import { DATA_POLICY, JSON_TYPE } from '../pipeline/exchange.ts';
import { createDocsPage } from './docs-page.ts';
import { createLandingPage } from './landing-page.ts';
import { once, type Page } from './pages.ts';

/** `/`, `/docs`, `/openapi.json` and the documents of discovery, each made at its first request: the document takes some 30 ms, which the start need not wait for. */
export const createPages = (facts: DiscoveryFacts): readonly Page[] => {
  const document = once(() => createOpenApiDocument(facts.routes, facts.publicUrl));
  return [
    createLandingPage(facts),
    createDocsPage(facts.routes, document, facts.publicUrl),
    {
      path: '/openapi.json',
      contentType: JSON_TYPE,
      text: once(() => JSON.stringify(document())),
      policy: [...DATA_POLICY, 'cache-control', 'no-cache'],
      limited: true,
    },
    ...createDiscoveryPages(facts, document),
  ];
};
