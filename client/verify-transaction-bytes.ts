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

/** What was asked for. A `rearrange` names its goal; `accounts` are those that the user named. */
export type VerifierRequest = Omit<EffectsRequest, 'wallet' | 'voteAccount'>;

/** What a transaction must be. */
export interface ExpectedTransaction extends Omit<Expectations, 'memo'> {
  /** Default: any of at most 128 bytes. */
  readonly memo?: string | undefined;
  /** Its effects are held to this request. Needs `wallet`. */
  readonly request?: VerifierRequest | undefined;
  /** The later transactions of the same plan, in base64: all of them together are held to the request. */
  readonly following?: readonly string[] | undefined;
}

/** What a transaction was found to be. */
export interface Verdict extends Omit<TransactionVerdict, 'effectsFingerprint' | 'message'> {
  /** By required signer, the fee payer first. */
  readonly signatures: ReadonlyMap<string, 'valid' | 'missing' | 'invalid'>;
  /** What all transactions together do; null without a request. */
  readonly effects: ApprovalEffects | null;
  /** What the bytes do not show and a person has to decide. With any of them `ok` is false. */
  readonly unknowns: readonly UnknownEffect[];
}

/**
 * Checks a transaction in base64, signed or not. Give `wallet`: without it the fee payer is taken for the wallet, whoever that is. Give
 * `request`: without it only the form is checked, not the amounts and accounts of a change. Throws `AppError` `INVALID_TRANSACTION` for what is
 * not exactly one well-formed transaction, and `TypeError` for a request without a wallet.
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
  if (request === undefined)
    return {
      ...found[0]!,
      ok: found.every(({ ok }) => ok),
      ...{ signatures, effects: null, unknowns: [] },
    };
  const { wallet, voteAccount } = expected;
  if (wallet === undefined) throw new TypeError('A request needs the wallet.');
  const { problems, unknowns, effects } = checkEffects({ ...request, wallet, voteAccount }, wires, null);
  const isAsked = found.every(({ ok, recognised }) => ok && isMeant(request, recognised.kind));
  return {
    ...found[0]!,
    ok: isAsked && problems.length === 0 && unknowns.length === 0,
    fields: withProblems(found[0]!.fields, problems),
    ...{ signatures, effects, unknowns },
  };
};
