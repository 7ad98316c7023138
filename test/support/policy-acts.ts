// Builds verified transactions for tests of policies: real transactions, checked like those from a service.
import type { Address } from '@solana/kit';
import type { PolicyRequest } from '../../cli/policy/policy-guard.ts';
import { messageHash } from '../../cli/policy/signed-act.ts';
import { fromBase64 } from '../../client/staking/base64.ts';
import { checkBuilt } from '../../client/staking/check-built.ts';
import { newRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { BuiltTransaction, StakingRequest } from '../../client/staking/staking-request.ts';
import { verifyEffects, verifyRequest } from '../../client/staking/verify-against-request.ts';
import { takeApart } from '../../client/staking/wire-signatures.ts';
import type { NodeFacts } from '../../src/domain/transaction/effects/check-effects.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { built, signer, stakeBytes, VOTE_ACCOUNT, withdrawBytes } from './honest-responses.ts';

export const { walletAddress } = signer;
export const CLUSTER = '11111111111111111111111111111112';
export const SUBJECT = { walletAddress, cluster: CLUSTER, voteAccount: VOTE_ACCOUNT };
export const SOL = 1_000_000_000n;

/** Returns an address made from a number. */
export const addressOf = (number: number): Address => {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return encodeBase58(bytes) as Address;
};

/** Returns a policy's text with some fields replaced. */
export const policyText = (members: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    version: 1,
    cluster: CLUSTER,
    wallet: walletAddress,
    validators: [VOTE_ACCOUNT],
    operations: ['stake', 'unstake', 'withdraw'],
    ...members,
  });

/** A request with the transaction that a service builds for it. */
export interface PlannedAct {
  readonly request: StakingRequest;
  readonly transaction: string;
  /** Later transactions of the plan. */
  readonly following?: readonly string[];
  /** Accounts as read from the user's node. Default: there is no node. */
  readonly facts?: NodeFacts;
}

/** Stakes `lamports` in the account `account`. With a different `blockhash`, it is a different transaction. */
export const stakeAct = (lamports: bigint, account: Address, blockhash = 1): PlannedAct => ({
  request: { kind: 'stake', walletAddress, amountLamports: lamports },
  transaction: stakeBytes({ lamports, stakeAccount: account, blockhash: addressOf(blockhash) }),
});

/** Withdraws `lamports` from the account `account`. */
export const withdrawAct = (lamports: bigint, account: Address, blockhash = 1): PlannedAct => ({
  request: { kind: 'withdraw', walletAddress, stakeAccountAddress: account, amountLamports: lamports },
  transaction: withdrawBytes({ lamports, stakeAccount: account, blockhash: addressOf(blockhash) }),
});

/** Verifies a transaction as the staking flow does. */
export const prepare = async (
  { request, transaction, following = [], facts }: PlannedAct,
  idempotencyKey: string,
): Promise<Prepared> => {
  const record = newRecord(request, { cluster: '', voteAccount: VOTE_ACCOUNT, idempotencyKey, begunAtMs: 0 });
  const prepared = await checkBuilt(
    { ...built(transaction), following: following.map(built) } as BuiltTransaction,
    record,
    {
      verify: verifyRequest,
      verifyEffects,
      nodeFacts: async () => facts ?? null,
      binding: { voteAccount: VOTE_ACCOUNT },
      now: () => 0,
      signal: new AbortController().signal,
    },
  );
  if (!prepared.verdict.ok) throw new Error(JSON.stringify(prepared.verdict.fields));
  return prepared;
};

/** Returns a verified transaction that the flow wants to sign. */
export const policyRequest = async (act: PlannedAct, idempotencyKey: string): Promise<PolicyRequest> => ({
  idempotencyKey,
  prepared: await prepare(act, idempotencyKey),
  transactionSha256: messageHash(takeApart(fromBase64(act.transaction)).message),
});
