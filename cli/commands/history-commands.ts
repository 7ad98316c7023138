// The commands that show a wallet's past transactions and rewards.
import type { HistoryLeg, WalletHistoryAnswer } from '../../client/generated/stake-operations.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { readWholeNumber } from '../amount-argument.ts';
import { type Command, type CommandCall, printResponse } from '../command.ts';
import { formatTable } from '../show/align-columns.ts';
import { instant, shortAddress, sol, timeZoneLine } from '../show/format-cells.ts';
import { plain } from '../show/plain-text.ts';
import { tableColumns } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { historyCsv } from './history-csv.ts';
import { warningLines } from './wallet-commands.ts';

/** Total width of the history's columns other than WHAT, and the part of it that signatures take. */
const OTHER_COLUMNS = 59;
const SIGNATURE_COLUMN = 11;
/** Width of WHAT below which the signatures are left out. */
const MIN_WHAT = 18;

const LEG_WORDS: Readonly<Record<HistoryLeg['type'], string>> = {
  create: 'create account with',
  delegate: 'delegate',
  undo: 'undo unstake of',
  deactivate: 'unstake',
  withdraw: 'withdraw',
  split: 'split off',
  merge: 'merge',
  moveStake: 'move stake',
  moveLamports: 'move idle SOL',
  transfer: 'pay in',
  authorize: 'set stake authority',
  authorizeWithdrawer: 'set withdraw authority',
};

/** Steps that move something from one stake account to another. */
const BETWEEN: ReadonlySet<HistoryLeg['type']> = new Set(['merge', 'split', 'moveStake', 'moveLamports']);

/** Formats each step of a multi-step transaction as a separate row. */
const stepRow = ({ type, amountSol, stakeAccountAddress, counterAccountAddress }: HistoryLeg): string[] => {
  // A merge is shown at its destination account, every other step at its source account.
  const [from, to] =
    type === 'merge'
      ? [counterAccountAddress, stakeAccountAddress]
      : [stakeAccountAddress, counterAccountAddress];
  const name = (address: string | null | undefined): string => (address ? shortAddress(plain(address)) : '-');
  const accounts = BETWEEN.has(type) ? `${name(from)} > ${name(to)}` : name(stakeAccountAddress);
  const amount = amountSol === null ? '' : ` ${sol(amountSol)}`;
  return ['', `  ${LEG_WORDS[type] ?? plain(type)}${amount}`, '', accounts, ''];
};

const CSV_PAGE = 200;

/** Prints all pages. What may be missing is printed to standard error, so the CSV stays valid. */
const printHistoryCsv = async (
  { client, terminal, signal }: CommandCall,
  walletAddress: string,
): Promise<void> => {
  const entries = [];
  let cursor: string | null = null;
  do {
    const page: WalletHistoryAnswer = await client.walletHistory(
      { walletAddress, limit: CSV_PAGE, ...(cursor !== null && { cursor }) },
      { signal },
    );
    entries.push(...page.history);
    if (cursor === null)
      for (const line of warningLines(page.warnings, terminal.paintErr)) terminal.err(`${line}\n`);
    cursor = page.nextCursor;
  } while (cursor !== null);
  terminal.out(historyCsv(entries, walletAddress));
};

