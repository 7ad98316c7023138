// Runs the client's staking flow on the page: provides its state to views, actions that answer its questions,
// and recovery after a reload.
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import {
  hasLaterTransactions,
  isAfterFirstTransaction,
  newRecord,
  type RecordSlot,
  slotStore,
  type TransactionRecord,
} from '../../../client/staking/pending-transaction.ts';
import { carryOut, type Decision, type StakingPorts } from '../../../client/staking/run-staking-flow.ts';
import { NotAsAsked, SignatureMissing } from '../../../client/staking/staking-errors.ts';
import type { Priority, StakingRequest } from '../../../client/staking/staking-request.ts';
import { type FlowRules, MAX_RENEWALS, type StakingState } from '../../../client/staking/staking-states.ts';
import { createStore, type Store } from '../state/create-store.ts';
import { isWalletError } from '../wallet/wallet-error.ts';
import { displayState, type FlowState, IDLE, isUnderWay, ServiceRestarted } from './flow-state.ts';

/** Genesis hash of the chain, validator and memo of the service. */
type ServiceIdentity = StakingPorts['binding'] & { readonly cluster: string };

export interface FlowDeps
  extends Pick<StakingPorts, 'service' | 'verify' | 'verifyEffects' | 'sign' | 'now' | 'sleep'> {
  /** Reads the identity of the service; with `isFresh`, without a cache. */
  readonly identity: (isFresh?: boolean) => Promise<ServiceIdentity>;
  readonly newKey: () => string;
  readonly slot: RecordSlot;
  /** Called when a transaction landed. */
  readonly landed: (record: TransactionRecord) => void;
  /** Called when the wallet signed after the user had dismissed the flow. The transaction is not sent. */
  readonly discarded: () => void;
}

export interface TransactionFlow {
  readonly state: Store<FlowState>;
  /**
   * Builds and checks; ends in `review` or `failed`. Does nothing while another transaction is in progress.
   * Default: a new idempotency key.
   */
  readonly begin: (request: StakingRequest, idempotencyKey?: string) => Promise<void>;
  /** Asks the wallet to sign, submits, and follows the transaction. */
  readonly approve: () => Promise<void>;
  /** Rebuilds with the same key after an expiry or a failure before the signature. */
  readonly renew: () => Promise<void>;
  /** Rebuilds the transaction under review with this priority fee. */
  readonly prioritize: (priority: Priority) => Promise<void>;
  /** Dismisses a flow that was not signed or has ended. */
  readonly dismiss: () => void;
  /** Resumes a flow that a reload interrupted. */
  readonly resume: () => Promise<void>;
}

/**
 * Minimum share of the lifetime that is left when the user is asked to sign, because users with a hardware
 * wallet or a phone need most of the minute that a transaction lives.
 */
const MIN_LIFE_SHARE = 0.75;
/** Wait after a rate limit without a Retry-After. */
const MIN_BUSY_MS = 1_000;
/** Pause between attempts to build while rewards are paid out, which takes seconds to minutes. */
const PAYING_MS = 5_000;
/** Pause between attempts to read the service's cluster and validator. */
const IDENTITY_RETRY_MS = 5_000;

/** One run of the client's flow. */
interface Run {
  readonly controller: AbortController;
  /** The client's state; undefined before it starts. */
  staking?: StakingState;
  /** Answers the open question; undefined if there is none. */
  decide?: ((decision: Decision) => void) | undefined;
  /** Called when the run waits for the user or has ended. */
  settled?: () => void;
}

const canAskAgain = (error: unknown): boolean =>
  isWalletError(error) ||
  error instanceof SignatureMissing ||
  (error instanceof NotAsAsked && error.from === 'signer');

