// Checks that no package is younger than a week when it enters the lock file. A malicious version of a hijacked
// package is usually discovered within days.

const WEEK_MS = 7 * 86_400_000;

/**
 * Packages that passed this check, as `name@version`, with the date on which they were published or accepted.
 */
export type AcceptedPackages = Readonly<Record<string, string>>;

/** Returns the time of publication in ms since the Unix epoch, or null if the registry does not state it. */
export type ReadPublished = (name: string, version: string) => Promise<number | null>;

interface PackageName {
  readonly name: string;
  readonly version: string;
}

/**
 * Looks up only packages that have not been accepted yet, because accepted ones only get older. Returns the
 * accepted packages of this lock file, to be stored.
 */
export const checkAges = async (
  packages: readonly PackageName[],
  accepted: AcceptedPackages,
  published: ReadPublished,
  nowMs: number,
) => {
  const known: Record<string, string> = {};
  const problems: string[] = [];
  let lookedUp = 0;
  for (const { name, version } of packages) {
    const key = `${name}@${version}`;
    if (accepted[key] !== undefined) {
      known[key] = accepted[key];
      continue;
    }
    lookedUp += 1;
    const at = await published(name, version);
    if (at === null) problems.push(`${key}: the registry does not state when it was published`);
    else if (nowMs - at < WEEK_MS)
      problems.push(`${key} is younger than a week: published ${new Date(at).toISOString()}`);
    else known[key] = new Date(at).toISOString().slice(0, 10);
  }
  return { accepted: known, problems, lookedUp };
};
