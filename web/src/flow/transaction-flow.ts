// Carries a wish to its end: built, checked, signed, submitted, confirmed; renewed when it expires, resumed after a reload, never done twice.
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { createStore } from '../ui/store.ts';
import { fromBase64, toBase64 } from '../wallet/base64.ts';
import type { Signed } from '../wallet/sign.ts';
import { isWalletError } from '../wallet/wallet-error.ts';
import { acceptSigned } from './accept-signed.ts';
import { type FlowDeps, type FlowState, isUnderWay, type TransactionFlow } from './flow-types.ts';
import { type FollowedEnd, followTransaction } from './follow-transaction.ts';
import { readHomeAtLast } from './read-home-at-last.ts';
import { createRecordPlace } from './record-place.ts';
import type { TransactionRecord } from './transaction-record.ts';

const IDLE: FlowState = { step: 'idle', record: null, built: null, error: undefined, renewals: 0 };

/** A fresh one is built rather than asking a wallet for one with less left to live. */
const LEAST_LIFE_MS = 5_000;
/** Asking again by itself is help once or twice, and nagging after that. */
const MOST_RENEWALS = 2;

/** Makes a flow. Nothing happens before `begin` or `resume`. */
export const createTransactionFlow = (deps: FlowDeps): TransactionFlow => {
  const state = createStore<FlowState>(IDLE);
  const { keeper } = deps;
  const place = createRecordPlace(keeper);
  // A flow that was left must not be moved by what it had under way.
  let generation = 0;

  const move = (next: Partial<FlowState>): void => state.set({ ...state.get(), ...next });

  const keep = (record: TransactionRecord): TransactionRecord => {
    place.keep(record);
    move({ record });
    return record;
  };

  const keepIfPossible = (record: TransactionRecord): TransactionRecord => {
    place.keepIfPossible(record);
    move({ record });
    return record;
  };

  const confirm = (
    record: TransactionRecord,
    { signature, explorerUrl }: { signature: string; explorerUrl: string | undefined },
  ) => {
    const done = keepIfPossible({
      ...record,
      signature,
      explorerUrl,
      signedTransaction: undefined,
      confirmedAtMs: deps.now(),
    });
    move({ step: 'confirmed', error: undefined });
    deps.landed(done);
  };

  /** Built under a key that was already used: the first one landed after all. */
  const landedEarlier = (
    error: unknown,
  ): { signature: string; stakeAccountAddress: string | undefined } | null => {
    if (!isHoldfastError(error, 'STAKE_ADDRESS_OCCUPIED')) return null;
    const { signature, stakeAccountAddress } = (error.body ?? {}) as Record<string, unknown>;
    return typeof signature === 'string'
      ? {
          signature,
          stakeAccountAddress: typeof stakeAccountAddress === 'string' ? stakeAccountAddress : undefined,
        }
      : null;
  };

  const prepare = async (record: TransactionRecord, mine: number): Promise<boolean> => {
    move({ step: 'preparing', error: undefined });
    try {
      const built = await deps.build(record, record.idempotencyKey);
      if (mine !== generation) return false;
      keep({
        ...record,
        signedTransaction: undefined,
        signature: undefined,
        stakeAccountAddress: built.stakeAccountAddress ?? record.stakeAccountAddress,
        lastValidBlockHeight: built.lastValidBlockHeight,
      });
      move({ step: 'review', built });
      return true;
    } catch (error) {
      if (mine !== generation) return false;
      const earlier = landedEarlier(error);
      if (earlier !== null && record.kind === 'stake') {
        const landed = {
          ...record,
          stakeAccountAddress: earlier.stakeAccountAddress ?? record.stakeAccountAddress,
        };
        confirm(landed, { signature: earlier.signature, explorerUrl: undefined });
      } else {
        // Nothing was signed: there is nothing to remember.
        place.forget(record);
        move({ step: 'failed', error });
      }
      return false;
    }
  };

  const renewAndAsk = async (error: unknown, mine: number): Promise<void> => {
    const { record, renewals } = state.get();
    move({ renewals: renewals + 1 });
    if (!(await prepare(record!, mine))) return;
    if (renewals + 1 <= MOST_RENEWALS) await ask(mine);
    else move({ error });
  };

  const finish = async (record: TransactionRecord, end: FollowedEnd, attended: boolean, mine: number) => {
    if (mine !== generation) return;
    if (end.how === 'landed') confirm(record, end);
    else if (end.how === 'expired') await (attended ? renewAndAsk(end.error, mine) : prepare(record, mine));
    else {
      place.forget(record);
      move({ step: 'failed', error: end.error });
    }
  };

  /** `attended`: the person has just signed, so that the wallet may be asked again; after a reload it must not open by itself. */
  const follow = async (record: TransactionRecord, attended: boolean, mine: number): Promise<void> => {
    move({ step: 'submitting', error: undefined });
    const end = await followTransaction(deps, record, () => mine === generation);
    await finish(record, end, attended, mine);
  };

  const accept = async (signed: Signed, record: TransactionRecord): Promise<TransactionRecord> => {
    if (signed.how === 'sent') return keepIfPossible({ ...record, signature: signed.signature });
    const signature = await acceptSigned(deps.recheck, record, signed.bytes);
    return keep({ ...record, signedTransaction: toBase64(signed.bytes), signature });
  };

  /** The wallet sent it after the page was told to leave it: it may land all the same, and nobody would know. */
  const takeUpAgain = async (record: TransactionRecord): Promise<void> => {
    if (state.get().step !== 'idle') return;
    generation += 1;
    const mine = generation;
    keepIfPossible(record);
    move({ step: 'submitting' });
    const end = await followTransaction(deps, record, () => mine === generation);
    if (mine !== generation) return;
    if (end.how !== 'expired') await finish(record, end, false, mine);
    else {
      place.forget(record);
      state.set(IDLE);
    }
  };

  const ask = async (mine: number): Promise<void> => {
    const { record, built } = state.get();
    if (record === null || built === null || !built.checked.ok) return;
    move({ step: 'signing', error: undefined });
    try {
      const signed = await deps.sign(fromBase64(built.transaction), record);
      if (mine !== generation) {
        if (signed.how === 'sent') await takeUpAgain({ ...record, signature: signed.signature });
        return;
      }
      await follow(await accept(signed, record), true, mine);
    } catch (error) {
      // What a wallet refused can be asked for again: the transaction stays on the table.
      if (mine === generation) move({ step: isWalletError(error) ? 'review' : 'failed', error });
    }
  };

  return {
    state,
    begin: async (wish) => {
      if (isUnderWay(state.get().step)) return;
      generation += 1;
      const mine = generation;
      state.set({ ...IDLE, step: 'preparing' });
      try {
        const record: TransactionRecord = {
          ...wish,
          ...(await deps.home()),
          version: 1,
          idempotencyKey: deps.newKey(),
          begunAtMs: deps.now(),
        };
        if (mine !== generation) return;
        move({ record });
        await prepare(record, mine);
      } catch (error) {
        if (mine === generation) move({ step: 'failed', error });
      }
    },
    approve: async () => {
      const { step, record, built } = state.get();
      if (step !== 'review' || record === null || built === null) return;
      const mine = generation;
      if (built.expiresAtMs - deps.now() < LEAST_LIFE_MS && !(await prepare(record, mine))) return;
      await ask(mine);
    },
    renew: async () => {
      const { step, record } = state.get();
      if (record === null || (step !== 'review' && step !== 'failed' && step !== 'paused')) return;
      await prepare(record, generation);
    },
    dismiss: () => {
      generation += 1;
      place.forget(state.get().record);
      state.set(IDLE);
    },
    resume: async () => {
      if (state.get().step !== 'idle' || keeper.read() === null) return;
      generation += 1;
      const mine = generation;
      const home = await readHomeAtLast(deps, () => mine === generation);
      const record = keeper.read();
      if (home === null || record === null) return;
      const { cluster, voteAccount } = home;
      if (record.cluster !== cluster || record.voteAccount !== voteAccount) {
        keeper.write(null);
        return;
      }
      move({ record });
      if (record.confirmedAtMs !== undefined)
        // Whatever is read from now on is newer, also where the clock was set back since.
        move({
          step: 'confirmed',
          record: { ...record, confirmedAtMs: Math.min(record.confirmedAtMs, deps.now()) },
        });
      else if (record.signature !== undefined) await follow(record, false, mine);
      else move({ step: 'paused' });
    },
  };
};
