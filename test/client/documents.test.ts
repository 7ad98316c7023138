// Checks the documents about the client and the command line: the program accepts every command line in them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../cli/all-commands.ts';
import { parseCommandLine } from '../../cli/parse-command-line.ts';

const root = join(import.meta.dirname, '..', '..');
const documentText = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const blocks = (name: string, language: string): string[] =>
  [...documentText(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code!,
  );

test('the program accepts every command line in cli.md', () => {
  const lines = blocks('cli.md', 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('holdfast '));
  assert.ok(lines.length > 10);
  for (const line of lines) {
    const { command } = parseCommandLine(line.split(' ').slice(1), commands);
    assert.ok(command, line);
  }
});

test('cli.md covers every command, and the documents state that no package is published', () => {
  const text = documentText('cli.md');
  for (const { name } of commands.filter((command) => command.name !== 'help'))
    assert.ok(text.includes(`\`${name}`), name);
  assert.match(documentText('client.md'), /\*\*not published\*\*/);
  assert.match(text, /Never install it from a registry/);
});
