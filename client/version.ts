// Version of the client and the command line.

/** Must equal the version in package.json. */
export const VERSION = '1.0.0';
