// Checks the documents: every relative link leads to an existing file and heading, and the settings table
// matches the code.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { withSettingsTable } from '../../src/config/settings-help.ts';
import { headingAnchor } from '../../src/http/docs/markdown.ts';
import { type CheckResult, checkResult } from './check-result.ts';

const LINK = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g;

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/**
 * Builds heading anchors as GitHub does: in lower case, without punctuation, with dashes for spaces, and
 * numbered if headings repeat.
 */
export const headingAnchors = (markdown: string): ReadonlySet<string> => {
  const anchors = new Set<string>();
  for (const [, heading = ''] of markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6}\s+(.+?)\s*$/gm)) {
    headingAnchor(heading, anchors);
  }
  return anchors;
};

const linkProblem = (root: string, path: string, link: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? join(root, path) : resolve(dirname(join(root, path)), decodeURI(file));
  if (!existsSync(target)) return `${path} links to ${link}, which does not exist`;
  if (!anchor || !target.endsWith('.md') || statSync(target).isDirectory()) return undefined;
  return headingAnchors(readFileSync(target, 'utf8')).has(anchor)
    ? undefined
    : `${path} links to ${link}, but there is no such heading`;
};

/** Checks the links in every Markdown file of the project at `root`. */
export const checkLinks = (root: string): CheckResult => {
  const paths = globSync(['*.md', '{docs,src,sandbox,demo,bench,test}/**/*.md'], { cwd: root }).sort();
  let count = 0;
  const problems = paths.flatMap((path) => {
    const links = [...withoutCode(readFileSync(join(root, path), 'utf8')).matchAll(LINK)].map(
      ([, link]) => link ?? '',
    );
    count += links.length;
    return links.flatMap((link) => linkProblem(root, path, link) ?? []);
  });
  return checkResult('links', problems, [`${count} links in ${paths.length} documents`]);
};

/** Checks that docs/settings.md contains the settings table generated from the code. */
export const checkSettingsTable = (root: string): CheckResult => {
  const path = join(root, 'docs', 'settings.md');
  if (!existsSync(path)) return checkResult('settings', ['docs/settings.md does not exist']);
  const page = readFileSync(path, 'utf8');
  const wanted = withSettingsTable(page);
  if (wanted === undefined)
    return checkResult('settings', ['docs/settings.md lacks the markers around the table of settings']);
  return checkResult(
    'settings',
    wanted === page
      ? []
      : ['the table differs from the code; run: node scripts/run.mjs scripts/settings-table.ts'],
  );
};
