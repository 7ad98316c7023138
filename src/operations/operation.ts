// What an operation is: a name, what goes in, what comes out, what may fail, and `run`. It knows nothing of HTTP, MCP or SQL.
import type { z } from 'zod';
import type { CallSource } from '../domain/call-source.ts';
import type { ValidationIssue } from '../kernel/app-error.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import type { Guidance, OperationName } from '../kernel/guidance.ts';
import type { Context } from './context.ts';

/** Members that an operation adds to `_meta`; the window adds timestamp, documentation, endpoint, description, links, cluster. */
export interface MetaExtras {
  readonly nextSteps?: Readonly<Record<string, Guidance>>;
  readonly support?: Readonly<Record<string, Guidance>>;
  readonly verifyThisCode?: string;
  /** Answered from the index of stake accounts: the newest slot that it has heard of. */
  readonly indexSlot?: number;
  /** Every account listed was seen at this slot or later. */
  readonly verifiedSlot?: number;
}

/** What `run` gets. `signal` aborts when the caller went away or the service stops waiting. */
export interface Call<Input> {
  readonly ctx: Context;
  readonly input: Input;
  readonly signal: AbortSignal;
  /** The interface it came through; stored with records. */
  readonly source: CallSource;
  /** The caller's network as the rate limit counts it (IPv4 address, IPv6 /64): what caps per client are counted by. Not for answers. */
  readonly client: string;
}

/** What `run` gives: the answer's members, and what belongs into `_meta`. */
export interface Answer<Body> {
  readonly body: Body;
  readonly meta?: MetaExtras;
  /** The same in another form, sent instead of `body` by windows that can: its content type, and the content. */
  readonly text?: { readonly type: string; readonly content: string };
}

/** Title and status that the interface names for one operation where they differ from the code's own. */
type ErrorPresentation = Partial<Record<ErrorCode, { readonly title?: string; readonly status?: number }>>;

/** One thing that the service does. */
interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** lowerCamelCase, unique; the OpenAPI operationId. */
  readonly name: OperationName;
  readonly summary: string;
  /** Several sentences for people and agents; becomes OpenAPI description, and `_meta.description` is its summary. */
  readonly description: string;
  /** `read` changes nothing, `build` makes unsigned bytes or changes only what the service keeps, `act` changes the chain. */
  readonly effect: 'read' | 'build' | 'act';
  readonly input: Input;
  /** Members of which at least one must be given, and the issue where none is. Default: the schema says what is required. */
  readonly eitherOf?: { readonly members: readonly string[]; readonly issue: ValidationIssue };
  /** Of an operation that takes a secret key: the one that builds the same transaction without it. */
  readonly keyless?: OperationName;
  readonly output: Output;
  /** Every code that `run` may raise besides those every route can (validation, rate limit, transport guards, internal). */
  readonly errors: readonly ErrorCode[];
  /** Title for a failure that has no title of its own here, for instance `Stake failed`. */
  readonly failureTitle?: string;
  readonly presentation?: ErrorPresentation;
  readonly run: (call: Call<z.output<Input>>) => Promise<Answer<z.input<Output>>>;
}

/** Keeps the types of an operation while checking its shape. */
export const defineOperation = <I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
): Operation<I, O> => operation;

/** An operation of whatever input and output, as windows hold it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations is heterogeneous; each is type-checked where it is defined.
export type AnyOperation = Operation<any, any>;
