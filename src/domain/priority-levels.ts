// The levels of a priority fee.

/** Priority levels, from no fee to a fee that outbids most other transactions. */
export const priorityLevels = ['none', 'low', 'medium', 'high'] as const;
export type PriorityLevel = (typeof priorityLevels)[number];
export type PriceLevel = Exclude<PriorityLevel, 'none'>;
