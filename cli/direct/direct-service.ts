// Unstakes and withdraws through an RPC node without a service, with the same rules, builders and staking
// flow.
import type { Address } from '@solana/kit';
import { HoldfastError } from '../../client/holdfast-error.ts';
import { fromBase64, toBase64 } from '../../client/staking/base64.ts';
import type { BuiltTransaction, StakingService } from '../../client/staking/staking-request.ts';
import { signatureOf } from '../../client/staking/wire-signatures.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { isConfirmed, type RpcNode, statusOf } from './call-rpc-node.ts';
import { DIRECT_MEMO, directFailure, planDirect } from './direct-plan.ts';

const RESEND_MS = 2_000;
/** Lifetime of a blockhash: about 150 blocks of 0.4 s. */
const LIFE_MS = 60_000;

/** Converts errors of the staking rules, and omits advice that needs the service. */
const asClientError = (error: unknown): unknown =>
  isAppError(error) ? directFailure(error.code, error.message) : error;

/** Implements the staking flow's service with one node. `now` returns Unix milliseconds. */
export const createDirectService = (
  node: RpcNode,
  {
    now,
    sleep,
    withdrawCommand,
  }: {
    readonly now: () => number;
    readonly sleep: (ms: number) => Promise<void>;
    /** The command that withdraws everything, for the message after an unstake. */
    readonly withdrawCommand: string;
  },
): StakingService => {
  const blockHeight = (): Promise<number> =>
    node.call<number>('getBlockHeight', [{ commitment: 'confirmed' }]);
  let message: string | undefined;
  /** Transactions of the latest plan that have not landed. The message belongs to the last one. */
  let unsent = 0;
  return {
    build: async (request, key) => {
      try {
        // Read before the plan, so the plan is never older than the blockhash.
        const { value } = await node.call<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
          'getLatestBlockhash',
          [{ commitment: 'confirmed' }],
        );
        const nowMs = now();
        const {
          plan,
          described,
          message: next,
        } = await planDirect(node, request, {
          key,
          nowMs,
          withdrawCommand,
        });
        const [first, ...following] = plan.transactions.map(
          ({ operations }): BuiltTransaction => ({
            transaction: toBase64(
              encodeWire(
                buildTransaction.rearrange({
                  wallet: request.walletAddress as Address,
                  operations,
                  memo: DIRECT_MEMO,
                  blockhash: value.blockhash,
                }),
                new Map(),
              ),
            ),
            lastValidBlockHeight: value.lastValidBlockHeight,
            estimatedExpiresAt: new Date(nowMs + LIFE_MS).toISOString(),
            warnings: [],
            _meta: { timestamp: new Date(nowMs).toISOString() } as never,
          }),
        );
        [message, unsent] = [next, 1 + following.length];
        return { ...first!, plan: described, ...(following.length > 0 && { following }) };
      } catch (error) {
        throw asClientError(error);
      }
    },
    submit: async (signedTransaction, _key, _signal, acknowledged) => {
      const signature = signatureOf(fromBase64(signedTransaction))!;
      const options = { encoding: 'base64', preflightCommitment: 'confirmed' } as const;
      const { value } = await node.call<{ value: { lastValidBlockHeight: number } }>('getLatestBlockhash', [
        { commitment: 'confirmed' },
      ]);
      try {
        await node.call('sendTransaction', [signedTransaction, options]);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // Preflight refused the transaction, so it either was not sent or has already landed.
        if (!isConfirmed(await statusOf(node, signature)))
          throw directFailure('SUBMISSION_FAILED', (error as HoldfastError).message);
      }
      acknowledged();
      for (;;) {
        // The height is read before the status, because only a transaction that is missing after its last valid
        // height can never land.
        const height = await blockHeight();
        const status = await statusOf(node, signature);
        if (status?.err)
          throw directFailure(
            'SUBMISSION_FAILED',
            `the transaction landed but failed: ${JSON.stringify(status.err)}`,
          );
        if (isConfirmed(status)) {
          unsent -= 1;
          return { signature, ...(unsent <= 0 && { message }) };
        }
        // `value` was read before sending, so its last valid height is not lower than that of the transaction's
        // own blockhash.
        if (status === null && height > value.lastValidBlockHeight)
          throw directFailure('BLOCKHASH_EXPIRED', 'The transaction expired before it landed.');
        await sleep(RESEND_MS);
        await node
          .call('sendTransaction', [signedTransaction, { ...options, skipPreflight: true, maxRetries: 0 }])
          .catch(() => undefined);
      }
    },
    stateOf: async (signature) => {
      const status = await statusOf(node, signature);
      if (status === null) throw directFailure('NOT_FOUND', `${signature} is not known`);
      const state = status.err ? 'failed' : isConfirmed(status) ? 'confirmed' : 'pending';
      return { state, error: status.err as never, explorerUrl: '' };
    },
    blockHeight,
  };
};

const isRefusal = (error: unknown): boolean =>
  error instanceof HoldfastError && error.errorCode === 'RPC_REFUSED';
