// CORS rules: any origin may use public routes; other routes allow only our own page and, for some targets,
// configured origins. Credentials are never allowed.
import type { Browsers } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';

/** Headers that a page may send. */
const ALLOWED_HEADERS = 'Content-Type, Idempotency-Key, If-None-Match, Holdfast-Client';
const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, ETag, X-Request-Id, X-SHA256';
// Chromium caches a preflight for at most two hours.
const PREFLIGHT_SECONDS = '7200';

/** The origin of a request, with the addresses of this service. */
export interface OriginFacts {
  /** The `Origin` header; absent outside browsers. */
  readonly origin: string | undefined;
  /** The `Host` header, already verified to be ours. */
  readonly host: string | undefined;
  /** True if a configured proxy reports that the client used TLS. */
  readonly https: boolean;
  /** Origin of the configured public URL. */
  readonly publicOrigin: string;
  /** Configured origins for targets that are open to a list of origins. */
  readonly allowedOrigins: readonly string[];
}

/** True if the request comes from a page of this service. */
export const isOwnOrigin = ({ origin, host, https, publicOrigin }: OriginFacts): boolean =>
  origin === publicOrigin || origin === `${https ? 'https' : 'http'}://${host}`;

const mayUse = (browsers: Browsers, facts: OriginFacts): boolean =>
  isOwnOrigin(facts) || (browsers === 'listed' && facts.allowedOrigins.includes(facts.origin ?? ''));

/** Returns the CORS headers of a response, as alternating names and values. */
export const corsHeaders = (browsers: Browsers, facts: OriginFacts): readonly string[] => {
  if (browsers === 'public') return PUBLIC;
  if (facts.origin === undefined || !mayUse(browsers, facts)) return VARY;
  return [
    ...VARY,
    'access-control-allow-origin',
    facts.origin,
    'access-control-expose-headers',
    EXPOSED_HEADERS,
  ];
};

const PUBLIC = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED_HEADERS];
const VARY = ['vary', 'Origin'];

/** Refuses foreign origins on routes that are not public. Returns null if the request may proceed. */
export const refuseForeignOrigin = (browsers: Browsers, facts: OriginFacts): AppError | null =>
  browsers === 'public' || facts.origin === undefined || mayUse(browsers, facts)
    ? null
    : new AppError('ORIGIN_NOT_ALLOWED', 'Web pages from other origins cannot use this endpoint.', {
        suggestedAction: 'Call it from a program, or use the unsigned builders, which any page may use.',
      });

/** Returns the additional headers of preflight responses. */
export const preflightHeaders = (methods: readonly string[]): readonly string[] => [
  'access-control-allow-methods',
  methods.join(', '),
  'access-control-allow-headers',
  ALLOWED_HEADERS,
  'access-control-max-age',
  PREFLIGHT_SECONDS,
];
