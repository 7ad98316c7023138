// The world of the page's flow, scripted: a service, a wallet and a storage that give the answers of a test.
import { HoldfastError } from '../../client/holdfast-error.ts';
import type { Checked } from '../../web/src/flow/check-transaction.ts';
import type { FlowDeps } from '../../web/src/flow/flow-types.ts';
import { createTransactionFlow } from '../../web/src/flow/transaction-flow.ts';
import type { TransactionRecord, Wish } from '../../web/src/flow/transaction-record.ts';
import type { Signed } from '../../web/src/wallet/sign.ts';

/** What is wished. */
export const WISH: Wish = { kind: 'stake', walletAddress: 'wallet', amountLamports: '2000000000' };
const HOME = { cluster: 'sandbox', voteAccount: 'vote' };
/** Found to be right. */
export const CHECKED = { ok: true, kind: 'stake' } as Checked;
/** One signature of ones, then a message with one signer: enough to be taken apart. */
export const SIGNED = (() => {
  const wire = new Uint8Array(1 + 64 + 4 + 32);
  wire[0] = 1;
  wire.fill(1, 1, 65);
  wire[65] = 1;
  wire[68] = 1;
  wire.fill(7, 69);
  return wire;
})();

/** A call's failure. */
export const fail = (errorCode: string, more: object = {}) =>
  new HoldfastError({ errorCode, message: errorCode, operation: 'test', ...more });

/** A built transaction. */
export const built = (more: object = {}) => ({
  transaction: 'AAAA',
  expiresAtMs: 60_000,
  lastValidBlockHeight: 150,
  stakeAccountAddress: 'stake',
  warnings: [],
  checked: CHECKED,
  ...more,
});

/** A scripted world: each call takes the next of its answers, the last one for ever. */
export const world = (
  script: Partial<
    Record<'build' | 'recheck' | 'sign' | 'submit' | 'stateOf' | 'blockHeight', unknown[]>
  > = {},
) => {
  const calls: string[] = [];
  const answers: Record<string, unknown[]> = {
    build: [built()],
    recheck: [CHECKED],
    sign: [{ how: 'signed', bytes: SIGNED } satisfies Signed],
    submit: [{ signature: 'landed', explorerUrl: 'https://explorer' }],
    stateOf: [{ state: 'confirmed', error: null, explorerUrl: 'https://explorer' }],
    blockHeight: [0],
    ...script,
  };
  const next = async (name: string): Promise<never> => {
    calls.push(name);
    const list = answers[name]!;
    const answer = list.length > 1 ? list.shift() : list[0];
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  let kept: TransactionRecord | null = null;
  const keys: string[] = [];
  const slept: number[] = [];
  const deps: FlowDeps = {
    home: async () => HOME,
    build: (_wish, key) => {
      keys.push(key);
      return next('build');
    },
    recheck: () => next('recheck'),
    sign: () => next('sign'),
    submit: (_signed, key) => {
      keys.push(key);
      return next('submit');
    },
    stateOf: () => next('stateOf'),
    blockHeight: () => next('blockHeight'),
    sleep: async (ms) => void slept.push(ms),
    now: () => 0,
    newKey: () => `key-${calls.length}`,
    keeper: { read: () => kept, write: (record) => (kept = record) },
    landed: () => void calls.push('landed'),
  };
  const make = () => createTransactionFlow(deps);
  return {
    deps,
    make,
    calls,
    keys,
    slept,
    kept: () => kept,
    keep: (record: TransactionRecord | null) => (kept = record),
  };
};

/** What an earlier page left, unsigned. */
export const record = (more: Partial<TransactionRecord> = {}): TransactionRecord => ({
  ...WISH,
  ...HOME,
  version: 1,
  idempotencyKey: 'kept-key',
  begunAtMs: 0,
  stakeAccountAddress: 'stake',
  ...more,
});
