// Life cycle of the process: its public URL, whether it is stopping, and the deadline for work. `app.ts`
// stops everything in order.

/** The ports for operations, and the switches for the composition root. */
export interface ServiceLife {
  /** Base URL for callers, no trailing slash; empty until the service listens, unless configured. */
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
