// The command that rebuilds an expired transaction, for signers that take longer than a blockhash lives.
import { type Command, printAnswer } from '../command.ts';
import { plain } from '../show/plain-text.ts';
import { textOf } from './sign-command.ts';

/** `holdfast rebuild` */
export const rebuild: Command = {
  name: 'rebuild',
  summary: 'Rebuild an expired transaction with a fresh lifetime and the same addresses',
  usage: '<file|->',
  takes: [1, 1],
  details: [
    'The file holds a transaction in base64 that this service built, signed or not; - reads standard input. Prints the new transaction, and on standard error what changed. The acting commands need none of this: repeat them with the same idempotency key.',
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
    const sent = await client.send(
      'rebuildTransaction',
      { transaction: textOf(args[0]!, 'rebuild') },
      { signal, idempotencyKey: typeof key === 'string' ? key : undefined },
    );
    const { onlyLifetime, changes } = sent.body.difference;
    if (!call.json)
      terminal.err(
        onlyLifetime
          ? 'Only the lifetime differs.\n'
          : `Changed:\n${changes.map(({ text }) => `  ${plain(text)}\n`).join('')}`,
      );
    printAnswer(call, sent, ({ transaction }) => [transaction]);
    return 'ok';
  },
};
