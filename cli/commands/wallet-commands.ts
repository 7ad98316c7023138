// The commands that show a wallet: its balance, its stake accounts, and a summary.
import type { StakeAccount, StakingSummaryAnswer } from '../../client/generated/stake-operations.ts';
import { duration } from '../../src/domain/duration.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../src/domain/transaction/instruction-fees.ts';
import { type Command, type CommandCall, printDocument, printResponse } from '../command.ts';
import { DIRECT_OPTIONS, directNode } from '../direct/open-direct.ts';
import { rememberListedStakes } from '../local/listed-stakes.ts';
import { formatPairs, formatTable, type Row } from '../show/align-columns.ts';
import { shortAddress, sol, yearlyYield } from '../show/format-cells.ts';
import { noticeLines } from '../show/notice-lines.ts';
import { plain } from '../show/plain-text.ts';
import type { Terminal } from '../show/terminal.ts';
import type { Paint, Tone } from '../show/terminal-colors.ts';

const STATE_TONES: Readonly<Record<StakeAccount['state'], Tone>> = {
  active: 'green',
  activating: 'cyan',
  deactivating: 'yellow',
  inactive: 'bold',
  initialized: 'dim',
};

/** Formats the warnings in a response, for the end of the output. */
export const warningLines = (warnings: readonly string[], paint: Paint): string[] =>
  warnings.map((warning) => `${paint('yellow', '!')} ${plain(warning)}`);

/** Fields of an account that a table row shows. */
type ShownAccount = Pick<
  StakeAccount,
  | 'address'
  | 'sol'
  | 'state'
  | 'withdrawableSol'
  | 'withdrawReady'
  | 'deactivationEpoch'
  | 'withdrawableAtEpoch'
  | 'role'
> & { readonly estimatedSecondsRemaining: number | null };

const readyText = (account: ShownAccount): string => {
  if (account.withdrawReady) return 'now';
  if (account.deactivationEpoch === null)
    return account.withdrawableSol > 0 ? `${sol(account.withdrawableSol)} SOL idle` : '-';
  return account.estimatedSecondsRemaining === null
    ? `epoch ${account.withdrawableAtEpoch ?? '?'}`
    : `in ${duration(account.estimatedSecondsRemaining)}`;
};

const ACCOUNT_COLUMNS = [
  { title: 'STAKE ACCOUNT', shorten: shortAddress },
  { title: 'BALANCE', align: 'right' },
  { title: 'STATE' },
  { title: 'READY' },
] as const;

/** Formats stake accounts as a table. A narrow terminal gets shortened addresses. */
export const accountLines = (
  accounts: readonly ShownAccount[],
  { paintOut: paint, isScreen, columns }: Pick<Terminal, 'paintOut' | 'isScreen' | 'columns'>,
): string[] => {
  const lines = formatTable(
    ACCOUNT_COLUMNS,
    accounts.map(
      (account): Row => [
        plain(account.address),
        sol(account.sol),
        {
          text: account.role === 'owner' ? account.state : `${account.state} (staker)`,
          paint: (text) => paint(STATE_TONES[account.state] ?? 'bold', text),
        },
        readyText(account),
      ],
    ),
    isScreen ? columns : undefined,
  );
  const isShort = lines.some((line) => line.includes('…'));
  return isShort
    ? [...lines, '--json shows full addresses. Commands take the first four characters.']
    : lines;
};

export const balance: Command = {
  name: 'balance',
  readsWallet: true,
  summary: "Show a wallet's balance and how much it can stake",
  usage: '[wallet]',
  takes: [0, 1],
  examples: ['balance', 'balance 7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2 --json'],
  async run(call) {
    const walletAddress = call.walletAddress(call.args[0]);
    const sent = await call.client.send('balance', { walletAddress }, { signal: call.signal });
    printResponse(call, sent, (body) => [
      ...formatPairs([
        ['wallet', plain(body.walletAddress)],
        ['balance', `${sol(body.sol)} SOL`],
        [
          'can stake',
          `${sol(body.availableToStake)} SOL (${sol(body.reserveForFees)} SOL reserved for fees)`,
        ],
        ['minimum stake', `${sol(body.minimumStakeSol)} SOL`],
        ['enough to stake', body.readyToStake ? call.terminal.paintOut('green', 'yes') : 'no'],
      ]),
      ...noticeLines(body.notices, call.terminal.paintOut),
    ]);
    return 'ok';
  },
};

/** Explains idle SOL if a sweep would collect any. Idle SOL stays in staked accounts after `withdraw ALL`. */
const idleLines = (accounts: readonly ShownAccount[]): string[] =>
  accounts.some(
    (account) =>
      readyText(account).endsWith('idle') && account.withdrawableSol > Number(LAMPORTS_PER_SIGNATURE) / 1e9,
  )
    ? ['Idle SOL earns nothing: holdfast sweep withdraws it, holdfast sweep --to stake stakes it.']
    : [];

/** Rounds a sum or a difference to whole lamports, which removes floating-point errors. */
const toLamport = (amountSol: number): number => Math.round(amountSol * 1e9) / 1e9;

