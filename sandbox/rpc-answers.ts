// Answers the RPC methods that an execution-only runtime lacks or gets wrong, each from the sandbox's own clock and boundaries.

import { decodeAddress, encodeBase58 } from './base58.ts';
import { CREDITS_PER_EPOCH, type EpochBoundary, SLOTS_PER_EPOCH } from './epoch-boundary.ts';
import type { EpochEngine } from './epoch-engine.ts';
import { LeaderSchedule } from './leader-schedule.ts';
import { type RuntimeClient, RuntimeRpcError } from './runtime-client.ts';
import { STAKE_PROGRAM } from './stake-account.ts';
import { readVoteState, totalCredits } from './vote-account.ts';

/** What the answers are made from. */
export type RpcAnswerContext = {
  readonly client: RuntimeClient;
  readonly engine: EpochEngine;
  readonly boundary: EpochBoundary;
  readonly identity: string;
  /** Identities of the rest of the cluster with their vote addresses and effective lamports. */
  readonly peers: readonly {
    readonly identity: string;
    readonly voteAccount: string;
    readonly stakeLamports: bigint;
  }[];
  readonly urls: () => { readonly rpc: string; readonly pubsub: string };
  readonly airdrop: (wallet: string, lamports: bigint) => Promise<string>;
};

export type RpcAnswer = (params: readonly unknown[]) => unknown;

// Shares that make the inflation figures agree with the rewards paid: see sandbox/README.md.
const INFLATION_RATE = 0.042;
const STAKED_SHARE_PERCENT = 65n;
// A validator without stake leads nothing; this keeps a few leader slots in sight on a fresh sandbox.
const LEAST_LEADER_SHARE = 0.02;

export function invalidParams(message: string): RuntimeRpcError {
  return new RuntimeRpcError({ code: -32_602, message });
}

function configOf(params: readonly unknown[], index: number): Record<string, unknown> {
  const config = params[index];
  return typeof config === 'object' && config !== null ? (config as Record<string, unknown>) : {};
}

function withContext(context: RpcAnswerContext, value: unknown): unknown {
  return { context: { slot: context.engine.slot, apiVersion: '4.1.2' }, value };
}

function stakeOf(context: RpcAnswerContext, voteAccount: string): bigint {
  const rest = context.peers.find((peer) => peer.voteAccount === voteAccount)?.stakeLamports ?? 0n;
  return rest + (context.boundary.activatedStake.get(voteAccount) ?? 0n);
}

function voteAccounts(context: RpcAnswerContext, params: readonly unknown[]): unknown {
  const { engine, boundary } = context;
  const wanted = configOf(params, 0).votePubkey;
  const current = boundary.voteAccounts.flatMap((account) => {
    const state = readVoteState(account.data);
    if (state === null || (wanted !== undefined && wanted !== account.address)) return [];
    const before = totalCredits(state);
    const earned = (CREDITS_PER_EPOCH * BigInt(engine.slotIndex)) / BigInt(SLOTS_PER_EPOCH);
    const past = state.epochCredits.map((item) => [item.epoch, item.credits, item.previousCredits]);
    return [
      {
        votePubkey: account.address,
        nodePubkey: encodeBase58(state.nodeAddressBytes),
        activatedStake: stakeOf(context, account.address),
        epochVoteAccount: true,
        commission: Math.floor(state.commissionBps / 100),
        epochCredits: [...past, [engine.epoch, before + earned, before]].slice(-5),
        lastVote: engine.slot - 1,
        rootSlot: Math.max(0, engine.slot - 32),
      },
    ];
  });
  return { current, delinquent: [] };
}

function inflationReward(context: RpcAnswerContext, params: readonly unknown[]): unknown {
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
  return addresses.map((address: string) => boundary.reward(epoch, address) ?? null);
}

/** The minimum that the Stake program itself names, so that another program image changes the answer too. */
async function stakeMinimumDelegation(context: RpcAnswerContext): Promise<unknown> {
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
  const answer = (await context.client.call('simulateTransaction', [
    wire.toString('base64'),
    { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true },
  ])) as { value: { err: unknown; returnData: { data: [string, string] } | null } };
  const { err, returnData } = answer.value;
  if (returnData === null)
    throw new RuntimeRpcError({ code: -32_603, message: 'No minimum delegation', data: err });
  const bytes = Buffer.alloc(8);
  Buffer.from(returnData.data[0], 'base64').copy(bytes);
  return withContext(context, bytes.readBigUInt64LE(0));
}

function scheduleCache(context: RpcAnswerContext): (epoch: number) => LeaderSchedule {
  let last: { epoch: number; schedule: LeaderSchedule } | undefined;
  return (epoch) => {
    if (last?.epoch === epoch) return last.schedule;
    const peers = context.peers.map(({ identity, stakeLamports }) => ({
      identity,
      weight: Number(stakeLamports),
    }));
    const rest = peers.reduce((sum, peer) => sum + peer.weight, 0) || 1;
    const own = [...context.boundary.activatedStake.values()].reduce((sum, stake) => sum + Number(stake), 0);
    const weight = Math.max(own, rest * LEAST_LEADER_SHARE);
    const schedule = new LeaderSchedule(epoch, [{ identity: context.identity, weight }, ...peers]);
    last = { epoch, schedule };
    return schedule;
  };
}

function epochOf(slot: number): number {
  return Math.floor(slot / SLOTS_PER_EPOCH);
}

