// Reads the actual outcome from the chain itself, never through the proxies or the service's RPC client.
import { address, createSolanaRpc, signature } from '@solana/kit';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import type { Attempt } from './submission-driver.ts';

/**
 * The block that includes the transaction, its result in that block, and the balance of the address that it
 * should fund.
 */
interface Truth {
  readonly landed: 'no' | 'succeeded' | 'failed';
  readonly lamports: bigint;
}

/**
 * Number of blocks after which no earlier transaction can land and all landed ones are finalized: the lifetime
 * of a blockhash plus a margin.
 */
const BLOCKS_UNTIL_CERTAIN = 150 + 40;

/** Waits until no earlier transaction can land. */
export const untilNothingCanLand = async (sandbox: Sandbox, signal: AbortSignal): Promise<void> => {
  for (let blocks = 0; blocks < BLOCKS_UNTIL_CERTAIN; blocks += 1) await sandbox.nextBlock(signal);
};

/** Reads the actual outcome of an attempt that has a signature. */
export const truthOf = async (sandbox: Sandbox, attempt: Attempt): Promise<Truth> => {
  const rpc = createSolanaRpc(sandbox.rpcUrl);
  const [statuses, balance] = await Promise.all([
    rpc.getSignatureStatuses([signature(attempt.signature!)], { searchTransactionHistory: true }).send(),
    rpc.getBalance(address(attempt.effect!.address), { commitment: 'confirmed' }).send(),
  ]);
  const [status] = statuses.value;
  return {
    landed: status ? (status.err === null ? 'succeeded' : 'failed') : 'no',
    lamports: balance.value,
  };
};

/** Describes how a claim contradicts the actual outcome. Returns null if it does not. */
export const lieOf = (attempt: Attempt, truth: Truth): string | null => {
  const { ending, expiry } = attempt;
  // A fork may still be abandoned, so only the finalized height proves expiry.
  if (expiry && expiry.finalizedHeight <= expiry.lastValidBlockHeight)
    return `expired at the finalized height ${expiry.finalizedHeight}, although it could land up to ${expiry.lastValidBlockHeight}`;
  const mustHaveLanded = { confirmed: 'succeeded', failed: 'failed' } as const;
  const expected = ending === 'confirmed' || ending === 'failed' ? mustHaveLanded[ending] : 'no';
  if (truth.landed !== expected) return `${ending}, but the chain says: landed ${truth.landed}`;
  const lamports = ending === 'confirmed' ? attempt.effect!.lamports : 0n;
  return truth.lamports === lamports
    ? null
    : `${ending}, but the address holds ${truth.lamports} instead of ${lamports}`;
};
