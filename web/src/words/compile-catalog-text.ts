// Compiles a message on first use, outside the browser. The page's build compiles all messages and replaces
// this module (`scripts/page/compile-words.ts`).
import messageFormat from '@messageformat/core';

// The types differ between Node, which loads CommonJS, and bundlers.
const MessageFormat = messageFormat as unknown as new (
  language: string,
  options: object,
) => { readonly compile: (text: string) => unknown };

/** Returns the parts of a sentence: texts, values, and arrays of these. */
export type Message = (values: object) => readonly unknown[];

const compiled = new Map<string, Message>();

/** Throws for a text that is not ICU MessageFormat, and for a missing value. */
export const compileMessage = (text: string, language: string): Message => {
  const key = `${language} ${text}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const format = new MessageFormat(language, {
    returnType: 'values',
    requireAllArguments: true,
  });
  const message = format.compile(text) as Message;
  compiled.set(key, message);
  return message;
};