/** Creates a flow. Nothing happens before `begin` or `resume`. */
export const createTransactionFlow = (deps: FlowDeps): TransactionFlow => {
  const state = createStore<FlowState>(IDLE);
  const store = slotStore(deps.slot);
  // The current run. An abandoned run must not change the display.
  let active: Run | null = null;

  const move = (next: Partial<FlowState>): void => state.set({ ...state.get(), ...next });

  const newRun = (): Run => {
    active?.controller.abort();
    active = { controller: new AbortController() };
    return active;
  };

  /**
   * Repeats a request after waiting for the rate limit, or for the end of the rewards' distribution. Such a request
   * has had no effect.
   */
  const repeatWhenPossible = async <Value>(thisRun: Run, request: () => Promise<Value>): Promise<Value> => {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (active !== thisRun || !isHoldfastError(error)) throw error;
        const isPayingRewards = error.errorCode === 'EPOCH_REWARDS_ACTIVE';
        if (!isPayingRewards && error.errorCode !== 'RATE_LIMITED') throw error;
        const waitMs = isPayingRewards
          ? PAYING_MS
          : Math.max(MIN_BUSY_MS, (error.retryAfterSeconds ?? 0) * 1_000);
        move({ busyUntilMs: deps.now() + waitMs, isPayingRewards });
        await deps.sleep(waitMs);
        if (active !== thisRun) throw error;
        move({ busyUntilMs: null });
      }
    }
  };

  /** Ends the flow, because the service now runs on another chain, on which the transaction can never land. */
  const leaveChain = (record: TransactionRecord): void => {
    active?.controller.abort();
    active = null;
    store.remove(record);
    state.set({ ...IDLE, step: 'failed', error: new ServiceRestarted(record) });
  };

  /** Answers the open question. Resolves when the next one is open or the run has ended. */
  const response = (thisRun: Run, decision: Decision): Promise<void> =>
    new Promise((settled) => {
      thisRun.settled = settled;
      const { decide } = thisRun;
      thisRun.decide = undefined;
      decide?.(decision);
    });

  /** Carries out `record`. Resolves when the user is asked or the run has ended. */
  const start = (
    thisRun: Run,
    record: TransactionRecord,
    binding: ServiceIdentity,
    rules: Pick<FlowRules, 'mostBuilds' | 'open'> = {},
  ): Promise<void> => {
    const { signal } = thisRun.controller;

    const leaveIfOtherChain = async (): Promise<void> => {
      const now = await deps.identity(true).catch(() => binding);
      if (active === thisRun && now.cluster !== binding.cluster)
        leaveChain(thisRun.staking?.record ?? record);
    };

    const ask = (): Promise<Decision> =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        thisRun.decide = resolve;
        thisRun.settled?.();
      });

    const show = (next: StakingState): void => {
      if (active !== thisRun) return;
      thisRun.staking = next;
      const { name, error, rules } = next;
      const isForgotten =
        name === 'refused' && rules.mostBuilds === 0 && isHoldfastError(error, 'BLOCKHASH_EXPIRED');
      if (isForgotten) state.set(IDLE);
      else move(displayState(next));
      if (name === 'landed') deps.landed(next.record);
    };

    const sign: StakingPorts['sign'] = async (transaction, signing, prepared) => {
      const signed = await deps.sign(transaction, signing, prepared);
      if (signal.aborted && signed.how === 'signed') deps.discarded();
      // The wallet sent the transaction after the user had dismissed the flow. The transaction may still land,
      // so the page follows it and never rebuilds it.
      if (signal.aborted && signed.how === 'sent' && state.get().step === 'idle') {
        const sent = { ...signing, signature: signed.signature };
        store.saveIfPossible(sent);
        await start(newRun(), sent, binding, { mostBuilds: 0 });
      }
      return signed;
    };

    return new Promise((settled) => {
      thisRun.settled = settled;
      carryOut(record, {
        ...deps,
        service: {
          ...deps.service,
          build: (...request) => repeatWhenPossible(thisRun, () => deps.service.build(...request)),
          // If the service now runs on another chain, the submission ends only once the transaction would have
          // expired, so the chain is checked meanwhile.
          submit: (...signed) => {
            void leaveIfOtherChain();
            return deps.service.submit(...signed);
          },
          stateOf: async (...signed) => {
            try {
              return await deps.service.stateOf(...signed);
            } catch (error) {
              if (isHoldfastError(error, 'NOT_FOUND')) await leaveIfOtherChain();
              throw error;
            }
          },
        },
        binding,
        approve: ask,
        approveDespiteOpenSignature: ask,
        sign,
        canAskAgain,
        store,
        signal,
        onState: show,
        leastLifeShare: MIN_LIFE_SHARE,
        mostBuilds: Number.POSITIVE_INFINITY,
        mostRenewals: MAX_RENEWALS,
        acceptEarlier: true,
        ...rules,
      })
        .catch(async (error: unknown) => {
          if (active !== thisRun) return;
          // Errors of the flow itself are already shown.
          if (error !== thisRun.staking?.error) move({ step: 'failed', error });
          await leaveIfOtherChain();
        })
        .finally(() => thisRun.settled?.());
    });
  };

  /**
   * Reads the service's identity until it succeeds, because a transaction signed before the reload must not be
   * lost to one failed request. Returns null once another run has started.
   */
  const waitForConnection = async (thisRun: Run): Promise<ServiceIdentity | null> => {
    for (;;) {
      const identity = await deps.identity().catch(() => null);
      if (active !== thisRun) return null;
      if (identity !== null) return identity;
      await deps.sleep(IDENTITY_RETRY_MS);
    }
  };

  const begin = async (
    makeRecord: (identity: ServiceIdentity) => TransactionRecord,
    open: FlowRules['open'] = [],
  ): Promise<void> => {
    const thisRun = newRun();
    try {
      const identity = await repeatWhenPossible(thisRun, deps.identity);
      if (active !== thisRun) return;
      const record = makeRecord(identity);
      move({ record });
      await start(thisRun, record, identity, { open });
    } catch (error) {
      if (active === thisRun) move({ step: 'failed', error });
    }
  };

  return {
    state,
    begin: async (request, idempotencyKey = deps.newKey()) => {
      if (isUnderWay(state.get().step)) return;
      state.set({ ...IDLE, step: 'preparing' });
      await begin(({ cluster, voteAccount }) =>
        newRecord(request, { cluster, voteAccount, idempotencyKey, begunAtMs: deps.now() }),
      );
    },
    approve: async () => {
      if (state.get().step !== 'review' || !active?.decide) return;
      move({ step: 'signing', error: undefined });
      await response(active, 'sign');
    },
    renew: async () => {
      const { step, record } = state.get();
      if (record === null || (step !== 'review' && step !== 'failed' && step !== 'paused')) return;
      if (step === 'review' && active?.decide) {
        await response(active, 'rebuild');
        return;
      }
      const open = active?.staking?.open;
      move({ step: 'preparing', error: undefined });
      await begin(() => ({ ...record, signature: undefined, signedTransaction: undefined }), open);
    },
    prioritize: async (priority) => {
      const { step, record } = state.get();
      if (step !== 'review' || record === null || isAfterFirstTransaction(record)) return;
      const open = active?.staking?.open;
      move({ step: 'preparing', error: undefined });
      await begin(
        () => ({ ...record, priority, part: undefined, signature: undefined, signedTransaction: undefined }),
        open,
      );
    },
    dismiss: () => {
      const { record } = state.get();
      active?.controller.abort();
      active = null;
      if (record !== null) store.remove(record);
      state.set(IDLE);
    },
    resume: async () => {
      if (state.get().step !== 'idle' || deps.slot.read() === null) return;
      const thisRun = newRun();
      const identity = await waitForConnection(thisRun);
      const record = deps.slot.read();
      if (identity === null || record === null) return;
      if (record.cluster !== identity.cluster || record.voteAccount !== identity.voteAccount) {
        deps.slot.write(null);
        if (record.cluster !== identity.cluster && record.confirmedAtMs === undefined) leaveChain(record);
        return;
      }
      move({ record });
      const { confirmedAtMs, signature } = record;
      if (confirmedAtMs !== undefined && !hasLaterTransactions(record))
        // Data read from now on must count as newer than the confirmation, even if the clock was set back.
        move({
          step: 'confirmed',
          record: { ...record, confirmedAtMs: Math.min(confirmedAtMs, deps.now()) },
        });
      else if (signature === undefined && !isAfterFirstTransaction(record)) move({ step: 'paused' });
      else await start(thisRun, record, identity);
    },
  };
};
