// Sanitizes external names and memos, so they cannot change the reading direction of the text around them.

// Control characters, bidirectional marks, invisible characters, and line separators. Joiners stay, because
// scripts and emoji need them.
const UNSAFE = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Prepares `text` for use in a sentence. Right-to-left text is isolated from the sentence around it. */
export const foreignText = (text: string): string => {
  const harmless = text.replaceAll(UNSAFE, '\ufffd');
  return RIGHT_TO_LEFT.test(harmless) ? `\u2068${harmless}\u2069` : harmless;
};
