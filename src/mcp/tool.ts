// A tool: an operation with the name, title, description and hints that agents see.
import type { z } from 'zod';
import type { AnyOperation } from '../operations/operation.ts';

/** Hints that a client may rely on before it calls a tool; the names are MCP's. */
interface ToolHints {
  /** Changes nothing in the service or on the chain. Building an unsigned transaction changes nothing. */
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
  /** The operation used instead if this input member is given; it refuses members that belong only to `operation`. */
  readonly instead?: { readonly member: string; readonly operation: AnyOperation };
  /** Arguments whose names differ from the operation's input: member → argument. */
  readonly argumentNames?: Readonly<Record<string, string>>;
  /** A shape of the answer for agents, controlled by arguments of the tool alone. */
  readonly view?: {
    readonly input: z.ZodObject;
    /** Members of that shape that the operation's output lacks. */
    readonly output: z.ZodObject;
    readonly apply: (
      body: Readonly<Record<string, unknown>>,
      given: Readonly<Record<string, unknown>>,
    ) => Readonly<Record<string, unknown>>;
  };
  /** Takes a wallet's secret key; omitted unless the operator allows one-shot tools. */
  readonly carriesSecretKey?: true;
}

/** Reads the chain or a provider. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Answers from the service's own data. */
export const READS_LOCALLY: ToolHints = { ...READS, openWorldHint: false };

/** Makes a change that calling again cannot undo. */
export const ACTS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
