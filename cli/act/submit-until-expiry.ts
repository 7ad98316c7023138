// Submits a signed transaction, and ends the wait at its expiry if the service never confirmed that it has it.
import type { ClientClock } from '../../client/client-clock.ts';
import { HoldfastError } from '../../client/holdfast-error.ts';
import type { StakingService, SubmitAnswer } from '../../client/staking/staking-request.ts';

/** Outcome of a transaction on chain. `error` is null if it succeeded. */
export interface OnChain {
  readonly error: unknown;
}

interface SubmitPorts {
  readonly service: Pick<StakingService, 'submit' | 'stateOf'>;
  readonly clock: ClientClock;
  /** Reads the outcome from the user's own node; null if it is not confirmed. Default: there is no node. */
  readonly outcomeOf?: ((signature: string) => Promise<OnChain | null>) | undefined;
}

interface SignedTransaction {
  readonly bytes: string;
  readonly signature: string;
  readonly idempotencyKey: string;
  readonly expiresAtMs: number;
}

/** Time between two polls. Shorter than the time after which a call that is not answered is reported. */
const POLL_MS = 3_500;
/** Minimum wait, for a transaction of an earlier run that may have expired already. */
const MIN_WAIT_MS = 30_000;
/** Maximum wait, because an earlier run may have had another clock. */
const MAX_WAIT_MS = 120_000;

/** A submission only responds at its end, so the state is polled to learn whether the service has the transaction. */
export const submitUntilExpiry = async (
  { service, clock, outcomeOf }: SubmitPorts,
  { bytes, signature, idempotencyKey, expiresAtMs }: SignedTransaction,
  given: AbortSignal,
  acknowledged: () => void,
): Promise<SubmitAnswer> => {
  const ended = new AbortController();
  const signal = AbortSignal.any([given, ended.signal]);
  let isKnown = false;
  const deliver = (): void => {
    isKnown = true;
    if (!ended.signal.aborted) acknowledged();
  };
  const poll = async (): Promise<SubmitAnswer> => {
    const startMs = clock.now();
    const waitMs = Math.min(Math.max(expiresAtMs - startMs, MIN_WAIT_MS), MAX_WAIT_MS);
    for (let polls = 0; ; polls += 1) {
      const asking = new AbortController();
      if (polls > 0)
        service.stateOf(signature, AbortSignal.any([signal, asking.signal])).then(deliver, () => undefined);
      const isInterrupted = await clock.sleep(POLL_MS, signal).then(
        () => false,
        () => true,
      );
      asking.abort();
      // Once the service has it, its response says how that ended, as after an interruption.
      if (isKnown || isInterrupted) return new Promise(() => undefined);
      // The service is asked first: if it answers, its response says more.
      const outcome = (polls > 0 && (await outcomeOf?.(signature))) || null;
      if (outcome?.error === null) return { signature, explorerUrl: '' };
      if (outcome !== null)
        throw new HoldfastError({
          errorCode: 'SUBMISSION_FAILED',
          operation: 'submitTransaction',
          message: `Your RPC node reports that the transaction landed but failed: ${JSON.stringify(outcome.error)}.`,
          idempotencyKey,
        });
      const passedMs = clock.now() - startMs;
      if (passedMs >= waitMs)
        throw new HoldfastError({
          errorCode: 'TIMEOUT',
          operation: 'submitTransaction',
          message: `The service did not answer within ${Math.floor(passedMs / 1_000)} s.`,
          idempotencyKey,
        });
    }
  };
  try {
    return await Promise.race([service.submit(bytes, idempotencyKey, signal, deliver), poll()]);
  } finally {
    ended.abort();
  }
};
