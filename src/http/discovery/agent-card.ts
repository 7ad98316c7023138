// Agent card: lists the service's skills and addresses. It claims no A2A interface, because the service has
// none.

import { INTERFACE_VERSION } from '../openapi/openapi.ts';
import type { Route } from '../pipeline/route.ts';
import { ICON_PATH } from '../routes/discovery-routes.ts';
import { type DiscoveryFacts, hasMount, mcpRemotes } from './discovery-facts.ts';
import { SUMMARY } from './llms-guide.ts';

/**
 * Identifies the card's extension that lists the supported protocols. It contains only data and does not change
 * A2A behavior.
 */
const INTERFACES_EXTENSION = 'urn:holdfast:interfaces:1';

const DESCRIPTION = `${SUMMARY} This service does not support the A2A protocol. Its skills are available over REST and, where offered, MCP, at the addresses listed in the extension ${INTERFACES_EXTENSION}.`;

const skillOf = ({ operation, tag, method, path }: Route) => ({
  id: operation.name,
  name: operation.summary,
  description: `${operation.description} (${method} ${path})`,
  tags: ['solana', 'staking', tag.toLowerCase(), operation.effect],
});

const extensions = (facts: DiscoveryFacts) => [
  {
    uri: INTERFACES_EXTENSION,
    description: 'Addresses of the skills. None of them is an A2A interface.',
    required: false,
    params: {
      openapi: `${facts.publicUrl}/openapi.json`,
      documentation: `${facts.publicUrl}/llms-full.txt`,
      mcp: mcpRemotes(facts),
      ...(hasMount(facts, '/actions.json') ? { solanaActions: `${facts.publicUrl}/actions.json` } : {}),
    },
  },
];

// A2A 0.3 allows any transport name. These two are not A2A transports, so A2A clients ignore them.
const TRANSPORTS = { 'streamable-http': 'MCP', sse: 'MCP-SSE' } as const;

/**
 * Builds the card. A2A 0.3 requires exactly one URL, so the card names the endpoint for agents, labeled with
 * its protocol.
 */
export const createAgentCard = (facts: DiscoveryFacts) => {
  const interfaces = [
    ...mcpRemotes(facts).map(({ type, url }) => ({ url, transport: TRANSPORTS[type] as string })),
    { url: `${facts.publicUrl}/openapi.json`, transport: 'OPENAPI' },
  ];
  const [preferred] = interfaces;
  return {
    name: 'Holdfast',
    description: DESCRIPTION,
    version: INTERFACE_VERSION,
    documentationUrl: `${facts.publicUrl}/docs`,
    iconUrl: facts.publicUrl + ICON_PATH,
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: facts.routes.map(skillOf),
    protocolVersion: '0.3.0',
    url: preferred!.url,
    preferredTransport: preferred!.transport,
    additionalInterfaces: interfaces,
    supportsAuthenticatedExtendedCard: false,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      extensions: extensions(facts),
    },
  };
};
