// Reads a response from the store so that it is printed exactly as it was written: number literals that no
// double can represent stay literals.

const rawJson = (JSON as unknown as { rawJSON: (literal: string) => unknown }).rawJSON;

/**
 * Parses a stored response. Numbers whose text a double cannot reproduce become raw JSON literals for
 * `JSON.stringify`.
 */
export const parseStoredAnswer = (text: string): unknown =>
  JSON.parse(text, (_member: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? rawJson(context.source)
      : value,
  );
