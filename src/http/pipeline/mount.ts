// A way in that speaks another protocol at a path of its own (MCP, Actions, files of the page): the window guards it, the mount answers.
import type { AppError } from '../../kernel/app-error.ts';
import type { Exchange } from './exchange.ts';
import type { MountTarget, PathParams } from './target.ts';

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
export interface Mount extends MountTarget {
  /** Resolves when answered. A rejection becomes the failure's answer. */
  readonly serve: (call: MountCall) => Promise<void> | void;
}
