// Compares a rebuilt transaction with the old one: byte for byte except for the lifetime, and in sentences if
// they differ.
import { z } from 'zod';
import type { WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { solFigure } from '../../domain/lamports.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { sentenceSchema } from '../shared-schemas.ts';
import { hashWithoutBlockhash } from '../transaction/submission-from-wire.ts';

export const differenceSchema = z
  .object({
    onlyLifetime: z
      .boolean()
      .meta({ description: 'Both messages are equal byte for byte, except for the blockhash.' }),
    changes: z.array(sentenceSchema).meta({
      description: 'Amounts, accounts and fees that differ. Empty if only the lifetime differs.',
    }),
  })
  .meta({ id: 'TransactionDifference' });

type Instruction = WireTransaction['instructions'][number];

/** Returns the amount that an instruction moves, and the same instruction without that amount. */
const amountOf = ({ data }: Instruction): { readonly lamports: bigint; readonly step: string } | null => {
  if (!('lamports' in data)) return null;
  const { lamports, ...step } = data;
  return {
    lamports,
    step: JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  };
};

/**
 * Describes the steps that only one of the transactions contains. Steps that differ only in the amount are
 * paired.
 */
const stepChanges = (before: readonly Instruction[], after: readonly Instruction[]): readonly Sentence[] => {
  const added = [...after];
  const changes: Sentence[] = [];
  for (const old of before) {
    const amount = amountOf(old);
    const at = added.findIndex((one) => amount !== null && amountOf(one)?.step === amount.step);
    if (amount === null || at < 0) {
      changes.push(sentence('STEP_REMOVED', 'No longer part of it: {step}', { step: old.summary }));
      continue;
    }
    const [now] = added.splice(at, 1);
    const figures = {
      step: now!.summary,
      beforeSol: solFigure(amount.lamports),
      afterSol: solFigure(amountOf(now!)!.lamports),
    };
    changes.push(sentence('AMOUNT_CHANGED', '{step} It was {beforeSol} SOL before.', figures));
  }
  return [...changes, ...added.map((one) => sentence('STEP_ADDED', 'New: {step}', { step: one.summary }))];
};

/** Returns the summaries of instructions that are in `of` but not in `other`. */
const without = (of: WireTransaction, other: WireTransaction): readonly Instruction[] => {
  const known = other.instructions.map(({ summary }) => summary);
  return of.instructions.filter(({ summary }) => {
    const at = known.indexOf(summary);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
};

/** Compares the messages of both transactions. */
export const differenceOf = (
  before: WireTransaction,
  after: WireTransaction,
): z.input<typeof differenceSchema> => {
  if (hashWithoutBlockhash(before) === hashWithoutBlockhash(after))
    return { onlyLifetime: true, changes: [] };
  const changes = [
    ...(before.version === after.version
      ? []
      : [
          sentence('VERSION_CHANGED', 'The message format was {before}; now it is {after}.', {
            before: before.version,
            after: after.version,
          }),
        ]),
    ...stepChanges(without(before, after), without(after, before)),
    ...(before.networkFeeLamports === after.networkFeeLamports
      ? []
      : [
          sentence('FEE_CHANGED', 'The network fee was {beforeSol} SOL; now it is {afterSol} SOL.', {
            beforeSol: solFigure(before.networkFeeLamports),
            afterSol: solFigure(after.networkFeeLamports),
          }),
        ]),
  ];
  return {
    onlyLifetime: false,
    changes:
      changes.length > 0
        ? changes
        : [
            sentence(
              'FORM_CHANGED',
              'The steps are the same; their accounts or their order in the message differ.',
            ),
          ],
  };
};
