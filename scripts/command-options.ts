// Reads the options of the project's commands. Prints the usage for `--help` and a single sentence for a usage
// error, never a stack trace.
import { type ParseArgsConfig, parseArgs } from 'node:util';

const sentenceOf = (error: unknown): string => {
  const { message } = error as Error;
  // The rest of Node's message is about arguments that begin with a dash.
  return `${message.split(/\. |\n/, 1)[0]!.replace(/\.$/, '')}.`;
};

/** Returns the given options. For `--help` (exit code 0) and for invalid options (exit code 2), prints `usage` and ends the process. */
export const readOptions = <Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> => {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${sentenceOf(error)}\n\n${usage}`);
    process.exit(2);
  }
};
