// Options accepted by every command.
import type { CommandOption } from './command.ts';

/** Options by name, without dashes. */
export const globalOptions = {
  url: {
    value: 'URL',
    description:
      'URL of the service (default: HOLDFAST_URL, else holdfast config, else http://127.0.0.1:3000)',
  },
  keypair: {
    value: 'FILE',
    description:
      'keypair file of the wallet (default: HOLDFAST_KEYPAIR, else holdfast config, else solana config)',
  },
  json: { description: 'print one JSON document to standard output, and errors as JSON to standard error' },
  yes: { description: 'sign without asking for confirmation' },
  'no-color': { description: 'no colors (also: NO_COLOR)' },
  help: { description: 'show help for the command' },
} as const satisfies Readonly<Record<string, CommandOption>>;

export const SHORT_NAMES: Readonly<Record<string, string>> = { u: 'url', k: 'keypair', y: 'yes', h: 'help' };
