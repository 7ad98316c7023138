// The page's one flow: the real service, the connected wallet, this browser's storage.
import type { CreateStakeTransactionAnswer } from '../../../client/generated/transactions-operations.ts';
import { lamportsToSol } from '../../../client/sol-amount.ts';
import { api } from '../api/holdfast.ts';
import { WALLET_KEYS } from '../api/reads.ts';
import { peek, refresh } from '../api/resources.ts';
import { remember } from '../ui/browser-storage.ts';
import { useStore } from '../ui/store.ts';
import { fromBase64 } from '../wallet/base64.ts';
import { chainOf } from '../wallet/features.ts';
import { signWithWallet } from '../wallet/sign.ts';
import type { Checked, Expectations } from './check-transaction.ts';
import type { Built, FlowState, TransactionFlow } from './flow-types.ts';
import { createTransactionFlow } from './transaction-flow.ts';
import { createRecordKeeper, type Wish } from './transaction-record.ts';

const clusterNow = (): string =>
  peek<{ _meta: { cluster: string } }>('cluster/epoch').data?._meta.cluster ?? '';

/** Read once; a failure is not kept. */
const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let known: Promise<Value> | undefined;
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
};

/** The validator that the page shows is the one that may be delegated to. */
const readHome = once(async () => {
  const { voteAccount, _meta } = await api.validatorProfile();
  return { cluster: _meta.cluster, voteAccount };
});

const readMemo = once(async () => (await api.codeIntegrity()).memoProgram.expectedMemo);

/** `limits`: what else the bytes must keep to. A wallet may add a priority fee for itself; the service may not. */
const check = async (
  wish: Wish,
  wire: Uint8Array,
  stakeAccount: string | undefined,
  limits: Pick<Expectations, 'maxPriorityFeeLamports' | 'allowWalletGuards'>,
): Promise<Checked> => {
  const [{ checkTransaction }, { voteAccount }, memo] = await Promise.all([
    import('./check-transaction.ts'),
    readHome(),
    readMemo(),
  ]);
  const expected = {
    voteAccount,
    memo,
    wallet: wish.walletAddress,
    ...limits,
    ...(wish.amountLamports === undefined ? {} : { lamports: BigInt(wish.amountLamports) }),
    ...(stakeAccount === undefined ? {} : { stakeAccount }),
  } as Expectations;
  const checked = checkTransaction(wire, expected);
  return { ...checked, ok: checked.ok && checked.kind === wish.kind };
};

type UnsignedAnswer = Omit<CreateStakeTransactionAnswer, 'rewardsEstimate' | 'delegatedSol'>;

// Building changes nothing, so that a short freeze or a lost packet need not be the person's business.
const BUILDER_RETRIES = 2;

const askBuilder = (wish: Wish, idempotencyKey: string): Promise<UnsignedAnswer> => {
  const { walletAddress, amountLamports, stakeAccountAddress } = wish;
  const amountSol = amountLamports === undefined ? undefined : lamportsToSol(BigInt(amountLamports));
  const options = { idempotencyKey, retries: BUILDER_RETRIES };
  switch (wish.kind) {
    case 'stake':
      return api.createStakeTransaction({ walletAddress, amountSol: amountSol! }, options);
    case 'unstake':
      return api.createUnstakeTransaction(
        { walletAddress, stakeAccountAddress: stakeAccountAddress! },
        options,
      );
    case 'withdraw':
      return api.createWithdrawTransaction(
        {
          walletAddress,
          stakeAccountAddress: stakeAccountAddress!,
          ...(amountSol === undefined ? {} : { amountSol }),
        },
        options,
      );
  }
};

const build = async (wish: Wish, idempotencyKey: string): Promise<Built> => {
  const answer = await askBuilder(wish, idempotencyKey);
  // Its life by the service's own clock: this machine's may differ.
  const lifeMs = Date.parse(answer.estimatedExpiresAt) - Date.parse(answer._meta.timestamp);
  const expiresAtMs = Date.now() + lifeMs;
  const { transaction, lastValidBlockHeight, warnings } = answer;
  const stakeAccountAddress = wish.stakeAccountAddress ?? answer.stakeAccountAddress;
  return {
    transaction,
    lastValidBlockHeight,
    expiresAtMs,
    stakeAccountAddress,
    warnings,
    checked: await check(wish, fromBase64(transaction), stakeAccountAddress, { maxPriorityFeeLamports: 0n }),
  };
};

/** Asked for when it is needed: a browser that stores nothing shows the page, and signs nothing that it could forget. */
const storage = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, text: string) => localStorage.setItem(key, text),
  removeItem: (key: string) => remember(key, null),
};

/** One transaction at a time: a wallet can show only one. */
export const flow: TransactionFlow = createTransactionFlow({
  home: readHome,
  build,
  // A wallet may have added its own guards and a fee.
  recheck: (wish, signed) => check(wish, signed, wish.stakeAccountAddress, { allowWalletGuards: true }),
  sign: (transaction, { walletAddress }) =>
    signWithWallet(transaction, { walletAddress, chain: chainOf(clusterNow()) }),
  submit: (signedTransaction, idempotencyKey) =>
    api.submitTransaction({ signedTransaction }, { idempotencyKey }),
  stateOf: (signature) => api.transactionState({ signature }),
  blockHeight: async () => (await api.epoch()).blockHeight,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: Date.now,
  newKey: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  keeper: createRecordKeeper(storage, 'holdfast-transaction'),
  landed: () => refresh(WALLET_KEYS),
});

/** The flow's state. */
export const useFlow = (): FlowState => useStore(flow.state);
