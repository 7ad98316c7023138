// The user's own RPC node. Independently of the service, it reads accounts and proves that a signed transaction
// can never land.
import type { Address } from '@solana/kit';
import { machineClock } from '../../client/client-clock.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import type { StakingPorts } from '../../client/staking/run-staking-flow.ts';
import { effectsRequestOf } from '../../client/staking/verify-against-request.ts';
import { isPublicCluster } from '../../src/domain/public-clusters.ts';
import {
  accountsToRead,
  type EffectsRequest,
  type NodeFacts,
} from '../../src/domain/transaction/effects/check-effects.ts';
import type { MessageFacts } from '../../src/domain/transaction/stake-verifier.ts';
import type { OnChain } from '../act/submit-until-expiry.ts';
import type { CommandCall } from '../command.ts';
import {
  createRpcNode,
  isConfirmed,
  isLoopback,
  type RpcNode,
  requireNodeUrl,
  statusOf,
} from '../direct/call-rpc-node.ts';
import { readNodeFacts, readWalletStakes } from '../direct/read-stakes.ts';
import { readService } from '../local/known-services.ts';
import { settingInForce } from '../local/option-defaults.ts';
import { localPath, readLocalJson, replaceLocalJson } from '../local/state-folder.ts';
import { UsageError } from '../usage-error.ts';

/** Parts of the staking flow that use the node. */
export interface UserNode extends Required<Pick<StakingPorts, 'nodeFacts' | 'provesExpired'>> {
  /** Reads a transaction's outcome; null if it is not confirmed, or if the node does not respond. */
  readonly outcomeOf: (signature: string) => Promise<OnChain | null>;
  /** Reads the current epoch; null if the node does not respond. */
  readonly epoch: () => Promise<number | null>;
}

/** Maximum lifetime of a blockhash in blocks. */
const LIFE_BLOCKS = 150;
const POLL_MS = 2_000;

const nodesPath = ({ environment }: CommandCall['terminal']): string => localPath(environment, 'nodes.json');

/** Node URLs by genesis hash. They may contain keys and are never shown. */
const rememberedNodes = (terminal: CommandCall['terminal']): Readonly<Record<string, string>> => {
  const path = nodesPath(terminal);
  const found = readLocalJson(path) ?? {};
  if (typeof found !== 'object' || Object.values(found).some((one) => typeof one !== 'string'))
    throw new UsageError(`${path} is damaged. Repair it or move it elsewhere`);
  return found as Record<string, string>;
};

const genesisOf = (node: RpcNode): Promise<string> => node.call<string>('getGenesisHash');

/**
 * Returns the URL of a local sandbox's node, or null. A service behind a tunnel also has a loopback URL, so a
 * node on the service's own port is not trusted. No node is trusted if the service's cluster is a public one.
 */
const sandboxNode = async ({ client, signal }: CommandCall, genesisHash: string): Promise<string | null> => {
  const service = new URL(client.baseUrl);
  if (!isLoopback(service) || isPublicCluster(genesisHash)) return null;
  const { rpcUrl } = await client.describeSandbox({}, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isHoldfastError(error)) return { rpcUrl: '' };
    throw error;
  });
  if (!URL.canParse(rpcUrl)) return null;
  const node = new URL(rpcUrl);
  return isLoopback(node) && node.protocol === 'http:' && node.port !== service.port ? rpcUrl : null;
};

/**
 * Chooses the first available node: that of `--rpc`, the one remembered for the cluster, that of `holdfast
 * config`, or that of a local sandbox. Returns null if none of them serves the service's cluster. `known` is
 * the remembered genesis hash of the service; if it is null, it is read from the service. Throws `UsageError`
 * if the node of `--rpc` serves another cluster.
 */
const chooseNode = async (call: CommandCall, known: string | null): Promise<RpcNode | null> => {
  const { values, terminal, signal, client } = call;
  const genesisHash = known ?? (await readService(client, signal)).genesisHash;
  const given = values.rpc;
  if (typeof given === 'string') {
    const node = createRpcNode(requireNodeUrl(given), signal);
    const found = await genesisOf(node);
    if (found !== genesisHash)
      throw new UsageError(
        `the RPC node is on a different cluster (${found}) than the service (${genesisHash ?? 'not given'}). Nothing was signed.`,
      );
    const nodes = rememberedNodes(terminal);
    if (nodes[found] !== given && values['dry-run'] !== true)
      replaceLocalJson(nodesPath(terminal), { ...nodes, [found]: given });
    return node;
  }
  if (genesisHash === null) return null;
  const nodes = rememberedNodes(terminal);
  const setting = settingInForce('rpc', terminal.environment);
  const stored = setting.from === 'holdfast config' ? setting.value : undefined;
  const url = Object.hasOwn(nodes, genesisHash)
    ? nodes[genesisHash]!
    : stored === undefined
      ? await sandboxNode(call, genesisHash)
      : requireNodeUrl(stored);
  if (url === null) return null;
  // The cluster is checked on each use, because the URL may lead to another cluster by now.
  const node = createRpcNode(url, signal);
  return (await genesisOf(node).catch(() => null)) === genesisHash ? node : null;
};

