// The command that checks a landed transaction by its signature, or a transaction before it is signed, both
// locally and with the service.
import { existsSync } from 'node:fs';
import type { Address } from '@solana/kit';
import type {
  VerifyStakeTransactionInput,
  VerifyTransactionAnswer,
} from '../../../client/generated/verification-operations.ts';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { solToLamports } from '../../../client/sol-amount.ts';
import {
  effectLines,
  expectedInWords,
  headline,
  sweepDestinations,
  verifiableGoals,
} from '../../../client/verifier-request.ts';
import type { ExpectedTransaction, FieldVerdict, Verdict } from '../../../client/verify-transaction-bytes.ts';
import { controlSentences } from '../../../src/domain/transaction/control-sentences.ts';
import { SIGNATURE_PATTERN } from '../../../src/kernel/base58.ts';
import { readAmount } from '../../amount-argument.ts';
import {
  type Command,
  type CommandCall,
  type CommandOutcome,
  printDocument,
  printResponse,
} from '../../command.ts';
import { type KnownService, readService, rememberedService } from '../../local/known-services.ts';
import { textOf } from '../../local/text-file.ts';
import { formatPairs, formatTable } from '../../show/align-columns.ts';
import { instant, timeZone } from '../../show/format-cells.ts';
import { plain } from '../../show/plain-text.ts';
import type { Paint } from '../../show/terminal-colors.ts';
import { UsageError } from '../../usage-error.ts';
import { warningLines } from '../wallet-commands.ts';

const SIGNATURE = new RegExp(SIGNATURE_PATTERN);
/** Maximum number of transactions to check together. No plan has more. */
const MAX_TRANSACTIONS = 100;

const mark = (holds: boolean | null, paint: Paint): string =>
  holds === null ? '-' : holds ? paint('green', '✓') : paint('red', '✗');

const landedLines = (body: VerifyTransactionAnswer, paint: Paint): string[] => [
  `${mark(body.verified, paint)} ${body.verified ? "The transaction succeeded and has this service's memo." : 'This is not a successful transaction of this service.'}`,
  ...formatPairs([
    ['  memo', plain(body.memo ?? '-')],
    ['  delegates to the validator', mark(body.checks.delegatesToValidator, paint)],
    ['  fee payer holds all authorities', mark(body.checks.authoritiesAreFeePayer, paint)],
    ['  does nothing else', mark(body.checks.noOtherInstructions, paint)],
    ['  sent by this service', body.recordedHere ? 'yes' : 'no'],
    ['  when', `${instant(body.blockTime)} ${timeZone()}, slot ${body.slot}, ${body.confirmationStatus}`],
    ['  explorer', plain(body.explorerUrl)],
  ]),
  ...body.instructions.map(
    ({ program, name, summary }) => `  ${plain(program)}.${plain(name)}: ${plain(summary)}`,
  ),
  ...warningLines(body.warnings, paint),
];

const verifyLanded = async (call: CommandCall, signature: string): Promise<CommandOutcome> => {
  const sent = await call.client.send('verifyTransaction', { signature }, { signal: call.signal });
  printResponse(call, sent, (body) => landedLines(body, call.terminal.paintOut));
  return sent.body.verified ? 'ok' : 'refused';
};

/** Problems that report only an amount other than the requested one. */
const OTHER_AMOUNTS: ReadonlySet<string> = new Set(['OTHER_AMOUNT', 'STAKES_OTHER_AMOUNT']);

const problemText = ({ problem, problemSentences, expected }: FieldVerdict): string =>
  problem !== null && expected !== null && problemSentences.every(({ code }) => OTHER_AMOUNTS.has(code))
    ? `you asked for ${expected}`
    : (problem ?? '');

