// The version of client and command line: that of the project they are built from.

/** As in package.json. */
export const VERSION = '1.0.0';
