// Reads everything that a policy limits from verified bytes: the operations, amounts, validators and recipients
// of one approval.
import { createHash } from 'node:crypto';
import { fromBase64 } from '../../client/staking/base64.ts';
import { closedAccounts, lastingAccount } from '../../client/staking/may-sign-again.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { takeApart } from '../../client/staking/wire-signatures.ts';
import type { GoalName } from '../../src/domain/plan/plan-goals.ts';
import { readApproval, stakesOf, sumLamports } from '../../src/domain/transaction/effects/approval-bytes.ts';
import type { OPERATIONS } from './policy-file.ts';
import type { Act, Amounts } from './policy-limits.ts';

type Operation = (typeof OPERATIONS)[number];

/** Policy operation of each goal. `actOf` adds `unstake` if withdrawing an amount also deactivates stake. */
const OF_GOAL: Readonly<Record<GoalName, Operation>> = {
  unstake: 'unstake',
  'withdraw-amount': 'withdraw',
  undo: 'undo',
  restake: 'restake',
  'top-up': 'topup',
  tidy: 'tidy',
  sweep: 'sweep',
  migrate: 'migrate',
  rescue: 'rescue',
  'withdraw-all': 'withdraw',
};

export const operationOf = (
  request: Pick<StakingRequest, 'kind'> & { readonly goal?: GoalName },
): Operation => (request.kind === 'rearrange' ? OF_GOAL[request.goal!] : request.kind);

/** Returns the SHA-256 of a transaction's message, which is the signed part. */
export const messageHash = (message: Uint8Array): string =>
  createHash('sha256').update(message).digest('hex');

/** Returns the hashes of all messages of one approval. */
export const messageHashes = ({
  built,
  following,
}: Pick<Prepared, 'built' | 'following'>): readonly string[] =>
  [built, ...following.map((one) => one.built)].map(({ transaction }) =>
    messageHash(takeApart(fromBase64(transaction)).message),
  );

const largest = (one: bigint | null, other: bigint): bigint | null =>
  one === null || one > other ? one : other;

/** Reads the effects of one approval: its first transaction together with the later ones of its plan. */
export const actOf = (prepared: Pick<Prepared, 'record' | 'verdict' | 'following' | 'effects'>): Act => {
  const { record, verdict, following, effects } = prepared;
  const messages = [verdict, ...following.map((one) => one.verdict)].map(({ message }) => message);
  const approval = readApproval(messages);
  const operations = approval.operations.flat();
  const { stakedLamports, deactivatedLamports, withdrawnLamports, feeLamports } = effects.effects;
  // Merges of accounts in the same state, which only a node proves, move nothing out of the wallet. The rent that
  // they turn into stake was counted when it was staked.
  const isMergeOnly = operations.every(({ type }) => type === 'merge' || type === 'withdraw');
  const delegated = isMergeOnly && stakedLamports !== null ? 0n : stakedLamports;
  const intoStakes = approval.newStakeLamports + sumLamports(approval.rents);
  const amounts: Amounts = {
    stake: largest(delegated, intoStakes > withdrawnLamports ? intoStakes - withdrawnLamports : 0n),
    unstake: deactivatedLamports,
    withdraw: withdrawnLamports,
    fees: feeLamports,
  };
  const stakes = new Set(operations.flatMap((one) => (one.type === 'transfer' ? [] : stakesOf(one))));
  const operation = operationOf({ kind: record.kind, ...(record.change && { goal: record.change.goal }) });
  const isUnstake =
    record.change?.goal === 'withdraw-amount' && operations.some(({ type }) => type === 'deactivate');
  return {
    operations: isUnstake ? [operation, 'unstake'] : [operation],
    amounts,
    validators: [...new Set(operations.flatMap((one) => (one.type === 'delegate' ? [one.voteAccount] : [])))],
    recipients: [
      ...new Set([
        // The holder of the stake authority can unstake, so the policy must allow that address too.
        ...(verdict.recognized.stakeAuthority === undefined ? [] : [verdict.recognized.stakeAuthority]),
        ...operations.flatMap((one) => {
          if (one.type === 'withdraw') return [one.to];
          // A transfer to one of the wallet's own stake accounts only lends the minimum for one instruction, so
          // it does not count as a withdrawal.
          return one.type === 'transfer' && !stakes.has(one.to) ? [one.to] : [];
        }),
      ]),
    ],
    account: lastingAccount({ verdict, following }) ?? null,
    closed: [verdict, ...following.map((one) => one.verdict)].flatMap(closedAccounts),
  };
};
