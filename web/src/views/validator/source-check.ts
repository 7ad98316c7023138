// Recomputes the service's source hashes in the browser: fetches the bytes, hashes and compares them.
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';

const { say } = defineWords('validator', validatorEnglish);

/** Result for one file. `different` means that the served file does not match the reported hash. */
export type SourceState =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'equal' | 'different'; readonly sha256: string }
  | { readonly state: 'failed'; readonly reason: string };

/** Dependencies of the check. */
export interface SourceCheckPorts {
  readonly fetch: (path: string) => Promise<Response>;
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Checks one file. Never rejects: failures are states. Compares the bytes, not the decoded text. */
export const checkSource = async (
  filename: string,
  expectedSha256: string,
  { fetch, digest }: SourceCheckPorts,
): Promise<SourceState> => {
  try {
    const response = await fetch(`/api/v1/verify/source/${encodeURIComponent(filename)}`);
    if (!response.ok)
      return {
        state: 'failed',
        reason:
          response.status === 429 ? say('tooManyRequests') : say('httpStatus', { status: response.status }),
      };
    const sha256 = hex(await digest(await response.arrayBuffer()));
    return { state: sha256 === expectedSha256.toLowerCase() ? 'equal' : 'different', sha256 };
  } catch (error) {
    return { state: 'failed', reason: error instanceof Error ? error.message : say('unreadable') };
  }
};

/**
 * Returns the browser's functions for the check; null if the browser offers no hash function, as over plain
 * HTTP from another machine.
 */
export const pageSurroundings = (): SourceCheckPorts | null =>
  globalThis.crypto?.subtle === undefined
    ? null
    : {
        fetch: (path) => fetch(path, { cache: 'no-store' }),
        digest: (bytes) => crypto.subtle.digest('SHA-256', bytes),
      };