function blockProduction(
  context: RpcAnswerContext,
  schedule: LeaderSchedule,
  params: readonly unknown[],
): unknown {
  const { engine } = context;
  const config = configOf(params, 0);
  const range = configOf([config.range], 0);
  const epochStart = engine.epoch * SLOTS_PER_EPOCH;
  const firstSlot = typeof range.firstSlot === 'number' ? range.firstSlot : epochStart;
  const lastSlot = typeof range.lastSlot === 'number' ? range.lastSlot : engine.slot;
  if (firstSlot < epochStart || lastSlot > engine.slot || firstSlot > lastSlot) {
    throw invalidParams(`The range must lie within [${epochStart}, ${engine.slot}], the epoch so far.`);
  }
  const { identity } = config;
  const identities = typeof identity === 'string' ? [identity] : schedule.identities;
  const byIdentity: Record<string, [number, number]> = {};
  for (const leader of identities) {
    const slots = schedule.countBetween(leader, firstSlot - epochStart, lastSlot - epochStart);
    if (slots > 0) byIdentity[leader] = [slots, slots];
  }
  return withContext(context, { byIdentity, range: { firstSlot, lastSlot } });
}

function leaderSchedule(
  context: RpcAnswerContext,
  scheduleOf: (epoch: number) => LeaderSchedule,
  params: readonly unknown[],
): unknown {
  const config = configOf(params, typeof params[0] === 'object' && params[0] !== null ? 0 : 1);
  const slot = typeof params[0] === 'number' ? params[0] : context.engine.slot;
  if (epochOf(slot) !== context.engine.epoch) return null;
  const schedule = scheduleOf(context.engine.epoch);
  const { identity } = config;
  const identities = typeof identity === 'string' ? [identity] : schedule.identities;
  const entries = identities.map((leader) => [leader, schedule.slotsOf(leader)] as const);
  return Object.fromEntries(entries.filter(([, slots]) => slots.length > 0));
}

function slotLeaders(
  context: RpcAnswerContext,
  scheduleOf: (epoch: number) => LeaderSchedule,
  params: readonly unknown[],
): string[] {
  const [first, limit] = params;
  if (typeof first !== 'number' || typeof limit !== 'number' || limit < 1 || limit > 5_000) {
    throw invalidParams('Invalid param: a start slot and a limit from 1 to 5000 are expected.');
  }
  const { epoch } = context.engine;
  if (epochOf(first) !== epoch)
    throw invalidParams(`Invalid slot range: leader schedule for epoch ${epochOf(first)} is unavailable`);
  const slots = Array.from({ length: limit }, (_, index) => first + index).filter(
    (slot) => epochOf(slot) === epoch,
  );
  return slots.map((slot) => scheduleOf(epoch).leaderAt(slot % SLOTS_PER_EPOCH));
}

function clusterNodes(context: RpcAnswerContext): unknown {
  const urls = context.urls();
  const address = (url: string): string => new URL(url).host;
  const node = (identity: string, own: boolean): unknown => ({
    pubkey: identity,
    gossip: null,
    tpu: null,
    tpuQuic: null,
    rpc: own ? address(urls.rpc) : null,
    pubsub: own ? address(urls.pubsub) : null,
    version: '4.1.2',
    featureSet: null,
    shredVersion: null,
  });
  return [node(context.identity, true), ...context.peers.map((peer) => node(peer.identity, false))];
}

async function requestAirdrop(context: RpcAnswerContext, params: readonly unknown[]): Promise<string> {
  const [wallet, lamports] = params;
  if (
    decodeAddress(wallet) === null ||
    typeof lamports !== 'number' ||
    !Number.isSafeInteger(lamports) ||
    lamports < 1
  ) {
    throw invalidParams('Invalid param: an address and a positive number of lamports are expected.');
  }
  return context.airdrop(wallet as string, BigInt(lamports));
}

/** Every method answered here instead of by the runtime. */
export function rpcAnswers(context: RpcAnswerContext): ReadonlyMap<string, RpcAnswer> {
  const { engine, boundary } = context;
  const scheduleOf = scheduleCache(context);
  const supplyLamports = (): bigint => (boundary.clusterEffectiveLamports * 100n) / STAKED_SHARE_PERCENT;
  return new Map<string, RpcAnswer>([
    ['getVoteAccounts', (params) => voteAccounts(context, params)],
    ['getInflationReward', (params) => inflationReward(context, params)],
    [
      'getInflationRate',
      () => ({ epoch: engine.epoch, total: INFLATION_RATE, validator: INFLATION_RATE, foundation: 0 }),
    ],
    [
      'getInflationGovernor',
      () => ({ initial: 0.08, terminal: 0.015, taper: 0.15, foundation: 0, foundationTerm: 0 }),
    ],
    ['getStakeMinimumDelegation', () => stakeMinimumDelegation(context)],
    ['getBlockProduction', (params) => blockProduction(context, scheduleOf(engine.epoch), params)],
    ['getLeaderSchedule', (params) => leaderSchedule(context, scheduleOf, params)],
    ['getSlotLeader', () => scheduleOf(engine.epoch).leaderAt(engine.slotIndex)],
    ['getSlotLeaders', (params) => slotLeaders(context, scheduleOf, params)],
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

function blockTime(context: RpcAnswerContext, slot: number): number | null {
  if (slot > context.engine.slot) {
    throw new RuntimeRpcError({ code: -32_004, message: `Block not available for slot ${slot}` });
  }
  return context.engine.timeline.blockTime(slot);
}
