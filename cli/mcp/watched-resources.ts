// Follows the resources that the client watches over one stream from the service, which is reopened whenever
// it ends.
import type { ClientClock } from '../../client/client-clock.ts';
import { isWatchable, LISTEN, MAX_WATCHED, watchedIn } from '../../src/mcp/resource-uris.ts';
import type { RemoteMcp } from './remote-mcp.ts';
import { isAddress } from './tool-arguments.ts';

/** Pause before the stream is reopened, in milliseconds. */
const RETRY_MS = 5_000;

export interface WatchedResources {
  /** Watches a resource. Returns false if the resource has no updates, or if too many resources are being watched. */
  readonly subscribe: (uri: string) => boolean;
  readonly unsubscribe: (uri: string) => void;
  /**
   * Records which resources `message` starts or stops watching. Returns the message to process in its place.
   */
  readonly observe: <Message>(message: Message) => Message;
  readonly close: () => void;
}

type Request = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { requestId?: unknown };
};

/** Creates the registry of watched resources. It sends nothing until a resource is watched. */
export const createWatchedResources = (
  remote: Pick<RemoteMcp, 'listen'>,
  clock: ClientClock,
  onUpdate: (uri: string) => void,
): WatchedResources => {
  /** Watched resources by the id of the request that subscribed to them. */
  const byRequest = new Map<unknown, readonly string[]>();
  /** Resources watched over an earlier stream. Changes may have been missed since it ended. */
  const followed = new Set<string>();
  let stop = new AbortController();

  const watched = (): readonly string[] => [...new Set([...byRequest.values()].flat())];

  const follow = async (uris: readonly string[], { signal }: AbortController): Promise<void> => {
    const onOpen = (): void => {
      for (const uri of uris) {
        if (followed.has(uri)) onUpdate(uri);
        followed.add(uri);
      }
    };
    while (!signal.aborted) {
      // A stream that the service or the network ended is reopened, because such failures are temporary.
      await remote.listen(uris, { onOpen, onUpdate }, signal).catch(() => undefined);
      await clock.sleep(RETRY_MS, signal).catch(() => undefined);
    }
  };

  const change = (request: unknown, uris: readonly string[]): void => {
    if (uris.length > 0) byRequest.set(request, uris);
    else if (!byRequest.delete(request)) return;
    stop.abort();
    stop = new AbortController();
    const now = watched();
    for (const uri of followed) if (!now.includes(uri)) followed.delete(uri);
    if (now.length > 0) void follow(now, stop);
  };

  const canWatch = (uri: string): boolean => isWatchable(uri, isAddress);

  return {
    subscribe: (uri) => {
      if (!canWatch(uri) || new Set([...watched(), uri]).size > MAX_WATCHED) return false;
      change(uri, [uri]);
      return true;
    },
    unsubscribe: (uri) => change(uri, []),
    observe: (message) => {
      const { id, method, params } = message as Request;
      if (method === 'notifications/cancelled') change(`listen ${params?.requestId}`, []);
      if (method !== LISTEN) return message;
      const known = new Set(watched());
      const { message: kept, uris } = watchedIn(message, (uri) => {
        if (!canWatch(uri) || (!known.has(uri) && known.size >= MAX_WATCHED)) return false;
        known.add(uri);
        return true;
      });
      change(`listen ${id}`, uris);
      return kept;
    },
    close: () => {
      byRequest.clear();
      stop.abort();
    },
  };
};