/**
 * Throws unless the response is a height, a slot or an epoch, because comparisons with anything else would
 * always be false.
 */
const requireHeight = (response: unknown): number => {
  if (Number.isSafeInteger(response) && (response as number) >= 0) return response as number;
  throw new Error('it did not return a block height');
};

export const epochOf = async (node: RpcNode): Promise<number> =>
  requireHeight((await node.call<{ epoch?: unknown }>('getEpochInfo', [{ commitment: 'finalized' }])).epoch);

/**
 * Reads the accounts of these transactions. For an amount that may be rounded up, also reads the wallet's other
 * stakes, because one of them may fit better.
 */
export const readFactsFor = async (
  node: RpcNode,
  request: EffectsRequest,
  messages: readonly MessageFacts[],
): Promise<NodeFacts> => {
  const others =
    request.rounding === 'atLeast' ? await readWalletStakes(node, request.owner ?? request.wallet) : [];
  const accounts = [
    ...new Set([...accountsToRead(request, messages), ...others.map(({ account }) => account.address)]),
  ] as readonly Address[];
  return readNodeFacts(node, { wallet: request.wallet, voteAccount: request.voteAccount, accounts });
};

/**
 * Opens the node for one command, or returns null if there is none. If the node does not respond, the effects
 * that it would show stay unknown.
 */
export const openUserNode = async (
  call: CommandCall,
  genesisHash: string | null,
): Promise<UserNode | null> => {
  const node = await chooseNode(call, genesisHash);
  return node && userNodeOf(call, node);
};

/** Adapts a node to the staking flow. */
export const userNodeOf = ({ terminal, signal }: CommandCall, node: RpcNode): UserNode => {
  const orNothing = async <Result>(read: () => Promise<Result>, nothing: Result): Promise<Result> => {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      terminal.err(`! your RPC node: ${error instanceof Error ? error.message : 'no response'}\n`);
      return nothing;
    }
  };
  return {
    // Failures are not printed, because this is polled.
    outcomeOf: (signature) =>
      statusOf(node, signature).then(
        (status) => (status !== null && isConfirmed(status) ? { error: status.err } : null),
        () => null,
      ),
    epoch: () => orNothing<number | null>(() => epochOf(node), null),
    nodeFacts: (record, verdicts) =>
      orNothing<NodeFacts | null>(
        () =>
          readFactsFor(
            node,
            effectsRequestOf(record, { voteAccount: record.voteAccount }),
            verdicts.map(({ message }) => message),
          ),
        null,
      ),
    provesExpired: ({ signature, lastValidBlockHeight }) =>
      orNothing(async () => {
        const ask = async (method: 'getBlockHeight' | 'getSlot', commitment: 'processed' | 'finalized') =>
          requireHeight(await node.call(method, [{ commitment }]));
        // A service could report a lifetime that is too short or endless. No existing blockhash is valid beyond
        // these heights.
        const least = (await ask('getBlockHeight', 'processed')) + LIFE_BLOCKS;
        const bound = Math.min(Math.max(Number(lastValidBlockHeight), least), least + LIFE_BLOCKS);
        if ((await ask('getBlockHeight', 'finalized')) <= bound)
          terminal.err(
            'the transaction seems to have expired; waiting about a minute for your RPC node to prove it\n',
          );
        while ((await ask('getBlockHeight', 'finalized')) <= bound) await machineClock.sleep(POLL_MS, signal);
        const slot = await ask('getSlot', 'finalized');
        const { context, value } = await node.call<{ context: { slot: unknown }; value: readonly unknown[] }>(
          'getSignatureStatuses',
          [[signature], { searchTransactionHistory: true }],
        );
        // Behind a load balancer, this call may reach a node that has not seen these blocks yet.
        if (requireHeight(context.slot) < slot) throw new Error('it is behind its own finalized slot');
        return value[0] === null;
      }, false),
  };
};
