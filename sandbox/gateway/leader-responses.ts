// Serves all RPC methods about leaders and blocks from one schedule, so the responses are consistent.

import { SLOTS_PER_EPOCH } from '../epochs/apply-epoch-boundary.ts';
import { LeaderSchedule } from '../epochs/leader-schedule.ts';
import {
  configOf,
  invalidParams,
  type RpcResponse,
  type RpcResponseContext,
  withContext,
} from './rpc-response-context.ts';

// Minimum weight. A validator without stake would lead no slots. With this minimum, the sandbox's validator has
// a few leader slots even in a fresh sandbox.
const MIN_LEADER_SHARE = 0.02;

function scheduleCache(context: RpcResponseContext): (epoch: number) => LeaderSchedule {
  let last: { epoch: number; schedule: LeaderSchedule } | undefined;
  return (epoch) => {
    if (last?.epoch === epoch) return last.schedule;
    const peers = context.peers.map(({ identity, stakeLamports }) => ({
      identity,
      weight: Number(stakeLamports),
    }));
    const rest = peers.reduce((sum, peer) => sum + peer.weight, 0) || 1;
    const own = Number(context.boundary.activatedStake.get(context.voteAccount) ?? 0n);
    const weight = Math.max(own, rest * MIN_LEADER_SHARE);
    const schedule = new LeaderSchedule(epoch, [{ identity: context.identity, weight }, ...peers]);
    last = { epoch, schedule };
    return schedule;
  };
}

function epochOf(slot: number): number {
  return Math.floor(slot / SLOTS_PER_EPOCH);
}

function blockProduction(
  context: RpcResponseContext,
  schedule: LeaderSchedule,
  params: readonly unknown[],
): unknown {
  const { engine } = context;
  const config = configOf(params, 0);
  const range = configOf([config.range], 0);
  const epochStart = engine.epoch * SLOTS_PER_EPOCH;
  const firstSlot = typeof range.firstSlot === 'number' ? range.firstSlot : epochStart;
  const lastSlot = typeof range.lastSlot === 'number' ? range.lastSlot : engine.slot;
  if (lastSlot < firstSlot)
    throw invalidParams(`lastSlot, ${lastSlot}, cannot be less than firstSlot, ${firstSlot}`);
  if (firstSlot < epochStart || lastSlot > engine.slot) {
    throw invalidParams(`The range must be within [${epochStart}, ${engine.slot}], the epoch so far.`);
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
  context: RpcResponseContext,
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
  context: RpcResponseContext,
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

/** Handlers of getBlockProduction, getLeaderSchedule, getSlotLeader and getSlotLeaders. */
export function leaderResponses(context: RpcResponseContext): [string, RpcResponse][] {
  const { engine } = context;
  const scheduleOf = scheduleCache(context);
  return [
    ['getBlockProduction', (params) => blockProduction(context, scheduleOf(engine.epoch), params)],
    ['getLeaderSchedule', (params) => leaderSchedule(context, scheduleOf, params)],
    ['getSlotLeader', () => scheduleOf(engine.epoch).leaderAt(engine.slotIndex)],
    ['getSlotLeaders', (params) => slotLeaders(context, scheduleOf, params)],
  ];
}
