// Builds events from facts, which are things that happened to a stake on chain: one for each matching
// registration that is older than the fact. The id depends only on the fact and the registration.

import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { ChangeFact } from '../../domain/alerts/detect-control-changes.ts';
import type { AlertAssessment } from '../../domain/alerts/theft-patterns.ts';
import { solNumber } from '../../domain/lamports.ts';
import { type DeliveryType, type EventType, eventTypes } from '../../domain/notification-types.ts';
import { epochIdentity, isAfter, type StakeFact } from '../../domain/stake/detect-stake-events.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';
import { lengthPrefixed } from '../../kernel/length-prefixed.ts';
import type { Registration } from '../../store/registration-rows.ts';
import {
  type ChangeData,
  changeDataOf,
  type EpochCompleteData,
  type GapData,
  type StakeActivatedData,
  type StakeDeactivatedData,
  type WalletOwnerChangedData,
  type WithdrawReadyData,
} from '../event-data.ts';
import type { ChainTime, UntimedEvent } from './event-times.ts';

export interface ComposeOptions {
  readonly genesisHash: string;
}

/** Events that could not be derived individually. */
export interface Gap {
  readonly wallet: Address;
  readonly account: Address | null;
  readonly fromSlot: bigint;
  readonly toSlot: bigint;
  readonly reason: GapData['gap']['reason'];
}

type Data =
  | StakeActivatedData
  | StakeDeactivatedData
  | WithdrawReadyData
  | EpochCompleteData
  | ChangeData
  | WalletOwnerChangedData
  | GapData;

const compose = (
  { id: registrationId }: Registration,
  type: EventType,
  fact: string,
  data: Data,
  chainTime: ChainTime,
  { genesisHash }: ComposeOptions,
): UntimedEvent => ({
  id: eventIdOf({ genesisHash, registrationId, type, fact }),
  registrationId,
  type,
  chainTime,
  data: JSON.stringify(data),
  expiresAtMs: null,
});

const dataOf = (fact: StakeFact, isProven: boolean): Data => {
  const { period, deactivationEpoch } = fact;
  const { activationEpoch } = period;
  const common = {
    walletAddress: fact.wallet,
    epoch: Number(fact.epoch),
    stakeAccountAddress: fact.account,
  };
  const sol = solNumber(period.lamports);
  if (fact.type === 'withdraw_ready') return { ...common, sol, deactivationEpoch: Number(deactivationEpoch) };
  const stakedSol = solNumber(period.stakeLamports);
  if (fact.type === 'stake_deactivated')
    return {
      ...common,
      sol,
      stakedSol,
      activationEpoch: activationEpoch === EPOCH_ABSENT ? null : Number(activationEpoch),
      deactivationEpoch: Number(deactivationEpoch),
    };
  const unproven = isProven ? {} : { unproven: true as const };
  return { ...common, sol, stakedSol, activationEpoch: Number(activationEpoch), ...unproven };
};

/** True if the registration selects the type of the fact and is older than the fact. */
export const isReportedTo = (
  fact: Pick<StakeFact, 'stamp'> & { readonly type: EventType },
  registration: Registration,
): boolean =>
  registration.events.includes(fact.type) &&
  isAfter(fact.stamp, {
    epoch: registration.createdEpoch,
    slot: registration.createdSlot,
    seconds: BigInt(Math.floor(registration.createdAtMs / 1_000)),
  });

/** Builds the event of a fact for one registration. */
export const factEvent = (
  fact: StakeFact,
  registration: Registration,
  isProven: boolean,
  chainTime: ChainTime,
  options: ComposeOptions,
): UntimedEvent =>
  compose(registration, fact.type, fact.identity, dataOf(fact, isProven), chainTime, options);

/**
 * Builds the event of a change for one registration. `order` is the position among the changes to the same
 * account.
 */
export const changeEvent = (
  fact: ChangeFact,
  assessment: AlertAssessment,
  registration: Registration,
  order: number,
  options: ComposeOptions,
): UntimedEvent => {
  const chainTime: ChainTime = { slot: fact.stamp.slots[0]!, phase: 'transactions', order };
  return compose(registration, fact.type, fact.identity, changeDataOf(fact, assessment), chainTime, options);
};

/**
 * Builds the event for a wallet whose account has a new program as owner at `slot`. `changes` is the number of
 * changes reported before.
 */
export const walletOwnerEvent = (
  registration: Registration,
  data: WalletOwnerChangedData,
  { slot, changes }: { readonly slot: bigint; readonly changes: number },
  options: ComposeOptions,
): UntimedEvent => {
  const chainTime: ChainTime = { slot, phase: 'transactions', order: 0 };
  const fact = changes === 0 ? data.owner.to : `${data.owner.to} ${changes}`;
  return compose(registration, 'wallet_owner_changed', fact, data, chainTime, options);
};

/** Builds the event for the end of an epoch, for one registration. */
export const epochEvent = (
  registration: Registration,
  data: EpochCompleteData,
  chainTime: ChainTime,
  options: ComposeOptions,
): UntimedEvent =>
  compose(registration, 'epoch_complete', epochIdentity(BigInt(data.epoch)), data, chainTime, options);

/**
 * Types under which a gap may be reported, most likely first. The first one that the registration selects is
 * used.
 */
const GAP_TYPES: readonly EventType[] = [
  'withdraw_ready',
  'stake_deactivated',
  'stake_activated',
  ...eventTypes,
];

/**
 * Builds the event of a gap for one registration, dated at the gap's start. Returns none if the registration is
 * newer than the gap or selects no type.
 */
export const gapEvents = (
  gap: Gap,
  registration: Registration,
  epoch: bigint,
  options: ComposeOptions,
): readonly UntimedEvent[] => {
  const type = GAP_TYPES.find((one) => registration.events.includes(one));
  if (type === undefined || registration.createdSlot >= gap.toSlot) return [];
  const { wallet, account, fromSlot, toSlot, reason } = gap;
  const data: GapData = {
    walletAddress: wallet,
    epoch: Number(epoch),
    incomplete: true,
    gap: { stakeAccountAddress: account, fromSlot: Number(fromSlot), toSlot: Number(toSlot), reason },
  };
  const chainTime: ChainTime = { slot: fromSlot, phase: 'transactions', order: 0 };
  return [compose(registration, type, `gap ${account ?? 'wallet'} ${fromSlot}`, data, chainTime, options)];
};

/** Fields from which an event id is derived. */
export interface EventIdentity {
  readonly genesisHash: string;
  readonly registrationId: string;
  readonly type: DeliveryType;
  /** Text that identifies what happened, in terms of the event's type, e.g. `<account> <activation epoch>`. */
  readonly fact: string;
}

/** Builds an event id: `evt_` and 128 bits of SHA-256 in hexadecimal, 36 characters in total. */
export const eventIdOf = ({ genesisHash, registrationId, type, fact }: EventIdentity): string =>
  `evt_${createHash('sha256')
    .update(lengthPrefixed(['holdfast event', genesisHash, registrationId, type, fact]))
    .digest('hex')
    .slice(0, 32)}`;
