// Routes about the service itself: health, readiness and discovery documents.
import { health } from '../../operations/service/health.ts';
import { ready } from '../../operations/service/ready.ts';
import { statusPage } from '../pages/status-page.ts';
import type { Route } from '../pipeline/route.ts';

/** Not rate-limited, so that monitoring is never locked out. */
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

/** A document for discovering and understanding the service. */
export interface DiscoveryDocument {
  readonly path: string;
  readonly name: string;
  /** Its content in one sentence. */
  readonly note: string;
  /** Protocol that must be served as well. Default: always served. */
  readonly needs?: 'actions' | 'mcp' | 'packages';
  /** True if only programs need it: an optional link in `/llms.txt`. */
  readonly forPrograms?: true;
}

/** The picture of the service. */
export const ICON_PATH = '/icon.svg';

/** Documents in display order. */
export const discoveryDocuments: readonly DiscoveryDocument[] = [
  { path: '/docs', name: 'Documentation', note: 'Guides, every endpoint and error code, for people.' },
  {
    path: '/docs/reference',
    name: 'API reference',
    note: 'Every endpoint with an example and a sample answer, and every error code.',
  },
  {
    path: '/docs/events.json',
    name: 'Catalogue of events',
    note: 'What webhooks are sent: JSON Schema and an example of each type.',
    forPrograms: true,
  },
  {
    path: '/llms-full.txt',
    name: 'The whole API as Markdown',
    note: 'Both ways to stake, safety, every operation with members, errors and an example.',
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
    note: 'Typed client and command line that this service hands out for npm, with their hashes.',
    needs: 'packages',
    forPrograms: true,
  },
  {
    path: '/actions.json',
    name: 'Solana Actions rules',
    note: 'Which paths of this site stand for which Solana Action.',
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
    note: 'A2A 0.3 form: the skills, and the interfaces that provide them. No A2A interface is offered.',
    forPrograms: true,
  },
];
