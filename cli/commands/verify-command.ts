// The command that checks a landed transaction by its signature, or bytes before they are signed, locally and
// at the service.
import type { Address } from '@solana/kit';
import type { VerifyTransactionAnswer } from '../../client/generated/verification-operations.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { solToLamports } from '../../client/sol-amount.ts';
import {
  effectLines,
  expectedInWords,
  headline,
  sweepDestinations,
  verifiableGoals,
} from '../../client/verifier-request.ts';
import type { Verdict } from '../../client/verify-transaction-bytes.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { SIGNATURE_PATTERN } from '../../src/kernel/base58.ts';
import { readAmount } from '../amount-argument.ts';
import {
  type Command,
  type CommandCall,
  type CommandOutcome,
  printAnswer,
  printDocument,
} from '../command.ts';
import { type KnownService, readService, rememberedService } from '../local/known-services.ts';
import { instant } from '../show/format-figures.ts';
import { plain } from '../show/plain-text.ts';
import type { Paint } from '../show/style.ts';
import { pairs, table } from '../show/table.ts';
import { UsageError } from '../usage-error.ts';
import { warningLines } from './wallet-commands.ts';

const SIGNATURE = new RegExp(SIGNATURE_PATTERN);
/** Maximum size, larger than any plan. */
const MOST_TRANSACTIONS = 100;

const mark = (holds: boolean | null, paint: Paint): string =>
  holds === null ? '-' : holds ? paint('green', '✓') : paint('red', '✗');

const landedLines = (body: VerifyTransactionAnswer, paint: Paint): string[] => [
  `${mark(body.verified, paint)} ${body.verified ? 'It succeeded and carries the memo of this service.' : 'It is not a successful transaction of this service.'}`,
  ...pairs([
    ['  memo', plain(body.memo ?? '-')],
    ['  delegates to the validator', mark(body.checks.delegatesToValidator, paint)],
    ['  authorities are the fee payer', mark(body.checks.authoritiesAreFeePayer, paint)],
    ['  does nothing else', mark(body.checks.noOtherInstructions, paint)],
    ['  sent by this service', body.recordedHere ? 'yes' : 'no'],
    ['  when', `${instant(body.blockTime)} UTC, slot ${body.slot}, ${body.confirmationStatus}`],
    ['  explorer', plain(body.explorerUrl)],
  ]),
  ...body.instructions.map(
    ({ program, name, summary }) => `  ${plain(program)}.${plain(name)}: ${plain(summary)}`,
  ),
  ...warningLines(body.warnings, paint),
];

const verifyLanded = async (call: CommandCall, signature: string): Promise<CommandOutcome> => {
  const sent = await call.client.send('verifyTransaction', { signature }, { signal: call.signal });
  printAnswer(call, sent, (body) => landedLines(body, call.terminal.paintOut));
  return sent.body.verified ? 'ok' : 'refused';
};

const verdictLines = (verdict: Verdict, service: boolean | null, paint: Paint): string[] => [
  paint(verdict.ok ? 'green' : 'red', headline(verdict)),
  ...table(
    [{ title: '' }, { title: 'FIELD' }, { title: 'FOUND' }, { title: 'PROBLEM' }],
    verdict.fields.map(({ field, ok, found, problem }) => [
      { text: ok ? '✓' : '✗', paint: (text) => paint(ok ? 'green' : 'red', text) },
      field,
      plain(found ?? '-'),
      plain(problem ?? ''),
    ]),
  ),
  ...verdict.recognised.extraInstructions.map(
    ({ program, name, summary }) => `  other instruction: ${plain(program)} ${name}: ${plain(summary)}`,
  ),
  ...pairs(effectLines(verdict).map(([label, text]) => [`  ${label}`, plain(text)])),
  verdict.shownByHardwareWallets
    ? '  a hardware wallet shows all of it in clear'
    : '  a hardware wallet cannot show it in clear: it asks for a blind signature of a hash',
  ...[...verdict.signatures].map(([signer, state]) => `  signature of ${signer}: ${state}`),
  service === null
    ? '  the service was not asked'
    : service === verdict.ok
      ? ' the service agrees'
      : `  ${paint('red', 'THE SERVICE DISAGREES')}`,
];

/**
 * Returns the service's check of the same bytes; null if there is none. Agreement proves nothing, but a
 * difference is a warning.
 */
