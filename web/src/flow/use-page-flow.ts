// The page's single flow with the real service, the connected wallet, and this browser's storage. Signing with
// another account than the flow's is refused in wallet/signing-account.ts.
import type { ValidatorProfileAnswer } from '../../../client/generated/validator-operations.ts';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { retryDelayMs } from '../../../client/retry.ts';
import { fromBase64 } from '../../../client/staking/base64.ts';
import { storageSlot } from '../../../client/staking/pending-transaction.ts';
import { type StakingService, stakingService } from '../../../client/staking/staking-request.ts';
import { signatureOf } from '../../../client/staking/wire-signatures.ts';
import { api } from '../api/holdfast.ts';
import { PROFILE_KEY, WALLET_KEYS } from '../api/shared-reads.ts';
import { peek, refreshAfterAct } from '../api/use-resource.ts';
import { remember } from '../state/browser-storage.ts';
import { useStore } from '../state/create-store.ts';
import { showToast } from '../state/toast-store.ts';
import { chainOf } from '../wallet/features.ts';
import { otherVersion, signWithWallet } from '../wallet/sign.ts';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';
import type { FlowState } from './flow-state.ts';
import { createTransactionFlow, type TransactionFlow } from './transaction-flow.ts';

const { say } = defineWords('wallet', walletEnglish);

const clusterNow = (): string => peek<{ _meta: { cluster: string } }>('cluster/epoch')?._meta.cluster ?? '';

/** Caches the result of one successful read; failures are not cached. */
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

const identityReads = () => ({
  /** Only the validator shown on the page may be a delegation target. */
  validator: once(async () => peek<ValidatorProfileAnswer>(PROFILE_KEY) ?? (await api.validatorProfile())),
  code: once(() => api.codeIntegrity()),
});

let reads = identityReads();

// Building changes nothing, so short outages are retried without asking the user.
const BUILDER_RETRIES = 2;
/**
 * Interval for polling whether the service has the transaction. The submission itself only responds at its
 * end.
 */
const ACKNOWLEDGED_POLL_MS = 1_500;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `acknowledged` once the service knows the transaction. Stops when `ended` returns true. */
const pollAcknowledged = async (
  signature: string,
  ended: () => boolean,
  acknowledged: () => void,
): Promise<void> => {
  for (;;) {
    await sleep(ACKNOWLEDGED_POLL_MS);
    if (ended()) return;
    const isKnown = await api.transactionState({ signature }).then(
      () => true,
      () => false,
    );
    if (ended()) return;
    if (isKnown) return acknowledged();
  }
};

const build: StakingService['build'] = async (...request) => {
  const built = await stakingService(api, { retries: 0 }).build(...request);
  const transactionVersion = otherVersion(built.transactionVersion);
  return transactionVersion === null
    ? built
    : stakingService(api, { retries: 0, transactionVersion }).build(...request);
};

const service: StakingService = {
  ...stakingService(api),
  build: async (...request) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return await build(...request);
      } catch (error) {
        // The flow itself waits for the rate limit and shows it.
        const isLost = isHoldfastError(error) && error.errorCode !== 'RATE_LIMITED';
        const delayMs =
          isLost && attempt < BUILDER_RETRIES
            ? retryDelayMs(error, { repeatable: true, attempt, random: Math.random })
            : null;
        if (delayMs === null) throw error;
        await sleep(delayMs);
      }
  },
  // The signal is not passed on, because a signed transaction is submitted even if the user dismissed the flow.
  submit: async (signedTransaction, idempotencyKey, _signal, acknowledged) => {
    let isEnded = false;
    const signature = signatureOf(fromBase64(signedTransaction));
    if (signature !== null) void pollAcknowledged(signature, () => isEnded, acknowledged);
    try {
      return await api.submitTransaction({ signedTransaction }, { idempotencyKey });
    } finally {
      isEnded = true;
    }
  },
};

/**
 * Accessed on demand, because the page must work without storage. It then signs nothing that it could forget.
 */
const storage = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, text: string) => localStorage.setItem(key, text),
  removeItem: (key: string) => remember(key, null),
};

/** Only one transaction at a time, because a wallet can only show one. */
export const flow: TransactionFlow = createTransactionFlow({
  identity: async (isFresh = false) => {
    if (isFresh) reads = identityReads();
    const { voteAccount } = await reads.validator();
    const { memoProgram, identity } = await reads.code();
    // A restarted sandbox has the same name and validator, but another genesis hash.
    return { voteAccount, memo: memoProgram.expectedMemo, cluster: identity.genesisHash };
  },
  service,
  // The verifier is loaded on demand, because it is larger than the rest of the page.
  verify: async (...args) =>
    (await import('../../../client/staking/verify-against-request.ts')).verifyRequest(...args),
  verifyEffects: async (...args) =>
    (await import('../../../client/staking/verify-against-request.ts')).verifyEffects(...args),
  sign: (transaction, { walletAddress }) =>
    signWithWallet(transaction, { walletAddress, chain: chainOf(clusterNow()) }),
  sleep,
  now: Date.now,
  newKey: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  slot: storageSlot(storage, 'holdfast-transaction'),
  landed: () => refreshAfterAct(WALLET_KEYS),
  discarded: () => showToast({ tone: 'info', title: say('discarded') }),
});

export const useFlow = (): FlowState => useStore(flow.state);
