// The command that checks a landed transaction by its signature, or a transaction before it is signed, both
// locally and with the service.
import { existsSync } from 'node:fs';
import type { Address } from '@solana/kit';
import type {
  VerifyStakeTransactionInput,
  VerifyTransactionAnswer,
} from '../../../client/generated/verification-operations.ts';
import { HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { solToLamports } from '../../../client/sol-amount.ts';
import {
  effectLines,
  expectedInWords,
  headline,
  needsDecision,
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
import type { RpcNode } from '../../direct/call-rpc-node.ts';
import { type KnownService, readService, rememberedService } from '../../local/known-services.ts';
import { textOf } from '../../local/text-file.ts';
import { formatPairs, formatTable } from '../../show/align-columns.ts';
import { explorerPair, instant, timeZone } from '../../show/format-cells.ts';
import { plain } from '../../show/plain-text.ts';
import type { Paint } from '../../show/terminal-colors.ts';
import { UsageError } from '../../usage-error.ts';
import { warningLines } from '../wallet-commands.ts';

const SIGNATURE = new RegExp(SIGNATURE_PATTERN);
/** Maximum number of transactions to check together. No plan has more. */
const MAX_TRANSACTIONS = 100;

const mark = (holds: boolean | null, paint: Paint): string =>
  holds === null ? '-' : holds ? paint('green', '✓') : paint('red', '✗');

const instructionLines = (
  instructions: readonly { readonly program: string; readonly name: string; readonly summary: string }[],
): string[] =>
  instructions.map(({ program, name, summary }) => `  ${plain(program)}.${plain(name)}: ${plain(summary)}`);

const landedResult = ({ succeeded, verified, error }: VerifyTransactionAnswer): string => {
  if (!succeeded) return `The transaction failed: ${plain(JSON.stringify(error))}`;
  return verified
    ? "The transaction succeeded and has this service's memo."
    : "The transaction succeeded. This service's memo was not found in it, as in one made with --direct or another program.";
};

const landedLines = (body: VerifyTransactionAnswer, paint: Paint): string[] => [
  `${mark(body.verified || (body.succeeded ? null : false), paint)} ${landedResult(body)}`,
  ...formatPairs([
    ['  memo', plain(body.memo ?? '-')],
    ['  delegates to the validator', mark(body.checks.delegatesToValidator, paint)],
    ['  fee payer holds all authorities', mark(body.checks.authoritiesAreFeePayer, paint)],
    ['  does nothing else', mark(body.checks.noOtherInstructions, paint)],
    ['  sent by this service', body.recordedHere ? 'yes' : 'no'],
    ['  when', `${instant(body.blockTime)} ${timeZone()}, slot ${body.slot}, ${body.confirmationStatus}`],
    explorerPair('  explorer', body.explorerUrl),
  ]),
  ...instructionLines(body.instructions),
  ...warningLines(body.warnings, paint),
];

interface LandedOnNode {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly meta: { readonly err: unknown; readonly fee: number } | null;
  readonly transaction: readonly [string, string];
}

/** Returns the RPC node of `--rpc`, or null. A node on another cluster than the remembered service is refused. */
const namedNode = async (call: CommandCall): Promise<RpcNode | null> => {
  const { rpc, vote } = call.values;
  if (typeof rpc !== 'string') return null;
  if (call.values.offline === true) throw new UsageError('use either --offline or --rpc', 'verify');
  const { createRpcNode, requireNodeUrl } = await import('../../direct/call-rpc-node.ts');
  const node = createRpcNode(requireNodeUrl(rpc), call.signal);
  const known = rememberedService(call.terminal, call.client.baseUrl)?.genesisHash ?? null;
  if (known !== null && vote === undefined && (await node.call<string>('getGenesisHash')) !== known)
    throw new UsageError(
      'the RPC node is on a different cluster than the remembered service: name the validator with --vote ADDRESS',
      'verify',
    );
  return node;
};

/** Reads a landed transaction from the node. Rejects with `HoldfastError` unless it has this signature. */
const readLanded = async (node: RpcNode, signature: string): Promise<LandedOnNode> => {
  const failure = (errorCode: string, message: string): HoldfastError =>
    new HoldfastError({ errorCode, message, operation: 'getTransaction' });
  const landed = await node.call<LandedOnNode | null>('getTransaction', [
    signature,
    { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
  ]);
  if (landed === null)
    throw failure(
      'NOT_FOUND',
      'The RPC node knows no confirmed transaction with this signature. For an old transaction, use a node that keeps the whole history.',
    );
  const [{ signatureOf }, { fromBase64 }] = await Promise.all([
    import('../../../client/staking/wire-signatures.ts'),
    import('../../../client/staking/base64.ts'),
  ]);
  if (signatureOf(fromBase64(landed.transaction[0])) !== signature)
    throw failure('BAD_ANSWER', 'The RPC node returned another transaction.');
  return landed;
};

/** Returns the first line of a landed transaction's check result, which advice on signing would not fit. */
const landedHeadline = (verdict: Verdict): string => {
  const { ok, fields, recognized } = verdict;
  if (ok || needsDecision(verdict)) return headline(verdict);
  const isOnlyUnnamed = fields.every((field) =>
    field.problemSentences.every(({ code }) => code === 'GOAL_NOT_NAMED'),
  );
  return isOnlyUnnamed
    ? `? Not checked against a goal (add --goal, and --amount if any): ${recognized.kind}`
    : `✗ It did not only do what this check allows: ${recognized.kind}`;
};

/** Checks a landed transaction with the user's node alone. */
const verifyOnNode = async (call: CommandCall, node: RpcNode, signature: string): Promise<CommandOutcome> => {
  const expected = await expectationsOfCall(call, []);
  const { slot, blockTime, meta, transaction } = await readLanded(node, signature);
  const { verifyTransactionBytes } = await import('../../../client/verify-transaction-bytes.ts');
  const verdict = verifyTransactionBytes(transaction[0], { ...expected, allowWalletGuards: true });
  const succeeded = meta !== null && meta.err === null;
  const landedAt = blockTime === null ? null : new Date(blockTime * 1_000).toISOString();
  const { signatures, ...rest } = verdict;
  const document = {
    ...rest,
    signatures: Object.fromEntries(signatures),
    landed: { signature, slot, blockTime: landedAt, succeeded, error: meta?.err ?? null },
  };
  const { paintOut } = call.terminal;
  printDocument(call, document, () => [
    `${mark(succeeded, paintOut)} ${succeeded ? 'It landed and succeeded' : `It landed but failed: ${plain(JSON.stringify(meta?.err ?? 'unknown'))}`}, according to your RPC node.`,
    ...formatPairs([['  when', `${instant(landedAt)} ${timeZone()}, slot ${slot}`]]),
    ...(succeeded ? instructionLines(verdict.instructions) : []),
    ...checkResultLines(verdict, null, paintOut, landedHeadline(verdict)),
  ]);
  return verdict.ok && succeeded ? 'ok' : 'refused';
};

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
export const checkResultLines = (
  verdict: Verdict,
  service: boolean | null,
  paint: Paint,
  title = headline(verdict),
): string[] => [
  paint(verdict.ok ? 'green' : 'red', title),
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
  if (call.values.offline === true || call.values.rpc !== undefined) return null;
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
    // A transaction that was built without the service has another memo.
    memo: call.values.rpc === undefined ? known?.memo : undefined,
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
  if (call.values.offline === true || call.values.rpc !== undefined)
    throw new UsageError(
      `${call.values.rpc === undefined ? 'offline' : 'with --rpc'}, the validator is not known: add --vote ADDRESS`,
    );
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
  const node = await namedNode(call);
  const asked = await expectationsOfCall(call, following);
  const { wallet: walletAddress } = asked;
  const { amount } = call.values;
  const { verifyTransactionBytes } = await import('../../../client/verify-transaction-bytes.ts');
  let verdict: Verdict;
  let expected = asked;
  try {
    verdict = verifyTransactionBytes(transaction, asked);
    const { request, wallet, owner, voteAccount } = asked;
    if (node !== null && request !== undefined) {
      const [{ decodeWire }, { fromBase64 }, { readFactsFor }] = await Promise.all([
        import('../../../src/chain/transactions/wire-transaction.ts'),
        import('../../../client/staking/base64.ts'),
        import('../../node/user-node.ts'),
      ]);
      const messages = [transaction, ...following].map((one) => decodeWire(fromBase64(one)));
      const facts = await readFactsFor(node, { ...request, wallet, owner, voteAccount }, messages);
      expected = { ...asked, facts };
      verdict = verifyTransactionBytes(transaction, expected);
    }
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
    'Checks the transaction on this machine and asks the service too; if the results differ, the transaction is refused. --offline skips the service, and --rpc asks only your own RPC node.',
    'With --goal, all effects must match the goal and the amount; list the later transactions of a plan after the first. Without --goal, changes to several accounts are refused.',
    'Exit code 0 means the transaction does exactly one thing, for this wallet and this validator.',
  ],
  options: {
    ...expectationOptions,
    offline: { description: 'do not ask the service; requires --vote' },
    rpc: {
      value: 'URL',
      description:
        'use your RPC node instead of the service: it returns a landed transaction and, with --goal, the accounts that decide the amounts',
    },
  },
  examples: [
    'verify 5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    'verify unstake.txt --goal unstake --amount 2.5 --rpc https://api.mainnet-beta.solana.com',
    'verify stake.txt --wallet 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 --goal stake --amount 2.5',
  ],
  run: async (call) => {
    const [text] = call.args as [string];
    if (!SIGNATURE.test(text)) return verifyBytes(call);
    const node = await namedNode(call);
    if (node !== null) return verifyOnNode(call, node, text);
    if (call.values.offline === true)
      throw new UsageError(
        '--offline requires the transaction itself, not its signature. To look the signature up on your own node, use --rpc URL',
        'verify',
      );
    return verifyLanded(call, text);
  },
};
