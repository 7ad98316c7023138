// Finds the route of a request. Everything after that is ours: the framework neither reads bodies nor writes answers.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, fastify, type HookHandlerDoneFunction } from 'fastify';
import type { Page } from '../pages/pages.ts';
import { MAX_HEADER_BYTES } from './client-error.ts';
import type { HttpWindow } from './http-window.ts';
import type { Mount } from './mount.ts';
import type { Route } from './route.ts';
import type { PathParams } from './target.ts';

/** What a router is made of. */
export interface RouterOptions {
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  readonly mounts: readonly Mount[];
  readonly window: HttpWindow;
  /** Makes the server around the request handler. */
  readonly makeServer: (handler: (request: IncomingMessage, response: ServerResponse) => void) => Server;
  readonly onClientError: (error: NodeJS.ErrnoException, socket: Socket) => void;
}

const NO_MEMBERS = {};

// A hook that takes the request over and never calls `done`: the framework's body parsing and reply pipeline do not run, which
// saves their time and leaves no second place that could answer in another shape.
const takeOver =
  (serve: (request: IncomingMessage, response: ServerResponse, path: PathParams) => void) =>
  (
    request: { raw: IncomingMessage; params: unknown },
    reply: { raw: ServerResponse; hijack: () => unknown },
    _done: HookHandlerDoneFunction,
  ): void => {
    reply.hijack();
    serve(request.raw, reply.raw, request.params as PathParams);
  };

const urlPattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\{\*\}$/, '*');

const neverReached = (): never => {
  throw new Error('the request was taken over before its handler');
};

/** Builds the router; `ready()` must be awaited before requests arrive. */
export const createRouter = ({
  routes,
  pages,
  mounts,
  window,
  makeServer,
  onClientError,
}: RouterOptions): FastifyInstance => {
  const router = fastify({
    serverFactory: makeServer as never,
    clientErrorHandler: onClientError as never,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => NO_MEMBERS },
    return503OnClosing: false,
    frameworkErrors: ((
      _error: Error,
      request: { raw: IncomingMessage },
      reply: { raw: ServerResponse; hijack: () => unknown },
    ) => {
      reply.hijack();
      window.undecodable(request.raw, reply.raw);
    }) as never,
  });
  router.addHook('onRequest', (request, reply, done) => {
    if (request.is404) takeOver(window.unmatched)(request, reply, done);
    else done();
  });
  for (const route of routes)
    router.route({
      method: route.method,
      url: urlPattern(route.path),
      onRequest: takeOver(window.route(route)),
      handler: neverReached,
    });
  for (const page of pages)
    router.route({
      method: 'GET',
      url: page.path,
      onRequest: takeOver(window.page(page)),
      handler: neverReached,
    });
  for (const mount of mounts)
    router.route({
      method: [...mount.methods],
      url: urlPattern(mount.path),
      onRequest: takeOver(window.mount(mount)),
      handler: neverReached,
    });
  return router;
};
