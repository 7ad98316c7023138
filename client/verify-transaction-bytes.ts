// The transaction verifier for use without the service: bytes in, verdict out; no network, no clock, no trust in anybody.
import { fromBase64 } from '../src/chain/transactions/wire-base64.ts';
import { decodeWire, verifySignatures } from '../src/chain/transactions/wire-transaction.ts';
import type { ApprovalEffects, UnknownEffect } from '../src/domain/transaction/approval-effects.ts';
import { checkEffects, type EffectsRequest } from '../src/domain/transaction/check-effects.ts';
import type { Expectations, Recognised } from '../src/domain/transaction/stake-verifier.ts';
import { type FieldVerdict, withProblems } from '../src/operations/verify/field-verdicts.ts';
import {
  expectedOf,
  isMeant,
  type TransactionVerdict,
  verifyMessage,
} from './staking/verify-against-request.ts';

export type { ApprovalEffects, Expectations, FieldVerdict, Recognised, UnknownEffect };

/** The request. A `rearrange` names its goal; `accounts` are those named by the user. */
export type VerifierRequest = Omit<EffectsRequest, 'wallet' | 'voteAccount'>;

/** The requirements on a transaction. */
export interface ExpectedTransaction extends Omit<Expectations, 'memo'> {
  /** Default: any of at most 128 bytes. */
  readonly memo?: string | undefined;
  /** Its effects are held to this request. Needs `wallet`. */
  readonly request?: VerifierRequest | undefined;
  /** The later transactions of the same plan, in base64: all of them together are held to the request. */
  readonly following?: readonly string[] | undefined;
}

/** The result of checking a transaction. */
export interface Verdict extends Omit<TransactionVerdict, 'effectsFingerprint' | 'message'> {
  /** By required signer, the fee payer first. */
  readonly signatures: ReadonlyMap<string, 'valid' | 'missing' | 'invalid'>;
  /** The effects of all transactions together; null without a request. */
  readonly effects: ApprovalEffects | null;
  /** Facts that the bytes do not show, for a person to decide. If there are any, `ok` is false. */
  readonly unknowns: readonly UnknownEffect[];
}

const kindProblem = (message: string): Recognised['problems'][number] => ({ check: 'kind', message });

/** The verdicts on the later transactions, as problems of the whole. */
const problemsOfLater = (found: readonly Pick<TransactionVerdict, 'fields'>[]): Recognised['problems'] =>
  found.flatMap(({ fields }, index) =>
    fields.filter(({ ok }) => !ok).map(({ problem }) => kindProblem(`Transaction ${index + 2}: ${problem}`)),
  );

/** Kinds that the request does not mean; without a request, the one whose form alone shows too little. */
const problemsOfKinds = (
  kinds: readonly Recognised['kind'][],
  request: VerifierRequest | undefined,
): Recognised['problems'] => {
  if (request !== undefined)
    return kinds
      .filter((kind) => !isMeant(request, kind))
      .map((kind) => kindProblem(`It is of another kind than was asked for: ${kind}.`));
  return kinds.includes('rearrange')
    ? [
        kindProblem(
          'It changes several accounts. Name the goal, and the amount if there is one: its effects are held to them.',
        ),
      ]
    : [];
};

/**
 * Checks a transaction in base64, signed or not. Give `wallet`: without it the fee payer is taken for the wallet, whoever that is. Give
 * `request`: without it only the form is checked, and a change of several accounts is never ok. Throws `AppError` `INVALID_TRANSACTION` for
 * what is not exactly one well-formed transaction, and `TypeError` for a request without a wallet.
 */
export const verifyTransactionBytes = (
  transaction: string,
  { request, following = [], ...expected }: ExpectedTransaction,
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
  const { wallet, voteAccount } = expected;
  if (request !== undefined && wallet === undefined) throw new TypeError('A request needs the wallet.');
  const checked =
    request === undefined || wallet === undefined
      ? null
      : checkEffects({ ...request, wallet, voteAccount }, wires, null);
  const problems = [
    ...problemsOfLater(found.slice(1)),
    ...problemsOfKinds(
      found.map(({ recognised }) => recognised.kind),
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
