// The page's one client of the service: same origin, public interface only; waiting and repeating is the resources' business.
import { createHoldfastClient, type HoldfastClient } from '../../../client/holdfast-client.ts';

// The document names what its view reads first, so that it arrives beside the scripts; a preloaded answer is taken once, and
// only by a request that looks like it.
const preloaded = new Set(
  Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="fetch"]'),
    (link) => link.href,
  ),
);

const fetchOnce = (url: string, init: RequestInit): Promise<Response> =>
  // A preloaded answer was asked for without headers of its own.
  init.method === 'GET' && preloaded.delete(url)
    ? fetch(url, { signal: init.signal ?? null })
    : fetch(url, init);

/** Every call rejects with `HoldfastError`. */
export const api: HoldfastClient = createHoldfastClient({
  baseUrl: location.origin,
  fetch: fetchOnce,
  retries: 0,
  source: 'page',
});
