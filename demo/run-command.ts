// Runs the command line as a program, like a user's shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CommandEnd, RunCommand } from './life-cli.ts';
import { MAX_WAITS, type Wait } from './send-with-rate-limit.ts';

const PROGRAM = join(import.meta.dirname, '..', 'cli', 'main.ts');

/**
 * Returns the seconds after which a refused command may be repeated; 0 if it must not be repeated. Only a
 * rate-limited command may be repeated, because it has had no effect.
 */
const waitSeconds = ({ code, stderr }: CommandEnd): number => {
  if (code === 0 || !stderr.startsWith('{')) return 0;
  const { errorCode, retryAfterSeconds } = JSON.parse(stderr);
  return errorCode === 'RATE_LIMITED' ? Number(retryAfterSeconds ?? 0) : 0;
};

/** Wraps `run` and repeats commands that hit the rate limit. */
export const retryingRunner =
  (run: RunCommand, wait: Wait): RunCommand =>
  async (args) => {
    for (let waits = 0; ; waits += 1) {
      const end = await run(args);
      const seconds = waitSeconds(end);
      if (!(seconds > 0) || waits === MAX_WAITS) return end;
      await wait(seconds);
    }
  };

/**
 * Creates a function that runs commands against the service at `url`. Files are stored in `folder`. Standard
 * input is empty, so no command asks questions.
 */
export const commandRunner =
  (url: string, folder: string): RunCommand =>
  async (args) => {
    const child = spawn(process.execPath, [PROGRAM, ...args, '--url', url], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, XDG_CONFIG_HOME: folder },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  };
