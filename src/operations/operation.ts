// Defines an operation: name, input, output, errors and `run`. Independent of HTTP, MCP and SQL.
import type { z } from 'zod';
import type { CallSource } from '../domain/call-source.ts';
import type { ValidationIssue } from '../kernel/app-error.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import type { Guidance, OperationName } from '../kernel/guidance.ts';
import type { Context } from './context.ts';

/**
 * Fields that an operation adds to `_meta`. The interface adds the timestamp, documentation, endpoint,
 * description, links and cluster.
 */
export interface MetaExtras {
  readonly nextSteps?: Readonly<Record<string, Guidance>>;
  readonly support?: Readonly<Record<string, Guidance>>;
  readonly verifyThisCode?: string;
  /** Newest slot that the index had received, if the response comes from the stake account index. */
  readonly indexSlot?: number;
  /** Slot at or after which every listed account was read. */
  readonly verifiedSlot?: number;
}

/** Arguments of `run`. `signal` aborts when the caller disconnects or the service stops waiting. */
export interface Call<Input> {
  readonly ctx: Context;
  readonly input: Input;
  readonly signal: AbortSignal;
  /** Interface through which the call came; stored with records. */
  readonly source: CallSource;
  /**
   * Rate-limit key of the caller's network (IPv4 address, IPv6 /64), for limits per client. Never included in
   * responses.
   */
  readonly client: string;
}

/** Result of `run`: the response's fields, and additions to `_meta`. */
export interface OperationResult<Body> {
  readonly body: Body;
  readonly meta?: MetaExtras;
  /** The response in another format. Interfaces that support the format send this instead of `body`. */
  readonly text?: { readonly type: string; readonly content: string };
}

/** Overrides of an error code's title and status for one operation. */
type ErrorPresentation = Partial<Record<ErrorCode, { readonly title?: string; readonly status?: number }>>;

interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** Name in lowerCamelCase, unique; also the OpenAPI operationId. */
  readonly name: OperationName;
  readonly summary: string;
  /**
   * Several sentences for developers and agents. Becomes the OpenAPI description, while `_meta.description` is
   * the summary.
   */
  readonly description: string;
  /** `read` changes nothing, `build` creates unsigned bytes or changes only the service's own data, `act` changes the chain. */
  readonly effect: 'read' | 'build' | 'act';
  readonly input: Input;
  /**
   * Fields of which at least one is required, and the issue to report if all are missing. Default: only the
   * schema validates the input.
   */
  readonly eitherOf?: { readonly members: readonly string[]; readonly issue: ValidationIssue };
  /** For operations that take a secret key: the operation that builds the same transaction without it. */
  readonly keyless?: OperationName;
  readonly output: Output;
  /**
   * Error codes that `run` may throw, except those shared by all routes (validation, rate limit, transport
   * guards, internal).
   */
  readonly errors: readonly ErrorCode[];
  /** Title of errors without a title of their own, e.g. `Stake failed`. */
  readonly failureTitle?: string;
  readonly presentation?: ErrorPresentation;
  readonly run: (call: Call<z.output<Input>>) => Promise<OperationResult<z.input<Output>>>;
}

/** Type-checks an operation and keeps its exact types. */
export const defineOperation = <I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
): Operation<I, O> => operation;

/** An operation with any input and output, for tables of operations. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations is heterogeneous; each is type-checked where it is defined.
export type AnyOperation = Operation<any, any>;
