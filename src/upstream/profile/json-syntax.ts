// Says where a text stops being JSON, without quoting it: a path given by mistake may lead to a secret.

const failureOf = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const isUnexpectedToken = (text: string): boolean => failureOf(text).startsWith('Unexpected token');

/** Where the token is that V8 only quotes: every beginning of the text fails so from it on, and none before it. */
const unexpectedTokenAt = (text: string): number => {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUnexpectedToken(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return bad - 1;
};

/** `line 3, column 5: expected double-quoted property name`; for a text that is no JSON. */
export const jsonSyntaxProblem = (text: string): string => {
  const message = failureOf(text);
  const [, what = 'the text ends too early', at] =
    /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
  const [words, position]: [string, number] = message.startsWith('Unexpected token')
    ? ['nothing in JSON begins with this character', unexpectedTokenAt(text)]
    : [what, Number(at ?? text.length)];
  const before = text.slice(0, position);
  const lines = before.split('\n');
  // The commonest mistake by far, which V8 calls a missing name or value.
  const told =
    /[}\]]/.test(text.charAt(position)) && before.trimEnd().endsWith(',')
      ? 'the comma before it is one too many'
      : `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${told}`;
};
