// Commands for a key that is kept apart: sign a file without a network, and submit it from another machine.
import { readFileSync } from 'node:fs';
import { fromBase64, toBase64 } from '../../client/staking/base64.ts';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import type { ExpectedTransaction, Verdict } from '../../client/verify-transaction-bytes.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { noPersonToAsk } from '../act/ask-before-signing.ts';
import { type Command, type CommandCall, printAnswer, printDocument } from '../command.ts';
import { signWithKeypair } from '../local/keypair-file.ts';
import { plain } from '../show/plain-text.ts';
import { pairs } from '../show/table.ts';
import { saysYes } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { expectedBy, meaningOptions, verdictLines } from './verify-command.ts';

/** Reads the text of a file, or of standard input for `-`. Throws `UsageError`. */
export const textOf = (file: string, command: string): string => {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`, command);
  }
};

const approved = async ({ yes, terminal, signal }: CommandCall): Promise<boolean> => {
  if (yes) return true;
  if (!terminal.canAsk) throw noPersonToAsk();
  return saysYes(terminal, 'Sign it?', signal);
};

/**
 * Checks a transaction on this machine, shows on standard error what it does, asks, and signs it with the
 * keypair file. Returns null if it was refused or declined. Needs no network. Throws `UsageError`.
 */
export const signBytes = async (
  call: CommandCall,
  transaction: string,
  expected: ExpectedTransaction & { readonly wallet: string },
  /** A further check. Default: none. */
  isAsRequested: (verdict: Verdict) => boolean = () => true,
): Promise<string | null> => {
  const { verifyTransactionBytes } = await import('../../client/verify-transaction-bytes.ts');
  const file = call.keypairFile();
  const { terminal } = call;
  try {
    const verdict = verifyTransactionBytes(transaction, expected);
    terminal.err(`${verdictLines(verdict, null, terminal.paintErr).join('\n')}\n`);
    if (!verdict.ok || !isAsRequested(verdict)) {
      terminal.err('Nothing was signed.\n');
      return null;
    }
  } catch (error) {
    if (isAppError(error)) throw new UsageError(`this is not a transaction in base64: ${error.message}`);
    throw error;
  }
  if (!(await approved(call))) {
    terminal.err('Nothing was signed.\n');
    return null;
  }
  const wire = fromBase64(transaction);
  // The key on this machine may be that of the fee payer.
  const signer = call.walletAddress(undefined) === expected.feePayer ? expected.feePayer : expected.wallet;
  return toBase64(withSignature(wire, signer, signWithKeypair(file, signer, takeApart(wire).message)));
};

/** `holdfast sign` */
export const sign: Command = {
  name: 'sign',
  summary: 'Check and sign a transaction from a file, on a machine without a network',
  usage: '<file|->',
  takes: [1, 1],
  details: [
    'The file holds a transaction in base64; - reads standard input. Checks on this machine that it does only what the options say, shows it, asks for confirmation and prints the signed transaction. Sends nothing anywhere.',
    'Without --goal only its form is checked: it does one thing, for this wallet and this validator, and you decide on the amount that is shown. With --yes a goal is required, except for a change of a nonce account.',
    'If someone else pays the fee, both sign, one after the other: --fee-payer names the payer, --wallet the owner of the stake.',
    'A blockhash lives for about a minute. For a slower approval, build the transaction with a nonce account (holdfast help nonce) and name it here with --nonce.',
  ],
  options: meaningOptions,
  examples: [
    'sign stake.txt --vote 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 --goal stake --amount 2.5 > signed.txt',
  ],
  async run(call) {
    const { values } = call;
    const transaction = textOf(call.args[0]!, 'sign');
    const expected = await expectedBy({ ...call, values: { ...values, offline: true } }, []);
    // Without a person, only a request says which amount is meant. A change of a nonce account moves at most its rent.
    const isAsRequested = ({ recognised }: Verdict): boolean =>
      !call.yes || expected.request !== undefined || recognised.kind === 'nonce';
    const signed = await signBytes(call, transaction, expected, isAsRequested);
    if (signed === null) return 'refused';
    printDocument(call, { signedTransaction: signed }, () => [signed]);
    return 'ok';
  },
};

/** `holdfast submit` */
export const submit: Command = {
  name: 'submit',
  summary: 'Submit a signed transaction from a file',
  usage: '<file|->',
  takes: [1, 1],
  details: [
    'The file holds a signed transaction in base64; - reads standard input. Waits until it has landed or provably never can. Submitting the same file again is safe.',
  ],
  options: {
    'idempotency-key': { value: 'KEY', description: 'the key that it was built with' },
  },
  examples: ['submit signed.txt'],
  async run(call) {
    const { args, values, client, signal } = call;
    const key = values['idempotency-key'];
    const sent = await client.send(
      'submitTransaction',
      { signedTransaction: textOf(args[0]!, 'submit') },
      { signal, idempotencyKey: typeof key === 'string' ? key : undefined },
    );
    printAnswer(call, sent, ({ message, signature, explorerUrl }) => [
      plain(message),
      ...pairs([
        ['signature', plain(signature)],
        ['explorer', plain(explorerUrl)],
      ]),
    ]);
    return 'ok';
  },
};
