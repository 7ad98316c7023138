// Generates and formats the files of the typed client, and compares them with the committed ones.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { mcpResources, RESOURCE_TYPE } from '../../src/mcp/resources.ts';
import { answerShapeOf, describeTools } from '../../src/mcp/tool-schemas.ts';
import { mcpTools } from '../../src/mcp/tools.ts';
import { type CheckResult, checkResult } from '../checks/check-result.ts';
import { type GeneratedFiles, writeGeneratedFiles } from './write-operations.ts';

/** Folder of the generated files, relative to the project. */
export const GENERATED_FOLDER = 'client/generated';

const BIOME = 'node_modules/@biomejs/biome/bin/biome';

/**
 * Writes the tools for `holdfast mcp`: the service's tools, except those that take a secret key, and its
 * resources. They are built in because a process with access to a key file must not take tool descriptions
 * from a service.
 */
const writeMcpTools = (): string => {
  const tools = mcpTools.filter(({ carriesSecretKey }) => carriesSecretKey !== true);
  const resources = mcpResources.map(({ uri, name, title, description }) => ({
    uri,
    name,
    title,
    description,
    mimeType: RESOURCE_TYPE,
  }));
  const shapes = (entries: readonly (readonly [string, Parameters<typeof answerShapeOf>[0]])[]) =>
    JSON.stringify(
      Object.fromEntries(entries.map(([name, one]) => [name, JSON.stringify(answerShapeOf(one))])),
    );
  return `// The tools of the service that take no secret key, as \`tools/list\` shows them, its resources, and the shapes of their answers.
// Made by scripts/client-generate.ts from the tool tables; never edited by hand.
export const serviceTools: readonly object[] = ${JSON.stringify(describeTools(tools))};

export const serviceResources = ${JSON.stringify(resources)} as const;

/** Shape of the answer of each tool, and of each resource by its address: an \`AnswerShape\` as JSON text. */
export const answerShapes: Readonly<Record<string, string>> = ${shapes([
    ...tools.map((tool) => [tool.name, tool] as const),
    ...mcpResources.map((resource) => [resource.uri, resource] as const),
  ])};
`;
};

/**
 * Returns the generated files, formatted by the project's rules. Uses a temporary folder, so that concurrent
 * checks never see a partially written file.
 */
export const generatedFiles = (root: string): GeneratedFiles => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-client-'));
  try {
    const written = new Map([...writeGeneratedFiles(allRoutes), ['mcp-tools.ts', writeMcpTools()]]);
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    for (const [name, text] of written) writeFileSync(join(folder, name), text);
    const { status, stderr } = spawnSync(process.execPath, [join(root, BIOME), 'check', '--write', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the generated client cannot be formatted:\n${stderr}`);
    return new Map([...written.keys()].map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Writes the generated files and removes obsolete ones. */
export const writeGeneratedClient = (root: string): readonly string[] => {
  const files = generatedFiles(root);
  const folder = join(root, GENERATED_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  return [...files.keys()];
};

/** Checks that the committed files match the routes. */
export const checkGeneratedClient = (root: string): CheckResult => {
  const files = generatedFiles(root);
  const folder = join(root, GENERATED_FOLDER);
  const present = existsSync(folder) ? readdirSync(folder) : [];
  const stale = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const problems = [
    ...stale.map(([name]) => `${GENERATED_FOLDER}/${name} does not match the routes`),
    ...present
      .filter((name) => !files.has(name))
      .map((name) => `${GENERATED_FOLDER}/${name} is not generated`),
  ];
  return checkResult(
    'generated client',
    problems.length === 0 ? [] : [...problems, 'run: node scripts/run.mjs scripts/client-generate.ts'],
    [`${allRoutes.length} operations`],
  );
};
