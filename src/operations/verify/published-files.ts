// Lists the files whose source the service publishes. They are identified by name alone, so each name may occur
// only once in the tree.

/** The names of the files, in display order. */
export const PUBLISHED_FILES = [
  'transaction.ts',
  'mcp-server.ts',
  'solana.ts',
  'stake-routes.ts',
  'discovery-routes.ts',
  'autopilot.ts',
  'stake-verifier.ts',
] as const;

/** Returns the URL of a published file. `publicUrl` must have no trailing slash. */
export const sourceUrl = (publicUrl: string, name: string): string =>
  `${publicUrl}/api/v1/verify/source/${name}`;
