// The scripted environment of the page's flow: a service, a wallet and a storage that return the test's
// responses.
import { HoldfastError } from '../../client/holdfast-error.ts';
import { newRecord, type TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { Signed } from '../../client/staking/run-staking-flow.ts';
import type { BuiltTransaction, StakingRequest } from '../../client/staking/staking-request.ts';
import type { TransactionVerdict } from '../../client/staking/verify-against-request.ts';
import { createTransactionFlow, type FlowDeps } from '../../web/src/flow/transaction-flow.ts';
import { NO_EFFECTS } from './no-effects.ts';

/** The request. */
export const REQUEST: StakingRequest = {
  kind: 'stake',
  walletAddress: 'wallet',
  amountLamports: 2_000_000_000n,
};
const HOME = { cluster: 'sandbox', voteAccount: 'vote' };
export const CHECKED = {
  ok: true,
  recognized: { kind: 'stake', stakeAccount: 'stake', extraInstructions: [] },
  message: { instructions: [] },
  fields: [],
} as unknown as TransactionVerdict;
export const WRONG: TransactionVerdict = {
  ...CHECKED,
  ok: false,
  fields: [
    {
      field: 'amount',
      ok: false,
      expected: null,
      found: null,
      problem: 'It moves a different amount.',
      problemSentences: [],
    },
  ],
};
/** A signature of 64 ones, then a message with one signer: enough to be parsed. */
export const SIGNED = (() => {
  const wire = new Uint8Array(1 + 64 + 4 + 32);
  wire[0] = 1;
  wire.fill(1, 1, 65);
  wire[65] = 1;
  wire[68] = 1;
  wire.fill(7, 69);
  return wire;
})();

/** Creates the error of a failed call. */
export const fail = (errorCode: string, more: object = {}) =>
  new HoldfastError({ errorCode, message: errorCode, operation: 'test', ...more });

/** Returns a built transaction with this lifetime. */
export const built = (lifeMs = 60_000): BuiltTransaction =>
  ({
    transaction: 'AAAA',
    estimatedExpiresAt: new Date(lifeMs).toISOString(),
    lastValidBlockHeight: 150,
    warnings: [],
    _meta: { timestamp: new Date(0).toISOString() },
  }) as unknown as BuiltTransaction;

/**
 * Creates a scripted environment. Each call returns the next of its responses, and the last one is repeated.
 */
export const world = (
  script: Partial<
    Record<'build' | 'check' | 'recheck' | 'sign' | 'submit' | 'stateOf' | 'blockHeight', unknown[]>
  > = {},
) => {
  const calls: string[] = [];
  const responses: Record<string, unknown[]> = {
    build: [built()],
    check: [CHECKED],
    recheck: [CHECKED],
    sign: [{ how: 'signed', bytes: SIGNED } satisfies Signed],
    submit: [{ signature: 'landed', explorerUrl: 'https://explorer' }],
    stateOf: [{ state: 'confirmed', error: null, explorerUrl: 'https://explorer' }],
    blockHeight: [0],
    ...script,
  };
  const next = async (name: string): Promise<never> => {
    calls.push(name);
    const list = responses[name]!;
    const response = list.length > 1 ? list.shift() : list[0];
    if (response instanceof Error) throw response;
    return response as never;
  };
  let recorded: TransactionRecord | null = null;
  const keys: string[] = [];
  const slept: number[] = [];
  const deps: FlowDeps = {
    identity: async () => HOME,
    service: {
      build: (_request, key) => {
        keys.push(key);
        return next('build');
      },
      submit: (_signed, key) => {
        keys.push(key);
        return next('submit');
      },
      stateOf: () => next('stateOf'),
      blockHeight: () => next('blockHeight'),
    },
    verify: async (_wire, _record, _binding, stage) => {
      if (stage === 'signed') return next('recheck');
      const verdict = await next('check');
      calls.pop();
      return verdict;
    },
    verifyEffects: () => NO_EFFECTS,
    sign: () => next('sign'),
    sleep: async (ms) => void slept.push(ms),
    now: () => 0,
    newKey: () => `key-${calls.length}`,
    slot: { read: () => recorded, write: (record) => (recorded = record) },
    landed: () => void calls.push('landed'),
    discarded: () => void calls.push('discarded'),
  };
  const make = () => createTransactionFlow(deps);
  return {
    deps,
    make,
    calls,
    keys,
    slept,
    recorded: () => recorded,
    keep: (record: TransactionRecord | null) => (recorded = record),
  };
};

/** Returns an unsigned record left by an earlier page. */
export const record = (more: Partial<TransactionRecord> = {}): TransactionRecord => ({
  ...newRecord(REQUEST, { ...HOME, idempotencyKey: 'kept-key', begunAtMs: 0 }),
  stakeAccountAddress: 'stake',
  ...more,
});
