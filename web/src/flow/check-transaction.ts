// Checks a transaction in the browser before it is signed: the service's own verifier, run on the very bytes that the wallet is given.
import { WireReader } from '../../../src/chain/transactions/wire-compact.ts';
import { parseMessage } from '../../../src/chain/transactions/wire-message.ts';
import { decodeInstruction } from '../../../src/domain/transaction/instruction-decoder.ts';
import { networkFeeLamports } from '../../../src/domain/transaction/instruction-fees.ts';
import { type Expectations, recogniseTransaction } from '../../../src/domain/transaction/stake-verifier.ts';
import type { RecognisedKind } from '../../../src/domain/transaction/transaction-kinds.ts';
import { type FieldVerdict, fieldVerdicts } from '../../../src/operations/verify/field-verdicts.ts';

export type { Expectations, FieldVerdict };

/** What the bytes were found to do. */
export interface Checked {
  /** True only when they do this one thing for the wallet, and nothing else. */
  readonly ok: boolean;
  readonly kind: RecognisedKind;
  readonly lamports: bigint | null;
  readonly stakeAccountAddress: string | null;
  /** Every field with what it must be and what it is. */
  readonly fields: readonly FieldVerdict[];
  readonly instructions: readonly {
    readonly program: string;
    readonly name: string;
    readonly summary: string;
  }[];
  readonly networkFeeLamports: bigint;
  readonly messageBytes: Uint8Array;
}

/** Reads a legacy or version 0 transaction and checks it. Throws `AppError` `INVALID_TRANSACTION` for what is none. */
export const checkTransaction = (wire: Uint8Array, expected: Expectations): Checked => {
  const reader = new WireReader(wire);
  const count = reader.compact('signature count');
  reader.take(count * 64, 'signatures');
  const messageBytes = wire.subarray(reader.position);
  // Later versions put signatures elsewhere; none is built for wallets, and what cannot be read is not signed.
  if ((messageBytes[0] ?? 0xff) > 0x80)
    throw new RangeError('The transaction is of a version that this page cannot check.');
  const message = parseMessage(messageBytes);
  if (message.requiredSigners.length !== count)
    throw new RangeError('Its signatures do not fit its signers.');
  const facts = {
    feePayer: message.requiredSigners[0]!,
    requiredSigners: message.requiredSigners,
    instructions: message.instructions.map(decodeInstruction),
    hasLookups: message.hasLookups,
    headerPriorityFeeLamports: message.headerPriorityFeeLamports,
  };
  const seen = recogniseTransaction(facts, expected);
  return {
    ok: seen.ok,
    kind: seen.kind,
    lamports: seen.lamports ?? null,
    stakeAccountAddress: seen.stakeAccount ?? null,
    fields: fieldVerdicts(facts, seen, expected),
    instructions: facts.instructions.map(({ program, name, summary }) => ({ program, name, summary })),
    networkFeeLamports: networkFeeLamports(count, facts.instructions, null),
    messageBytes,
  };
};
