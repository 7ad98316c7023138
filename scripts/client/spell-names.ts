// Converts names for the generated files.

/** Turns `stakeAccount` into `stake account`. */
export const spacedName = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();

/** Turns `stakeAccount` into `StakeAccount`. */
export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
