// Serves documents other than routes: the landing page, the OpenAPI document, and documents derived from it for
// people, agents and crawlers.

import { DATA_POLICY, JSON_TYPE, type Target } from '../../adapter/exchange.ts';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import { solNumber } from '../../domain/lamports.ts';
import type { Context } from '../../operations/context.ts';
import { profileJsonSchema } from '../../upstream/profile/operator-profile-schema.ts';
import { type DiscoveryFacts, examplesOf } from '../discovery/discovery-facts.ts';
import { createDiscoveryPages } from '../discovery/discovery-pages.ts';
import { createDocsPages } from '../docs/docs-pages.ts';
import { createOpenApiDocument } from '../openapi/openapi.ts';
import { type CurrentBrand, plainBrand } from './brand/current-brand.ts';
import { createLandingPage } from './landing-page.ts';
import { createLazyDocument, type LazyDocument, once } from './lazy-document.ts';
import { sendFile } from './send-file.ts';

/** Path of the JSON Schema of the operator's profile file, for editors. */
const PROFILE_SCHEMA_PATH = '/schemas/operator-profile.json';

/**
 * Creates `/`, `/docs` and the pages below it, `/openapi.json` and the discovery documents. Each is built at
 * its first request, because building the OpenAPI document at startup would delay it by about 30 ms.
 */
const createPages = (facts: DiscoveryFacts): readonly LazyDocument[] => {
  const document = once(() => createOpenApiDocument(facts.routes, facts.publicUrl, examplesOf(facts)));
  return [
    createLandingPage(facts),
    ...createDocsPages(facts, document),
    createLazyDocument('/openapi.json', JSON_TYPE, [...DATA_POLICY, 'cache-control', 'no-cache'], () =>
      JSON.stringify(document()),
    ),
    createLazyDocument(PROFILE_SCHEMA_PATH, JSON_TYPE, [...DATA_POLICY, 'cache-control', 'no-cache'], () =>
      JSON.stringify(profileJsonSchema(facts.publicUrl + PROFILE_SCHEMA_PATH), null, 1),
    ),
    ...createDiscoveryPages(facts, document),
  ];
};

/** Maximum wait for the cluster's limits, in ms. After that, a page uses the previous amounts. */
const LIMITS_WITHIN_MS = 1_000;

/**
 * Creates the targets of all pages. Example amounts follow the cluster's limits; names and colors follow the
 * brand. A change of either rebuilds all pages.
 */
export const createDocumentTargets = (
  facts: DiscoveryFacts,
  ctx: { readonly chain: Pick<Context['chain'], 'cluster'> },
  currentBrand: CurrentBrand = async () => plainBrand,
): readonly Target[] => {
  let made = { stakeSol: examplesOf(facts).stakeSol, brand: plainBrand, pages: createPages(facts) };
  const exampleStakeSol = async (): Promise<number> => {
    try {
      const limits = await ctx.chain.cluster.limits(AbortSignal.timeout(LIMITS_WITHIN_MS));
      return Math.ceil(solNumber(minimumStakeLamports(limits)));
    } catch {
      return made.stakeSol;
    }
  };
  const current = async (page: LazyDocument): Promise<LazyDocument> => {
    const [stakeSol, brand] = await Promise.all([exampleStakeSol(), currentBrand()]);
    if (stakeSol !== made.stakeSol || brand !== made.brand)
      made = { stakeSol, brand, pages: createPages({ ...facts, brand, examples: { stakeSol } }) };
    return made.pages.find(({ path }) => path === page.path) ?? page;
  };
  return made.pages.map((page) => ({
    path: page.path,
    methods: ['GET'],
    limited: true,
    browsers: 'public',
    serve: async (exchange) => {
      const { file, contentType, policy } = await current(page);
      sendFile(exchange, file(), contentType, policy);
    },
  }));
};
