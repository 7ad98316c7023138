// The command that explains a transaction in a file, on an offline machine.
import { createHash } from 'node:crypto';
import { fromBase64 } from '../../../src/chain/transactions/wire-base64.ts';
import { decodeWire, verifySignatures } from '../../../src/chain/transactions/wire-transaction.ts';
import { formatSol } from '../../../src/domain/lamports.ts';
import { actsOf } from '../../../src/domain/transaction/stake-acts.ts';
import { legsOf, type TransactionLeg } from '../../../src/domain/transaction/transaction-legs.ts';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { type Command, printDocument } from '../../command.ts';
import { textOf } from '../../local/text-file.ts';
import { formatPairs } from '../../show/align-columns.ts';
import { plain } from '../../show/plain-text.ts';
import { onGivenTransaction } from './sign-command.ts';

/** Describes effects on stake in a few words, e.g. `Stake 1.5 SOL`. Returns null if there are none. */
const titleOf = (wallet: string, legs: readonly TransactionLeg[]): string | null =>
  legs.every(({ type }) => type === 'transfer')
    ? null
    : actsOf({ type: 'rearrange', wallet, stakeAccountAddress: null, amountLamports: 0n, legs }).title;

/** `holdfast show` */
export const show: Command = {
  name: 'show',
  summary: 'Show what a transaction in a file does, offline',
  usage: '<file|->',
  takes: [1, 1],
  details: [
    'The file holds a transaction in base64; - reads standard input. Shows each instruction in words, who must sign and who has signed, how long it is valid, and the hash of its message, which hardware wallets show if they cannot show the instructions.',
    'It does not check the transaction: holdfast verify reports whether it does only what you want.',
  ],
  examples: ['show stake.txt'],
  async run(call) {
    const wire = onGivenTransaction(() => decodeWire(fromBase64(textOf(call.args[0]!, 'show'))), 'show');
    const { valid, missing, invalid } = verifySignatures(wire);
    const document = {
      title: titleOf(wire.feePayer, legsOf(wire.instructions)),
      version: wire.version,
      instructions: wire.instructions.map(({ program, name, summary }) => ({ program, name, summary })),
      feePayer: wire.feePayer,
      networkFeeLamports: wire.networkFeeLamports,
      nonceAccount: wire.durableNonce?.nonceAccount ?? null,
      lifetime: wire.blockhash,
      signedBy: valid,
      missingSigners: missing,
      invalidSigners: invalid,
      messageHash: encodeBase58(createHash('sha256').update(wire.messageBytes).digest()),
    };
    printDocument(call, document, () => [
      ...(document.title === null ? [] : [call.terminal.paintOut('bold', document.title)]),
      ...document.instructions.map(
        ({ program, name, summary }, index) =>
          `${index + 1}. ${plain(summary)} (${plain(program)} ${plain(name)})`,
      ),
      '',
      ...formatPairs([
        ['fee', `${formatSol(wire.networkFeeLamports)} SOL, paid by ${wire.feePayer}`],
        [
          'valid',
          document.nonceAccount === null
            ? `about a minute from its blockhash ${wire.blockhash}`
            : `until the nonce account ${document.nonceAccount} is used or advanced`,
        ],
        ...valid.map((signer): [string, string] => ['signed by', signer]),
        ...missing.map((signer): [string, string] => ['not signed by', signer]),
        ...invalid.map((signer): [string, string] => ['wrong signature of', signer]),
        ['format', wire.version === 'legacy' ? 'legacy' : `version ${wire.version}`],
        ['message hash', document.messageHash],
      ]),
    ]);
    return invalid.length === 0 ? 'ok' : 'refused';
  },
};
