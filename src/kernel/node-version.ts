// Checks the Node version. Refuses unsupported versions, and warns about versions without the October 2026
// security fixes.

/** The oldest supported major release (type stripping without flags, `node:sqlite`, `JSON.rawJSON`). */
const NEEDED_NODE_MAJOR = 26;

/**
 * The first release of Node 26 (21 October 2026) with the fixes for CVE-2026-111497 (Brotli decoder, high)
 * and the TLS and DNS vulnerabilities fixed that day. The builds for macOS in the package registry are older.
 */
export const SECURE_NODE_VERSION = '26.12.1';

const parts = (version: string): readonly number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10));

const isOlder = (version: string, than: string): boolean => {
  const [left, right] = [parts(version), parts(than)];
  const at = right.findIndex((part, index) => (left[index] ?? 0) !== part);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
};

/**
 * Explains why the service cannot start with this Node version, and which command to use instead. Returns
 * undefined if the version is supported.
 */
export const nodeVersionProblem = (version: string = process.versions.node): string | undefined =>
  (parts(version)[0] ?? 0) >= NEEDED_NODE_MAJOR
    ? undefined
    : `Holdfast requires Node ${NEEDED_NODE_MAJOR} but was started with ${version}. Use "npm start": it runs the Node that is pinned in package.json.`;

/**
 * Returns advice about this Node version for operators of a real cluster. Returns undefined if it has the
 * security fixes.
 */
export const nodeSecurityWarning = (version: string = process.versions.node): string | undefined =>
  isOlder(version, SECURE_NODE_VERSION)
    ? `Node ${version} lacks the security fixes of ${SECURE_NODE_VERSION}. Install Node ${SECURE_NODE_VERSION} or newer of the same major from https://nodejs.org and put it first on the PATH: "npm start" then uses it; in a systemd unit, name it in ExecStart.`
    : undefined;
