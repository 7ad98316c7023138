// A tool: an operation with the name, title, description and hints that agents see.
import type { z } from 'zod';
import type { AnyOperation } from '../operations/operation.ts';

/** Hints that a client may rely on before it calls a tool. The names are defined by MCP. */
interface ToolHints {
  /** True if the tool changes nothing, neither on chain nor in the service's own data. */
  readonly readOnlyHint: boolean;
  /** True if the tool may undo something or spend SOL. */
  readonly destructiveHint: boolean;
  /** True if repeating the call with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** True if the tool accesses anything outside this service: the chain, a provider, a callback. */
  readonly openWorldHint: boolean;
}

/** An MCP tool. */
export interface McpTool {
  readonly name: string;
  /** Title shown to users. */
  readonly title: string;
  /** Description for agents: when to use the tool, what it changes, and what to call next. */
  readonly description: string;
  readonly operation: AnyOperation;
  readonly annotations: ToolHints;
  /**
   * Operation that runs instead if the input field `member` is given. It refuses fields that belong only to
   * `operation`.
   */
  readonly instead?: { readonly member: string; readonly operation: AnyOperation };
  /** Names of arguments that differ from the operation's input fields, by field. */
  readonly argumentNames?: Readonly<Record<string, string>>;
  /** An alternative form of the response for agents, controlled by arguments that only the tool has. */
  readonly view?: {
    readonly input: z.ZodObject;
    /** Fields of the alternative form that the operation's output does not have. */
    readonly output: z.ZodObject;
    readonly apply: (
      body: Readonly<Record<string, unknown>>,
      given: Readonly<Record<string, unknown>>,
    ) => Readonly<Record<string, unknown>>;
  };
  /**
   * True if the tool takes a wallet's secret key. Such a tool is omitted unless the operator allows one-shot
   * tools.
   */
  readonly carriesSecretKey?: true;
}

/** For tools that read the chain or a provider. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** For tools that respond from the service's own data. */
export const READS_LOCALLY: ToolHints = { ...READS, openWorldHint: false };

/** For tools whose change cannot be undone by another call. */
export const ACTS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
