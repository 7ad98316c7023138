// The command that merges the signatures of several signers. It works offline.
import { attachSignatures } from '../../../src/chain/transactions/merge-signatures.ts';
import { fromBase64, toBase64 } from '../../../src/chain/transactions/wire-base64.ts';
import { decodeWire } from '../../../src/chain/transactions/wire-transaction.ts';
import { type Command, printDocument } from '../../command.ts';
import { textOf } from '../../local/text-file.ts';
import { onGivenTransaction } from './sign-command.ts';

export const attach: Command = {
  name: 'attach',
  summary: 'Merge the signatures of several signers of one transaction',
  usage: '<file> <file...>',
  takes: [2, 10],
  details: [
    'Each file holds the same transaction in base64, signed by some of its signers: the fee payer, the wallet, an authority. Prints the transaction with all their signatures, and, on standard error, the signers who have not signed yet. Checks every signature. Needs no network and no key.',
  ],
  examples: ['attach signed-by-wallet.txt signed-by-payer.txt > signed.txt'],
  async run(call) {
    const { wireBytes, signed, missing } = onGivenTransaction(() => {
      const [first, ...others] = call.args.map((file) => decodeWire(fromBase64(textOf(file, 'attach'))));
      return attachSignatures([first!, ...others]);
    }, 'attach');
    const transaction = toBase64(wireBytes);
    const document = {
      transaction,
      complete: missing.length === 0,
      signedBy: signed,
      missingSigners: missing,
    };
    call.terminal.err(
      missing.length === 0 ? 'All signatures are there.\n' : `Not signed yet by ${missing.join(', ')}.\n`,
    );
    printDocument(call, document, () => [transaction]);
    return 'ok';
  },
};
