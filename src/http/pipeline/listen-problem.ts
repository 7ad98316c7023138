// Explains to the operator why the service cannot listen on its address, for example because the port is in use.

const NO_SUCH_HOST =
  'HOST is not an address of this machine. Use one that is, e.g. HOST=127.0.0.1 npm start.';

/**
 * Messages by Node's error code. The name lookup errors here only concern `HOST`; other lookups throw their
 * own errors.
 */
const listenProblems: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'The port is already in use. Set PORT to another one, e.g. PORT=3001 npm start.'],
  [
    'EACCES',
    'This user is not allowed to use the port. Set PORT to 1024 or higher, e.g. PORT=3001 npm start.',
  ],
  ['EADDRNOTAVAIL', NO_SUCH_HOST],
  ['ENOTFOUND', NO_SUCH_HOST],
  ['EAI_AGAIN', NO_SUCH_HOST],
]);

/** Explains why the service cannot listen on its address. Returns undefined for every other error. */
export const listenProblem = (error: unknown): string | undefined => {
  const { code, syscall, port } = (error ?? {}) as { code?: unknown; syscall?: unknown; port?: unknown };
  return (syscall === 'listen' || syscall === 'getaddrinfo') && typeof code === 'string'
    ? listenProblems.get(code)?.replace(/^The port/, typeof port === 'number' ? `Port ${port}` : 'The port')
    : undefined;
};
