// Indents JSON without changing numbers or texts.

/** Indents `text`, which must be valid JSON. Numbers are not parsed, so they are not rounded. */
export const readableJson = (text: string): string => {
  let [indent, result] = ['', ''];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+/gs)) {
    if (token === '{' || token === '[') {
      indent += '  ';
      result += `${token}\n${indent}`;
    } else if (token === '}' || token === ']') {
      indent = indent.slice(2);
      result += `\n${indent}${token}`;
    } else if (token === ',') result += `,\n${indent}`;
    else if (token === ':') result += ': ';
    else result += token;
  }
  return result;
};
