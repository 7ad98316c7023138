// What a tool is: an operation under the name, title and description that agents see, with hints that are true of what it does.
import type { z } from 'zod';
import type { AnyOperation } from '../operations/operation.ts';

/** What a client may assume of a tool before it calls it; the names are MCP's. */
interface ToolHints {
  /** Changes nothing, here or on the chain. Building an unsigned transaction changes nothing. */
  readonly readOnlyHint: boolean;
  /** May undo or spend something. */
  readonly destructiveHint: boolean;
  /** Calling again with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** Reaches beyond this service: the chain, a provider, a callback. */
  readonly openWorldHint: boolean;
}

/** One tool. */
export interface McpTool {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For agents: when to use it, what it changes, what to call next. */
  readonly description: string;
  readonly operation: AnyOperation;
  readonly annotations: ToolHints;
  /** Another operation that is meant where this member of its input is given; members of `operation` alone are refused beside it. */
  readonly instead?: { readonly member: string; readonly operation: AnyOperation };
  /** Arguments that are named otherwise than the members of the operation's input: member → argument. */
  readonly argumentNames?: Readonly<Record<string, string>>;
  /** A shape of the answer that suits agents, chosen by arguments of the tool alone. */
  readonly view?: {
    readonly input: z.ZodObject;
    /** Members of the shape that the operation's output does not have. */
    readonly output: z.ZodObject;
    readonly apply: (
      body: Readonly<Record<string, unknown>>,
      given: Readonly<Record<string, unknown>>,
    ) => Readonly<Record<string, unknown>>;
  };
  /** Takes a wallet's secret key; left out unless the operator allows one-shot tools. */
  readonly carriesSecretKey?: true;
}

/** Reads the chain or a provider. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Answers from what this service holds itself. */
export const READS_LOCALLY: ToolHints = { ...READS, openWorldHint: false };

/** Changes something that cannot be taken back by calling it again. */
export const ACTS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
