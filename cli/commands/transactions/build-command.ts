// The command that builds an unsigned transaction on a machine without the key.
import type { OperationName } from '../../../client/generated/all-operations.ts';
import { operations } from '../../../client/generated/all-operations.ts';
import type { OperationFacts } from '../../../client/operation-facts.ts';
import { isAmount } from '../../act/resolve-arguments.ts';
import { type Command, printJson } from '../../command.ts';
import { plain } from '../../show/plain-text.ts';
import { UsageError } from '../../usage-error.ts';
import { checkMembers, readMember } from '../call-command.ts';

const builders = {
  stake: 'createStakeTransaction',
  unstake: 'createUnstakeTransaction',
  withdraw: 'createWithdrawTransaction',
  restake: 'createRestakeTransaction',
  donate: 'donate',
  'nonce-create': 'createNonceTransaction',
  'nonce-cancel': 'advanceNonceTransaction',
  'nonce-close': 'closeNonceTransaction',
} as const satisfies Readonly<Record<string, OperationName>>;
const kinds = Object.keys(builders);

export const build: Command = {
  name: 'build',
  summary: 'Build an unsigned transaction, to sign it on another machine',
  usage: `<${kinds.join('|')}> [name=value...]`,
  takes: [1, 20],
  details: [
    'Prints the transaction in base64, and on standard error what it does. Carry the file to the machine with the key (holdfast help sign), and the signed one back (holdfast help submit).',
    'The parameters are those of the REST builder: walletAddress=... (default: the wallet of the keypair file), amountSol=... (or just the number), stakeAccountAddress=..., nonce=... for an approval that takes longer than a minute.',
  ],
  options: {
    'idempotency-key': {
      value: 'KEY',
      description: 'repeating the command with the same key creates no second stake account',
    },
  },
  firstWords: kinds,
  examples: [
    'build stake 2.5 > stake.txt',
    'build stake walletAddress=7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 amountSol=2.5 > stake.txt',
  ],
  async run(call) {
    const {
      args: [kind = '', ...given],
      values,
      client,
      json,
      signal,
      terminal,
    } = call;
    if (!(kind in builders)) throw new UsageError(`unknown transaction: ${kind}`, 'build');
    const operation = builders[kind as keyof typeof builders];
    // A number can only be the amount.
    const members = given.map((one) =>
      readMember(/^\d/.test(one) && isAmount(one) ? `amountSol=${one}` : one),
    );
    if (members.every(([name]) => name !== 'walletAddress'))
      members.push(['walletAddress', call.walletAddress(undefined)]);
    checkMembers(
      operation,
      operations[operation] as OperationFacts,
      members.map(([name]) => name),
    );
    const key = values['idempotency-key'];
    const { body, text, idempotencyKey } = await client.send(
      operation,
      Object.fromEntries(members) as never,
      {
        signal,
        idempotencyKey: typeof key === 'string' ? key : undefined,
      },
    );
    if (json) printJson(terminal, text);
    else {
      terminal.err(`${plain(body.message)}\n`);
      if (kind === 'stake') terminal.err(`idempotency key: ${idempotencyKey}, needed to rebuild it\n`);
      terminal.out(`${body.transaction}\n`);
    }
    return 'ok';
  },
};
