// Runs the native runtime in a separate process, so a call that never returns blocks no other work. Sends one
// message to its parent and exits when the parent exits. Only this file uses the native module.

import { createRequire } from 'node:module';

/** The only message to the parent. `detail` is the first line of the load error. */
export type SurfnetMessage =
  | { readonly rpcUrl: string; readonly wsUrl: string }
  | { readonly unavailable: string };

type SurfnetModule = {
  Surfnet: {
    startWithConfig(config: {
      offline: boolean;
      blockProductionMode: 'manual';
      slotTimeMs: number;
      airdropSol: number;
    }): {
      readonly rpcUrl: string;
      readonly wsUrl: string;
      /** Empties the runtime's event buffer and returns the events. */
      drainEvents(): unknown[];
    };
  };
};

// The native clock thread would add a block every 75 of these slots. With one-hour slots, it stays idle and the
// epoch engine produces all blocks.
const NATIVE_SLOT_TIME_MS = 3_600_000;

// Writes and transactions add events to a buffer of 1,024 events (Surfpool 1.5.0). The runtime waits while the
// buffer is full.
const DRAIN_EVERY_MS = 100;

const load = (name: string): SurfnetModule | string => {
  try {
    return createRequire(import.meta.url)(name) as SurfnetModule;
  } catch (cause) {
    return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  }
};

const report = (message: SurfnetMessage): void => void process.send?.(message);

// Ctrl-C reaches the whole process group. The parent decides when the runtime stops.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));

const loaded = load(process.argv[2] ?? '');
if (typeof loaded === 'string') {
  report({ unavailable: loaded });
} else {
  const surfnet = loaded.Surfnet.startWithConfig({
    offline: true,
    blockProductionMode: 'manual',
    slotTimeMs: NATIVE_SLOT_TIME_MS,
    airdropSol: 1_000_000_000,
  });
  setInterval(() => surfnet.drainEvents(), DRAIN_EVERY_MS);
  report({ rpcUrl: surfnet.rpcUrl, wsUrl: surfnet.wsUrl });
}
