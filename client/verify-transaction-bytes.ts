// The transaction verifier for use without the service. It needs neither network nor clock, and trusts only the
// bytes.
import { fromBase64 } from '../src/chain/transactions/wire-base64.ts';
import { decodeWire, verifySignatures } from '../src/chain/transactions/wire-transaction.ts';
import type { ApprovalEffects, UnknownEffect } from '../src/domain/transaction/effects/approval-effects.ts';
import {
  checkEffects,
  type EffectsRequest,
  type NodeFacts,
} from '../src/domain/transaction/effects/check-effects.ts';
import type { Expectations, Recognized } from '../src/domain/transaction/stake-verifier.ts';
import { problemOf } from '../src/domain/transaction/verifier-problems.ts';
import { type FieldVerdict, withProblems } from '../src/operations/verify/add-verifier-problems.ts';
import { callVerifier } from './call-verifier.ts';
import { HoldfastError } from './holdfast-error.ts';
import {
  expectedOf,
  otherKindProblems,
  type TransactionVerdict,
  verifyMessage,
} from './staking/verify-against-request.ts';

export type { ApprovalEffects, Expectations, FieldVerdict, Recognized, UnknownEffect };

/** Request to compare the effects with. `goal` is set for a `rearrange`. `accounts` lists the accounts that the user named. */
export type VerifierRequest = Omit<EffectsRequest, 'wallet' | 'owner' | 'voteAccount'>;

/** Requirements on a transaction. */
export interface ExpectedTransaction extends Omit<Expectations, 'memo'> {
  /** Default: any memo of at most 128 bytes. */
  readonly memo?: string | undefined;
  /** Request that the effects are compared with. Requires `wallet`. */
  readonly request?: VerifierRequest | undefined;
  /** Later transactions of the same plan in base64. All of them together must match the request. */
  readonly following?: readonly string[] | undefined;
  /** The accounts that the transactions change, from a node that the user trusts. Default: the bytes alone are checked. */
  readonly facts?: NodeFacts | null | undefined;
}

export interface Verdict extends Omit<TransactionVerdict, 'effectsFingerprint' | 'message'> {
  /** Signature status of each required signer, the fee payer first. */
  readonly signatures: ReadonlyMap<string, 'valid' | 'missing' | 'invalid'>;
  /** The combined effects of all transactions; null without a request. */
  readonly effects: ApprovalEffects | null;
  /**
   * Effects that the transactions do not show and that a person must check. `ok` is false if there are any.
   */
  readonly unknowns: readonly UnknownEffect[];
}

/** Converts failed fields of later transactions into problems of the first transaction's check result. */
const problemsOfLater = (found: readonly Pick<TransactionVerdict, 'fields'>[]): Recognized['problems'] =>
  found.flatMap(({ fields }, index) =>
    fields
      .filter(({ ok }) => !ok)
      .map(({ problem }) =>
        problemOf('LATER_TRANSACTION', { transaction: index + 2, problem: problem ?? '' }),
      ),
  );

/**
 * Reports a problem for each kind that the request does not allow. Without a request, `rearrange` is refused
 * too, because its form alone proves too little.
 */
const problemsOfKinds = (
  kinds: readonly Recognized['kind'][],
  request: VerifierRequest | undefined,
): Recognized['problems'] => {
  if (request !== undefined) return kinds.flatMap((kind) => otherKindProblems(request, kind));
  return kinds.includes('rearrange') ? [problemOf('GOAL_NOT_NAMED')] : [];
};

/**
 * Checks a transaction in base64, signed or not. Without `wallet`, any fee payer is accepted as the wallet.
 * Without `request`, only the form is checked, and a change of several accounts is never ok. Throws
 * `HoldfastError`: `INVALID_TRANSACTION` unless the text is exactly one well-formed transaction, and
 * `INVALID_INPUT` for a request without a wallet.
 */
export const verifyTransactionBytes = (transaction: string, expected: ExpectedTransaction): Verdict =>
  callVerifier('verifyTransactionBytes', () => verify(transaction, expected));

const verify = (
  transaction: string,
  { request, following = [], facts = null, ...expected }: ExpectedTransaction,
): Verdict => {
  const wires = [transaction, ...following].map((one) => decodeWire(fromBase64(one)));
  const wire = wires[0]!;
  const { valid, missing } = verifySignatures(wire);
  const found = wires.map((one) =>
    verifyMessage(one, { ...expected, ...(request !== undefined && expectedOf(request)) }),
  );
  const signatures = new Map(
    wire.requiredSigners.map(
      (signer) =>
        [
          signer,
          valid.includes(signer) ? 'valid' : missing.includes(signer) ? 'missing' : 'invalid',
        ] as const,
    ),
  );
  const { wallet, owner, voteAccount } = expected;
  if (request !== undefined && wallet === undefined)
    throw new HoldfastError({
      errorCode: 'INVALID_INPUT',
      message: 'Verifying against a request requires `wallet`.',
      operation: 'verifyTransactionBytes',
    });
  const checked =
    request === undefined || wallet === undefined
      ? null
      : checkEffects({ ...request, wallet, owner, voteAccount }, wires, facts);
  const problems = [
    ...problemsOfLater(found.slice(1)),
    ...problemsOfKinds(
      found.map(({ recognized }) => recognized.kind),
      request,
    ),
    ...(checked?.problems ?? []),
  ];
  const { unknowns = [], effects = null } = checked ?? {};
  return {
    ...found[0]!,
    ok: found.every(({ ok }) => ok) && problems.length === 0 && unknowns.length === 0,
    fields: withProblems(found[0]!.fields, problems),
    signatures,
    effects,
    unknowns,
  };
};
