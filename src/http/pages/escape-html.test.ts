// Tests that inserted text can never become markup.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { html, prose } from './escape-html.ts';

it('text is escaped, and our own markup and lists of it are not', () => {
  const evil = `<script>"x" & 'y'</script>`;
  assert.equal(html`<p title="${evil}">${evil}</p>`.markup.includes('<script>'), false);
  assert.equal(
    html`${html`<b>${'a<b'}</b>`}${[html`<i></i>`, 'c>d', 5, null, undefined]}`.markup,
    '<b>a&lt;b</b><i></i>c&gt;d5',
  );
});

it('prose becomes paragraphs and code, with all text escaped', () => {
  assert.equal(prose('a `b<c` d\n\ne&f').markup, '<p>a <code>b&lt;c</code> d</p><p>e&amp;f</p>');
});
