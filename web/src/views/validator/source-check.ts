// Recomputes in the browser what the service says of its source files: the bytes are fetched, hashed here, and compared.

/** How one file compared. `different`: what is served is not what the service says it runs. */
export type SourceState =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'equal' | 'different'; readonly sha256: string }
  | { readonly state: 'failed'; readonly reason: string };

/** What the check needs of its surroundings. */
export interface SourceSurroundings {
  readonly fetch: (path: string) => Promise<Response>;
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Checks one file. Never rejects: what went wrong is a state. The bytes count, not the text that they spell. */
export const checkSource = async (
  filename: string,
  expectedSha256: string,
  { fetch, digest }: SourceSurroundings,
): Promise<SourceState> => {
  try {
    const answer = await fetch(`/api/v1/verify/source/${encodeURIComponent(filename)}`);
    if (!answer.ok)
      return {
        state: 'failed',
        reason: answer.status === 429 ? 'Too many requests: wait a minute.' : `HTTP ${answer.status}`,
      };
    const sha256 = hex(await digest(await answer.arrayBuffer()));
    return { state: sha256 === expectedSha256.toLowerCase() ? 'equal' : 'different', sha256 };
  } catch (error) {
    return { state: 'failed', reason: error instanceof Error ? error.message : 'It could not be read.' };
  }
};

/** The page's own; null where the browser gives no hash function: plain HTTP from another machine. */
export const pageSurroundings = (): SourceSurroundings | null =>
  globalThis.crypto?.subtle === undefined
    ? null
    : {
        fetch: (path) => fetch(path, { cache: 'no-store' }),
        digest: (bytes) => crypto.subtle.digest('SHA-256', bytes),
      };
