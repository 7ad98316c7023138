// A way in that speaks another protocol at a path of its own (MCP, Actions, files of the page): the window guards it, the mount answers.
import type { AppError } from '../../kernel/app-error.ts';
import type { Browsers } from '../guards/cors.ts';
import type { Exchange } from './exchange.ts';
import type { PathParams } from './http-window.ts';

/** A request that passed the guards. */
export interface MountCall {
  /** Answer with `exchange.send`, or with `exchange.response` after `exchange.takeOver()`. Its `client`, `rateHeaders`, `corsHeaders`, `judgeTransport` are set. */
  readonly exchange: Exchange;
  readonly path: PathParams;
  /** Sends the failure in the service's own error shape. */
  readonly fail: (error: unknown) => void;
  /** Aborts when the caller goes away or the service stops waiting. */
  readonly signal: AbortSignal;
  /** Tells a client that waits for `100 Continue` to send its body now. */
  readonly invite: () => void;
  /** Counts `more` further requests of this client, e.g. for a batch; the refusal where the limit is passed. */
  readonly count: (more: number) => Promise<AppError | null>;
}

/** One mounted handler. */
export interface Mount {
  /** Path with parameters in braces, e.g. `/api/actions/{name}`; `{*}` at the end takes the rest, slashes included. */
  readonly path: string;
  /** `GET` answers `HEAD` too. */
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** Counted by the rate limit. */
  readonly limited: boolean;
  readonly browsers: Browsers;
  /** Headers of every answer instead of the usual CORS headers, for standards that name their own; names and values in turn. */
  readonly corsHeaders?: readonly string[];
  /** Headers of the answer to a preflight instead of the usual ones; names and values in turn. */
  readonly preflightHeaders?: readonly string[];
  /** Body of a failure instead of the usual one, also of those that the guards find, for standards that name their own. */
  readonly errorBody?: (error: AppError) => object;
  /** Its calls are told of like those of routes, as `METHOD /path/{template}`. Default: they are not. */
  readonly isEndpoint?: boolean;
  /** Operations under way act on the chain: a stop waits for them as long as for submissions. */
  readonly acts?: boolean;
  /** Resolves when answered. A rejection becomes the failure's answer. */
  readonly serve: (call: MountCall) => Promise<void> | void;
}
