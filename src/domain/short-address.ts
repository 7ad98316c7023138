// Shortens an address for display.

/** Returns the first and last four characters of an address. */
export const shortAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
