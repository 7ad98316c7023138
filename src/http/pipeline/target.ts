// What a request was routed to, as guards, answers and the stop see it: a route or a mount, without what serves it.
import type { AppError } from '../../kernel/app-error.ts';
import type { Browsers } from '../guards/cors.ts';

/** Decoded path parameters. */
export type PathParams = Readonly<Record<string, string>>;

/** A mount as guards and answers see it. */
export interface MountTarget {
  /** Path with parameters in braces, e.g. `/api/actions/{name}`; `{*}` at the end takes the rest, slashes included. */
  readonly path: string;
  /** What it is, in a few words, for `_meta` of its failures. */
  readonly description?: string;
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
}
