// Defines the data from which all discovery documents are built.

import type { Address } from '@solana/kit';
import type { Target } from '../../adapter/exchange.ts';
import type { ServedPackage } from '../../operations/service-ports.ts';
import type { ExampleFacts } from '../openapi/openapi-operation.ts';
import type { Brand } from '../pages/brand/current-brand.ts';
import type { Route } from '../pipeline/route.ts';
import { type DiscoveryDocument, discoveryDocuments } from '../routes/discovery-routes.ts';

/** An MCP tool, as listed in the documents. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  /** Name of the operation that the tool runs. */
  readonly operation: string;
}

/** Data about a running server. */
export interface DiscoveryFacts {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly clusterName: () => string;
  readonly voteAccount: Address | undefined;
  readonly routes: readonly Route[];
  readonly mounts: readonly Pick<Target, 'path'>[];
  /** Tools of the mounted MCP server; empty if no server is mounted. */
  readonly tools: readonly ToolFacts[];
  /**
   * Values for the examples, refreshed before a document is served. Default: an amount that is valid on today's
   * clusters.
   */
  readonly examples?: ExampleFacts;
  /** Packages that can be downloaded from this server. */
  readonly packages?: () => readonly ServedPackage[];
  /** The operator of the service; refreshed before a document is served. Default: unknown. */
  readonly brand?: Brand;
  /** URL of the published source code. */
  readonly sourceUrl?: string | undefined;
}

export const examplesOf = ({ examples }: Pick<DiscoveryFacts, 'examples'>): ExampleFacts =>
  examples ?? { stakeSol: 2 };

/** Path of the Streamable HTTP transport. */
const MCP_PATH = '/mcp';
/** Path of the HTTP+SSE transport of the same server. */
const MCP_SSE_PATH = '/mcp/sse';

export const hasMount = ({ mounts }: Pick<DiscoveryFacts, 'mounts'>, path: string): boolean =>
  mounts.some((mount) => mount.path === path);

/** Returns the mounted MCP endpoints, preferred first. */
export const mcpRemotes = (
  facts: Pick<DiscoveryFacts, 'mounts' | 'publicUrl'>,
): readonly { readonly type: 'streamable-http' | 'sse'; readonly url: string }[] => [
  ...(hasMount(facts, MCP_PATH)
    ? [{ type: 'streamable-http' as const, url: facts.publicUrl + MCP_PATH }]
    : []),
  ...(hasMount(facts, MCP_SSE_PATH) ? [{ type: 'sse' as const, url: facts.publicUrl + MCP_SSE_PATH }] : []),
];

export const servedDocuments = (
  facts: Pick<DiscoveryFacts, 'mounts' | 'publicUrl'>,
): readonly DiscoveryDocument[] =>
  discoveryDocuments.filter(({ needs, path }) =>
    needs === undefined ? true : needs === 'mcp' ? mcpRemotes(facts).length > 0 : hasMount(facts, path),
  );
