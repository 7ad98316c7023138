// The page's staking flow with a test wallet that signs every transaction.
import type { RecordSlot, TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { StakingService } from '../../client/staking/staking-request.ts';
import { verifyEffects, verifyRequest } from '../../client/staking/verify-against-request.ts';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import { createTransactionFlow, type TransactionFlow } from '../../web/src/flow/transaction-flow.ts';
import type { TestWallet } from './wallets.ts';

export const signWith = (wallet: TestWallet) => (transaction: Uint8Array) => ({
  how: 'signed' as const,
  bytes: withSignature(transaction, wallet.walletAddress, wallet.sign(takeApart(transaction).message)),
});

/** Creates an empty slot in memory, like one in the browser's storage. */
export const recordSlot = (): RecordSlot => {
  let record: TransactionRecord | null = null;
  return {
    read: () => record,
    write: (next) => {
      record = next;
    },
  };
};

/** Creates the flow of the page at `service`, without waits between its requests. */
export const createPageFlow = ({
  wallet,
  binding,
  service,
  newKey = () => crypto.randomUUID(),
  slot = recordSlot(),
  now = () => performance.now(),
}: {
  readonly wallet: TestWallet;
  readonly binding: { readonly voteAccount: string; readonly memo: string };
  readonly service: StakingService;
  readonly newKey?: () => string;
  readonly slot?: RecordSlot;
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
}): TransactionFlow =>
  createTransactionFlow({
    service,
    verify: verifyRequest,
    verifyEffects,
    newKey,
    slot,
    now,
    identity: async () => ({ ...binding, cluster: 'sandbox' }),
    sign: async (transaction) => signWith(wallet)(transaction),
    sleep: async () => undefined,
    landed: () => undefined,
    discarded: () => undefined,
  });
