// Runs npm for the SBOM of a lock file, the publication time of a version, and the registry's audit.
import { spawnSync } from 'node:child_process';
import type { ReadPublished } from './check-ages.ts';
import type { Component } from './check-licenses.ts';

/** Fields of the SBOM that are used here. */
export interface Sbom {
  readonly components: readonly Component[];
  readonly metadata: { readonly component: { name: string } };
}

const npm = (root: string, args: readonly string[]) =>
  spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

// Some packages declare optional peers, and npm would refuse the tree because of the peers' versions.
const FROM_LOCK = ['--package-lock-only', '--legacy-peer-deps'];

/** Returns the SBOM in CycloneDX. Throws with npm's message if the lock file cannot be read. */
export const readSbom = (root: string, name: string): Sbom => {
  const { stdout, stderr } = npm(root, ['sbom', '--sbom-format', 'cyclonedx', ...FROM_LOCK]);
  const sbom = parsed(stdout) as Sbom | null;
  if (sbom === null || !Array.isArray(sbom.components)) throw new Error(`npm sbom failed: ${stderr.trim()}`);
  // npm names the root component after the folder.
  sbom.metadata.component.name = name;
  return sbom;
};

export const publicationTimes =
  (root: string): ReadPublished =>
  async (name, version) => {
    const times = parsed(npm(root, ['view', name, 'time', '--json']).stdout);
    const at = Date.parse((times as Record<string, string> | null)?.[version] ?? '');
    return Number.isNaN(at) ? null : at;
  };

/** Result of the audit: the problems, or the reason why no audit was available. */
export type Audit = { readonly problems: readonly string[] } | { readonly unavailable: string };

/** Queries the registry for known vulnerabilities in the locked versions. */
export const readAudit = (root: string): Audit => {
  const { stdout, stderr } = npm(root, ['audit', '--json', ...FROM_LOCK]);
  const response = parsed(stdout) as {
    readonly message?: string;
    readonly vulnerabilities?: Readonly<
      Record<string, { readonly severity: string; readonly range: string }>
    >;
  } | null;
  if (response?.vulnerabilities === undefined)
    return { unavailable: response?.message ?? (stderr.trim().split('\n')[0] || 'no response') };
  return {
    problems: Object.entries(response.vulnerabilities).map(
      ([name, { severity, range }]) => `${name} ${range} has a known vulnerability (${severity}): npm audit`,
    ),
  };
};
