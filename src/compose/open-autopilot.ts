// Starts the autopilot: it looks in the one process that is elected for it, and its offers are delivered by whichever process claims them.
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import { createAutopilot, createAutopilotLoop } from '../events/autopilot.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Store } from '../store/store.ts';

/** What it works with. */
export interface AutopilotParts {
  readonly store: Pick<Store, 'policies' | 'outbox' | 'leadership'>;
  readonly reads: SolanaReads;
  readonly cluster: ClusterState;
  readonly feeReserveLamports: bigint;
  readonly wakeDelivery: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A running autopilot. */
export interface RunningAutopilot {
  /** Looks at once, if this process is the one that looks. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

/** Starts it. */
export const openAutopilot = (parts: AutopilotParts): RunningAutopilot => {
  const { store, clock, logger } = parts;
  const autopilot = createAutopilot({
    ...parts,
    policies: store.policies,
    outbox: store.outbox,
  });
  const loop = createAutopilotLoop(autopilot, clock, logger);
  const stop = new AbortController();
  const running = store.leadership.lead('autopilot', loop.run, stop.signal);
  return {
    wake: loop.wake,
    close: async () => {
      stop.abort(new Error('the service stopped'));
      await running;
    },
  };
};
