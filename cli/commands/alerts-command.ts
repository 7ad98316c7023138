// Implements `alerts`, which shows once or continuously who changed the authorities of a wallet's stakes.
import type { WalletAlert, WalletAlertsAnswer } from '../../client/generated/stake-operations.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { readWholeNumber } from '../amount-argument.ts';
import { type Command, type CommandCall, printResponse } from '../command.ts';
import { instant, timeZoneLine } from '../show/format-cells.ts';
import { plain, plainResponse } from '../show/plain-text.ts';
import type { Paint } from '../show/terminal-colors.ts';

const COLOURS = { critical: 'red', warning: 'yellow', info: 'dim' } as const;

const alertLines = ({ level, type, timestamp, data, explanation }: WalletAlert, paint: Paint): string[] => [
  `${timestamp === null ? '-' : instant(timestamp)}  ${paint(COLOURS[level], level)}  ${type.replaceAll('_', ' ')}  ${plain(data.stakeAccountAddress)}`,
  ...explanation.map((line) => `  ${plain(line)}`),
  `  transaction ${plain(data.signature)}, signed by ${data.signedBy.map(plain).join(', ')}`,
];

const lines = ({ alerts, rescuable, nextCursor, warnings }: WalletAlertsAnswer, paint: Paint): string[] => [
  ...alerts.flatMap((alert) => alertLines(alert, paint)),
  ...(alerts.length === 0 ? ['No authority of these stakes has changed.'] : [timeZoneLine()]),
  ...(rescuable.length > 0
    ? [
        `${rescuable.length} can be recovered with holdfast rescue:`,
        ...rescuable.map((one) => `  ${plain(one)}`),
      ]
    : []),
  ...(nextCursor ? [`For more, add --cursor ${plain(nextCursor)}`] : []),
  ...warnings.map((warning) => paint('yellow', plain(warning))),
];

const keyOf = ({ type, data }: WalletAlert): string =>
  `${type} ${data.stakeAccountAddress} ${data.signature}`;

/** Prints new alerts as they are found. Continues after outages. */
const watchAlerts = async (call: CommandCall, walletAddress: string, intervalMs: number): Promise<void> => {
  const { client, terminal, signal, json } = call;
  const seen = new Set<string>();
  if (!json) terminal.out(`Waiting for alerts. ${timeZoneLine()}\n`);
  for (;;) {
    try {
      const response = await client.walletAlerts({ walletAddress, limit: 100 }, { signal });
      for (const alert of response.alerts.toReversed()) {
        if (seen.has(keyOf(alert))) continue;
        seen.add(keyOf(alert));
        terminal.out(
          json
            ? `${JSON.stringify(alert)}\n`
            : `${alertLines(plainResponse(alert), terminal.paintOut).join('\n')}\n`,
        );
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isHoldfastError(error) || !error.retryable) throw error;
    }
    await terminal.clock.sleep(intervalMs, signal).catch(() => undefined);
    if (signal?.aborted) return;
  }
};

export const alerts: Command = {
  name: 'alerts',
  readsWallet: true,
  summary: "List changes to who controls a wallet's stakes",
  usage: '[wallet]',
  takes: [0, 1],
  options: {
    watch: { description: 'run until Ctrl-C and print each new alert' },
    interval: { value: 'SECONDS', description: 'with --watch: how often to check, 10 to 3600 (default 60)' },
    limit: { value: 'COUNT', description: 'how many, 1 to 100 (default 20)' },
    cursor: { value: 'CURSOR', description: 'continue after the end of an earlier list' },
  },
  examples: ['alerts', 'alerts --watch'],
  async run(call) {
    const { cursor, watch } = call.values;
    const seconds = readWholeNumber(call.values.interval, '--interval', [10, 3600]) ?? 60;
    const limit = readWholeNumber(call.values.limit, '--limit', [1, 100]);
    const walletAddress = call.walletAddress(call.args[0]);
    if (watch) {
      await watchAlerts(call, walletAddress, seconds * 1_000);
      return 'ok';
    }
    const input = {
      walletAddress,
      ...(limit === undefined ? {} : { limit }),
      ...(typeof cursor === 'string' ? { cursor } : {}),
    };
    const sent = await call.client.send('walletAlerts', input, { signal: call.signal });
    printResponse(call, sent, (body) => lines(body, call.terminal.paintOut));
    return 'ok';
  },
};
