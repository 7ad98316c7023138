// Commands for a key on a separate machine: `sign` signs a file offline, and `submit` sends it from
// another machine.
import { HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { fromBase64, toBase64 } from '../../../client/staking/base64.ts';
import { NotAsAsked } from '../../../client/staking/staking-errors.ts';
import { takeApart, withSignature } from '../../../client/staking/wire-signatures.ts';
import { needsDecision } from '../../../client/verifier-request.ts';
import type {
  ExpectedTransaction,
  UnknownEffect,
  Verdict,
} from '../../../client/verify-transaction-bytes.ts';
import { isAppError } from '../../../src/kernel/app-error.ts';
import { noPersonToAsk } from '../../act/ask-before-signing.ts';
import { type Command, type CommandCall, printDocument, printResponse } from '../../command.ts';
import { signWithKeypair } from '../../local/keypair-file.ts';
import { textOf } from '../../local/text-file.ts';
import { formatPairs } from '../../show/align-columns.ts';
import { explorerPair } from '../../show/format-cells.ts';
import { plain } from '../../show/plain-text.ts';
import { confirmsWithYes } from '../../show/terminal.ts';
import { UsageError } from '../../usage-error.ts';
import { checkResultLines, expectationOptions, expectationsOfCall } from './verify-command.ts';

/**
 * Runs `work` on a transaction that the user provided. Throws `UsageError` if the transaction cannot be read or
 * is not suitable.
 */
export const onGivenTransaction = <T>(work: () => T, command: string): T => {
  try {
    return work();
  } catch (error) {
    if (isAppError(error)) throw new UsageError(error.message, command);
    throw error;
  }
};

/** Descriptions of effects on an account that the transaction does not show. */
const MISSING: Readonly<Record<UnknownEffect['fact'], string>> = {
  'deactivated-validator': 'the validator',
  'deactivated-amount': 'the stake and the validator',
  'staked-amount': 'the balance',
  'merged-accounts': 'the state and the validator',
  'staked-source': 'the state',
  'rounded-amount': 'the smallest possible amount',
  'rent-at-risk': 'the owner',
};

const approved = async ({ yes, terminal, signal }: CommandCall, question: string): Promise<boolean> => {
  if (yes) return true;
  if (!terminal.canAsk) throw noPersonToAsk();
  return confirmsWithYes(terminal, question, signal);
};

const refusal = (errorCode: string, message: string, suggestedAction?: string): HoldfastError =>
  new HoldfastError({ errorCode, operation: 'sign', message, suggestedAction });

/**
 * Checks a transaction on this machine, shows on standard error what it does, asks for confirmation, and signs
 * it with the keypair file. Throws if it was refused or declined. Needs no network. Throws `UsageError` if the
 * transaction cannot be read.
 */
export const signBytes = async (
  call: CommandCall,
  transaction: string,
  expected: ExpectedTransaction & { readonly wallet: string },
  /** Throws if the transaction must not be signed although the check passed. */
  requireMore: (verdict: Verdict) => void,
): Promise<string> => {
  const { verifyTransactionBytes } = await import('../../../client/verify-transaction-bytes.ts');
  const file = call.keypairFile();
  const { terminal } = call;
  let verdict: Verdict;
  try {
    verdict = verifyTransactionBytes(transaction, expected);
  } catch (error) {
    if (isHoldfastError(error, 'INVALID_TRANSACTION'))
      throw new UsageError(`the file does not contain a transaction in base64: ${error.message}`);
    throw error;
  }
  const hasReader = !call.yes && terminal.canAsk;
  if (!call.json || hasReader)
    terminal.err(`${checkResultLines(verdict, null, terminal.paintErr).join('\n')}\n`);
  const isUndecided = needsDecision(verdict);
  // The displayed check result already contains the fields.
  if (!verdict.ok && !isUndecided)
    throw new NotAsAsked(
      'The transaction does not do only what you expect. Nothing was signed.',
      'service',
      call.json ? verdict.fields : [],
    );
  requireMore(verdict);
  let question = 'Sign it?';
  if (isUndecided) {
    const missing = verdict.unknowns.map(({ fact, account }) => `${MISSING[fact]} of ${account}`);
    const text = `the transaction does not show ${[...new Set(missing)].join(', and ')}`;
    if (!hasReader)
      throw refusal(
        'NEEDS_PERSON',
        `Nothing was signed: ${text}.`,
        'Run it on a terminal without --yes to decide yourself.',
      );
    question = `Sign it, although ${text}?`;
  }
  if (!(await approved(call, question))) throw refusal('DECLINED', 'You declined. Nothing was signed.');
  const wire = fromBase64(transaction);
  // The key on this machine may be the fee payer's.
  const signer = call.walletAddress(undefined) === expected.feePayer ? expected.feePayer : expected.wallet;
  return toBase64(withSignature(wire, signer, signWithKeypair(file, signer, takeApart(wire).message)));
};

/** `holdfast sign` */
export const sign: Command = {
  name: 'sign',
  summary: 'Check and sign a transaction from a file, on an offline machine',
  usage: '<file|->',
  takes: [1, 1],
  details: [
    'Works offline: it contacts neither a service nor an RPC node, so there is no --rpc.',
    'The file holds a transaction in base64; - reads standard input. Checks on this machine that it does only what the options say, shows it, asks for confirmation and prints the signed transaction. Sends nothing anywhere.',
    'If the transaction does not show everything, for example the validator of an account that is split, you decide on a terminal; --yes does not sign it.',
    'Without --goal only its form is checked: it does one thing, for this wallet and this validator, and you decide on the amount that is shown. With --yes a goal is required, except for a change of a nonce account.',
    'If someone else pays the fee, both sign, one after the other: --fee-payer names the payer, --wallet the owner of the stake.',
    'A blockhash lives for about a minute. For a slower approval, build the transaction with a nonce account (holdfast help nonce) and name it here with --nonce.',
  ],
  options: expectationOptions,
  examples: [
    'sign stake.txt --vote 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 --goal stake --amount 2.5 > signed.txt',
  ],
  async run(call) {
    const { values } = call;
    const transaction = textOf(call.args[0]!, 'sign');
    const expected = await expectationsOfCall({ ...call, values: { ...values, offline: true } }, []);
    // With `--yes`, only the goal states the intended amount. A change to a nonce account moves at most its
    // rent-exempt minimum.
    const requireGoal = ({ recognized: { kind } }: Verdict): void => {
      if (call.yes && expected.request === undefined && kind !== 'nonce')
        throw new UsageError(`with --yes, a goal is required: add --goal ${kind}`);
    };
    const signed = await signBytes(call, transaction, expected, requireGoal);
    printDocument(call, { signedTransaction: signed }, () => [signed]);
    return 'ok';
  },
};

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
    printResponse(call, sent, ({ message, signature, explorerUrl }) => [
      plain(message),
      ...formatPairs([['signature', plain(signature)], explorerPair('explorer', explorerUrl)]),
    ]);
    return 'ok';
  },
};
