// The type of an operation: name, input, output, errors and `run`. Independent of HTTP, MCP and SQL.
import type { z } from 'zod';
import type { CallSource } from '../domain/call-source.ts';
import type { ValidationIssue } from '../kernel/app-error.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import type { Guidance, OperationName } from '../kernel/guidance.ts';
import type { Context } from './context.ts';

/** Members that an operation adds to `_meta`. The interface adds timestamp, documentation, endpoint, description, links and cluster. */
export interface MetaExtras {
  readonly nextSteps?: Readonly<Record<string, Guidance>>;
  readonly support?: Readonly<Record<string, Guidance>>;
  readonly verifyThisCode?: string;
  /** Answered from the index of stake accounts: the newest slot that the index received. */
  readonly indexSlot?: number;
  /** Every listed account was read at this slot or later. */
  readonly verifiedSlot?: number;
}

/** The arguments of `run`. `signal` aborts when the caller disconnects or the service stops waiting. */
export interface Call<Input> {
  readonly ctx: Context;
  readonly input: Input;
  readonly signal: AbortSignal;
  /** The interface of the call; stored with records. */
  readonly source: CallSource;
  /** The caller's network as counted by the rate limit (IPv4 address, IPv6 /64), for limits per client. Not for answers. */
  readonly client: string;
}

/** The result of `run`: the answer's members, and additions to `_meta`. */
export interface Answer<Body> {
  readonly body: Body;
  readonly meta?: MetaExtras;
  /** The answer in another format, sent instead of `body` by interfaces that can: its content type, and the content. */
  readonly text?: { readonly type: string; readonly content: string };
}

/** Title and status that the interface uses for one operation if they differ from the code's own. */
type ErrorPresentation = Partial<Record<ErrorCode, { readonly title?: string; readonly status?: number }>>;

/** One operation of the service. */
interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** lowerCamelCase, unique; the OpenAPI operationId. */
  readonly name: OperationName;
  readonly summary: string;
  /** Several sentences for people and agents; becomes OpenAPI description, and `_meta.description` is its summary. */
  readonly description: string;
  /** `read` changes nothing, `build` creates unsigned bytes or changes only the service's own data, `act` changes the chain. */
  readonly effect: 'read' | 'build' | 'act';
  readonly input: Input;
  /** Members of which at least one is required, and the issue if all are missing. Default: the schema decides. */
  readonly eitherOf?: { readonly members: readonly string[]; readonly issue: ValidationIssue };
  /** For an operation that takes a secret key: the one that builds the same transaction without it. */
  readonly keyless?: OperationName;
  readonly output: Output;
  /** Every code that `run` may throw, except those of every route (validation, rate limit, transport guards, internal). */
  readonly errors: readonly ErrorCode[];
  /** Title for failures without a title of their own, for instance `Stake failed`. */
  readonly failureTitle?: string;
  readonly presentation?: ErrorPresentation;
  readonly run: (call: Call<z.output<Input>>) => Promise<Answer<z.input<Output>>>;
}

/** Keeps the types of an operation while checking its shape. */
export const defineOperation = <I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
): Operation<I, O> => operation;

/** An operation of any input and output, as interfaces hold it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations is heterogeneous; each is type-checked where it is defined.
export type AnyOperation = Operation<any, any>;
