// Runs a checking tool from node_modules with this Node and converts its exit code into a check result.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type CheckResult, checkResult } from './check-result.ts';

/**
 * Runs `node_modules/<script>` with `args` in `root`. Any exit code other than 0 is reported as a problem,
 * together with the tool's output.
 */
export const runTool = async (
  root: string,
  name: string,
  script: string,
  args: readonly string[],
): Promise<CheckResult> => {
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return checkResult(name, code === 0 ? [] : [printed.trim() || `ended with ${signal ?? `code ${code}`}`]);
};
