// The command that rebuilds an expired transaction, for signers that need more time than a blockhash is valid.
import { fromBase64 } from '../../../src/chain/transactions/wire-base64.ts';
import { decodeWire } from '../../../src/chain/transactions/wire-transaction.ts';
import { machineOperationsOf } from '../../../src/domain/transaction/machine-operations.ts';
import { type Command, printResponse } from '../../command.ts';
import { textOf } from '../../local/text-file.ts';
import { plain } from '../../show/plain-text.ts';
import { UsageError } from '../../usage-error.ts';
import { onGivenTransaction } from './sign-command.ts';

/**
 * True if the address of a new stake account depends on the idempotency key with which the transaction was
 * built.
 */
const createsAccount = (transaction: string): boolean =>
  machineOperationsOf(decodeWire(fromBase64(transaction))).some(({ type }) => type === 'create');

export const rebuild: Command = {
  name: 'rebuild',
  summary: 'Rebuild an expired transaction with a fresh lifetime and the same addresses',
  usage: '<file|->',
  takes: [1, 1],
  details: [
    'The file holds a transaction in base64 that this service built, signed or not; - reads standard input. Prints the new transaction, and on standard error what changed. Commands that sign and submit do not need this: repeat them with the same idempotency key.',
    'Refused while the old transaction can still land, and if it landed.',
  ],
  options: {
    'idempotency-key': {
      value: 'KEY',
      description: 'the key that it was built with; required if it creates a stake account',
    },
  },
  examples: [
    'rebuild transaction.txt > rebuilt.txt',
    'rebuild - --idempotency-key order-1 < transaction.txt',
  ],
  async run(call) {
    const { args, values, client, signal, terminal } = call;
    const key = values['idempotency-key'];
    const transaction = textOf(args[0]!, 'rebuild');
    if (key === undefined && onGivenTransaction(() => createsAccount(transaction), 'rebuild'))
      throw new UsageError(
        'This transaction creates a stake account: pass --idempotency-key KEY (holdfast build printed it)',
        'rebuild',
      );
    const sent = await client.send(
      'rebuildTransaction',
      { transaction },
      { signal, idempotencyKey: typeof key === 'string' ? key : undefined },
    );
    const { onlyLifetime, changes } = sent.body.difference;
    if (!call.json)
      terminal.err(
        onlyLifetime
          ? 'Only the lifetime differs.\n'
          : `Changed:\n${changes.map(({ text }) => `  ${plain(text)}\n`).join('')}`,
      );
    printResponse(call, sent, ({ transaction }) => [transaction]);
    return 'ok';
  },
};
