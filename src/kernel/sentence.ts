// Sentences with parameters. The text and the parameters are built from the same values.
import { type Guidance, type GuidancePart, guidanceParts } from './guidance.ts';

/** A parameter value. The text contains it as is, or as `shown` if it needs a different form there. */
type SentenceFigure = string | number | { readonly shown: string; readonly value: string | number };

/** Values of a sentence's placeholders, by the names that appear in braces in its text. */
export type SentenceFigures = Readonly<Record<string, SentenceFigure>>;

/** Parameters as sent to callers. */
export type SentenceParams = Readonly<Record<string, string | number>>;

/**
 * Replaces each placeholder `{name}` in `text` with the value of that name. Placeholders within values are
 * not replaced.
 */
export const filledText = (text: string, figures: SentenceFigures): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const figure = Object.hasOwn(figures, name) ? figures[name]! : placeholder;
    return typeof figure === 'object' ? figure.shown : String(figure);
  });

const filledPart = (part: GuidancePart, figures: SentenceFigures): GuidancePart =>
  typeof part === 'string' ? filledText(part, figures) : part;

/** Applies `filledText` to every text in `given`. */
export const filledGuidance = (given: Guidance, figures: SentenceFigures): Guidance =>
  typeof given === 'string'
    ? filledText(given, figures)
    : guidanceParts(given).map((part) => filledPart(part, figures));

/** Returns the parameters as sent to callers. */
export const paramsOf = (figures: SentenceFigures): SentenceParams =>
  Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [
      name,
      typeof figure === 'object' ? figure.value : figure,
    ]),
  );

/** A sentence as data: a stable code, parameters, and the text. */
export interface Sentence<Text extends Guidance = string> {
  readonly code: string;
  readonly text: Text;
  readonly params: SentenceParams;
}

/** Creates a sentence whose text and parameters are built from `figures`. */
export const sentence = <Text extends Guidance = string>(
  code: string,
  text: Text,
  figures: SentenceFigures = {},
): Sentence<Text> => ({ code, text: filledGuidance(text, figures) as Text, params: paramsOf(figures) });

/** Returns the sentence without any other fields of the object. */
export const sentenceOf = ({ code, text, params }: Sentence): Sentence => ({ code, text, params });

/** Joins the text of several sentences. */
export const textOf = (sentences: readonly Sentence[]): string => sentences.map(({ text }) => text).join(' ');

/**
 * A response field that holds sentences as text, and the field that holds them as data, such as `message` and
 * `messageSentences`.
 */
export type SentenceMembers<Name extends string, Text extends Guidance = string> = {
  readonly [Member in Name]: Text;
} & { readonly [Member in `${Name}Sentences`]: Sentence<Text>[] };

/**
 * Joins the texts of several sentences: into a string if all of them are strings, otherwise into guidance.
 */
const guidanceOf = (sentences: readonly Sentence<Guidance>[]): Guidance => {
  const texts = sentences.map(({ text }) => text);
  return texts.every((text) => typeof text === 'string')
    ? texts.join(' ')
    : texts.flatMap((text, index) => [...(index === 0 ? [] : [' ']), ...guidanceParts(text)]);
};

/** Returns the fields for one or more sentences. */
export const sentenceMembers = <Name extends string, Text extends Guidance = string>(
  name: Name,
  sentences: Sentence<Text> | readonly Sentence<Text>[],
): SentenceMembers<Name, Text> => {
  const all = [sentences].flat();
  return { [name]: guidanceOf(all), [`${name}Sentences`]: all } as SentenceMembers<Name, Text>;
};