/** Formats a check result as text. */
export const checkResultLines = (verdict: Verdict, service: boolean | null, paint: Paint): string[] => [
  paint(verdict.ok ? 'green' : 'red', headline(verdict)),
  ...formatTable(
    [{ title: '' }, { title: 'FIELD' }, { title: 'FOUND', wrapAt: 46 }, { title: 'PROBLEM', wrapAt: 30 }],
    verdict.fields.map((one) => [
      { text: one.ok ? '✓' : '✗', paint: (text) => paint(one.ok ? 'green' : 'red', text) },
      one.field,
      plain(one.found ?? '-'),
      plain(problemText(one)),
    ]),
  ),
  ...verdict.recognized.extraInstructions.map(
    ({ program, name, summary }) => `  other instruction: ${plain(program)} ${name}: ${plain(summary)}`,
  ),
  ...controlSentences(verdict.recognized).map(({ text }) => `  ${text}`),
  ...formatPairs(effectLines(verdict).map(([label, text]) => [`  ${label}`, plain(text)])),
  verdict.shownByHardwareWallets
    ? '  a hardware wallet can display all of it'
    : '  a hardware wallet cannot display all of it and needs blind signing',
  ...[...verdict.signatures].map(([signer, state]) => `  signature of ${signer}: ${state}`),
  service === null
    ? '  not checked by the service'
    : service === verdict.ok
      ? '  the service agrees'
      : `  ${paint('red', 'THE SERVICE DISAGREES')}`,
];

/**
 * Returns the result of the service's check of the same bytes, or null if there is none. Agreement proves
 * nothing, but a difference is a warning.
 */
const serviceCheckResult = async (
  call: CommandCall,
  transaction: string,
  walletAddress: string,
  more: Omit<VerifyStakeTransactionInput, 'transaction' | 'walletAddress'>,
): Promise<boolean | null> => {
  if (call.values.offline === true) return null;
  try {
    const input = { transaction, walletAddress, ...more };
    return (await call.client.verifyStakeTransaction(input, { signal: call.signal })).ok;
  } catch (error) {
    if (isHoldfastError(error) && error.errorCode !== 'ABORTED') return null;
    throw error;
  }
};

/**
 * Returns the checks that `call` requests, based on its options and the remembered values of the service.
 * Throws `UsageError` for invalid options.
 */
export const expectationsOfCall = async (
  call: CommandCall,
  following: readonly string[],
  known = rememberedService(call.terminal, call.client.baseUrl),
): Promise<ExpectedTransaction & { readonly wallet: Address }> => {
  const {
    wallet,
    amount,
    nonce,
    owner,
    'fee-payer': feePayer,
    'stake-authority': stakeAuthority,
  } = call.values;
  const walletAddress = call.walletAddress(typeof wallet === 'string' ? wallet : undefined);
  const amountSol = typeof amount === 'string' ? readAmount(amount, '--amount') : undefined;
  return {
    wallet: walletAddress as Address,
    voteAccount: (await voteAccountOf(call, known)) as Address,
    memo: known?.memo,
    ...(typeof nonce === 'string' && { nonceAccount: nonce as Address }),
    ...(typeof feePayer === 'string' && { feePayer: feePayer as Address }),
    ...(typeof owner === 'string' && { owner: owner as Address }),
    ...(typeof stakeAuthority === 'string' && { stakeAuthority: stakeAuthority as Address }),
    ...askedFor(call, amountSol, following),
  };
};

const voteAccountOf = async (call: CommandCall, known: KnownService | undefined): Promise<string> => {
  const given = call.values.vote ?? (call.terminal.environment.HOLDFAST_VOTE_ACCOUNT || undefined);
  if (typeof given === 'string') return given;
  if (known !== undefined) return known.voteAccount;
  if (call.values.offline === true)
    throw new UsageError('offline, the validator is not known: add --vote ADDRESS');
  return (await readService(call.client, call.signal)).voteAccount;
};

