// Makes external text safe for a terminal by removing escape sequences, line breaks and changes of the
// reading direction.

// Characters to remove: control characters, format characters such as bidirectional marks, zero-width
// characters and soft hyphens, and the two line separators.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Converts `value` to one safe line. Names, memos and messages from the chain and the service cannot be
 * trusted.
 */
export const plain = (value: unknown): string => String(value).replaceAll(UNSAFE, '\ufffd');

/**
 * Makes every text in `answer` safe, even enumerated values, because only an honest service sends valid ones.
 */
export const plainResponse = <Answer>(response: Answer): Answer => {
  if (typeof response === 'string') return plain(response) as Answer;
  if (Array.isArray(response)) return response.map(plainResponse) as Answer;
  if (typeof response !== 'object' || response === null) return response;
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [plain(name), plainResponse(value)]),
  ) as Answer;
};

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Formats `value` as complete indented JSON whose texts are safe for a terminal. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSAFE, (found) => (found === '\n' ? found : escaped(found)));