export const history: Command = {
  name: 'history',
  readsWallet: true,
  summary: "List a wallet's stakes, unstakes and withdrawals, newest first",
  usage: '[wallet]',
  takes: [0, 1],
  options: {
    limit: { value: 'COUNT', description: 'how many, 1 to 200 (default 50)' },
    cursor: { value: 'CURSOR', description: 'continue after the end of an earlier list' },
    csv: { description: 'everything as CSV, for spreadsheets, with one line per effect' },
  },
  examples: ['history --limit 10', 'history --csv > history.csv'],
  async run(call) {
    const { cursor } = call.values;
    const limit = readWholeNumber(call.values.limit, '--limit', [1, 200]);
    if (call.values.csv === true) {
      if (call.json || limit !== undefined || cursor !== undefined)
        throw new UsageError(
          '--csv always lists everything; it cannot be combined with --json, --limit or --cursor',
          'history',
        );
      await printHistoryCsv(call, call.walletAddress(call.args[0]));
      return 'ok';
    }
    const input = {
      walletAddress: call.walletAddress(call.args[0]),
      ...(limit === undefined ? {} : { limit }),
      ...(typeof cursor === 'string' ? { cursor } : {}),
    };
    const sent = await call.client.send('walletHistory', input, { signal: call.signal });
    const whatWidth = tableColumns(call.terminal) - OTHER_COLUMNS;
    const hasSignatures = whatWidth >= MIN_WHAT;
    printResponse(call, sent, (body) => [
      ...formatTable(
        [
          { title: 'WHEN' },
          {
            title: 'WHAT',
            wrapAt: hasSignatures ? whatWidth : Math.max(MIN_WHAT, whatWidth + SIGNATURE_COLUMN),
          },
          { title: 'EPOCH', align: 'right' },
          { title: 'STAKE ACCOUNT' },
          ...(hasSignatures ? [{ title: 'SIGNATURE' }] : []),
        ],
        body.history.flatMap((entry) => [
          [
            instant(entry.confirmedAt),
            plain(entry.title),
            String(entry.epoch),
            entry.stakeAccountAddress ? shortAddress(plain(entry.stakeAccountAddress)) : '-',
            shortAddress(plain(entry.signature)),
          ],
          ...(entry.type === 'rearrange' || entry.legs.some(({ type }) => BETWEEN.has(type))
            ? entry.legs.map(stepRow)
            : []),
        ]),
      ),
      ...(body.history.length === 0
        ? ['No transactions yet.']
        : [`--csv and --json show full addresses and signatures. ${timeZoneLine()}`]),
      ...(body.nextCursor ? [`For more, add --cursor ${plain(body.nextCursor)}`] : []),
    ]);
    return 'ok';
  },
};

/** Throws the service's refusal of the epochs as a `UsageError` with the names of this command's options. */
const refusePeriod = (error: unknown): never => {
  if (!isHoldfastError(error, 'VALIDATION_ERROR')) throw error;
  const named = error.message.replace(/^epochs:/, '--epochs').replace(/\b(from|to)Epoch\b:?/g, '--$1-epoch');
  throw new UsageError(named, 'rewards');
};

export const rewards: Command = {
  name: 'rewards',
  readsWallet: true,
  summary: "List a wallet's rewards by account and epoch",
  usage: '[wallet]',
  takes: [0, 1],
  options: {
    epochs: { value: 'COUNT', description: 'number of completed epochs to look back, 1 to 200 (default 30)' },
    'from-epoch': { value: 'EPOCH', description: 'first epoch, instead of --epochs' },
    'to-epoch': { value: 'EPOCH', description: 'last epoch (default: the last completed one)' },
    csv: { description: 'as CSV, for spreadsheets' },
  },
  examples: ['rewards --epochs 10', 'rewards --from-epoch 900 --to-epoch 950 --csv > rewards.csv'],
  async run(call) {
    const epochs = readWholeNumber(call.values.epochs, '--epochs', [1, 200]);
    const [fromEpoch, toEpoch] = (['from-epoch', 'to-epoch'] as const).map((name) =>
      readWholeNumber(call.values[name], `--${name}`, [0, 999_999_999]),
    );
    if (call.values.csv === true && call.json)
      throw new UsageError('use either --csv or --json, not both', 'rewards');
    const input = {
      walletAddress: call.walletAddress(call.args[0]),
      ...(epochs === undefined ? {} : { epochs }),
      ...(fromEpoch === undefined ? {} : { fromEpoch }),
      ...(toEpoch === undefined ? {} : { toEpoch }),
    };
    const options = { signal: call.signal };
    if (call.values.csv === true) {
      call.terminal.out(await call.client.stakingRewardsCsv(input, options).catch(refusePeriod));
      return 'ok';
    }
    const sent = await call.client.send('stakingRewards', input, options).catch(refusePeriod);
    printResponse(call, sent, (body) => [
      ...formatTable(
        [
          { title: 'EPOCH', align: 'right' },
          { title: 'STAKE ACCOUNT' },
          { title: 'REWARD SOL', align: 'right' },
          { title: 'TIPS SOL', align: 'right' },
          { title: 'BALANCE SOL', align: 'right' },
        ],
        body.rewards.map((entry) => [
          String(entry.epoch),
          shortAddress(plain(entry.stakeAccountAddress)),
          sol(entry.inflationSol),
          sol(entry.tipsSol),
          sol(entry.balanceAfterSol),
        ]),
      ),
      ...(body.rewards.length === 0 ? [] : ['--csv and --json show full addresses.']),
      `Epochs ${body.fromEpoch} to ${body.toEpoch}: ${sol(body.totals.inflationSol)} SOL rewards, ${sol(body.totals.tipsSol)} SOL tips`,
      ...warningLines(body.warnings, call.terminal.paintOut),
    ]);
    return 'ok';
  },
};
