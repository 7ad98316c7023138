#!/usr/bin/env node
// Starts the command line: connects streams, Ctrl-C and the exit code. Everything else is in `run-cli.ts`.
import { commands } from './all-commands.ts';
import { runCli } from './run-cli.ts';
import { processTerminal } from './show/terminal.ts';

const argv = process.argv.slice(2);
const stop = new AbortController();
const interrupt = (): void => {
  stop.abort(new Error('interrupted'));
  // A second Ctrl-C exits immediately.
  process.once('SIGINT', () => process.exit(130));
};
process.once('SIGINT', interrupt);
process.once('SIGTERM', interrupt);
// `holdfast accounts | head` closes the pipe early, which is not an error. It is handled like Ctrl-C, which
// reports the state of a submission: exit code 0 would suggest that the submission had completed.
let isOutputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED' && !isOutputLost) {
    isOutputLost = true;
    process.stderr.write(`✗ The output could not be written: ${error.message}\n`);
    process.exitCode = process.exitCode || 1;
  }
  stop.abort(new Error('the output was closed'));
});
const code = await runCli(argv, commands, processTerminal(argv.includes('--no-color')), stop.signal);
process.exitCode = isOutputLost ? code || 1 : code;
