// The command that manages nonce accounts, whose value replaces the blockhash of transactions that must not
// expire.
import type { Address } from '@solana/kit';
import { NotAsAsked } from '../../../client/staking/staking-errors.ts';
import type { Verdict } from '../../../client/verify-transaction-bytes.ts';
import { type Command, type CommandCall, type CommandOutcome, printResponse } from '../../command.ts';
import { readService, rememberedService } from '../../local/known-services.ts';
import { formatPairs, formatTable } from '../../show/align-columns.ts';
import { explorerPair, shortAddress } from '../../show/format-cells.ts';
import { plain } from '../../show/plain-text.ts';
import { UsageError } from '../../usage-error.ts';
import { signBytes } from './sign-command.ts';

/**
 * A change to a nonce account: the operation that builds the transaction, and the effect that the transaction
 * must have.
 */
const changes = {
  create: { operation: 'createNonceTransaction', effect: 'CREATE_WITH_SEED' },
  cancel: { operation: 'advanceNonceTransaction', effect: 'ADVANCE_NONCE' },
  close: { operation: 'closeNonceTransaction', effect: 'WITHDRAW_NONCE' },
} as const;
type Change = keyof typeof changes;

const list = async (call: CommandCall, given: string | undefined): Promise<CommandOutcome> => {
  const walletAddress = call.walletAddress(given);
  const sent = await call.client.send('listNonceAccounts', { walletAddress }, { signal: call.signal });
  printResponse(call, sent, ({ accounts, free }) => [
    ...formatTable(
      [{ title: 'NONCE ACCOUNT' }, { title: 'VALUE', shorten: shortAddress }, { title: 'SOL' }],
      accounts.map(({ nonceAccountAddress, value, sol }) => [
        plain(nonceAccountAddress),
        plain(value),
        String(sol),
      ]),
      call.terminal.isScreen ? call.terminal.columns : undefined,
    ),
    accounts.length === 0
      ? `There are no nonce accounts yet. ${free} can be created.`
      : `${free} more can be created.`,
  ]);
  return 'ok';
};

const change = async (
  call: CommandCall,
  name: Change,
  account: string | undefined,
): Promise<CommandOutcome> => {
  const { client, signal, terminal } = call;
  const { operation, effect } = changes[name];
  const walletAddress = call.walletAddress(undefined);
  const service = rememberedService(terminal, client.baseUrl) ?? (await readService(client, signal));
  const input = { walletAddress, ...(account !== undefined && { nonceAccountAddress: account }) };
  const { body } = await client.send(operation, input as never, { signal });
  const { nonceAccountAddress, transaction } = body;
  const requireChange = ({ instructions, recognized }: Verdict): void => {
    const isChange =
      recognized.kind === 'nonce' &&
      instructions.some(
        ({ summarySentences: [sentence] }) =>
          sentence?.code === effect && sentence.params.account === (account ?? nonceAccountAddress),
      );
    if (!isChange)
      throw new NotAsAsked(
        `The service built a different change than nonce ${name}. Nothing was signed.`,
        'service',
      );
  };
  const expected = {
    wallet: walletAddress as Address,
    voteAccount: service.voteAccount as Address,
    memo: service.memo,
  };
  const signedTransaction = await signBytes(call, transaction, expected, requireChange);
  const sent = await client.send('submitTransaction', { signedTransaction }, { signal });
  printResponse(call, sent, ({ signature, explorerUrl }) =>
    formatPairs([
      ['nonce account', plain(nonceAccountAddress)],
      ['signature', plain(signature)],
      explorerPair('explorer', explorerUrl),
    ]),
  );
  return 'ok';
};

export const nonce: Command = {
  name: 'nonce',
  summary: 'Create, list, cancel and close nonce accounts, for transactions that must not expire',
  usage: '<list|create|cancel|close> [account]',
  takes: [1, 2],
  details: [
    'A blockhash lives for about a minute. A transaction built with a nonce account instead can be signed days later: it is valid until it lands or the nonce is canceled. Treat a signed one like an undated cheque.',
    'cancel gives the account a new value, so that nothing signed with the current one can ever land. close returns its rent. Each account serves one transaction at a time; a wallet has at most ten.',
  ],
  firstWords: ['list', 'create', 'cancel', 'close'],
  examples: ['nonce list', 'nonce create'],
  async run(call) {
    const [name, account] = call.args as [string, string | undefined];
    if (name === 'list') return list(call, account);
    if (!(name in changes)) throw new UsageError(`unknown subcommand: nonce ${name}`, 'nonce');
    if ((name === 'create') !== (account === undefined))
      throw new UsageError(
        name === 'create' ? 'nonce create takes no account' : `nonce ${name} requires the account`,
        'nonce',
      );
    return change(call, name as Change, account);
  },
};
