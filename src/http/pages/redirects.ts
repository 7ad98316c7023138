// Redirects addresses that people try to the pages that they mean.
import { OTHER_PROTOCOL, type Target, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import { existingGuides, markdownPathOf } from '../docs/guides.ts';

const redirect = (path: string, location: string): Target => ({
  path,
  methods: ['GET'],
  limited: false,
  browsers: 'public',
  description: OTHER_PROTOCOL,
  serve: (exchange) => exchange.send(308, null, '', ['location', location, ...UNCACHED_DATA_POLICY]),
});

/** Redirects `/status` to the page at `/ready`, and `/docs/mcp` or `/docs/mcp.md` to the guide of that name. */
export const createRedirects = (): readonly Target[] => [
  redirect('/status', '/ready'),
  redirect('/docs/guides', '/docs'),
  ...existingGuides().flatMap((guide) => [
    redirect(`/docs/${guide.file}`, guide.path),
    redirect(`/docs/${guide.file}.md`, markdownPathOf(guide)),
  ]),
];