/** Returns the goal of the transactions that the user stated. Throws `UsageError` if it is invalid. */
const askedFor = (
  { values: { goal, to, 'at-least': atLeast, 'stake-account': accounts } }: CommandCall,
  amountSol: string | undefined,
  following: readonly string[],
): ReturnType<typeof expectedInWords> => {
  const given = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  try {
    return expectedInWords(
      {
        goal: given(goal),
        to: given(to),
        isAtLeast: atLeast === true,
        lamports: amountSol === undefined ? undefined : solToLamports(amountSol),
        accounts: given(accounts)?.split(',') as Address[] | undefined,
      },
      following,
    );
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
};

/** Returns the given transaction, or the contents of the file with this name. */
const transactionIn = (argument: string): string =>
  existsSync(argument) ? textOf(argument, 'verify') : argument;

const verifyBytes = async (call: CommandCall): Promise<CommandOutcome> => {
  const [transaction, ...following] = call.args.map(transactionIn) as [string, ...string[]];
  const expected = await expectationsOfCall(call, following);
  const { wallet: walletAddress } = expected;
  const { amount } = call.values;
  const { verifyTransactionBytes } = await import('../../../client/verify-transaction-bytes.ts');
  let verdict: Verdict;
  try {
    verdict = verifyTransactionBytes(transaction, expected);
    // A transaction signed by the wallet may include guard instructions that the wallet added.
    if (verdict.signatures.get(walletAddress) === 'valid')
      verdict = verifyTransactionBytes(transaction, { ...expected, allowWalletGuards: true });
  } catch (error) {
    if (isHoldfastError(error, 'INVALID_TRANSACTION'))
      throw new UsageError(
        'this is neither a signature, a base64 transaction, nor a file with one',
        'verify',
      );
    throw error;
  }
  const { feePayer, owner, stakeAuthority } = expected;
  const service = await serviceCheckResult(call, transaction, walletAddress, {
    ...(typeof amount === 'string' && { amountSol: readAmount(amount, '--amount') }),
    ...(feePayer !== undefined && { feePayer }),
    ...(owner !== undefined && { owner }),
    ...(stakeAuthority !== undefined && { stakeAuthority }),
  });
  const { signatures, ...rest } = verdict;
  const document = { ...rest, signatures: Object.fromEntries(signatures), serviceSaysOk: service };
  printDocument(call, document, () => checkResultLines(verdict, service, call.terminal.paintOut));
  return verdict.ok && service !== false ? 'ok' : 'refused';
};

/** Options that describe the intended effects of a transaction. */
export const expectationOptions: NonNullable<Command['options']> = {
  wallet: {
    value: 'ADDRESS',
    description: "the wallet that will sign (default: the keypair file's wallet)",
  },
  vote: {
    value: 'ADDRESS',
    description: 'the only validator it may delegate to (default: the one saved for the service)',
  },
  goal: {
    value: 'GOAL',
    description: 'what the transaction is meant to do',
    choices: verifiableGoals,
  },
  amount: { value: 'SOL', description: 'the expected amount' },
  'at-least': {
    description: 'with --goal and --amount: accept a larger amount if the exact one is not possible',
  },
  to: {
    value: 'WHERE',
    description: 'destination of a sweep',
    choices: sweepDestinations,
  },
  'stake-account': {
    value: 'ADDRESS',
    description: 'the expected stake account; with --goal, a comma-separated list',
  },
  'fee-payer': {
    value: 'ADDRESS',
    description: 'who pays the fee, and nothing else (default: the wallet)',
  },
  'stake-authority': {
    value: 'ADDRESS',
    description: 'who becomes the stake authority of a new stake (default: the wallet)',
  },
  owner: {
    value: 'ADDRESS',
    description: 'who may withdraw, if the wallet is only the stake authority (default: the wallet)',
  },
  nonce: {
    value: 'ADDRESS',
    description: 'the nonce account that it may use; otherwise a transaction that never expires is refused',
  },
};

export const verify: Command = {
  name: 'verify',
  summary: 'Check a transaction: by signature after it landed, or as base64 or in a file before you sign',
  usage: '<signature|file|base64...>',
  takes: [1, MAX_TRANSACTIONS],
  details: [
    'Checks the transaction on this machine and asks the service too; if the results differ, the transaction is refused. --offline skips the service.',
    'With --goal, all effects must match the goal and the amount; list the later transactions of a plan after the first. Without --goal, changes to several accounts are refused.',
    'Exit code 0 means the transaction does exactly one thing, for this wallet and this validator.',
  ],
  options: {
    ...expectationOptions,
    offline: { description: 'do not ask the service; requires --vote' },
  },
  examples: [
    'verify 5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    'verify stake.txt --wallet 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 --goal stake --amount 2.5',
  ],
  run: async (call) => {
    const [text] = call.args as [string];
    if (!SIGNATURE.test(text)) return verifyBytes(call);
    if (call.values.offline === true)
      throw new UsageError('--offline requires the transaction itself, not its signature', 'verify');
    return verifyLanded(call, text);
  },
};
