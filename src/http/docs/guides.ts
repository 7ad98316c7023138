// Lists the guides: the documents in docs/ that this service serves, with their order and titles.
import { existsSync, readFileSync } from 'node:fs';
import type { Html } from '../pages/escape-html.ts';
import type { Route } from '../pipeline/route.ts';
import { type MarkdownPlaces, type RenderedMarkdown, renderMarkdown } from './markdown.ts';

/** Menu sections in display order. */
export const GROUPS = ['Start', 'Build', 'Check', 'Operate'] as const;

type Row = readonly [file: string, group: (typeof GROUPS)[number], title: string, summary: string];

/** Each guide consists of a file `docs/<file>.md` and a row here. */
const ROWS: readonly Row[] = [
  ['quick-start', 'Start', 'Quick start', 'A stake in five minutes'],
  ['link', 'Start', 'Link and button', 'Stake from your site without code'],
  ['actions', 'Start', 'Solana Actions', 'Blinks and wallet links'],
  ['cli', 'Start', 'Command line', 'Stake from a terminal; keys stay there'],
  ['python', 'Start', 'Python', 'Stake from Python; check each byte first'],
  ['recommended-action', 'Start', 'What to do next', 'The advice in each response, state by state'],
  ['cookbook', 'Start', 'Cookbook', 'Four complete agents'],
  ['sign', 'Build', 'Sign with your wallet', 'kit, web3.js, wallet-adapter, React'],
  ['fee-payer', 'Build', 'Sponsored fees', 'Pay someone else’s network fee'],
  ['client', 'Build', 'Typed client', 'For browsers and Node, no dependencies'],
  ['webhooks', 'Build', 'Webhooks', 'Signed events, with a catalog'],
  ['mcp', 'Build', 'Agents (MCP)', 'Tools for agents; transactions signed on your side'],
  ['autopilot', 'Build', 'Autopilot', 'Get stake offers under a signed policy'],
  ['errors', 'Build', 'Errors', 'Every code and what to do'],
  ['risks', 'Check', 'Staking and its risks', 'What happens to your SOL, and when you get it back'],
  ['verify', 'Check', 'Verify', 'Check transactions and code yourself'],
  ['idempotency', 'Check', 'Idempotency', 'What a repeated request gets'],
  ['guarantees', 'Check', 'Guarantees', 'What is guaranteed, and the test that proves it'],
  ['landing', 'Check', 'Busy network', 'How many stakes land with each priority fee, measured'],
  ['discovery', 'Check', 'Discovery', 'How programs find this service'],
  ['operate', 'Operate', 'Operate', 'Production: backup, upgrade, alerts'],
  ['settings', 'Operate', 'Settings', 'Every environment variable'],
  ['versions', 'Operate', 'Changelog and versions', 'What changed, and what stays compatible'],
];

const DOCS = new URL('../../../docs/', import.meta.url);

export interface Guide {
  readonly file: string;
  readonly path: string;
  readonly group: (typeof GROUPS)[number];
  readonly title: string;
  readonly summary: string;
}

const fileOf = (file: string): URL => new URL(`${file}.md`, DOCS);
const pathOf = (file: string): string => `/docs/guides/${file}`;

export const existingGuides = (): readonly Guide[] =>
  ROWS.filter(([file]) => existsSync(fileOf(file))).map(([file, group, title, summary]) => ({
    file,
    group,
    title,
    summary,
    path: pathOf(file),
  }));

/**
 * Converts links between documents to links between guides. Links to documents that are not served become plain
 * text.
 */
const linkIn =
  (guides: readonly Guide[]): MarkdownPlaces['link'] =>
  (target) => {
    if (/^(https?:|#|\/)/.test(target)) return target;
    const [path = '', fragment] = target.split('#');
    const guide = guides.find(({ file }) => path === `${file}.md`);
    return guide === undefined ? null : guide.path + (fragment === undefined ? '' : `#${fragment}`);
  };

/** Returns the changelog without the file's title. */
const changelogText = (): string => {
  const text = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  return text.slice(text.indexOf('\n## ')).replaceAll('](docs/', '](');
};

export const readChangelog = (guides: readonly Guide[]): Html =>
  renderMarkdown(changelogText(), { link: linkIn(guides), inserts: {} }).body;

/**
 * Matches sections that are shown only if the service has one-shot calls, and sections shown only if it has
 * none. The latter are in a comment, which GitHub hides.
 */
const WITH_ONE_SHOT = /<!-- with one-shot -->\n([\s\S]*?)<!-- end -->\n/g;
const WITHOUT_ONE_SHOT = /<!-- without one-shot\n([\s\S]*?)-->\n/g;

const INSERT = /^<!-- insert (\S+) -->$/gm;
/** Matches a link to another document, with its text, file and fragment. */
const LINK = /\[([^\]]+)\]\(([\w./-]+)\.md(#[^)]*)?\)/g;

const forOneShot = (text: string, takesKeys: boolean): string =>
  text.replaceAll(WITH_ONE_SHOT, takesKeys ? '$1' : '').replaceAll(WITHOUT_ONE_SHOT, takesKeys ? '' : '$1');

/** Facts of the service that the guides contain. */
interface GuideFacts {
  readonly publicUrl: string;
  readonly voteAccount: string | undefined;
  readonly routes: readonly Pick<Route, 'carriesSecretKey'>[];
}

/**
 * Returns the text of `guide` for the service at `publicUrl`. Commands to copy contain the URL of this service
 * and its validator.
 */
const guideText = (guide: Guide, { publicUrl, voteAccount, routes }: GuideFacts): string => {
  const takesKeys = routes.some(({ carriesSecretKey }) => carriesSecretKey === true);
  const text = forOneShot(readFileSync(fileOf(guide.file), 'utf8'), takesKeys);
  // Guides for operators keep local addresses, because operators run the commands on the machine itself.
  return guide.group === 'Operate'
    ? text
    : text
        .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/stake\.example\.com/g, publicUrl)
        .replaceAll('<VOTE_ACCOUNT>', voteAccount ?? '<VOTE_ACCOUNT>');
};

/** Renders the document of `guide`. */
export const readGuide = (
  guide: Guide,
  guides: readonly Guide[],
  facts: GuideFacts,
  inserts: MarkdownPlaces['inserts'] = {},
): RenderedMarkdown => renderMarkdown(guideText(guide, facts), { link: linkIn(guides), inserts });

/** Returns the path of a guide as Markdown, for programs. */
export const markdownPathOf = ({ path }: Pick<Guide, 'path'>): string => `${path}.md`;

/**
 * Returns the document of `guide` as Markdown. Links lead to the Markdown of other guides, and links to documents
 * that are not served become plain text.
 */
export const readGuideMarkdown = (
  guide: Guide,
  guides: readonly Guide[],
  facts: GuideFacts,
  inserts: Readonly<Record<string, string>> = {},
): string =>
  guideText(guide, facts)
    .replaceAll(INSERT, (_, name: string) => (name === 'changelog' ? changelogText() : (inserts[name] ?? '')))
    .replaceAll(LINK, (_, text: string, file: string, fragment = '') => {
      const target = guides.find((one) => one.file === file);
      return target === undefined
        ? text
        : `[${text}](${facts.publicUrl}${markdownPathOf(target)}${fragment})`;
    });
