// Implements the RPC methods that an execution-only runtime lacks or gets wrong, using the sandbox's own clock
// and boundaries.

import { decodeAddress, encodeBase58 } from '../base58.ts';
import { CREDITS_PER_EPOCH, SLOTS_PER_EPOCH } from '../epochs/apply-epoch-boundary.ts';
import { STAKE_PROGRAM } from '../epochs/delegation-bytes.ts';
import { readVoteState, totalCredits } from '../epochs/vote-account.ts';
import { RuntimeRpcError } from '../runtime-client.ts';
import { leaderResponses } from './leader-responses.ts';
import {
  configOf,
  invalidParams,
  type RpcResponse,
  type RpcResponseContext,
  withContext,
} from './rpc-response-context.ts';

// Rates with which the reported inflation agrees with the rewards paid. See sandbox/README.md.
const INFLATION_RATE = 0.042;
const STAKED_SHARE_PERCENT = 65n;
// Address that the listed nodes report as theirs. Nothing listens there.
const LOOPBACK = '127.0.0.1';
const FEATURE_SET = 3_345_198_602;
const SHRED_VERSION = 1;

function voteAccounts(context: RpcResponseContext, params: readonly unknown[]): unknown {
  const { engine, boundary } = context;
  const { slot, slotIndex } = engine;
  const wanted = configOf(params, 0).votePubkey;
  const entries = boundary.voteAccounts.flatMap((account) => {
    const state = readVoteState(account.data);
    if (state === null) return [];
    const before = totalCredits(state);
    const earned = (CREDITS_PER_EPOCH * BigInt(slotIndex)) / BigInt(SLOTS_PER_EPOCH);
    const past = state.epochCredits.map((item) => [item.epoch, item.credits, item.previousCredits]);
    const isVoting = account.address !== context.voteAccount || boundary.own.isVoting;
    const lastVote = isVoting ? slot - 1 : boundary.own.lastVoteSlot;
    return [
      {
        votePubkey: account.address,
        nodePubkey: encodeBase58(state.nodeAddressBytes),
        activatedStake: boundary.activatedStake.get(account.address) ?? 0n,
        epochVoteAccount: account.address !== context.voteAccount || boundary.own.isAdmitted,
        commission: Math.min(255, Math.ceil(state.commissionBps / 100)),
        inflationRewardsCommissionBps: state.commissionBps,
        epochCredits: [...past, ...(isVoting ? [[engine.epoch, before + earned, before]] : [])].slice(-5),
        lastVote,
        rootSlot: Math.max(0, lastVote - 31),
      },
    ];
  });
  const own = entries.filter(({ votePubkey }) => votePubkey === context.voteAccount);
  const [current, delinquent] = boundary.own.isVoting ? [own, []] : [[], own];
  if (wanted === context.voteAccount) return { current, delinquent };
  const peers = context.cluster.at({ epoch: engine.epoch, slot, progress: slotIndex / SLOTS_PER_EPOCH });
  // A single vote account holds the stake and credits of the rest of the cluster. The list shows each of its
  // validators separately.
  const rest = entries.find(({ votePubkey }) => votePubkey === context.peers[0]?.voteAccount);
  const inCluster = new Set(peers.map(({ voteAccount }) => voteAccount));
  const madeByOthers = entries.filter(
    ({ votePubkey }) => votePubkey !== context.voteAccount && !inCluster.has(votePubkey),
  );
  const listed = peers
    .filter(({ voteAccount }) => wanted === undefined || wanted === voteAccount)
    .map((peer) => ({
      delinquent: peer.delinquent,
      entry: {
        ...rest,
        votePubkey: peer.voteAccount,
        nodePubkey: peer.identity,
        activatedStake: peer.stakeLamports + (boundary.activatedStake.get(peer.voteAccount) ?? 0n),
        epochVoteAccount: true,
        commission: peer.commissionPct,
        inflationRewardsCommissionBps: peer.commissionPct * 100,
        lastVote: peer.lastVote,
        rootSlot: peer.rootSlot,
      },
    }));
  const entriesWhere = (isDelinquent: boolean) =>
    listed.filter(({ delinquent }) => delinquent === isDelinquent).map(({ entry }) => entry);
  return {
    current: [
      ...(wanted === undefined ? current : []),
      ...madeByOthers.filter(({ votePubkey }) => wanted === undefined || wanted === votePubkey),
      ...entriesWhere(false),
    ],
    delinquent: [...(wanted === undefined ? delinquent : []), ...entriesWhere(true)],
  };
}

function inflationReward(context: RpcResponseContext, params: readonly unknown[]): unknown {
  const { engine, boundary } = context;
  const addresses = params[0];
  if (!Array.isArray(addresses) || addresses.some((address) => decodeAddress(address) === null)) {
    throw invalidParams('Invalid param: an array of addresses is expected.');
  }
  const asked = configOf(params, 1).epoch;
  const epoch = typeof asked === 'number' ? asked : engine.epoch - 1;
  if (epoch >= engine.epoch) {
    const slot = (epoch + 1) * SLOTS_PER_EPOCH;
    throw new RuntimeRpcError({ code: -32_004, message: `Block not available for slot ${slot}` });
  }
  if (epoch === engine.epoch - 1 && engine.epochRewardsActive) {
    throw new RuntimeRpcError({
      code: -32_017,
      message: `Epoch rewards period still active at slot ${engine.slot}`,
      data: {
        currentBlockHeight: engine.blockHeight,
        rewardsCompleteBlockHeight: engine.blockHeight + 1,
        slot: engine.slot,
      },
    });
  }
  // A null response would mean that nothing was paid.
  if (boundary.isRewardDropped(epoch)) {
    const slot = (epoch + 1) * SLOTS_PER_EPOCH;
    throw new RuntimeRpcError({
      code: -32_009,
      message: `Slot ${slot} was skipped, or missing in long-term storage`,
    });
  }
  return addresses.map((address: string) => {
    const paid = boundary.reward(epoch, address);
    return paid === undefined ? null : { ...paid, commission: null };
  });
}

