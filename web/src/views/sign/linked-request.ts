// Reads the request in a sign link from the link itself. The service's response says only whether the link is
// valid.
import { requestOfParts, type StakingRequest } from '../../../../client/staking/staking-request.ts';
import { decodeSignLink } from '../../../../src/domain/sign-request.ts';

/** A request with the idempotency key for its builder and its submission. */
export interface LinkedRequest {
  readonly request: StakingRequest;
  readonly idempotencyKey: string;
}

/** Returns the text of the link in a query such as `?request=…`; null if absent. */
export const linkOfQuery = (query: string): string | null => new URLSearchParams(query).get('request');

/** Parses the request in the link's text; null if it contains none that this page can make. */
export const requestOfLink = (text: string): LinkedRequest | null => {
  const link = decodeSignLink(text.split('.')[0] ?? '');
  if (link === null) return null;
  try {
    return { request: requestOfParts(link.kind, link), idempotencyKey: link.idempotencyKey };
  } catch {
    // A field is missing.
    return null;
  }
};
