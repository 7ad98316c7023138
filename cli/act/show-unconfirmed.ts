// Shows that a signed transaction is not confirmed yet, and how long it can still land.
import { BUSY_AFTER_MS, type StakingState } from '../../client/staking/staking-states.ts';
import { duration } from '../../src/domain/duration.ts';
import type { CommandCall } from '../command.ts';

const REDRAW_MS = 1_000;

/**
 * Returns a text that fits in 80 columns, because only one line is redrawn. `silent` is the receiver of a
 * transaction that it has not acknowledged; null once it has, because only then the network is the cause.
 */
const sendingText = (leftMs: number, silent: string | null): string => {
  const left = duration(Math.ceil(leftMs / 1_000));
  if (silent !== null)
    return `  ${silent} has not answered yet${leftMs > 0 ? `, waiting for ${left} at most` : ''}`;
  return leftMs > 0
    ? `  The network is busy, sending again, for ${left} at most`
    : '  The network is busy, checking whether the transaction landed';
};

/**
 * Returns a function to call with every state of the flow. While a signed transaction has no outcome, it
 * shows a countdown on a terminal, and prints the text once elsewhere. `receiver` names what receives it.
 */
export const createSendingDisplay = (
  { out, clock, isScreen }: CommandCall['terminal'],
  receiver: string,
): ((state: Pick<StakingState, 'name' | 'record'>) => void) => {
  let isDelivered = false;
  let shown: { readonly ended: AbortController; isDrawn: boolean } | null = null;
  const show = async (expiresAtMs: number, display: NonNullable<typeof shown>): Promise<void> => {
    for (let waitMs = BUSY_AFTER_MS; ; waitMs = REDRAW_MS) {
      await clock.sleep(waitMs, display.ended.signal);
      const text = sendingText(expiresAtMs - clock.now(), isDelivered ? null : receiver);
      if (!isScreen) return out(`${text}\n`);
      out(`\r\u001b[K${text}`);
      display.isDrawn = true;
    }
  };
  return ({ name, record: { expiresAtMs, signedTransaction } }) => {
    // A person's wallet sent it if this machine does not have the bytes.
    isDelivered = name === 'submitted' || signedTransaction === undefined;
    if (name === 'signed' || name === 'submitted') {
      if (shown !== null || expiresAtMs === undefined) return;
      shown = { ended: new AbortController(), isDrawn: false };
      // This rejects only when the wait is aborted.
      show(expiresAtMs, shown).catch(() => undefined);
    } else if (shown !== null) {
      shown.ended.abort();
      if (shown.isDrawn) out('\r\u001b[K');
      shown = null;
    }
  };
};