/** Asks the Stake program itself for its minimum, so the response is also correct for other program images. */
async function stakeMinimumDelegation(context: RpcResponseContext): Promise<unknown> {
  const payer = decodeAddress(context.identity) ?? new Uint8Array(32);
  const program = decodeAddress(STAKE_PROGRAM) ?? new Uint8Array(32);
  // One signature of zeros and a message with one instruction, GetMinimumDelegation (tag 13).
  const wire = Buffer.concat([
    Buffer.from([1]),
    Buffer.alloc(64),
    Buffer.from([1, 0, 1, 2]),
    payer,
    program,
    Buffer.alloc(32),
    Buffer.from([1, 1, 0, 4, 13, 0, 0, 0]),
  ]);
  const response = (await context.client.call('simulateTransaction', [
    wire.toString('base64'),
    { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true },
  ])) as { value: { err: unknown; returnData: { data: [string, string] } | null } };
  const { err, returnData } = response.value;
  if (returnData === null)
    throw new RuntimeRpcError({ code: -32_603, message: 'No minimum delegation', data: err });
  const bytes = Buffer.alloc(8);
  Buffer.from(returnData.data[0], 'base64').copy(bytes);
  return withContext(context, bytes.readBigUInt64LE(0));
}

function clusterNodes(context: RpcResponseContext): unknown {
  const urls = context.urls();
  const address = (url: string): string => new URL(url).host;
  const node = (identity: string, own: boolean): unknown => ({
    pubkey: identity,
    gossip: `${LOOPBACK}:8001`,
    tvu: `${LOOPBACK}:8002`,
    tpu: null,
    tpuQuic: `${LOOPBACK}:8003`,
    tpuForwards: null,
    tpuForwardsQuic: `${LOOPBACK}:8004`,
    tpuVote: `${LOOPBACK}:8005`,
    serveRepair: `${LOOPBACK}:8006`,
    rpc: own ? address(urls.rpc) : null,
    pubsub: own ? address(urls.pubsub) : null,
    version: '4.1.2',
    clientId: 'Agave',
    featureSet: FEATURE_SET,
    shredVersion: SHRED_VERSION,
  });
  return [node(context.identity, true), ...context.peers.map((peer) => node(peer.identity, false))];
}

async function requestAirdrop(context: RpcResponseContext, params: readonly unknown[]): Promise<string> {
  const [wallet, lamports] = params;
  if (typeof wallet !== 'string' || typeof lamports !== 'number' || !Number.isSafeInteger(lamports)) {
    throw invalidParams('Invalid param: an address and a number of lamports are expected.');
  }
  try {
    return await context.airdrop(wallet, BigInt(lamports));
  } catch (cause) {
    throw cause instanceof RangeError ? invalidParams(`Invalid param: ${cause.message}`) : cause;
  }
}

/** All methods that are implemented here instead of by the runtime. */
export function rpcResponses(context: RpcResponseContext): ReadonlyMap<string, RpcResponse> {
  const { engine, boundary } = context;
  const supplyLamports = (): bigint => (boundary.clusterEffectiveLamports * 100n) / STAKED_SHARE_PERCENT;
  return new Map<string, RpcResponse>([
    ['getVoteAccounts', (params) => voteAccounts(context, params)],
    ['getInflationReward', (params) => inflationReward(context, params)],
    [
      'getInflationRate',
      () => ({ epoch: engine.epoch, total: INFLATION_RATE, validator: INFLATION_RATE, foundation: 0 }),
    ],
    [
      'getInflationGovernor',
      // Constant, like the sandbox's reward rate.
      () => ({
        initial: INFLATION_RATE,
        terminal: INFLATION_RATE,
        taper: 0,
        foundation: 0,
        foundationTerm: 0,
      }),
    ],
    ['getStakeMinimumDelegation', () => stakeMinimumDelegation(context)],
    ...leaderResponses(context),
    ['getClusterNodes', () => clusterNodes(context)],
    ['getIdentity', () => ({ identity: context.identity })],
    [
      'getSupply',
      () => {
        const total = supplyLamports();
        return withContext(context, {
          total,
          circulating: total,
          nonCirculating: 0,
          nonCirculatingAccounts: [],
        });
      },
    ],
    [
      'getRecentPerformanceSamples',
      (params) =>
        engine.recentPerformanceSamples(typeof params[0] === 'number' ? Math.min(params[0], 720) : 720),
    ],
    ['getBlockTime', (params) => (typeof params[0] === 'number' ? blockTime(context, params[0]) : null)],
    ['requestAirdrop', (params) => requestAirdrop(context, params)],
  ]);
}

function blockTime(context: RpcResponseContext, slot: number): number | null {
  if (slot > context.engine.slot) {
    throw new RuntimeRpcError({ code: -32_004, message: `Block not available for slot ${slot}` });
  }
  return context.engine.timeline.blockTime(slot);
}
