// Locates a JSON syntax error without quoting the text, because a wrong path may lead to a file that contains
// a secret.

const failureOf = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const isUnexpectedToken = (text: string): boolean => failureOf(text).startsWith('Unexpected token');

/**
 * Finds the position of a token that V8 only quotes: the shortest prefix of the text that fails in the same
 * way.
 */
const unexpectedTokenAt = (text: string): number => {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUnexpectedToken(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return bad - 1;
};

/**
 * Describes the error in invalid JSON, for example `line 3, column 5: expected double-quoted property name`.
 */
export const jsonSyntaxProblem = (text: string): string => {
  const message = failureOf(text);
  const [, what = 'the text ends unexpectedly', at] =
    /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
  const [words, position]: [string, number] = message.startsWith('Unexpected token')
    ? ['unexpected character', unexpectedTokenAt(text)]
    : [what, Number(at ?? text.length)];
  const before = text.slice(0, position);
  const lines = before.split('\n');
  // A trailing comma is by far the most common mistake. V8 reports it as a missing name or value.
  const told =
    /[}\]]/.test(text.charAt(position)) && before.trimEnd().endsWith(',')
      ? 'remove the comma before it'
      : `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${told}`;
};
