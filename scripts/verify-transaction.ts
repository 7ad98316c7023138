// Checks a transaction on this machine before it is signed, without the service. Exits with 0 only if the
// transaction does exactly what it claims.
import { parseArgs } from 'node:util';
import { type Address, isAddress } from '@solana/kit';
import { plain } from '../cli/show/plain-text.ts';
import { isHoldfastError } from '../client/holdfast-error.ts';
import { effectLines, expectedInWords, headline, verifiableGoals } from '../client/verifier-request.ts';
import {
  type ExpectedTransaction,
  type Verdict,
  verifyTransactionBytes,
} from '../client/verify-transaction-bytes.ts';
import { formatSol, LAMPORTS_PER_SOL, parseSol } from '../src/domain/lamports.ts';

const USAGE = `Usage: node scripts/run.mjs scripts/verify-transaction.ts <base64>... --wallet <address> --vote <address> [options]

  --wallet ADDRESS     the wallet that is to sign
  --vote ADDRESS       the vote account that may be delegated to
  --goal GOAL          what the transaction is meant to do: ${verifiableGoals.join(', ')}
  --amount SOL         the amount that it is meant to move
  --at-least           with --goal and --amount: accept a larger amount if the exact one is not possible
  --stake-account ADDRESS[,ADDRESS...]  the accounts that may change
  --to DESTINATION     of a sweep: wallet, stake or activating
  --fee-payer ADDRESS  who pays the fee, and nothing else; without it the wallet must pay
  --nonce ADDRESS      the nonce account that it may use; without it a transaction that never expires is refused
  --memo TEXT          the memo of the service (GET /api/v1/verify/code, memoProgram.expectedMemo)
  --donation ADDRESS   where a donation may go; without it no transfer passes
  --json               the check result as JSON

With --goal all effects are compared with the request; give the later transactions of a plan after the first one. Without it only the form of one
transaction is checked, and a change of several accounts is refused. Nothing is sent anywhere. Exit code: 0 it does only what it claims,
1 it does not or does not show it, 2 it could not be read.`;

class UsageError extends Error {}

const readAddress = (name: string, text: string | undefined): Address | undefined => {
  if (text !== undefined && !isAddress(text)) throw new UsageError(`--${name} is not a Solana address`);
  return text;
};

const readAmount = (text: string | undefined): bigint | undefined => {
  if (text === undefined) return undefined;
  const lamports = parseSol(text);
  if (typeof lamports === 'string' || lamports < 0n || lamports > 1_000_000_000n * LAMPORTS_PER_SOL)
    throw new UsageError('--amount is not an amount of SOL');
  return lamports;
};

const read = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      wallet: { type: 'string' },
      vote: { type: 'string' },
      goal: { type: 'string' },
      amount: { type: 'string' },
      'at-least': { type: 'boolean', default: false },
      'stake-account': { type: 'string' },
      to: { type: 'string' },
      nonce: { type: 'string' },
      'fee-payer': { type: 'string' },
      memo: { type: 'string' },
      donation: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { goal } = values;
  const [transaction, ...following] = positionals;
  const wallet = readAddress('wallet', values.wallet);
  const voteAccount = readAddress('vote', values.vote);
  if (transaction === undefined || wallet === undefined || voteAccount === undefined)
    throw new UsageError('a transaction, --wallet and --vote are needed');
  const lamports = readAmount(values.amount);
  const accounts = values['stake-account']
    ?.split(',')
    .map((account) => readAddress('stake-account', account)!);
  const donationAddress = readAddress('donation', values.donation);
  const nonceAccount = readAddress('nonce', values.nonce);
  const feePayer = readAddress('fee-payer', values['fee-payer']);
  const words = { goal, lamports, accounts, isAtLeast: values['at-least'], to: values.to };
  const expected: ExpectedTransaction = {
    wallet,
    voteAccount,
    memo: values.memo,
    ...(donationAddress && { donationAddress }),
    ...(nonceAccount && { nonceAccount }),
    ...(feePayer && { feePayer }),
    ...expectedInWords(words, following),
  };
  return { transaction, wallet, expected, json: values.json };
};

/**
 * Without `--memo`, any memo of at most 128 bytes passes, because a memo only names the service and is not a
 * security risk. A transaction already signed by the wallet may contain guards that the wallet added.
 */
const evaluate = ({ transaction, wallet, expected }: ReturnType<typeof read>): Verdict => {
  const first = verifyTransactionBytes(transaction, expected);
  return first.signatures.get(wallet) === 'valid'
    ? verifyTransactionBytes(transaction, { ...expected, allowWalletGuards: true })
    : first;
};

const print = (result: Verdict): void => {
  const { fields, instructions, signatures, networkFeeLamports } = result;
  console.log(`${headline(result)}\n`);
  for (const { field, ok: fine, expected, found, problem } of fields) {
    console.log(`${fine ? '✓' : '✗'} ${field.padEnd(18)} ${plain(found ?? '-')}`);
    if (!fine)
      console.log(`  ${''.padEnd(18)} ${problem}${expected === null ? '' : ` Expected: ${plain(expected)}`}`);
  }
  console.log(`\n  network fee        ${formatSol(networkFeeLamports)} SOL`);
  for (const [label, text] of effectLines(result)) console.log(`  ${label.padEnd(18)} ${text}`);
  for (const [signer, state] of signatures) console.log(`  signature          ${signer}: ${state}`);
  for (const { program, name, summary } of instructions)
    console.log(`  ${program}.${name}: ${plain(summary)}`);
};

const asJson = (result: Verdict): string =>
  JSON.stringify(result, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Map ? Object.fromEntries(value) : value,
  );

try {
  const wanted = read();
  const result = evaluate(wanted);
  if (wanted.json) console.log(asJson(result));
  else print(result);
  process.exitCode = result.ok ? 0 : 1;
} catch (error) {
  const usage =
    error instanceof UsageError ||
    error instanceof RangeError ||
    (error instanceof TypeError && 'code' in error);
  if (!usage && !isHoldfastError(error)) throw error;
  console.error(usage ? `${(error as Error).message}\n\n${USAGE}` : (error as Error).message);
  process.exitCode = 2;
}
