// The command that creates a wallet on this machine, without the service.
import { type Command, printDocument } from '../command.ts';
import { createKeypairFile } from '../local/new-keypair.ts';
import { formatPairs } from '../show/align-columns.ts';

export const keygen: Command = {
  name: 'keygen',
  summary: 'Create a wallet (a new keypair file) on this machine',
  usage: '<file>',
  takes: [1, 1],
  details: [
    'The file uses the solana-keygen format and is readable only by you. Existing files are never overwritten.',
    'Anyone with the file controls the wallet. A lost file cannot be recovered: there is no recovery phrase.',
  ],
  examples: ['keygen wallet.json'],
  async run(call) {
    const [file] = call.args as [string];
    const walletAddress = createKeypairFile(file);
    printDocument(call, { walletAddress, file }, () => [
      ...formatPairs([
        ['wallet', walletAddress],
        ['keypair file', file],
      ]),
      'Keep the file safe: anyone with it controls the wallet. Use it with --keypair or HOLDFAST_KEYPAIR.',
    ]);
    return 'ok';
  },
};
