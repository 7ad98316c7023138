// Finds what answers a request: the target at its method and path, or why there is none.
import type { IncomingMessage } from 'node:http';
import createPathRouter, { type HTTPMethod } from 'find-my-way';
import { type Exchange, type PathParams, type Target, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { preflightHeaders } from '../guards/cors.ts';
import { MAX_HEADER_BYTES } from './malformed-request.ts';

/** What a request was routed to. */
interface Routed {
  readonly target: Target;
  readonly path: PathParams;
  /** Why nothing answers at this method and path; null when the target does. */
  readonly refusal: AppError | null;
}

/** Gives each request its target. Never throws. */
type Router = (request: IncomingMessage) => Routed;

/** Stands where nothing is. */
const NOWHERE: Target = { path: '', methods: [], limited: true, browsers: 'public', serve: () => {} };

const NOTHING_HERE: Routed = {
  target: NOWHERE,
  path: {},
  refusal: new AppError('NOT_FOUND', 'This path does not exist.', {
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

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

const wrongMethod = (methods: readonly string[]): AppError =>
  new AppError('METHOD_NOT_ALLOWED', `This path accepts ${methods.join(', ')}.`, {
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

const urlPattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\{\*\}$/, '*');

const unused = (): void => {};

/** `targets` in the order in which a path that several share names its methods. Throws when two have the same method and path. */
export const createRouter = (targets: readonly Target[]): Router => {
  const paths = createPathRouter({
    maxParamLength: MAX_HEADER_BYTES,
    // The query is read by whoever needs it.
    querystringParser: () => ({}),
    onBadUrl: unused,
  });
  for (const target of targets) {
    const methods = target.methods.includes('GET') ? [...target.methods, 'HEAD' as const] : target.methods;
    paths.on([...methods], urlPattern(target.path), unused, target);
  }

  /** The target; null where the path cannot be decoded, undefined where there is none. */
  const find = (method: string, url: string) => {
    const found = paths.find(method as HTTPMethod, url);
    const target: Target | null | undefined = found?.store;
    return { target, path: (found?.params ?? {}) as PathParams };
  };

  /** Other methods at the path: answers preflights, and refuses what the path does not take. */
  const findOther = (request: IncomingMessage): Routed => {
    const { method, headers, url = '' } = request;
    const found = METHODS.map((other) => find(other, url).target);
    if (found.includes(null)) return UNDECODABLE;
    const there = targets.filter((target) => found.includes(target));
    const [first] = there;
    if (first === undefined) return url.startsWith('/sandbox/') ? NO_SANDBOX : NOTHING_HERE;
    const taken = new Set(there.flatMap((target) => target.methods));
    if (taken.has('GET')) taken.add('HEAD');
    const methods = [...taken, 'OPTIONS' as const];
    // Guarded as the target that is meant, so that a foreign page learns already from the preflight that it may not.
    const asked = headers['access-control-request-method'] ?? first.methods[0];
    const meant =
      there.find((target) => target.methods.some((one) => one === asked)) ??
      // Another protocol answers for its whole path: its headers hold for methods that it lacks, too.
      there.find(({ endpoint }) => endpoint === undefined) ??
      NOWHERE;
    const target = {
      ...meant,
      ...{ methods, limited: true, isEndpoint: false, acts: false, isProbe: false },
      serve: sendPreflight,
    };
    return { target, path: {}, refusal: method === 'OPTIONS' ? null : wrongMethod(methods) };
  };

  return (request) => {
    const { target, path } = find(request.method ?? '', request.url ?? '');
    if (target === null) return UNDECODABLE;
    return target === undefined ? findOther(request) : { target, path, refusal: null };
  };
};
