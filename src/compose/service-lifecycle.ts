// Life cycle of the process: its public URL and its shutdown state. `app.ts` stops everything in order, within
// the deadline.

/** The life cycle for operations, and the switches with which `app.ts` changes it. */
export interface ServiceLife {
  /**
   * Base URL for callers, without a trailing slash; unless configured, empty until the service is listening.
   */
  readonly publicUrl: () => string;
  /** True from the first SIGTERM. */
  readonly draining: () => boolean;
  /** Aborted when the service stops waiting for submissions. */
  readonly lifetime: AbortSignal;
  readonly listensAt: (publicUrl: string) => void;
  readonly drain: () => void;
  readonly end: () => void;
}

/** Creates the life cycle. `publicUrl` is the configured URL, if any. */
export const createServiceLife = (publicUrl = ''): ServiceLife => {
  const ending = new AbortController();
  let url = publicUrl;
  let isDraining = false;
  return {
    publicUrl: () => url,
    draining: () => isDraining,
    lifetime: ending.signal,
    listensAt: (served) => {
      url = served;
    },
    drain: () => {
      isDraining = true;
    },
    end: () => ending.abort(new Error('the service stopped')),
  };
};
