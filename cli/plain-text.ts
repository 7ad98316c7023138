// Text from outside made harmless for a terminal: no escape sequences, no line breaks, nothing that turns the reading direction.

// Controls; formats such as bidirectional marks, zero-width and soft hyphens; the two line separators that are neither.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** `value` as one harmless line. Names, memos and messages come from the chain and from the service: nobody vouches for them. */
export const plain = (value: unknown): string => String(value).replaceAll(UNSAFE, '\ufffd');
