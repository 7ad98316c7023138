// Checks that no package is younger than a week when it enters the lock file. A fresh version of a taken-over
// package is usually found out within days.

const WEEK_MS = 7 * 86_400_000;

/** Packages that passed this check, as `name@version`, with the date of publication or the date of acceptance. */
export type AcceptedPackages = Readonly<Record<string, string>>;

/** Returns the time of publication, ms since the Unix epoch; null if the registry does not say. */
export type ReadPublished = (name: string, version: string) => Promise<number | null>;

interface PackageName {
  readonly name: string;
  readonly version: string;
}

/**
 * Looks up only packages that are not accepted yet, because a package only grows older. Returns the accepted
 * packages of this lock file, to be stored.
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
    if (at === null) problems.push(`${key}: the registry does not say when it was published`);
    else if (nowMs - at < WEEK_MS)
      problems.push(`${key} is younger than a week: published ${new Date(at).toISOString()}`);
    else known[key] = new Date(at).toISOString().slice(0, 10);
  }
  return { accepted: known, problems, lookedUp };
};