export const accounts: Command = {
  name: 'accounts',
  readsWallet: true,
  summary: "List a wallet's stake accounts",
  usage: '[wallet]',
  takes: [0, 1],
  options: {
    all: { description: 'include undelegated accounts and those with other validators' },
    ...DIRECT_OPTIONS,
  },
  examples: ['accounts', 'accounts --all', 'accounts --direct --rpc https://api.mainnet-beta.solana.com'],
  async run(call) {
    const walletAddress = call.walletAddress(call.args[0]);
    const node = directNode(call);
    if (node !== null) {
      const { listStakes } = await import('../direct/list-stakes.ts');
      const found = await listStakes(node, walletAddress);
      rememberListedStakes(call, found);
      printDocument(call, { walletAddress, accounts: found }, () =>
        found.length === 0 ? ['No stake accounts.'] : accountLines(found, call.terminal),
      );
      return 'ok';
    }
    const input = {
      walletAddress,
      ...(call.values.all === true ? { scope: 'all' as const } : {}),
    };
    const sent = await call.client.send('listStakeAccounts', input, { signal: call.signal });
    rememberListedStakes(call, sent.body.accounts);
    const { paintOut } = call.terminal;
    printResponse(call, sent, (body) => [
      ...accountLines(body.accounts, call.terminal),
      ...(body.accounts.length === 0
        ? ['No stake accounts. Create one with: holdfast stake <amountSol>']
        : [`${sol(ownedSol(body.accounts))} SOL in stake accounts`]),
      ...idleLines(body.accounts),
      ...noticeLines(body.notices, paintOut),
    ]);
    return 'ok';
  },
};

/** Sums the balances of the accounts that the wallet may withdraw from, including undelegated accounts. */
export const ownedSol = (accounts: readonly Pick<StakeAccount, 'role' | 'sol'>[]): number =>
  toLamport(accounts.filter(({ role }) => role === 'owner').reduce((sum, one) => sum + one.sol, 0));

/** Sums the idle SOL of accounts that stay staked. */
const idleSol = (accounts: readonly ShownAccount[]): number =>
  toLamport(
    accounts
      .filter((account) => account.role === 'owner' && readyText(account).endsWith('idle'))
      .reduce((sum, { withdrawableSol }) => sum + withdrawableSol, 0),
  );

/** The parts add up to the SOL in stake accounts, as on the page: without rent, which has its own line. */
const portfolioLines = ({ portfolio, accounts, apy }: StakingSummaryAnswer): string[] => {
  const idle = idleSol(accounts);
  const own = accounts.filter(({ role }) => role === 'owner');
  const total = ownedSol(accounts);
  const { activeSol, activatingSol, deactivatingSol, withdrawableSol } = portfolio;
  const holdsStake = own.filter((one) => one.activeSol + one.activatingSol > 0);
  const rent = toLamport(
    holdsStake.reduce(
      (sum, one) => sum + one.sol - one.activeSol - one.activatingSol - one.withdrawableSol,
      0,
    ),
  );
  const locked = toLamport(total - activeSol - activatingSol - withdrawableSol - rent);
  const part = (name: string, amount: number, note = ''): readonly [string, string] | null =>
    amount > 0 ? [`  ${name}`, `${sol(amount)} SOL${note}`] : null;
  return formatPairs([
    ['in the wallet', `${sol(portfolio.liquidSol)} SOL`],
    ['in stake accounts', `${sol(total)} SOL`],
    part('active', toLamport(activeSol - deactivatingSol)),
    part('activating', activatingSol),
    part('deactivating', deactivatingSol),
    part(
      'withdrawable',
      withdrawableSol,
      idle > 0 ? `, of which ${sol(idle)} SOL is idle in accounts with stake` : '',
    ),
    part('rent', rent, ', returned when you withdraw'),
    part('locked', locked),
    ['yield', yearlyYield(apy)],
  ]);
};

/** Returns the command that carries out the recommended action, or undefined if there is none. */
const commandFor = ({ recommendedAction, accounts }: StakingSummaryAnswer): string | undefined => {
  const { action, stakeAccountAddress, amountSol } = recommendedAction;
  if (action === 'STAKE') return 'holdfast stake ALL';
  if (action === 'WAIT') return 'holdfast watch';
  if (action !== 'WITHDRAW') return undefined;
  if (stakeAccountAddress === undefined) return 'holdfast withdraw ALL';
  const isWhole = accounts.some((one) => one.address === stakeAccountAddress && one.withdrawReady);
  return `holdfast withdraw ${plain(stakeAccountAddress)}${isWhole || amountSol === undefined ? '' : ` ${sol(amountSol)}`}`;
};

/** Formats the recommended action. The command is shown only for the wallet of the keypair file. */
const nextLines = (body: StakingSummaryAnswer, call: CommandCall): readonly string[] => {
  const { action, reason } = body.recommendedAction;
  const command = call.args[0] === undefined ? commandFor(body) : undefined;
  return [
    `${call.terminal.paintOut('bold', action)}: ${plain(reason)}`,
    ...(command === undefined ? [] : [`  ${command}`]),
  ];
};

export const summary: Command = {
  name: 'summary',
  readsWallet: true,
  summary: "Show a wallet's SOL, stakes and next step",
  usage: '[wallet]',
  takes: [0, 1],
  examples: ['summary'],
  async run(call) {
    const walletAddress = call.walletAddress(call.args[0]);
    const sent = await call.client.send('stakingSummary', { walletAddress }, { signal: call.signal });
    rememberListedStakes(call, sent.body.accounts);
    const { paintOut } = call.terminal;
    const isCritical = ({ severity }: { readonly severity: string }): boolean => severity === 'critical';
    printResponse(call, sent, (body) => [
      ...noticeLines(body.notices.filter(isCritical), paintOut),
      ...portfolioLines(body),
      ...(body.accounts.length > 0 ? ['', ...accountLines(body.accounts, call.terminal)] : []),
      '',
      ...nextLines(body, call),
      ...noticeLines(
        body.notices.filter((one) => !isCritical(one)),
        paintOut,
      ),
    ]);
    return 'ok';
  },
};

export const status: Command = {
  ...summary,
  name: 'status',
  summary: 'Same as summary',
  examples: ['status'],
};

/** `holdfast list`, an alias with the name that Solana's wallets use. */
export const list: Command = {
  ...accounts,
  name: 'list',
  summary: 'Same as accounts',
  examples: ['list'],
};
