// The documents beside the routes: the first page, the OpenAPI document, and what is made from it for people, agents and crawlers.
import { minimumStakeLamports } from '../../chain/cluster/minimum-stake.ts';
import { solNumber } from '../../domain/lamports.ts';
import type { Context } from '../../operations/context.ts';
import { type DiscoveryFacts, examplesOf } from '../discovery/discovery-facts.ts';
import { createDiscoveryPages } from '../discovery/discovery-pages.ts';
import { createOpenApiDocument } from '../openapi/openapi.ts';
import { DATA_POLICY, JSON_TYPE } from '../pipeline/exchange.ts';
import { createDocsPage } from './docs-page.ts';
import { createLandingPage } from './landing-page.ts';
import { once, type Page } from './pages.ts';

/** `/`, `/docs`, `/openapi.json` and the documents of discovery, each made at its first request: the document takes some 30 ms, which the start need not wait for. */
export const createPages = (facts: DiscoveryFacts): readonly Page[] => {
  const document = once(() => createOpenApiDocument(facts.routes, facts.publicUrl, examplesOf(facts)));
  return [
    createLandingPage(facts),
    createDocsPage(facts.routes, document, facts.publicUrl, examplesOf(facts)),
    {
      path: '/openapi.json',
      contentType: JSON_TYPE,
      text: once(() => JSON.stringify(document())),
      policy: [...DATA_POLICY, 'cache-control', 'no-cache'],
    },
    ...createDiscoveryPages(facts, document),
  ];
};

/** The longest that a page waits for the cluster's limits, ms; then the amounts of the last time stand. */
const LIMITS_WITHIN_MS = 1_000;

/** Gives each of `pages` as it is now: the examples' amounts follow the limits of the cluster, and all pages are made anew when those change. */
export const createCurrentPage = (
  facts: DiscoveryFacts,
  pages: readonly Page[],
  ctx: Pick<Context, 'cluster'>,
): ((page: Page) => Promise<Page>) => {
  let made = { stakeSol: examplesOf(facts).stakeSol, pages };
  const exampleStakeSol = async (): Promise<number> => {
    try {
      const limits = await ctx.cluster.limits(AbortSignal.timeout(LIMITS_WITHIN_MS));
      return Math.ceil(solNumber(minimumStakeLamports(limits)));
    } catch {
      return made.stakeSol;
    }
  };
  return async (page) => {
    const stakeSol = await exampleStakeSol();
    if (stakeSol !== made.stakeSol)
      made = { stakeSol, pages: createPages({ ...facts, examples: { stakeSol } }) };
    return made.pages.find(({ path }) => path === page.path) ?? page;
  };
};
