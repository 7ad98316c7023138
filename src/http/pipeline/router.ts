// Finds the target for a request's method and path, or the reason why there is none.
import type { IncomingMessage } from 'node:http';
import createPathRouter from 'find-my-way';
import { type Exchange, type PathParams, type Target, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { preflightHeaders } from '../guards/cors.ts';
import { MAX_HEADER_BYTES } from './malformed-request.ts';

interface Routed {
  readonly target: Target;
  readonly path: PathParams;
  /** The refusal if no target serves this method and path; null if a target serves it. */
  readonly refusal: AppError | null;
}

/** Routes requests to their targets. Never throws. */
type Router = (request: IncomingMessage) => Routed;

/** Target of requests to unknown paths. */
const NOWHERE: Target = { path: '', methods: [], limited: true, browsers: 'public', serve: () => {} };

const NOTHING_HERE: Routed = {
  target: NOWHERE,
  path: {},
  refusal: new AppError('NOT_FOUND', 'This path does not exist.', {
    reason: 'NO_PATH',
    suggestedAction: 'See GET /openapi.json for every path.',
  }),
};

const NO_SANDBOX: Routed = {
  target: NOWHERE,
  path: {},
  refusal: new AppError(
    'NOT_FOUND',
    'This service runs on a real cluster: it has no sandbox and no faucet.',
    {
      reason: 'NO_SANDBOX_HERE',
      suggestedAction:
        'Use a wallet that holds SOL, or try this on a service that was started without HOLDFAST_RPC_URL.',
    },
  ),
};

const UNDECODABLE: Routed = {
  target: NOWHERE,
  path: {},
  refusal: validationError([
    { path: 'path', code: 'invalid_encoding', message: 'is not valid percent-encoded UTF-8' },
  ]),
};

const wrongMethod = (methods: readonly string[]): AppError =>
  new AppError('METHOD_NOT_ALLOWED', 'This path accepts {methods}.', {
    params: { methods: methods.join(', ') },
    suggestedAction: 'Use one of the methods in the Allow header.',
  });

const sendPreflight = (exchange: Exchange): void => {
  const { methods, preflightHeaders: own } = exchange.target;
  const asked = exchange.request.headers['access-control-request-method'];
  exchange.send(204, null, '', [
    ...['allow', methods.join(', ')],
    ...UNCACHED_DATA_POLICY,
    ...(asked === undefined ? [] : (own ?? preflightHeaders(methods))),
  ]);
};

/** True for a target that serves pages, because people add a slash to the addresses of pages. */
const isPage = ({ path, page, endpoint }: Target): boolean =>
  page !== undefined || (endpoint === undefined && !/^\/(api|mcp|sandbox|\.well-known)\b/.test(path));

/** Redirects to the address without the trailing slash. */
const redirectTo = (target: Target, location: string): Routed => ({
  target: {
    ...target,
    isEndpoint: false,
    serve: (exchange) => exchange.send(308, null, '', ['location', location, ...UNCACHED_DATA_POLICY]),
  },
  path: {},
  refusal: null,
});

/** Removes the parameter names from a path, which makes paths that differ only in those names equal. */
const urlPattern = (path: string): string => {
  let parameters = 0;
  return path.replaceAll(/\{\w+\}/g, () => `:${parameters++}`).replace(/\{\*\}$/, '*');
};

/** Maps values of positional parameters to the parameter names in `path`. */
const namedParams = (path: string, values: Readonly<Record<string, string | undefined>>): PathParams => {
  const names = [...path.matchAll(/\{(\w+|\*)\}/g)].map(([, name]) => name!);
  return Object.fromEntries(names.map((name, index) => [name, values[name === '*' ? name : index]!]));
};

const unused = (): void => {};

/**
 * Creates a router. A path lists its methods in the order of `targets`. Throws if two targets have the same
 * method and path.
 */
export const createRouter = (targets: readonly Target[]): Router => {
  // Matches paths regardless of the method, so a request to the fixed path `/transaction/submit` matches it
  // even for methods that only `/transaction/{signature}` has.
  const paths = createPathRouter({
    maxParamLength: MAX_HEADER_BYTES,
    // Disabled, because handlers parse the query themselves.
    querystringParser: () => ({}),
    onBadUrl: unused,
  });
  for (const [path, there] of Map.groupBy(targets, (target) => urlPattern(target.path))) {
    const byMethod = new Map<string, Target>();
    for (const target of there)
      for (const method of target.methods) {
        if (byMethod.has(method)) throw new Error(`two targets serve ${method} ${path}`);
        byMethod.set(method, target);
      }
    const get = byMethod.get('GET');
    if (get !== undefined) byMethod.set('HEAD', get);
    paths.on('GET', path, unused, byMethod);
  }

  const hasSandbox = targets.some(({ path }) => path.startsWith('/sandbox/'));

  /** Responds to preflights, and refuses methods that the path does not support. */
  const otherMethod = (
    { method, headers }: IncomingMessage,
    byMethod: ReadonlyMap<string, Target>,
  ): Routed => {
    const methods = [...byMethod.keys(), 'OPTIONS'] as Target['methods'];
    const there = [...byMethod.values()];
    // Guarded like the requested target, so a foreign page is already refused at the preflight.
    const meant =
      byMethod.get(headers['access-control-request-method'] ?? methods[0]!) ??
      // Another protocol handles its whole path, so its headers also apply to unsupported methods.
      there.find(({ endpoint }) => endpoint === undefined) ??
      NOWHERE;
    const target = {
      ...meant,
      methods,
      // Not counted, because a rate-limited preflight would look like a CORS failure to users.
      limited: method !== 'OPTIONS',
      isEndpoint: false,
      acts: false,
      isProbe: false,
      serve: sendPreflight,
    };
    return { target, path: {}, refusal: method === 'OPTIONS' ? null : wrongMethod(methods) };
  };

  /**
   * Finds the page whose address equals this one without the trailing slash. Skips addresses that start with
   * two slashes, because a redirect there would lead to another host.
   */
  const withoutSlash = (method: string, url: string): Routed | null => {
    const [, path, query = ''] = /^(\/[^/?][^?]*?)\/+(\?.*)?$/.exec(url) ?? [];
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return null;
    const there = paths.find('GET', path)?.store as ReadonlyMap<string, Target> | null | undefined;
    const target = there?.get(method);
    return target !== undefined && isPage(target) ? redirectTo(target, path + query) : null;
  };

  return (request) => {
    const { method = '', url = '' } = request;
    const found = paths.find('GET', url);
    const redirect = found === null ? withoutSlash(method, url) : null;
    if (redirect !== null) return redirect;
    if (found === null) return url.startsWith('/sandbox/') && !hasSandbox ? NO_SANDBOX : NOTHING_HERE;
    const byMethod = found.store as ReadonlyMap<string, Target> | null;
    // `onBadUrl` returns no store for a path that cannot be decoded.
    if (byMethod === null) return UNDECODABLE;
    const target = byMethod.get(method);
    if (target === undefined) return otherMethod(request, byMethod);
    return { target, path: namedParams(target.path, found.params), refusal: null };
  };
};
