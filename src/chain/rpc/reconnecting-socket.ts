// A WebSocket that reconnects after every loss, to the next URL and after a growing pause.
import { pause } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;

export interface ReconnectingSocketOptions {
  /** URLs used in rotation. They may contain secrets and are never shown. */
  readonly urls: readonly string[];
  readonly clock: Clock;
  /** Timeout of the handshake, in ms. */
  readonly handshakeMs: number;
  /** Time without any message after which an open connection is dropped, in ms. Default: none. */
  readonly silenceMs?: number;
  readonly onOpen: () => void;
  readonly onMessage: (data: unknown) => void;
  /** Called when the connection is lost or could not be opened. */
  readonly onLost: () => void;
}

/** The socket. At most one connection is open at a time, and messages of earlier ones are dropped. */
export interface ReconnectingSocket {
  readonly isOpen: boolean;
  /** Time of the last message, or of the connection attempt, on the given clock. */
  readonly heardAtMs: number;
  /** Sends a JSON-RPC request. Does nothing while no connection is open. */
  readonly request: (id: number, method: string, params: readonly unknown[]) => void;
  /** Marks the connection as useful, which resets the pause after its loss. */
  readonly noteUseful: () => void;
  readonly drop: () => void;
  /** Reconnects while `isWanted`, until the signal is aborted. Must not run twice concurrently. */
  readonly run: (isWanted: () => boolean, signal: AbortSignal) => Promise<void>;
}

/** Creates a socket. Nothing is opened before `run`. */
export const createReconnectingSocket = (options: ReconnectingSocketOptions): ReconnectingSocket => {
  const { urls, clock, handshakeMs, silenceMs = Number.POSITIVE_INFINITY } = options;
  let open: WebSocket | undefined;
  let drop: (() => void) | undefined;
  let [turn, failures, heardAtMs] = [0, 0, 0];

  const watchSilence = async (drop: () => void, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const leftMs = heardAtMs + (open === undefined ? handshakeMs : silenceMs) - clock.steadyNow();
      if (leftMs <= 0) return drop();
      await clock.sleep(Math.min(leftMs, handshakeMs), signal);
    }
  };

  /** Runs one connection. Does not wait for the closing handshake, which a dead connection never completes. */
  const connect = async (url: string, signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    const ended = Promise.withResolvers<void>();
    const socket = new WebSocket(url);
    const end = () => {
      over.abort();
      socket.close();
      ended.resolve();
    };
    const until = { signal: over.signal };
    drop = end;
    heardAtMs = clock.steadyNow();
    socket.addEventListener(
      'open',
      () => {
        open = socket;
        heardAtMs = clock.steadyNow();
        options.onOpen();
      },
      until,
    );
    socket.addEventListener(
      'message',
      ({ data }) => {
        heardAtMs = clock.steadyNow();
        options.onMessage(data);
      },
      until,
    );
    socket.addEventListener('error', end, until);
    socket.addEventListener('close', end, until);
    signal.addEventListener('abort', end, until);
    watchSilence(end, over.signal).catch(() => undefined);
    await ended.promise;
    [open, drop] = [undefined, undefined];
    options.onLost();
  };

  return {
    get isOpen() {
      return open?.readyState === WebSocket.OPEN;
    },
    get heardAtMs() {
      return heardAtMs;
    },
    request: (id, method, params) => {
      if (open?.readyState === WebSocket.OPEN)
        open.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    },
    noteUseful: () => {
      failures = 0;
    },
    drop: () => drop?.(),
    run: async (isWanted, signal) => {
      while (urls.length > 0 && isWanted() && !signal.aborted) {
        await connect(urls[turn++ % urls.length]!, signal);
        if (!isWanted()) return;
        await pause(clock, Math.min(FIRST_PAUSE_MS * 2 ** failures++, MAX_PAUSE_MS), signal);
      }
    },
  };
};
