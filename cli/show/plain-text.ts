// Makes external text harmless for a terminal: no escape sequences, no line breaks, no changes of the reading
// direction.

// Control characters, format characters such as bidirectional marks, zero-width characters and soft hyphens,
// and the two line separators.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Converts `value` to one harmless line. Names, memos and messages from the chain and the service cannot be
 * trusted.
 */
export const plain = (value: unknown): string => String(value).replaceAll(UNSAFE, '\ufffd');

/**
 * Makes every text in `answer` harmless, even enumerated values, because only an honest service sends valid
 * ones.
 */
export const plainAnswer = <Answer>(answer: Answer): Answer => {
  if (typeof answer === 'string') return plain(answer) as Answer;
  if (Array.isArray(answer)) return answer.map(plainAnswer) as Answer;
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [plain(name), plainAnswer(value)]),
  ) as Answer;
};

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Formats `value` as indented JSON for people: complete, and as harmless as `plain`. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSAFE, (found) => (found === '\n' ? found : escaped(found)));
