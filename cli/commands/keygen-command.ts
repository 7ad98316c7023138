// The command that makes a wallet on this machine, for those who have none yet; the service is not asked.
import { type Command, printDocument } from '../command.ts';
import { createKeypairFile } from '../local/new-keypair.ts';
import { pairs } from '../show/table.ts';

/** `holdfast keygen` */
export const keygen: Command = {
  name: 'keygen',
  summary: 'Make a wallet: a new keypair file on this machine',
  usage: '<file>',
  takes: [1, 1],
  details: [
    'The file is of the form that solana-keygen writes, and readable by you alone. An existing file is never overwritten.',
    'Whoever has the file has the wallet, and nothing brings back a lost one: no phrase belongs to it.',
  ],
  examples: ['keygen wallet.json'],
  async run(call) {
    const [file] = call.args as [string];
    const walletAddress = createKeypairFile(file);
    printDocument(call, { walletAddress, file }, () => [
      ...pairs([
        ['wallet', walletAddress],
        ['keypair file', file],
      ]),
      'Keep the file safe: whoever has it has the wallet. Use it with: --keypair, or HOLDFAST_KEYPAIR.',
    ]);
    return 'ok';
  },
};
