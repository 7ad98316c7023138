// Adds problems to the checked fields of a transaction. A separate module, because the page needs it before it
// loads the verifier.
import type { CheckedField, VerifierProblem } from '../../domain/transaction/verifier-problems.ts';
import { type Sentence, sentenceOf, textOf } from '../../kernel/sentence.ts';

/** The check result of one field. */
export interface FieldVerdict {
  readonly field: CheckedField;
  readonly ok: boolean;
  /** The expected value; null if the caller stated none, so any value is accepted. */
  readonly expected: string | null;
  /** The actual value; null if the bytes do not contain one. */
  readonly found: string | null;
  /** The problems in words; null if the field is correct. */
  readonly problem: string | null;
  /** The same problems as structured data. */
  readonly problemSentences: readonly Sentence[];
}

/** Adds further problems to the fields that they concern. */
export const withProblems = (
  fields: readonly FieldVerdict[],
  problems: readonly VerifierProblem[],
): readonly FieldVerdict[] => {
  const all = new Map(fields.map((one) => [one.field, one]));
  for (const problem of problems) {
    const { field } = problem;
    const { expected = null, found = null, problemSentences: before = [] } = all.get(field) ?? {};
    const problemSentences = [...before, sentenceOf(problem)];
    all.set(field, {
      field,
      ok: false,
      expected,
      found,
      problem: textOf(problemSentences),
      problemSentences,
    });
  }
  return [...all.values()];
};
