// Checks the transactions that the service built for a request: each one separately, and all of them
// together.

import { formatSol } from '../../src/domain/lamports.ts';
import type { EffectsCheck, NodeFacts } from '../../src/domain/transaction/effects/check-effects.ts';
import { DEFAULT_HEAP_BYTES, priorityFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import type { MessageFacts } from '../../src/domain/transaction/stake-verifier.ts';
import { problemList, type VerifierProblem } from '../../src/domain/transaction/verifier-problems.ts';
import { withProblems } from '../../src/operations/verify/add-verifier-problems.ts';
import { fromBase64, toBase64 } from './base64.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { FollowingTransaction, Prepared } from './prepared-transaction.ts';
import { NotAsAsked } from './staking-errors.ts';
import type { BuiltTransaction } from './staking-request.ts';
import type {
  ServiceBinding,
  TransactionVerdict,
  VerifyRequest,
  verifyEffects,
} from './verify-against-request.ts';

export interface CheckPorts {
  /** `verifyRequest`, or a function that loads and runs it. */
  readonly verify: (...args: Parameters<VerifyRequest>) => TransactionVerdict | Promise<TransactionVerdict>;
  /** The function `verifyEffects`, or one that loads and runs it. */
  readonly verifyEffects: (...args: Parameters<typeof verifyEffects>) => EffectsCheck | Promise<EffectsCheck>;
  /** Reads the accounts that these transactions touch from a node that the user trusts. Default: no node is read. */
  readonly nodeFacts?:
    | ((record: TransactionRecord, verdicts: readonly TransactionVerdict[]) => Promise<NodeFacts | null>)
    | undefined;
  readonly binding: ServiceBinding;
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export const DO_NOT_SIGN =
  'The service built something other than what you requested. Nothing was signed. Do not sign it elsewhere.';

/**
 * Returns the lifetime of a transaction, in milliseconds from its build, as stated by the service. Returns 0 if
 * the service states none. It states one for every transaction of this flow, which requests no durable nonce.
 */
export const lifeMs = ({ estimatedExpiresAt, _meta }: BuiltTransaction): number =>
  Date.parse(estimatedExpiresAt ?? _meta.timestamp) - Date.parse(_meta.timestamp);

/** Computes a fingerprint of the effects of all transactions of the plan. Equal effects have equal fingerprints. */
export const fingerprintOf = ({ verdict, following }: Prepared): string =>
  [verdict, ...following.map((one) => one.verdict)].map((one) => one.effectsFingerprint).join();

/** Compares the fee, and the limits in a version 1 header, with those in the service's response. */
const budgetProblems = (
  message: MessageFacts,
  announced: BuiltTransaction['priorityFee'],
): readonly VerifierProblem[] => {
  const { problems, demand } = problemList();
  const paid = priorityFeeLamports(message);
  const announcedLamports = BigInt(announced?.lamports ?? 0);
  demand(paid === announcedLamports, 'PRIORITY_FEE_NOT_ANNOUNCED', {
    feeSol: formatSol(paid),
    announcedSol: formatSol(announcedLamports),
  });
  const { headerBudget: header } = message;
  demand(
    !header ||
      (header.computeUnitLimit === announced?.computeUnitLimit &&
        header.loadedAccountsDataBytes === announced.loadedAccountsDataBytes &&
        header.heapBytes === DEFAULT_HEAP_BYTES),
    'LIMITS_NOT_ANNOUNCED',
  );
  return problems;
};

const checkBytes = async (
  { transaction, plan, priorityFee }: BuiltTransaction,
  record: TransactionRecord,
  { verify, binding }: CheckPorts,
): Promise<TransactionVerdict> => {
  try {
    const wire = fromBase64(transaction);
    if (toBase64(wire) !== transaction) throw new RangeError('it is not base64');
    const verdict = await verify(wire, record, binding, 'built', plan);
    const problems = budgetProblems(verdict.message, priorityFee);
    if (problems.length === 0) return verdict;
    return { ...verdict, ok: false, fields: withProblems(verdict.fields, problems) };
  } catch (error) {
    // A `TypeError` means that the verifier could not be loaded, so the bytes were not checked at all.
    if (error instanceof TypeError) throw error;
    throw new NotAsAsked(DO_NOT_SIGN, 'service');
  }
};

/**
 * Checks the transactions built for `record`. If the check result is not `ok`, they must not be signed.
 * Rejects with `NotAsAsked` if the bytes cannot be read, or with the error of a port.
 */
export const checkBuilt = async (
  built: BuiltTransaction,
  record: TransactionRecord,
  ports: CheckPorts,
): Promise<Prepared> => {
  const { binding, now, signal } = ports;
  const expiresAtMs = now() + lifeMs(built);
  const verdict = await checkBytes(built, record, ports);
  const unsigned = { ...record, signedTransaction: undefined, signature: undefined };
  const following: FollowingTransaction[] = [];
  for (const next of built.following ?? [])
    following.push({ record: unsigned, built: next, verdict: await checkBytes(next, unsigned, ports) });
  signal.throwIfAborted();
  const verdicts = [verdict, ...following.map((one) => one.verdict)];
  const facts = (await ports.nodeFacts?.(unsigned, verdicts)) ?? null;
  const effects = await ports.verifyEffects(unsigned, binding, verdicts, facts);
  signal.throwIfAborted();
  const wrong = verdicts.find(({ ok }) => !ok);
  return {
    record: {
      ...unsigned,
      // For a stake change, keeps only the account that the user named.
      stakeAccountAddress:
        (record.kind === 'rearrange' ? undefined : verdict.recognized.stakeAccount) ??
        record.stakeAccountAddress,
      lastValidBlockHeight: built.lastValidBlockHeight,
      expiresAtMs,
      part: following.length > 0 ? { index: 1, of: following.length + 1 } : undefined,
    },
    built,
    verdict:
      wrong ??
      (effects.problems.length === 0
        ? verdict
        : { ...verdict, ok: false, fields: withProblems(verdict.fields, effects.problems) }),
    following,
    effects,
    voteAccount: binding.voteAccount,
    expiresAtMs,
  };
};
