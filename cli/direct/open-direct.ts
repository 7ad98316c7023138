// Opens the RPC node that replaces the service with `--direct`.
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { solNumber } from '../../src/domain/lamports.ts';
import type { ArgumentFigures } from '../act/resolve-arguments.ts';
import type { CommandCall, CommandOption } from '../command.ts';
import { settingInForce } from '../local/option-defaults.ts';
import { UsageError } from '../usage-error.ts';
import { createRpcNode, type RpcNode, requireNodeUrl } from './call-rpc-node.ts';

/** Option that specifies the user's own RPC node. */
export const RPC_OPTION = {
  rpc: {
    value: 'URL',
    description: 'your RPC node, used to check what the service reports (saved for its cluster)',
  },
} as const satisfies Record<string, CommandOption>;

/** Options of commands that work without a service. */
export const DIRECT_OPTIONS = {
  direct: { description: 'do not use a service, only an RPC node' },
  rpc: {
    value: 'URL',
    description: 'your RPC node (default with --direct: the one in holdfast config, else in solana config)',
  },
} as const satisfies Record<string, CommandOption>;

/** Returns the node if `--direct` is given, otherwise null. Throws `UsageError` if no node is specified. */
export const directNode = ({ values, terminal, signal }: CommandCall): RpcNode | null => {
  const given = values.rpc;
  const named = typeof given === 'string' ? given : undefined;
  if (values.direct !== true) {
    if (named !== undefined) throw new UsageError('--rpc works only with --direct here');
    return null;
  }
  const { value } = settingInForce('rpc', terminal.environment, named);
  if (value === undefined)
    throw new UsageError(
      '--direct requires an RPC node; specify one with --rpc URL, or once for all commands with holdfast config set rpc URL',
    );
  return createRpcNode(requireNodeUrl(value), signal);
};

/**
 * Creates the staking flow's service on the node. Loaded on demand, because loading the transaction builder
 * takes longer than running most commands.
 */
export const directService = async (node: RpcNode, { values, terminal, signal }: CommandCall) => {
  const [{ createDirectService }, { DIRECT_MEMO, directSteps }] = await Promise.all([
    import('./direct-service.ts'),
    import('./direct-plan.ts'),
  ]);
  return {
    service: createDirectService(node, {
      now: terminal.clock.now,
      sleep: (ms) => terminal.clock.sleep(ms, signal),
      // The URL may contain a key and is never shown.
      withdrawCommand: `holdfast withdraw ALL --direct${values.rpc === undefined ? '' : ', with the same --rpc'}`,
    }),
    memo: DIRECT_MEMO,
    stepsOf: (request: StakingRequest) => directSteps(node, request),
  };
};

/** Reads from the node what the arguments of a request refer to. */
export const directFigures = (node: RpcNode): ArgumentFigures => ({
  listStakeAccounts: async ({ walletAddress }) => ({
    accounts: await (await import('./list-stakes.ts')).listStakes(node, walletAddress),
  }),
  previewUnstake: async ({ walletAddress, want }) => {
    const { mostDirect } = await import('./direct-plan.ts');
    const lamports = await mostDirect(node, walletAddress, want === 'unstake' ? want : 'withdraw-amount');
    return { reachable: lamports === 0n ? [] : [{ toSol: solNumber(lamports) }] };
  },
});

/** Lists all stake accounts of a wallet, from the node if there is one, and otherwise from the service. */
export const allStakes = async (
  node: RpcNode | null,
  { client, signal }: Pick<CommandCall, 'client' | 'signal'>,
  walletAddress: string,
) =>
  node === null
    ? (await client.listStakeAccounts({ walletAddress, scope: 'all' }, { signal })).accounts
    : (await import('./list-stakes.ts')).listStakes(node, walletAddress);
