// The documents beside the routes: the OpenAPI document, the documentation made from it, and the first page.
import { createDocsPage } from './docs-page.ts';
import { DATA_POLICY, JSON_TYPE } from './exchange.ts';
import { createLandingPage, type LandingFacts } from './landing-page.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { Page } from './pages.ts';

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** `/`, `/docs` and `/openapi.json`, each made at its first request: the document takes some 30 ms, which the start need not wait for. */
export const createPages = (facts: LandingFacts): readonly Page[] => {
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
  ];
};
