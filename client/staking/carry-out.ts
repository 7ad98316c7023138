// Carries out a plan of several transactions: reviewed as a whole, approved once, then signed, submitted and awaited one after the other.
import { isHoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import {
  type Completed,
  type FollowingTransaction,
  type StakingPorts,
  type StakingStep,
  submitAndWait,
} from './staking-flow.ts';

/** A request that was carried out, with every transaction that landed for it, in order. */
export interface CarriedOut extends Completed {
  readonly landed: readonly Completed[];
}

/** Some of the plan landed, and the rest did not. `cause` says why. */
export class StoppedHalfway extends Error {
  override readonly name = 'StoppedHalfway';
  readonly landed: readonly Completed[];

  constructor(landed: readonly Completed[], cause: unknown) {
    const { signature } = landed.at(-1)!.answer;
    super(
      `${landed.length} transaction${landed.length === 1 ? '' : 's'} of the plan landed (the last: ${signature}), and no other was sent. ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
    this.landed = landed;
  }
}

/** The bytes that were reviewed, once: they are not built again. */
const carryOutNext = (
  { record, built }: FollowingTransaction,
  idempotencyKey: string,
  ports: StakingPorts,
): Promise<Completed> =>
  submitAndWait(
    { ...record, idempotencyKey },
    {
      ...ports,
      service: { ...ports.service, build: async () => built },
      approve: async () => 'sign',
      onStep: (step: StakingStep) => {
        if (step.step !== 'building' && step.step !== 'built') ports.onStep?.(step);
      },
      mostBuilds: 1,
    },
  );

/**
 * As `submitAndWait`, for a service of `stakingService(client, { isCarriedOut: true })`: all transactions of a plan, under one approval of all
 * of them. Where the accounts changed meanwhile it is planned anew once, and approved anew; not where a part of an amount has landed.
 * Rejects with `StoppedHalfway` where some landed and the rest did not.
 */
export const carryOut = async (given: TransactionRecord, ports: StakingPorts): Promise<CarriedOut> => {
  const landed: Completed[] = [];
  let record = given;
  for (let isReplanned = false; ; ) {
    try {
      const first = await submitAndWait(record, ports);
      landed.push(first);
      for (const [index, next] of (first.prepared?.following ?? []).entries())
        landed.push(await carryOutNext(next, `${record.idempotencyKey}-${index + 2}`, ports));
      return { ...landed.at(-1)!, prepared: first.prepared, landed };
    } catch (error) {
      const isPart = landed.length > 0 && given.amountLamports !== undefined;
      const mayReplan = !isReplanned && !isPart && given.kind === 'rearrange';
      if (!mayReplan || !isHoldfastError(error, 'STAKE_BALANCE_CHANGED'))
        throw landed.length > 0 ? new StoppedHalfway(landed, error) : error;
      isReplanned = true;
      ports.onStep?.({ step: 'replanned', error });
      // Under a key that opened accounts no others are opened.
      record = { ...given, idempotencyKey: `${given.idempotencyKey}-again` };
    }
  }
};
