// Remembers the stake accounts of the user's own wallet for shell completion, which reads the file without
// starting this program. The addresses are public.
import type { CommandCall } from '../command.ts';
import { localPath, replaceLocalText } from './state-folder.ts';

const FILE = 'stake-accounts';

/** The file as a shell expression, for completion scripts of bash and zsh. */
export const LISTED_STAKES_PATH = `"\${XDG_CONFIG_HOME:-$HOME/.config}/holdfast/${FILE}"`;

/** Stores the addresses of a listing, one per line, unless the user named another wallet. Ignores failures. */
export const rememberListedStakes = (
  { args, terminal }: Pick<CommandCall, 'args' | 'terminal'>,
  accounts: readonly { readonly address: string }[],
): void => {
  if (args[0] !== undefined) return;
  const addresses = accounts.map(({ address }) => address).filter((one) => /^\w+$/.test(one));
  try {
    replaceLocalText(localPath(terminal.environment, FILE), `${addresses.join('\n')}\n`);
  } catch {
    // Completion is only a convenience: the listing works without it.
  }
};
