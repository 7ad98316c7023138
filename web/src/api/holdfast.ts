// The page's single client of the service: same origin, public API only. `useResource` handles retries.
import { createHoldfastClient, type HoldfastClient } from '../../../client/holdfast-client.ts';

// The document preloads the first reads of the view. A preloaded response is used once, and only for an
// identical request.
const preloaded = new Set(
  Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="fetch"]'),
    (link) => link.href,
  ),
);

const fetchOnce = (url: string, init: RequestInit): Promise<Response> =>
  // Preloads send no extra headers.
  init.method === 'GET' && preloaded.delete(url)
    ? fetch(url, { signal: init.signal ?? null })
    : fetch(url, init);

export const api: HoldfastClient = createHoldfastClient({
  baseUrl: location.origin,
  fetch: fetchOnce,
  retries: 0,
  source: 'page',
});
