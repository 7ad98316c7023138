#!/usr/bin/env node
// The command line's process: streams, Ctrl-C and the exit code; everything else is `run-cli.ts`.
import { commands } from './all-commands.ts';
import { runCli } from './run-cli.ts';
import { processTerminal } from './show/terminal.ts';

const argv = process.argv.slice(2);
const stop = new AbortController();
const interrupt = (): void => {
  stop.abort(new Error('interrupted'));
  // A second Ctrl-C ends at once.
  process.once('SIGINT', () => process.exit(130));
};
process.once('SIGINT', interrupt);
process.once('SIGTERM', interrupt);
// `holdfast accounts | head` closes the pipe early: that is no failure. What is under way is left as by Ctrl-C, which says where a
// submission stands: an exit code of 0 would say that it is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  stop.abort(new Error('nobody reads the output'));
});
process.exitCode = await runCli(argv, commands, processTerminal(argv.includes('--no-color')), stop.signal);
