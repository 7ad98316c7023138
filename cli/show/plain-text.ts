// Text from outside made harmless for a terminal: no escape sequences, no line breaks, nothing that turns the reading direction.

// Controls; formats such as bidirectional marks, zero-width and soft hyphens; the two line separators that are neither.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** `value` as one harmless line. Names, memos and messages come from the chain and from the service: nobody vouches for them. */
export const plain = (value: unknown): string => String(value).replaceAll(UNSAFE, '\ufffd');

/** `answer` with every text in it made harmless: also a state or a name of a list, which only an honest service takes from that list. */
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

/** `value` as indented JSON for people: whole, and as harmless as `plain`. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSAFE, (found) => (found === '\n' ? found : escaped(found)));
