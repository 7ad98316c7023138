// Runs a file of the project in a separate process with a known environment. The process always ends with its
// scope.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { patience } from './patience.ts';
import type { Scope } from './temporary-folder.ts';

const projectFolder = join(import.meta.dirname, '..', '..');

interface SpawnOptions {
  /** Path relative to the project folder, or absolute. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Added to a clean environment. Settings of the surrounding process are never inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. Default: the project folder. */
  readonly cwd?: string;
  /** Program that runs the file. Default: the current Node. */
  readonly node?: string;
  /** Keeps stdin open as long as the current process lives. Default: no stdin. */
  readonly keepsInput?: boolean;
}

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const settingNames =
  /^(HOLDFAST_.*|PORT|HOST|LOG_LEVEL|DATABASE_URL|REDIS_URL|NODE_OPTIONS|NODE_TEST_CONTEXT|npm_.*)$/;

/** Returns this process's environment without any setting of the service, the test runner or npm. */
export const cleanEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || settingNames.test(name) ? [] : [[name, value]],
    ),
  );

/** A running process and everything it printed. */
export class SpawnedProcess {
  readonly child: ChildProcess;
  /** Settles when the process has ended and its output is complete. */
  readonly ended: Promise<ProcessEnd>;
  #stdout = '';
  #stderr = '';
  #closed = false;
  readonly #watchers = new Set<() => void>();

  constructor({
    file,
    args = [],
    env = {},
    cwd = projectFolder,
    node = process.execPath,
    keepsInput = false,
  }: SpawnOptions) {
    this.child = spawn(node, [join(file.startsWith('/') ? '/' : projectFolder, file), ...args], {
      cwd,
      env: { ...cleanEnvironment(), ...env },
      stdio: [keepsInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#notify();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#notify();
    });
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    // A failed start rejects `ended` or `output`. The rejection must not count as unhandled if nothing awaits
    // it.
    this.ended.catch(() => undefined);
    this.child.once('close', () => {
      this.#closed = true;
      this.#notify();
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /**
   * Resolves with the match once stdout or stderr contains `pattern`. Rejects with the whole output if the
   * process ends first or `signal` is aborted.
   */
  output(pattern: RegExp, signal: AbortSignal = patience()): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#watchers.delete(look);
        signal.removeEventListener('abort', give);
        finish();
      };
      const printed = () => `\n--- stdout\n${this.#stdout}\n--- stderr\n${this.#stderr}`;
      const give = () => settle(() => reject(new Error(`no output matched ${pattern} in time${printed()}`)));
      const look = () => {
        const match = pattern.exec(this.#stdout) ?? pattern.exec(this.#stderr);
        if (match) settle(() => resolve(match));
        else if (this.#closed)
          settle(() => reject(new Error(`the process ended without printing ${pattern}${printed()}`)));
        else if (signal.aborted) give();
      };
      this.#watchers.add(look);
      signal.addEventListener('abort', give);
      look();
    });
  }

  /** Sends a signal and waits until the process has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessEnd> {
    if (!this.hasEnded) this.child.kill(signal);
    return this.ended;
  }
}

/** Starts a process that is killed when the scope ends, even after an error. */
export const spawnProcess = (scope: Scope, options: SpawnOptions): SpawnedProcess => {
  const spawned = new SpawnedProcess(options);
  scope.after(async () => {
    if (!spawned.hasEnded) await spawned.stop('SIGKILL');
  });
  return spawned;
};
