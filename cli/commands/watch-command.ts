// The command that watches a wallet live until Ctrl-C. It redraws a table on a terminal, and prints one line
// per change elsewhere.

import type { StakingSummaryAnswer } from '../../client/generated/stake-operations.ts';
import { type ObservedChange, watchWallet } from '../../client/watch-wallet.ts';
import { readWholeNumber } from '../amount-argument.ts';
import type { Command, CommandCall } from '../command.ts';
import { epochBar } from '../show/epoch-bar.ts';
import { instant, sol, timeZoneLine } from '../show/format-cells.ts';
import { plain, plainResponse } from '../show/plain-text.ts';
import type { Terminal } from '../show/terminal.ts';
import type { Paint } from '../show/terminal-colors.ts';
import { accountLines, ownedSol } from './wallet-commands.ts';

const REDRAW_MS = 1_000;

const signed = (from: number, to: number): string => {
  const lamports = Math.round((to - from) * 1e9);
  return `${lamports < 0 ? '-' : '+'}${sol(Math.abs(lamports) / 1e9)}`;
};

const balances = ({ portfolio, accounts }: StakingSummaryAnswer, paint: Paint): string =>
  `${paint('bold', `${sol(portfolio.liquidSol)} SOL`)} in the wallet, ${paint('bold', `${sol(ownedSol(accounts))} SOL`)} in stake accounts`;

const words = (change: ObservedChange, paint: Paint): string => {
  switch (change.type) {
    case 'watching':
      return `watching: ${balances(change.summary, (_, text) => text)}`;
    case 'liquid_changed':
      return `wallet ${signed(change.fromSol, change.toSol)} SOL, now ${sol(change.toSol)}`;
    case 'account_added':
      return `new stake account ${plain(change.account.address)}: ${sol(change.account.sol)} SOL, ${change.account.state}`;
    case 'account_removed':
      return `stake account ${plain(change.account.address)} was removed`;
    case 'account_state_changed':
      return `${plain(change.account.address)}: ${change.from} → ${paint('bold', change.to)}`;
    case 'account_balance_changed':
      return `${plain(change.account.address)}: ${signed(change.fromSol, change.toSol)} SOL, now ${sol(change.toSol)}`;
    case 'withdraw_ready':
      return paint(
        'green',
        `${plain(change.account.address)} can be withdrawn: ${sol(change.account.sol)} SOL`,
      );
    case 'epoch_changed':
      return `epoch ${change.to}`;
    case 'interrupted':
      return paint('yellow', `no response: ${plain(change.error.message)} Retrying.`);
    case 'resumed':
      return 'the service is responding again';
  }
};

const lines = (change: ObservedChange, terminal: Terminal): string[] => [
  `${terminal.paintOut('dim', instant(change.observedAt, 'second').slice(11))}  ${words(change, terminal.paintOut)}`,
  ...(change.type === 'watching' ? [...accountLines(change.summary.accounts, terminal), timeZoneLine()] : []),
];

/** Formats a change as JSON, with the details of an error, which `JSON.stringify` would omit. */
const asJson = (change: ObservedChange): string =>
  JSON.stringify(
    change.type === 'interrupted'
      ? { ...change, error: { errorCode: change.error.errorCode, message: change.error.message } }
      : change,
  );

/** Makes a change safe to print on a terminal. Errors are sanitized later, when they are printed. */
const harmless = (change: ObservedChange): ObservedChange =>
  change.type === 'interrupted' ? change : plainResponse(change);

/** Number of changes shown below the table. */
const SHOWN_CHANGES = 8;

/** Returns the screen's lines: the wallet, the epoch as a bar, and the latest changes. */
const screenLines = (
  summary: StakingSummaryAnswer,
  agoMs: number,
  recent: readonly string[],
  terminal: Terminal,
): string[] => [
  balances(summary, terminal.paintOut),
  ...(summary.epochTiming ? [epochBar(summary.epochTiming, agoMs)] : []),
  '',
  ...(summary.accounts.length > 0 ? [...accountLines(summary.accounts, terminal), ''] : []),
  ...recent,
  ...(recent.length > 0 ? [timeZoneLine()] : []),
];

/** Redraws the screen every second and after every change. */
const watchOnScreen = async (call: CommandCall, changes: AsyncIterable<ObservedChange>): Promise<void> => {
  const { terminal, client, signal } = call;
  let summary: StakingSummaryAnswer | undefined;
  let readAt = 0;
  const recent: string[] = [];
  const draw = (): void => {
    if (summary === undefined) return;
    const drawn = screenLines(summary, terminal.clock.now() - readAt, recent, terminal);
    // Moves the cursor to the top, clears the rest of each line, and clears everything below.
    terminal.out(`\u001b[H${drawn.map((line) => `${line}\u001b[K`).join('\n')}\n\u001b[J`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  terminal.out('\u001b[2J');
  try {
    for await (const change of changes) {
      if (change.type === 'watching') summary = plainResponse(change.summary);
      else {
        recent.push(...lines(harmless(change), terminal));
        recent.splice(0, recent.length - SHOWN_CHANGES);
        // If a read fails, the last summary stays on the screen, and `changes` reports the outage.
        const read = client.stakingSummary({ walletAddress: summary!.walletAddress }, { signal });
        summary = await read.then(plainResponse, () => summary);
      }
      readAt = terminal.clock.now();
      draw();
    }
  } finally {
    clearInterval(timer);
  }
};

export const watch: Command = {
  name: 'watch',
  readsWallet: true,
  summary: 'Watch a wallet live until you press Ctrl-C',
  usage: '[wallet]',
  takes: [0, 1],
  details: [
    'In a terminal, redraws the table and the epoch. Otherwise prints one line per change, or one JSON object per line with --json.',
  ],
  options: { interval: { value: 'SECONDS', description: 'how often to check, 1 to 3600 (default 10)' } },
  examples: ['watch', 'watch --interval 2 --json'],
  async run(call) {
    const seconds = readWholeNumber(call.values.interval, '--interval', [1, 3600]) ?? 10;
    const walletAddress = call.walletAddress(call.args[0]);
    const { json, terminal, signal } = call;
    const changes = watchWallet(call.client, walletAddress, {
      signal,
      intervalMs: seconds * 1000,
      clock: terminal.clock,
    });
    if (terminal.isScreen && !json) await watchOnScreen(call, changes);
    else
      for await (const change of changes)
        terminal.out(json ? `${asJson(change)}\n` : `${lines(harmless(change), terminal).join('\n')}\n`);
    return 'ok';
  },
};