const serviceVerdict = async (
  call: CommandCall,
  transaction: string,
  walletAddress: string,
  amountSol: string | undefined,
): Promise<boolean | null> => {
  if (call.values.offline === true) return null;
  try {
    const input = { transaction, walletAddress, ...(amountSol === undefined ? {} : { amountSol }) };
    return (await call.client.verifyStakeTransaction(input, { signal: call.signal })).ok;
  } catch (error) {
    if (isHoldfastError(error) && error.errorCode !== 'ABORTED') return null;
    throw error;
  }
};

const voteAccountOf = async (call: CommandCall, known: KnownService | undefined): Promise<string> => {
  const given = call.values.vote ?? (call.terminal.environment.HOLDFAST_VOTE_ACCOUNT || undefined);
  if (typeof given === 'string') return given;
  if (known !== undefined) return known.voteAccount;
  if (call.values.offline === true) throw new UsageError('--offline needs --vote ADDRESS', 'verify');
  return (await readService(call.client, call.signal)).voteAccount;
};

/** Returns the purpose of the transactions as stated by the user. Throws `UsageError`. */
const askedFor = (
  { values: { goal, to, 'at-least': atLeast, 'stake-account': accounts }, args }: CommandCall,
  amountSol: string | undefined,
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
      args.slice(1),
    );
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, 'verify');
    throw error;
  }
};

const verifyBytes = async (call: CommandCall, transaction: string): Promise<CommandOutcome> => {
  const { wallet, amount } = call.values;
  const walletAddress = call.walletAddress(typeof wallet === 'string' ? wallet : undefined);
  const amountSol = typeof amount === 'string' ? readAmount(amount, '--amount') : undefined;
  const known = rememberedService(call.terminal, call.client.baseUrl);
  const voteAccount = (await voteAccountOf(call, known)) as Address;
  const { verifyTransactionBytes } = await import('../../client/verify-transaction-bytes.ts');
  const expected = {
    wallet: walletAddress as Address,
    voteAccount,
    memo: known?.memo,
    ...askedFor(call, amountSol),
  };
  let verdict: Verdict;
  try {
    verdict = verifyTransactionBytes(transaction, expected);
    // Bytes signed by the wallet may include guards that the wallet added.
    if (verdict.signatures.get(walletAddress) === 'valid')
      verdict = verifyTransactionBytes(transaction, { ...expected, allowWalletGuards: true });
  } catch (error) {
    if (isAppError(error))
      throw new UsageError('this is neither a signature nor a transaction in base64', 'verify');
    throw error;
  }
  const service = await serviceVerdict(call, transaction, walletAddress, amountSol);
  const { signatures, ...rest } = verdict;
  const document = { ...rest, signatures: Object.fromEntries(signatures), serviceSaysOk: service };
  printDocument(call, document, () => verdictLines(verdict, service, call.terminal.paintOut));
  return verdict.ok && service !== false ? 'ok' : 'refused';
};

/** `holdfast verify` */
export const verify: Command = {
  name: 'verify',
  summary: 'Check a transaction: by signature once it landed, or its base64 before you sign',
  usage: '<signature|base64...>',
  takes: [1, MOST_TRANSACTIONS],
  details: [
    'The transaction is checked on this machine. The service is asked too, and a different answer counts as a refusal; --offline skips that.',
    'With --goal everything that it does is held to the goal and the amount; give the later transactions of a plan after the first one. Without --goal a change of several accounts is refused.',
    'Exit code 0 means: it does exactly one thing, for this wallet and this validator.',
  ],
  options: {
    wallet: {
      value: 'ADDRESS',
      description: 'the wallet that will sign (default: that of the keypair file)',
    },
    vote: {
      value: 'ADDRESS',
      description: 'the validator that may be delegated to (default: the one remembered for the service)',
    },
    goal: {
      value: 'GOAL',
      description: 'what it is meant to do',
      choices: verifiableGoals,
    },
    amount: { value: 'SOL', description: 'the expected amount' },
    'at-least': {
      description: 'with --goal and --amount: a larger amount where exactly this one is impossible',
    },
    to: {
      value: 'WHERE',
      description: 'of a sweep: its destination',
      choices: sweepDestinations,
    },
    'stake-account': {
      value: 'ADDRESS',
      description: 'the expected stake account; with --goal several, separated by commas',
    },
    offline: { description: 'do not ask the service; needs --vote' },
  },
  examples: [
    'verify 5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    'verify "$TRANSACTION" --wallet 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 --goal stake --amount 2.5',
  ],
  run: async (call) => {
    const [text] = call.args as [string];
    if (!SIGNATURE.test(text)) return verifyBytes(call, text);
    if (call.values.offline === true)
      throw new UsageError('--offline needs the transaction itself, not its signature', 'verify');
    return verifyLanded(call, text);
  },
};
