// Checks the licenses of all packages in an SBOM: each license must be known, and copyleft licenses are allowed
// only in tools.

/** The fields of a CycloneDX component that are used here, as npm writes them. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    /** SPDX expression. */
    readonly expression?: string;
  }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** Licenses that permit our use of the packages, as SPDX identifiers. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unicode-DFS-2016',
  'Unlicense',
]);

/** Licenses allowed only in development packages, which are not distributed. */
const ALLOWED_IN_TOOLS = new Set(['LGPL-3.0-only', 'MPL-2.0']);

/** Packages without a usable license field, with the license in their LICENSE file (read on 2026-11-27). */
const READ_BY_US: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/inspector@2.12.0': 'MIT OR Apache-2.0',
  'eyes@0.1.8': 'MIT',
  'text-encoding-utf-8@1.0.2': 'Unlicense',
};

const isTool = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** Returns the license as an SPDX expression; null if the package states none. */
const licenseOf = ({ name, version, licenses = [] }: Component): string | null => {
  const [first, ...others] = licenses;
  const found = first?.expression ?? first?.license?.id ?? null;
  return (others.length === 0 ? found : null) ?? READ_BY_US[`${name}@${version}`] ?? null;
};

/**
 * True if one alternative of the expression is allowed. Expressions with AND or WITH must be checked by a
 * person.
 */
const isAllowed = (license: string, tool: boolean): boolean =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => ALLOWED.has(one) || (tool && ALLOWED_IN_TOOLS.has(one)));

/** Lists packages by license, and the problems. */
export const checkLicenses = (components: readonly Component[]) => {
  const lines = components.map((one) => {
    const license = licenseOf(one);
    const problem =
      license === null
        ? 'has no license that npm can read: read its LICENSE file and add it to READ_BY_US'
        : isAllowed(license, isTool(one))
          ? null
          : `has the license ${license}, which is not allowed${isTool(one) ? '' : ' in what we distribute'}`;
    return { package: `${one.name}@${one.version}`, license, use: isTool(one) ? 'tool' : 'service', problem };
  });
  return {
    list: lines
      .map((one) => `${one.license ?? 'UNKNOWN'}\t${one.package}\t${one.use}`)
      .toSorted()
      .join('\n'),
    problems: lines.flatMap((one) => (one.problem === null ? [] : [`${one.package} ${one.problem}`])),
  };
};
