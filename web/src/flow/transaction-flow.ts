// The client's staking flow as the page shows it: a state that views follow, buttons that answer its questions, and what a reload interrupted taken up again.
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { carryOut, isHalfway, stoppedHalfway } from '../../../client/staking/carry-out.ts';
import { newRecord, slotStore, type TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { OpenSignature } from '../../../client/staking/sign-again.ts';
import { NotAsAsked, SignatureMissing } from '../../../client/staking/staking-errors.ts';
import type { ApprovalReason, StakingStep } from '../../../client/staking/staking-flow.ts';
import type { StakingService } from '../../../client/staking/staking-request.ts';
import type { ServiceBinding } from '../../../client/staking/verify-against-request.ts';
import { createStore } from '../state/create-store.ts';
import { isWalletError, WalletError } from '../wallet/wallet-error.ts';
import { type FlowDeps, type FlowState, isUnderWay, type TransactionFlow } from './flow-types.ts';

const IDLE: FlowState = {
  step: 'idle',
  record: null,
  built: null,
  error: undefined,
  busyUntilMs: null,
  renewals: 0,
  acknowledged: false,
  added: [],
};

/** Asking again by itself is help once or twice, and nagging after that. */
const MOST_RENEWALS = 2;
/** A person with a hardware wallet or a phone needs most of the minute that a transaction lives. */
const LEAST_LIFE_SHARE = 0.75;
/** Where a refusal for the rate limit names no time, or none at all. */
const LEAST_BUSY_MS = 1_000;
/** Between two attempts to read whom the service serves. */
const HOME_RETRY_MS = 5_000;

type Decision = 'sign' | 'rebuild' | 'decline';

/** One run of the client's flow. */
interface Run {
  readonly controller: AbortController;
  /** Answers the question that is open; null while none is. */
  decide: ((decision: Decision) => void) | null;
  /** Called when it waits for a person or has ended. */
  rest: () => void;
}

/** What the signer did wrong, in the words of the page. */
const walletErrorOf = (error: unknown): unknown => {
  if (error instanceof NotAsAsked)
    return new WalletError(
      'changed',
      'Your wallet changed the transaction',
      'It signed something other than what you reviewed, so nothing was sent. Turn off transaction-changing features in the wallet, or use another one.',
      error,
    );
  if (error instanceof SignatureMissing)
    return new WalletError(
      'failed',
      'The wallet did not sign',
      'It returned the transaction unsigned. Nothing was sent.',
      error,
    );
  return error;
};

/** Makes a flow. Nothing happens before `begin` or `resume`. */
export const createTransactionFlow = (deps: FlowDeps): TransactionFlow => {
  const state = createStore<FlowState>(IDLE);
  const store = slotStore(deps.slot);
  // A flow that was left must not be moved by what it had under way.
  let run: Run | null = null;

  const move = (next: Partial<FlowState>): void => state.set({ ...state.get(), ...next });

  const newRun = (): Run => {
    run?.controller.abort();
    run = { controller: new AbortController(), decide: null, rest: () => undefined };
    return run;
  };

  const show = (step: StakingStep): void => {
    switch (step.step) {
      case 'building':
        move({ step: 'preparing', record: step.record, error: undefined });
        break;
      case 'built':
        move({ record: step.prepared.record, built: step.prepared });
        break;
      case 'mismatch':
        move({ step: 'review', record: step.prepared.record, built: step.prepared });
        break;
      case 'signing':
        move({ step: 'signing', record: step.prepared.record, built: step.prepared, error: undefined });
        break;
      case 'signed':
        move({
          ...{ step: 'submitting', record: step.record, error: undefined },
          ...{ acknowledged: false, added: step.extraInstructions },
        });
        break;
      case 'acknowledged':
        move({ acknowledged: true });
        break;
      case 'expired':
      case 'replanned':
        break;
      case 'confirmed':
        // Of a plan the next one follows; until the wallet is asked for it this one stays on show.
        if (!isHalfway(step.record)) move({ step: 'confirmed', record: step.record, error: undefined });
        deps.landed(step.record);
    }
  };

  /** Waits as long as the rate limit says, then asks again: a refusal for it had no effect. */
  const waitOutLimit = async <Value>(mine: Run, ask: () => Promise<Value>): Promise<Value> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (run !== mine || !isHoldfastError(error, 'RATE_LIMITED')) throw error;
        const waitMs = Math.max(LEAST_BUSY_MS, (error.retryAfterSeconds ?? 0) * 1_000);
        move({ busyUntilMs: deps.now() + waitMs });
        await deps.sleep(waitMs);
        if (run !== mine) throw error;
        move({ busyUntilMs: null });
      }
    }
  };

  /** Plays `record` to its end; resolves when a person is waited for or it ended. `followOnly`: it is not built again. */
  const play = (
    mine: Run,
    record: TransactionRecord,
    binding: ServiceBinding,
    { followOnly = false, open = [] }: { followOnly?: boolean; open?: OpenSignature[] } = {},
  ): Promise<void> => {
    const { signal } = mine.controller;
    const isMine = (): boolean => run === mine;

    const approve = async ({ why, error, attended }: ApprovalReason): Promise<Decision> => {
      // The fresh one does the same to the byte but for its lifetime, and was approved.
      if (why === 'stale') return 'sign';
      if (why === 'expired' && attended) {
        const renewals = state.get().renewals + 1;
        move({ renewals });
        if (renewals <= MOST_RENEWALS) return 'sign';
      }
      // After a reload the wallet must not open by itself, and nobody saw what expired.
      return ask(attended ? walletErrorOf(error) : undefined);
    };

    const ask = (error: unknown): Promise<Decision> =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        mine.decide = (decision) => {
          mine.decide = null;
          resolve(decision);
        };
        move({ step: 'review', error });
        mine.rest();
      });

    const fail = (error: unknown): void => {
      if (!isMine()) return;
      if (followOnly && isHoldfastError(error, 'BLOCKHASH_EXPIRED')) {
        state.set(IDLE);
        return;
      }
      // The review says what is wrong with the bytes.
      if (error instanceof NotAsAsked && error.from === 'service' && error.fields.length > 0) return;
      move({ step: 'failed', error });
    };

    const service: StakingService = {
      ...deps.service,
      build: (...request) => waitOutLimit(mine, () => deps.service.build(...request)),
    };
    return new Promise((rest) => {
      mine.rest = rest;
      carryOut(record, {
        ...{ service, verify: deps.verify, verifyEffects: deps.verifyEffects },
        ...{ store, now: deps.now, sleep: deps.sleep, signal },
        binding,
        approve: (_prepared, reason) => approve(reason),
        approveAgain: (_prepared, error) => ask(error),
        open,
        sign: async (transaction, signing) => {
          const signed = await deps.sign(transaction, signing);
          // The wallet sent it after the user dismissed it: it may still land, unnoticed.
          if (signal.aborted && signed.how === 'sent' && state.get().step === 'idle') {
            const sent = { ...signing, signature: signed.signature };
            store.saveIfPossible(sent);
            await play(newRun(), sent, binding, { followOnly: true });
          }
          return signed;
        },
        onStep: (step) => isMine() && show(step),
        canAskAgain: (error) =>
          isWalletError(error) ||
          error instanceof SignatureMissing ||
          (error instanceof NotAsAsked && error.from === 'signer'),
        leastLifeShare: LEAST_LIFE_SHARE,
        mostBuilds: followOnly ? 0 : Number.POSITIVE_INFINITY,
        acceptEarlier: true,
      })
        .catch(fail)
        .finally(() => mine.rest());
    });
  };

  /** What was signed before a reload must not be forgotten because one answer stayed away. Null once nobody wants it any more. */
  const homeAtLast = async (mine: Run): Promise<Awaited<ReturnType<FlowDeps['home']>> | null> => {
    for (;;) {
      const read = await deps.home().catch(() => null);
      if (run !== mine) return null;
      if (read !== null) return read;
      await deps.sleep(HOME_RETRY_MS);
    }
  };

  const begin = async (
    makeRecord: (home: Awaited<ReturnType<FlowDeps['home']>>) => TransactionRecord,
    open: OpenSignature[] = [],
  ) => {
    const mine = newRun();
    try {
      const home = await waitOutLimit(mine, deps.home);
      if (run !== mine) return;
      const record = makeRecord(home);
      move({ record });
      await play(mine, record, home, { open });
    } catch (error) {
      if (run === mine) move({ step: 'failed', error });
    }
  };

  return {
    state,
    begin: async (request) => {
      if (isUnderWay(state.get().step)) return;
      state.set({ ...IDLE, step: 'preparing' });
      await begin(({ cluster, voteAccount }) =>
        newRecord(request, { cluster, voteAccount, idempotencyKey: deps.newKey(), begunAtMs: deps.now() }),
      );
    },
    approve: async () => {
      const decide = run?.decide;
      if (state.get().step !== 'review' || !decide) return;
      move({ step: 'signing', error: undefined });
      await new Promise<void>((rest) => {
        run!.rest = rest;
        decide('sign');
      });
    },
    renew: async () => {
      const { step, record } = state.get();
      if (record === null || (step !== 'review' && step !== 'failed' && step !== 'paused')) return;
      const decide = run?.decide;
      if (step === 'review' && decide) {
        await new Promise<void>((rest) => {
          run!.rest = rest;
          decide('rebuild');
        });
        return;
      }
      move({ step: 'preparing', error: undefined });
      await begin(
        () => ({ ...record, signature: undefined, signedTransaction: undefined }),
        record.signature === undefined ? [] : [{ record, prepared: undefined }],
      );
    },
    dismiss: () => {
      const { record } = state.get();
      run?.controller.abort();
      run = null;
      if (record !== null) store.remove(record);
      state.set(IDLE);
    },
    resume: async () => {
      if (state.get().step !== 'idle' || deps.slot.read() === null) return;
      const mine = newRun();
      const home = await homeAtLast(mine);
      const record = deps.slot.read();
      if (home === null || record === null) return;
      if (record.cluster !== home.cluster || record.voteAccount !== home.voteAccount) {
        deps.slot.write(null);
        return;
      }
      move({ record });
      const stopped = stoppedHalfway(record);
      if (stopped !== null) move({ step: 'failed', error: stopped });
      else if (record.confirmedAtMs !== undefined)
        // Whatever is read from now on is newer, also where the clock was set back since.
        move({
          step: 'confirmed',
          record: { ...record, confirmedAtMs: Math.min(record.confirmedAtMs, deps.now()) },
        });
      else if (record.signature !== undefined) await play(mine, record, home);
      else move({ step: 'paused' });
    },
  };
};
