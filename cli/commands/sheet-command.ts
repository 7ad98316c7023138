// The command that prints the information needed to unstake without the service, to keep on paper.
import { SHEET_WORDS, stakeSheet } from '../../client/stake-sheet.ts';
import { type Command, printDocument } from '../command.ts';
import { allStakes, DIRECT_OPTIONS, directNode } from '../direct/open-direct.ts';
import { formatPairs } from '../show/align-columns.ts';
import { instant } from '../show/format-cells.ts';
import { plain, plainResponse } from '../show/plain-text.ts';

export const sheet: Command = {
  name: 'sheet',
  readsWallet: true,
  summary:
    "Print a wallet's stake accounts, their authorities and how to unstake and withdraw without this service",
  usage: '[wallet]',
  takes: [0, 1],
  options: DIRECT_OPTIONS,
  examples: ['sheet > stake.txt', 'sheet --direct --rpc https://api.mainnet-beta.solana.com'],
  async run(call) {
    const walletAddress = call.walletAddress(call.args[0]);
    const accounts = await allStakes(directNode(call), call, walletAddress);
    const entries = stakeSheet(walletAddress, plainResponse(accounts));
    printDocument(call, { walletAddress, about: SHEET_WORDS, accounts: entries }, () => [
      `Stake of ${plain(walletAddress)}, ${instant(new Date(call.terminal.clock.now()).toISOString()).slice(0, 10)}`,
      '',
      SHEET_WORDS,
      ...entries.flatMap(({ address, facts, commands }) => [
        '',
        address,
        ...formatPairs(facts.map(([name, value]) => [`  ${name}`, value] as const)),
        ...commands.map((command) => `  $ ${command}`),
      ]),
      ...(entries.length === 0 ? ['', 'No stake accounts.'] : []),
    ]);
    return 'ok';
  },
};
