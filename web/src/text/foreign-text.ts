// Names and memos that others wrote, made harmless for a line of the page: nothing that turns the reading direction of what stands beside them.

// Controls, bidirectional marks, what shows nothing, and the separators that break a line. Joiners stay: scripts and emoji need them.
const UNSAFE = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** `text` as part of a sentence. What is written from right to left is set apart, so that the sentence around it is not. */
export const foreignText = (text: string): string => {
  const harmless = text.replaceAll(UNSAFE, '\ufffd');
  return RIGHT_TO_LEFT.test(harmless) ? `\u2068${harmless}\u2069` : harmless;
};
