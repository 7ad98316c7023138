// Runs test files of the project unchanged, in separate processes, under another parameter set.
import assert from 'node:assert/strict';
import { PARAMETERS_VARIABLE, type ParameterSetName } from './parameter-sets.ts';
import { spawnProcess } from './spawned-process.ts';
import type { Scope } from './temporary-folder.ts';

/**
 * Runs the files whose paths contain one of `words` under the set `name` and returns how many tests passed.
 * Rejects with the output if one failed.
 */
export const runUnder = async (
  scope: Scope,
  name: ParameterSetName,
  words: readonly string[],
): Promise<number> => {
  const run = spawnProcess(scope, {
    file: 'scripts/test.ts',
    args: words,
    env: { [PARAMETERS_VARIABLE]: name },
  });
  const { code } = await run.ended;
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(run.stdout) ?? [];
  assert.ok(code === 0 && failed === '0', `under the set ${name}:\n${run.stdout}\n${run.stderr}`);
  return Number(passed);
};
