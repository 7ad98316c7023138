// Serves the prompts and the completions of their arguments, for the service and for the command line's server.
import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { mcpPrompts, promptResult } from './prompts.ts';
import { variablesOf } from './resource-uris.ts';

/** Maximum number of completions in a response, set by the protocol. */
const MAX_VALUES = 100;

interface PromptServing {
  readonly templates: readonly { readonly uriTemplate: string }[];
  /** The wallet that signs on this machine, used if a prompt gets no `walletAddress`. Default: none. */
  readonly ownWallet?: string | undefined;
  readonly isAddress: (text: string) => boolean;
  /** Returns the addresses of a wallet's stake accounts. */
  readonly stakeAddresses: (
    walletAddress: string,
    request: Pick<CompleteRequest['params'], 'ref' | 'argument'>,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
  /** Runs a completion, and replaces internal errors with an error that contains no details. */
  readonly guarded: (run: () => Promise<CompleteResult>) => Promise<CompleteResult>;
}

const invalidParams = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);

const takesArgument = (
  ref: CompleteRequest['params']['ref'],
  name: string,
  templates: PromptServing['templates'],
): boolean =>
  ref.type === 'ref/prompt'
    ? mcpPrompts.some((one) => one.name === ref.name && one.arguments.some((taken) => taken.name === name))
    : templates.some(({ uriTemplate }) => uriTemplate === ref.uri && variablesOf(uriTemplate).includes(name));

const completionOf = (values: readonly string[], typed: string): CompleteResult => {
  const fitting = values.filter((value) => value.startsWith(typed));
  return {
    completion: {
      values: fitting.slice(0, MAX_VALUES),
      total: fitting.length,
      hasMore: fitting.length > MAX_VALUES,
    },
  };
};

/** Handles `prompts/list`, `prompts/get` and `completion/complete` on `server`. */
export const servePrompts = (
  server: Server,
  { templates, ownWallet, isAddress, stakeAddresses, guarded }: PromptServing,
): void => {
  const withWallet = (given: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
    ownWallet === undefined ? given : { walletAddress: ownWallet, ...given };

  server.setRequestHandler('prompts/list', () => ({
    prompts: mcpPrompts.map(({ name, title, description, arguments: taken }) => ({
      name,
      title,
      description,
      arguments: taken.map((one) =>
        ownWallet !== undefined && one.name === 'walletAddress' ? { ...one, required: false } : one,
      ),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = mcpPrompts.find(({ name }) => name === params.name);
    if (prompt === undefined)
      throw invalidParams('There is no prompt with this name; prompts/list shows all prompts.');
    const result = promptResult(prompt, withWallet(params.arguments), isAddress);
    if ('wrong' in result) throw invalidParams(`${result.wrong} must be a valid base58 Solana address.`);
    return result;
  });
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, { mcpReq }) =>
    guarded(async () => {
      if (!takesArgument(ref, argument.name, templates))
        throw invalidParams('There is no prompt or resource template with this argument.');
      if (argument.name === 'walletAddress')
        return completionOf(ownWallet === undefined ? [] : [ownWallet], argument.value);
      const { walletAddress } = withWallet(context?.arguments);
      return argument.name === 'stakeAccountAddress' &&
        walletAddress !== undefined &&
        isAddress(walletAddress)
        ? completionOf(await stakeAddresses(walletAddress, { ref, argument }, mcpReq.signal), argument.value)
        : completionOf([], '');
    }),
  );
};
