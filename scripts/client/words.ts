// Names as the generated files spell them.

/** `stakeAccount` as `stake account`. */
export const words = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();

/** `stakeAccount` as `StakeAccount`. */
export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
