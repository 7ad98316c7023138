// Sentences with figures: the text for people and the parameters for programs are made from the same values.
import { type Guidance, type GuidancePart, guidanceParts } from './guidance.ts';

/** A figure: printed as it is, or as `shown` where the text has another form than the parameter. */
type SentenceFigure = string | number | { readonly shown: string; readonly value: string | number };

/** The figures of a sentence, by their names in braces in its text. */
export type SentenceFigures = Readonly<Record<string, SentenceFigure>>;

/** The figures as programs get them. */
export type SentenceParams = Readonly<Record<string, string | number>>;

/** Replaces each `{name}` in `text` with the figure of this name. Figures are never searched for names. */
export const filledText = (text: string, figures: SentenceFigures): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const figure = Object.hasOwn(figures, name) ? figures[name]! : placeholder;
    return typeof figure === 'object' ? figure.shown : String(figure);
  });

const filledPart = (part: GuidancePart, figures: SentenceFigures): GuidancePart =>
  typeof part === 'string' ? filledText(part, figures) : part;

/** Like `filledText`, in every text of `given`. */
export const filledGuidance = (given: Guidance, figures: SentenceFigures): Guidance =>
  typeof given === 'string'
    ? filledText(given, figures)
    : guidanceParts(given).map((part) => filledPart(part, figures));

/** The values of the figures. */
export const paramsOf = (figures: SentenceFigures): SentenceParams =>
  Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [
      name,
      typeof figure === 'object' ? figure.value : figure,
    ]),
  );

/** A sentence as data: a stable code and parameters for programs, the text for people. */
export interface Sentence<Text extends Guidance = string> {
  readonly code: string;
  readonly text: Text;
  readonly params: SentenceParams;
}

/** Creates a sentence whose text and parameters are made from `figures`. */
export const sentence = <Text extends Guidance = string>(
  code: string,
  text: Text,
  figures: SentenceFigures = {},
): Sentence<Text> => ({ code, text: filledGuidance(text, figures) as Text, params: paramsOf(figures) });

/** The text of several sentences. */
export const textOf = (sentences: readonly Sentence[]): string => sentences.map(({ text }) => text).join(' ');

/** A field of a response that holds sentences, and the same as data: `message` and `messageSentences`. */
export type SentenceMembers<Name extends string, Text extends Guidance = string> = {
  readonly [Member in Name]: Text;
} & { readonly [Member in `${Name}Sentences`]: Sentence<Text>[] };

/** Returns the fields for one or more sentences. */
export const sentenceMembers = <Name extends string>(
  name: Name,
  sentences: Sentence | readonly Sentence[],
): SentenceMembers<Name> => {
  const all = [sentences].flat();
  return { [name]: textOf(all), [`${name}Sentences`]: all } as SentenceMembers<Name>;
};
