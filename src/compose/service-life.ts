// The life of the process, from the first request to the last submission: where it is reached, whether it stops, and when work must end.

/** The ports that operations see, and the switches of the composition root. */
export interface ServiceLife {
  /** Base URL for callers, no trailing slash; empty until the service listens, unless a setting names it. */
  readonly publicUrl: () => string;
  /** True from the first SIGTERM on. */
  readonly draining: () => boolean;
  /** Aborts when the service stops waiting for submissions. */
  readonly lifetime: AbortSignal;
  readonly listensAt: (publicUrl: string) => void;
  readonly drain: () => void;
  readonly end: () => void;
}

/** Starts a life. `publicUrl` is the one from the settings, if any. */
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
