// The levels of a priority fee.

/** From no fee to the one that outbids most others. */
export const priorityLevels = ['none', 'low', 'medium', 'high'] as const;
export type PriorityLevel = (typeof priorityLevels)[number];
/** A level that pays a fee. */
export type PriceLevel = Exclude<PriorityLevel, 'none'>;
