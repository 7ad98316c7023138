// Loads Surfpool's native module for this platform, or throws an error that names the alternative. Only this
// file uses the module.

import { createRequire } from 'node:module';

/**
 * The methods of the native `Surfnet` class that the sandbox uses. Every call blocks the thread, usually for
 * under a millisecond.
 */
export type Surfnet = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** `data` must be a plain number array: a `Uint8Array` is refused. `lamports` is exact up to 2^53. */
  setAccount(address: string, lamports: number, data: number[], owner: string): void;
  /** Confirms the current block, then moves to `slot`; refuses to go back. */
  timeTravelToSlot(slot: number): { absoluteSlot: number; blockHeight: number; epoch: number };
  stop(): void;
};

type NativeSurfnet = Surfnet & {
  /** Empties the runtime's event buffer and returns the events. */
  drainEvents(): unknown[];
};

type SurfnetModule = {
  Surfnet: {
    startWithConfig(config: {
      offline: boolean;
      blockProductionMode: 'manual';
      slotTimeMs: number;
      airdropSol: number;
    }): NativeSurfnet;
  };
};

const MODULES: Readonly<Record<string, string>> = {
  'linux-x64': '@solana/surfpool-linux-x64-gnu',
  'darwin-arm64': '@solana/surfpool-darwin-arm64',
  'darwin-x64': '@solana/surfpool-darwin-x64',
};

/** The native runtime does not run on this machine. The message names the alternative. */
export class SandboxUnavailableError extends Error {
  override readonly name = 'SandboxUnavailableError';
}

function unavailable(reason: string, cause?: unknown): SandboxUnavailableError {
  return new SandboxUnavailableError(
    `The sandbox cluster cannot run here: ${reason} Use another cluster instead: set HOLDFAST_RPC_URL and ` +
      'HOLDFAST_VOTE_ACCOUNT (and HOLDFAST_MEMO, HOLDFAST_DONATION_ADDRESS), for example to a local or devnet RPC.',
    { cause },
  );
}

// The native clock thread would add a block every 75 of these slots. With one-hour slots it stays idle, and
// the epoch engine produces all blocks.
const NATIVE_SLOT_TIME_MS = 3_600_000;

// Number of calls between two reads of the event buffer, which holds 1,024 events (Surfpool 1.5.0). A write
// adds two events while it holds the runtime's lock. If the buffer is full, the write waits forever and
// blocks this thread, the only one that could empty the buffer.
const WRITES_PER_DRAIN = 100;
// Transactions add events too, even while this thread is idle.
const DRAIN_EVERY_MS = 100;

/** Wraps the runtime and keeps its event buffer empty. `onCall` is called after each completed call. */
function drained(native: NativeSurfnet, onCall: () => void): Surfnet {
  let writes = 0;
  const drain = (): void => {
    writes = 0;
    native.drainEvents();
  };
  const timer = setInterval(drain, DRAIN_EVERY_MS).unref();
  return {
    rpcUrl: native.rpcUrl,
    wsUrl: native.wsUrl,
    setAccount: (...account) => {
      native.setAccount(...account);
      writes += 1;
      if (writes >= WRITES_PER_DRAIN) drain();
      onCall();
    },
    timeTravelToSlot: (slot) => {
      drain();
      const position = native.timeTravelToSlot(slot);
      onCall();
      return position;
    },
    stop: () => {
      clearInterval(timer);
      native.stop();
    },
  };
}

/** Options of a runtime. */
type SurfnetOptions = {
  /** Default: the current platform, such as `linux-x64`. */
  readonly platform?: string;
  /** Called after each write and each block. */
  readonly onCall?: () => void;
};

/**
 * Starts an offline Surfpool runtime that produces blocks only on request. Takes about 30 ms (November 2026,
 * 2 cores).
 * @throws {SandboxUnavailableError} if there is no module for this platform or it does not load.
 */
export function startSurfnet({
  platform = `${process.platform}-${process.arch}`,
  onCall = () => undefined,
}: SurfnetOptions = {}): Surfnet {
  const name = MODULES[platform];
  if (name === undefined) throw unavailable(`there is no native Solana runtime for ${platform}.`);
  let loaded: SurfnetModule;
  try {
    loaded = createRequire(import.meta.url)(name) as SurfnetModule;
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw unavailable(`the native module ${name} did not load (${detail}).`, cause);
  }
  const native = loaded.Surfnet.startWithConfig({
    offline: true,
    blockProductionMode: 'manual',
    slotTimeMs: NATIVE_SLOT_TIME_MS,
    airdropSol: 1_000_000_000,
  });
  return drained(native, onCall);
}
