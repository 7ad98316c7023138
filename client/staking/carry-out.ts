// Carries out a plan of several transactions: reviewed as a whole, approved once, then signed, submitted and awaited one after the other.
import { isHoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import {
  type Completed,
  type FollowingTransaction,
  type Prepared,
  type StakingPorts,
  type StakingStep,
  submitAndWait,
} from './staking-flow.ts';

/** A request that was carried out, with every transaction that landed for it, in order. */
export interface CarriedOut extends Completed {
  readonly landed: readonly Completed[];
}

/** Some of the plan landed, and the rest did not. `cause` says why; undefined where a reload or a restart came between. */
export class StoppedHalfway extends Error {
  override readonly name = 'StoppedHalfway';
  /** Those of this run. */
  readonly landed: readonly Completed[];
  /** Those of the plan, a run before this one included. */
  readonly count: number;

  constructor(landed: readonly Completed[], count: number, cause?: unknown) {
    const last = landed.at(-1);
    const which = last === undefined ? '' : ` (the last: ${last.answer.signature})`;
    const why = cause === undefined ? '' : ` ${cause instanceof Error ? cause.message : String(cause)}`;
    super(
      `${count} transaction${count === 1 ? '' : 's'} of the plan landed${which}, and no other was sent.${why}`,
      { cause },
    );
    this.landed = landed;
    this.count = count;
  }
}

/** True while transactions of its plan follow this one. */
export const isHalfway = ({ part }: TransactionRecord): boolean => part !== undefined && part.index < part.of;

/** Where a reload or a restart came between the transactions of a plan: its later ones are gone with what was reviewed. Null elsewhere. */
export const stoppedHalfway = (record: TransactionRecord): StoppedHalfway | null => {
  const { part, signature, confirmedAtMs } = record;
  if (part === undefined) return null;
  if (confirmedAtMs !== undefined) return isHalfway(record) ? new StoppedHalfway([], part.index) : null;
  return part.index > 1 && signature === undefined ? new StoppedHalfway([], part.index - 1) : null;
};

/** The bytes that were reviewed, once: they are not built again. */
const carryOutNext = (
  { record, built }: FollowingTransaction,
  effects: Prepared['effects'],
  idempotencyKey: string,
  part: TransactionRecord['part'],
  ports: StakingPorts,
): Promise<Completed> =>
  submitAndWait(
    { ...record, idempotencyKey, part },
    {
      ...ports,
      service: { ...ports.service, build: async () => built },
      // They were held to the request together with the first.
      verifyEffects: () => effects,
      nodeFacts: undefined,
      // The plan was approved as a whole; what its signer refused is a question of its own.
      approve: async (prepared, reason) =>
        reason.why === 'first' ? 'sign' : ports.approve(prepared, reason),
      onStep: (step: StakingStep) => {
        if (step.step !== 'building' && step.step !== 'built') ports.onStep?.(step);
      },
      mostBuilds: 1,
    },
  );

/** What a plan is made anew for: the accounts changed, or the later transactions were too old when their turn came. */
const REPLANNED = ['STAKE_BALANCE_CHANGED', 'BLOCKHASH_EXPIRED'];

/** Plans for one request: a service that calls every second transaction changed would have fees signed without end. */
const MOST_PLANS = 10;

/**
 * As `submitAndWait`, for a service of `stakingService(client, { isCarriedOut: true })`: all transactions of a plan, under one approval of all
 * of them. Where the accounts changed meanwhile, or the later ones expired, it is planned anew and approved anew, as long as that leads
 * on; not where a part of an amount has landed. A record of a part, taken up again after a restart, is followed to its own end only.
 * Rejects with `StoppedHalfway` where some landed and the rest did not.
 */
export const carryOut = async (
  given: TransactionRecord,
  { open = [], ...rest }: StakingPorts,
): Promise<CarriedOut> => {
  // What a service says of one plan is no reason to sign the next one.
  const ports: StakingPorts = { ...rest, open };
  const stopped = stoppedHalfway(given);
  if (stopped !== null) throw stopped;
  const { part } = given;
  if (part !== undefined && part.index > 1) {
    const landed = await submitAndWait(given, { ...ports, mostBuilds: 0 }).catch((error: unknown) => {
      throw new StoppedHalfway([], part.index - 1, error);
    });
    if (part.index < part.of) throw new StoppedHalfway([landed], part.index);
    return { ...landed, landed: [landed] };
  }
  const landed: Completed[] = [];
  let record = given;
  for (let plans = 1, landedBefore = -1; ; plans += 1) {
    try {
      const first = await submitAndWait(record, ports);
      landed.push(first);
      const following = first.prepared?.following ?? [];
      if (following.length === 0 && isHalfway(first.record)) throw new StoppedHalfway(landed, 1);
      for (const [index, next] of following.entries()) {
        const place = { index: index + 2, of: following.length + 1 };
        landed.push(
          await carryOutNext(
            next,
            first.prepared!.effects,
            `${record.idempotencyKey}-${place.index}`,
            place,
            ports,
          ),
        );
      }
      return { ...landed.at(-1)!, prepared: first.prepared, landed };
    } catch (error) {
      if (error instanceof StoppedHalfway) throw error;
      const isPart = landed.length > 0 && given.amountLamports !== undefined;
      const leadsOn = landed.length > landedBefore && plans < MOST_PLANS;
      const mayReplan = leadsOn && !isPart && given.kind === 'rearrange';
      const isReason = REPLANNED.some((code) => isHoldfastError(error, code));
      if (!mayReplan || !isReason || (landed.length === 0 && isHoldfastError(error, 'BLOCKHASH_EXPIRED')))
        throw landed.length > 0 ? new StoppedHalfway(landed, landed.length, error) : error;
      landedBefore = landed.length;
      ports.onStep?.({ step: 'replanned', error });
      // Under a key that opened accounts no others are opened.
      const again = plans === 1 ? '-again' : `-again-${plans}`;
      record = { ...given, idempotencyKey: `${given.idempotencyKey}${again}` };
    }
  }
};
