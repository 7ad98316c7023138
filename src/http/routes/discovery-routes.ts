// Routes about the service itself: health, readiness and discovery documents.
import { health } from '../../operations/service/health.ts';
import { ready } from '../../operations/service/ready.ts';
import { statusPage } from '../pages/status-page.ts';
import type { Route } from '../pipeline/route.ts';

/** Not rate-limited, so monitoring is never locked out. */
export const discoveryRoutes: readonly Route[] = [
  {
    operation: health,
    method: 'GET',
    path: '/health',
    browsers: 'public',
    tag: 'Service',
    unlimited: true,
    related: { ready: 'ready' },
  },
  {
    operation: ready,
    method: 'GET',
    path: '/ready',
    page: statusPage,
    browsers: 'public',
    tag: 'Service',
    unlimited: true,
    related: { health: 'health' },
  },
];

export interface DiscoveryDocument {
  readonly path: string;
  readonly name: string;
  /** The document's content in one sentence. */
  readonly note: string;
  /** Protocol or feature that the document requires. Default: none, so the document is always served. */
  readonly needs?: 'actions' | 'mcp' | 'packages';
  /** True if only programs need the document, which makes it an optional link in `/llms.txt`. */
  readonly forPrograms?: true;
}

/** Path of the service's picture. */
export const ICON_PATH = '/icon.svg';

/** Documents in display order. */
export const discoveryDocuments: readonly DiscoveryDocument[] = [
  { path: '/docs', name: 'Documentation', note: 'Human-readable guides, endpoints and error codes.' },
  {
    path: '/docs/reference',
    name: 'API reference',
    note: 'Every endpoint with an example and a sample response, and every error code.',
  },
  {
    path: '/docs/events.json',
    name: 'Catalog of events',
    note: 'Webhook events: JSON Schema and an example of each type.',
    forPrograms: true,
  },
  {
    path: '/llms-full.txt',
    name: 'The whole API as Markdown',
    note: 'Both ways to stake, safety, and every operation with fields, errors and an example.',
  },
  {
    path: '/llms.txt',
    name: 'Index for language models',
    note: 'What the service is, and links to everything else.',
  },
  {
    path: '/openapi.json',
    name: 'OpenAPI document',
    note: 'OpenAPI 3.1, generated from the schemas that validate requests.',
    forPrograms: true,
  },
  {
    path: '/packages.json',
    name: 'Packages',
    note: 'Typed client and command line to install with npm, with their hashes.',
    needs: 'packages',
    forPrograms: true,
  },
  {
    path: '/actions.json',
    name: 'Solana Actions rules',
    note: 'Maps paths of this site to Solana Actions.',
    needs: 'actions',
    forPrograms: true,
  },
  {
    path: '/server.json',
    name: 'MCP server description',
    note: 'The registry format of the Model Context Protocol, with the remote endpoints.',
    needs: 'mcp',
    forPrograms: true,
  },
  {
    path: '/.well-known/agent.json',
    name: 'Agent card',
    note: 'A2A 0.3 format: the skills, and the interfaces that provide them. There is no A2A interface.',
    forPrograms: true,
  },
];
