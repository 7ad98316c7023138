// The RPC node that the user chose: it shows accounts as they are and proves that a signed transaction is dead, whatever the service says.
import type { Address } from '@solana/kit';
import { machineClock } from '../../client/client-clock.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import type { StakingPorts } from '../../client/staking/staking-flow.ts';
import { effectsRequestOf } from '../../client/staking/verify-against-request.ts';
import { accountsToRead, type NodeFacts } from '../../src/domain/transaction/check-effects.ts';
import type { CommandCall } from '../command.ts';
import { readNodeFacts, readWalletStakes } from '../direct/read-stakes.ts';
import { createRpcNode, isLoopback, type RpcNode, requireNodeUrl } from '../direct/rpc-node.ts';
import { settingInForce } from '../local/settings-file.ts';
import { localPath, readLocalJson, replaceLocalJson } from '../local/state-folder.ts';
import { UsageError } from '../usage-error.ts';

/** What the staking flow asks of the node. */
export type UserNode = Required<Pick<StakingPorts, 'nodeFacts' | 'provesDead'>>;

/** Blocks that a blockhash lives at most. */
const LIFE_BLOCKS = 150;
const POLL_MS = 2_000;

const nodesPath = ({ environment }: CommandCall['terminal']): string => localPath(environment, 'nodes.json');

/** Node URLs by genesis hash; they may hold keys, and are never shown. */
const rememberedNodes = (terminal: CommandCall['terminal']): Readonly<Record<string, string>> => {
  const path = nodesPath(terminal);
  const found = readLocalJson(path) ?? {};
  if (typeof found !== 'object' || Object.values(found).some((one) => typeof one !== 'string'))
    throw new UsageError(`${path} is damaged: repair it or move it away`);
  return found as Record<string, string>;
};

const genesisOf = (node: RpcNode): Promise<string> => node.call<string>('getGenesisHash');

/** The node of a sandbox: believed only where service and node are both on this machine. */
const sandboxNode = async ({ client, signal }: CommandCall): Promise<string | null> => {
  if (!isLoopback(new URL(client.baseUrl))) return null;
  const { rpcUrl } = await client.describeSandbox({}, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isHoldfastError(error)) return { rpcUrl: '' };
    throw error;
  });
  return URL.canParse(rpcUrl) && isLoopback(new URL(rpcUrl)) ? rpcUrl : null;
};

/**
 * Chooses the node: what `--rpc` names, else what was remembered for the cluster, else the one of `holdfast config` if it is on the same
 * cluster, else a local sandbox's own. Null: none. `genesisHash` null: the service was not asked for its cluster. Throws `UsageError` for a
 * named node of another cluster.
 */
const chooseNode = async (call: CommandCall, genesisHash: string | null): Promise<RpcNode | null> => {
  const { values, terminal, signal } = call;
  const given = values.rpc;
  if (typeof given === 'string') {
    const node = createRpcNode(requireNodeUrl(given), signal);
    const found = await genesisOf(node);
    if (genesisHash !== null && found !== genesisHash)
      throw new UsageError(
        `the RPC node serves another cluster (${found}) than the service (${genesisHash}). Nothing was signed.`,
      );
    const known = rememberedNodes(terminal);
    if (known[found] !== given) replaceLocalJson(nodesPath(terminal), { ...known, [found]: given });
    return node;
  }
  const known = rememberedNodes(terminal);
  if (genesisHash !== null && Object.hasOwn(known, genesisHash))
    return createRpcNode(known[genesisHash]!, signal);
  const setting = settingInForce('rpc', terminal.environment);
  const isConfigured = genesisHash !== null && setting.from === 'holdfast config';
  const url = isConfigured ? requireNodeUrl(setting.value!) : await sandboxNode(call);
  if (url === null) return null;
  const node = createRpcNode(url, signal);
  return genesisHash === null || (await genesisOf(node).catch(() => null)) === genesisHash ? node : null;
};

/** Reads what these transactions touch; with a rounded amount also the wallet's other stakes, among which a smaller one may be. */
const factsFor = async (
  node: RpcNode,
  [record, verdicts]: Parameters<UserNode['nodeFacts']>,
): Promise<NodeFacts> => {
  const request = effectsRequestOf(record, { voteAccount: record.voteAccount });
  const messages = verdicts.map(({ message }) => message);
  const others = request.rounding === 'atLeast' ? await readWalletStakes(node, request.wallet) : [];
  const accounts = [
    ...new Set([...accountsToRead(request, messages), ...others.map(({ account }) => account.address)]),
  ] as readonly Address[];
  return readNodeFacts(node, { wallet: request.wallet, voteAccount: request.voteAccount, accounts });
};

/**
 * Opens the node for one command; null where there is none. An answer that stays away shows nothing: then a person decides, or the command
 * refuses.
 */
export const openUserNode = async (
  call: CommandCall,
  genesisHash: string | null,
): Promise<UserNode | null> => {
  const node = await chooseNode(call, genesisHash);
  if (node === null) return null;
  const { terminal, signal } = call;
  const orNothing = async <Result>(read: () => Promise<Result>, nothing: Result): Promise<Result> => {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      terminal.err(`! your RPC node: ${error instanceof Error ? error.message : 'no answer'}\n`);
      return nothing;
    }
  };
  return {
    nodeFacts: (...asked) => orNothing<NodeFacts | null>(() => factsFor(node, asked), null),
    provesDead: ({ signature, lastValidBlockHeight }) =>
      orNothing(async () => {
        // A service could name too short a life, or one without end: no blockhash that exists now outlives these heights.
        const newest = await node.call<number>('getBlockHeight', [{ commitment: 'processed' }]);
        const least = newest + LIFE_BLOCKS;
        const bound = Math.min(Math.max(Number(lastValidBlockHeight), least), least + LIFE_BLOCKS);
        const finalized = () => node.call<number>('getBlockHeight', [{ commitment: 'finalized' }]);
        if ((await finalized()) <= bound)
          terminal.err(
            'the service says that it expired; waiting about a minute for your RPC node to prove it\n',
          );
        while ((await finalized()) <= bound) await machineClock.sleep(POLL_MS, signal);
        const { value } = await node.call<{ value: readonly unknown[] }>('getSignatureStatuses', [
          [signature],
          { searchTransactionHistory: true },
        ]);
        return value[0] === null;
      }, false),
  };
};
