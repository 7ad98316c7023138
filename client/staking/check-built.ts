// Checks what the service built for a request: every transaction by itself, and all of them together against the request.
import type { EffectsCheck, NodeFacts } from '../../src/domain/transaction/check-effects.ts';
import { withProblems } from '../../src/operations/verify/field-verdicts.ts';
import { fromBase64, toBase64 } from './base64.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import { NotAsAsked } from './staking-errors.ts';
import type { BuiltTransaction } from './staking-request.ts';
import type {
  ServiceBinding,
  TransactionVerdict,
  VerifyRequest,
  verifyEffects,
} from './verify-against-request.ts';

/** A later transaction of a plan, checked against the request that its record holds. */
export interface FollowingTransaction {
  readonly record: TransactionRecord;
  readonly built: BuiltTransaction;
  readonly verdict: TransactionVerdict;
}

/** A transaction that was built and checked, ready to be approved. */
export interface Prepared extends FollowingTransaction {
  /** The later transactions of its plan, checked like the first; one approval is for all of them. */
  readonly following: readonly FollowingTransaction[];
  /** All of them together, compared with the request. If it has unknowns, only a person may approve. */
  readonly effects: EffectsCheck;
  /** The one validator that may be delegated to. */
  readonly voteAccount: string;
  /** When it can no longer land, by this machine's clock. The service says how long it lives; the start is our own. */
  readonly expiresAtMs: number;
}

/** Inputs of the check. */
export interface CheckPorts {
  /** `verifyRequest`, or a function that loads it. */
  readonly verify: (...args: Parameters<VerifyRequest>) => TransactionVerdict | Promise<TransactionVerdict>;
  /** `verifyEffects`, or a function that loads it. */
  readonly verifyEffects: (...args: Parameters<typeof verifyEffects>) => EffectsCheck | Promise<EffectsCheck>;
  /** Reads the accounts that these transactions touch from a node that the user chose. Default: there is no such node. */
  readonly nodeFacts?:
    | ((record: TransactionRecord, verdicts: readonly TransactionVerdict[]) => Promise<NodeFacts | null>)
    | undefined;
  readonly binding: ServiceBinding;
  /** Milliseconds, steadily rising. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export const DO_NOT_SIGN =
  'The service built something other than requested. Nothing was signed. Do not sign it elsewhere.';

/** How long a transaction lives from when it was built, in milliseconds, as the service says. */
export const lifeMs = ({ estimatedExpiresAt, _meta }: BuiltTransaction): number =>
  Date.parse(estimatedExpiresAt) - Date.parse(_meta.timestamp);

/** Equal for two that do the same, all transactions of the plan included. */
export const fingerprintOf = ({ verdict, following }: Prepared): string =>
  [verdict, ...following.map((one) => one.verdict)].map((one) => one.effectsFingerprint).join();

const checkBytes = async (
  { transaction, plan }: BuiltTransaction,
  record: TransactionRecord,
  { verify, binding }: CheckPorts,
): Promise<TransactionVerdict> => {
  try {
    const wire = fromBase64(transaction);
    if (toBase64(wire) !== transaction) throw new RangeError('it is not base64');
    return await verify(wire, record, binding, 'built', plan);
  } catch (error) {
    // The verifier could not be loaded: the bytes were not checked at all.
    if (error instanceof TypeError) throw error;
    throw new NotAsAsked(DO_NOT_SIGN, 'service');
  }
};

/**
 * Checks what was built for `record`. If the verdict of the result is not `ok`, it must not be signed. Rejects with `NotAsAsked` for bytes
 * that cannot be read, and with what a port threw.
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
      // A change keeps the accounts that the user named, and no others.
      stakeAccountAddress:
        (record.kind === 'rearrange' ? undefined : verdict.recognised.stakeAccount) ??
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
