// Schemas of the OpenAPI document for the headers of all responses.
import { z } from 'zod';

// Creates a named component, so the document contains each header only once.
const header = (id: string, description: string, example: string) =>
  z.string().meta({ description, examples: [example], header: { id } });

/** Headers of every response. */
export const commonHeaders = z.object({
  'X-Request-Id': header('X-Request-Id', 'Identifies this request in the service’s logs.', '3879e1b5-1'),
});

/** Headers of every response of a rate-limited endpoint. */
export const limitedHeaders = commonHeaders.extend({
  'RateLimit-Policy': header(
    'RateLimit-Policy',
    'The policy: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-11).',
    '"default";q=100;w=60',
  ),
  RateLimit: header(
    'RateLimit',
    '`r` requests are left; the oldest counted request leaves the window in `t` seconds.',
    '"default";r=99;t=60',
  ),
});

/** The additional header of temporary failures. */
export const retryAfterHeader = {
  'Retry-After': z
    .string()
    .optional()
    .meta({
      description: 'Whole seconds to wait before a retry.',
      examples: ['5'],
      header: { id: 'Retry-After' },
    }),
};
