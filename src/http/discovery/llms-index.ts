// Builds `/llms.txt` in the format of llmstxt.org: a title, a summary, the basics, then lists of links that
// include every operation.
import { referenceLink } from '../docs/docs-shell.ts';
import { existingGuides, markdownPathOf } from '../docs/guides.ts';
import { ACTION_PATH, actionPath, actions } from '../routes/transaction-builders.ts';
import { type DiscoveryFacts, hasMount, mcpRemotes, servedDocuments } from './discovery-facts.ts';
import { identity, SUMMARY } from './llms-guide.ts';

const list = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`];

const link = (name: string, url: string, note: string): string => `- [${name}](${url}): ${note}`;

export const createLlmsIndex = (facts: DiscoveryFacts): string => {
  const { publicUrl, routes } = facts;
  const documents = servedDocuments(facts).filter(({ path }) => path !== '/llms.txt');
  const entry = ({ name, path, note }: (typeof documents)[number]): string =>
    link(name, publicUrl + path, note);
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return `${[
    '# Holdfast',
    `> ${SUMMARY}`,
    identity(facts),
    'Prefer the unsigned builders: the secret key then never leaves its owner. No account or API key is needed. Read the documentation of an operation before its first call; amounts named `...Sol` are SOL, exact to the lamport.',
    ...list('Documents', documents.filter(({ forPrograms }) => forPrograms !== true).map(entry)),
    ...list(
      'Guides',
      existingGuides().map((guide) => link(guide.title, publicUrl + markdownPathOf(guide), guide.summary)),
    ),
    ...tags.flatMap((tag) =>
      list(
        `Operations: ${tag}`,
        routes
          .filter((route) => route.tag === tag)
          .map((route) =>
            link(
              route.operation.summary,
              publicUrl + referenceLink(route),
              `\`${route.method} ${route.path}\``,
            ),
          ),
      ),
    ),
    ...list(
      'Solana Actions',
      hasMount(facts, ACTION_PATH)
        ? actions.map(({ name, title, description }) =>
            link(title, publicUrl + actionPath(name), description),
          )
        : [],
    ),
    ...list(
      'MCP server',
      mcpRemotes(facts).map(({ type, url }) => link(`MCP over ${type}`, url, `${facts.tools.length} tools`)),
    ),
    ...list('Optional', documents.filter(({ forPrograms }) => forPrograms === true).map(entry)),
  ].join('\n\n')}\n`;
};
