// Breaks text between words, so lines fit a terminal.

/** Breaks `text` into lines of at most `width` characters. Longer words are not broken. */
export const wrapText = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};
