// Loads Surfpool's native module for this platform, or says how to do without it; the only file that touches the module.

import { createRequire } from 'node:module';

/** The part of the native `Surfnet` class that the sandbox uses; every call blocks the thread, usually for under a millisecond. */
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
  /** Takes what happened out of the runtime's buffer. */
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

/** No native runtime runs here; the message tells how to use another cluster. */
export class SandboxUnavailableError extends Error {
  override readonly name = 'SandboxUnavailableError';
}

function unavailable(reason: string, cause?: unknown): SandboxUnavailableError {
  return new SandboxUnavailableError(
    `The sandbox cluster cannot run here: ${reason} Point Holdfast at another cluster instead: set HOLDFAST_RPC_URL and ` +
      'HOLDFAST_VOTE_ACCOUNT (and HOLDFAST_MEMO, HOLDFAST_DONATION_ADDRESS), for example to a local or devnet RPC.',
    { cause },
  );
}

// The native clock thread would add blocks of its own every 75 of these: at an hour it sleeps, and the epoch engine makes all blocks.
const NATIVE_SLOT_TIME_MS = 3_600_000;

// The runtime's buffer of events holds 1,024 (Surfpool 1.5.0). A write puts two into it while it holds the runtime's lock; with the buffer full it
// waits for ever, and with it this thread, so that nothing is left that could take events out.
const WRITES_PER_DRAIN = 100;
// Transactions put events into it too, while this thread is free.
const DRAIN_EVERY_MS = 100;

/** The runtime with its buffer of events kept empty; `onCall` is called after each call that came back. */
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

/** How a runtime is started. */
type SurfnetOptions = {
  /** Default: this one, such as `linux-x64`. */
  readonly platform?: string;
  /** Called after each write and each block: the runtime answers. */
  readonly onCall?: () => void;
};

/**
 * Starts one offline Surfpool runtime whose blocks are made by hand; about 30 ms (measured November 2026, 2 cores).
 * @throws {SandboxUnavailableError} when no module exists for this platform or it does not load.
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
