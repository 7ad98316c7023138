// Tests that the guides' Markdown renders to the same HTML as on GitHub, and that only Markdown syntax becomes
// markup.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { errorCodes } from '../../kernel/error-codes.ts';
import { html } from '../pages/escape-html.ts';
import { errorFixes } from './error-fixes.ts';
import { existingGuides } from './guides.ts';
import { inline, renderMarkdown } from './markdown.ts';

const places = {
  link: (target: string) => (target.endsWith('.md') ? null : target),
  inserts: { here: html`<hr>` },
};
const bodyOf = (markdown: string): string => renderMarkdown(markdown, places).body.markup;

it('inline syntax covers code, bold and links; everything else is text, and code keeps its characters', () => {
  assert.equal(
    inline('a `**b** <i>` **c `d`** [e `f`](https://g) [h](i.md) <script> 1 * 2 * 3 \\`', places.link).markup,
    'a <code>**b** &lt;i&gt;</code> <strong>c <code>d</code></strong> <a href="https://g">e <code>f</code></a> h &lt;script&gt; 1 * 2 * 3 `',
  );
});

it('pictures are left out, because the service does not serve them', () => {
  assert.equal(bodyOf('a ![The desk](screens/x.png) b'), '<p>a  b</p>');
});

it('headings have the same anchors as on GitHub, and their text is searchable', () => {
  const { title, sections, body } = renderMarkdown(
    '# The `title`\n\nintro\n\n## Same\none\n## Same\n- two\n',
    places,
  );
  assert.equal(title, 'The title');
  assert.deepEqual(
    sections.map(({ id, text }) => [id, text.trim()]),
    [
      ['the-title', 'intro'],
      ['same', 'one'],
      ['same-1', 'two'],
    ],
  );
  assert.match(body.markup, /<h2 id="same-1">/);
});

it('lists, tables, comments and placeholders for generated parts are rendered', () => {
  assert.equal(
    bodyOf('- a\n  b\n- c\n\n1. d\n2. e\n'),
    '<ul><li>a b</li><li>c</li></ul><ol><li>d</li><li>e</li></ol>',
  );
  assert.match(
    bodyOf('| a | b |\n|---|---|\n| `x\\|y` | z |\n'),
    /<th scope="col">a<\/th>.*<td><code>x\|y<\/code><\/td><td>z<\/td>/,
  );
  assert.equal(bodyOf('<!-- a comment -->\n<!-- insert here -->\n<!-- insert nothing -->\n'), '<hr>');
});

it('fenced code stays unchanged, and consecutive labeled blocks become tabs', () => {
  assert.match(bodyOf('```sh\n# a <b>\n```\n'), /<code># a &lt;b&gt;<\/code>/);
  assert.equal(
    bodyOf('- a:\n\n  ```sh\n  b\n    c\n  ```\n\n- d\n').replaceAll(/<pre[^>]*>/g, '<pre>'),
    '<ul><li>a:</li></ul><pre><code>b\n  c</code></pre><ul><li>d</li></ul>',
  );
  const markup = bodyOf('```js one\n1\n```\n\n```js two\n2\n```\n\n```js\n3\n```\n');
  assert.equal(markup.match(/class="tabs"/g)?.length, 1);
  assert.deepEqual(
    [...markup.matchAll(/data-label="(\w+)"/g)].map(([, label]) => label),
    ['one', 'two'],
  );
});

it('every guide exists and leaves no Markdown syntax unparsed', () => {
  const guides = existingGuides();
  assert.ok(guides.length >= 15);
  for (const { file } of guides) {
    const text = readFileSync(new URL(`../../../docs/${file}.md`, import.meta.url), 'utf8');
    const { body, title } = renderMarkdown(text, places);
    assert.notEqual(title, '', file);
    const words = body.markup.replaceAll(/<(pre|code)[\s\S]*?<\/\1>/g, '');
    assert.doesNotMatch(words, /```|\*\*|\]\(|\|--|^#/m, file);
  }
});

it('every error code has a fix in full sentences', () => {
  for (const code of Object.keys(errorCodes) as (keyof typeof errorCodes)[])
    assert.match(errorFixes[code], /^[A-Z].{10,}\.$/, code);
});

it('the fix for an occupied stake address mentions the existing stake first and a new key only after it', () => {
  const [done, otherwise] = errorFixes.STAKE_ADDRESS_OCCUPIED.split('Otherwise');
  assert.match(done!, /`STAKE_DONE`.*`signature`.*do not send it again/);
  assert.doesNotMatch(done!, /key only|new key/);
  assert.match(otherwise!, /new key only if you want another stake/);
});
