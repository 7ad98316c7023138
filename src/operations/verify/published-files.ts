// The files whose source the service publishes by bare name; each occurs at most once in the tree.

/** In the order in which they are shown. */
export const PUBLISHED_FILES = [
  'transaction.ts',
  'mcp-server.ts',
  'solana.ts',
  'stake-routes.ts',
  'discovery-routes.ts',
  'autopilot.ts',
  'stake-verifier.ts',
] as const;

/** Where a published file is served. `publicUrl` has no trailing slash. */
export const sourceUrl = (publicUrl: string, name: string): string =>
  `${publicUrl}/api/v1/verify/source/${name}`;
