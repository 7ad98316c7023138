// Runs one command line: finds the command, provides its input, and converts every outcome into output and an
// exit code.
import { createHoldfastClient } from '../client/holdfast-client.ts';
import { HoldfastError, isHoldfastError } from '../client/holdfast-error.ts';
import { CALL_ABORTED } from '../client/send-call.ts';
import { VERSION } from '../client/version.ts';
import { duration } from '../src/domain/duration.ts';
import { ADDRESS_PATTERN } from '../src/kernel/base58.ts';
import type { Command, CommandCall } from './command.ts';
import { commandHelp, generalHelp } from './command-help.ts';
import { keypairAddress } from './local/keypair-file.ts';
import { warnOfOtherChain } from './local/known-services.ts';
import { type Setting, settingInForce } from './local/option-defaults.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { failureLines, failureOf } from './report-failure.ts';
import { plain } from './show/plain-text.ts';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

const NO_KEYPAIR =
  'no keypair file; specify one with --keypair FILE, or create one with holdfast keygen wallet.json';

const ADDRESS = new RegExp(ADDRESS_PATTERN);

/** Waits shorter than this are not shown. */
const MIN_SHOWN_WAIT_MS = 1_500;

const clientOf = (
  { value: url = '', from }: Setting,
  source: 'cli' | 'mcp-stdio',
  { err, clock, canAsk }: Terminal,
  isQuiet: boolean,
) => {
  if (!/^https?:\/\//i.test(url))
    throw new UsageError(
      `${from === 'holdfast config' ? `the url of ${from}` : from} must begin with http:// or https://`,
    );
  const onSlow = (operation: string, leftMs: number): void => {
    // A submission takes longer, and the display of signed transactions shows how long.
    if (operation !== 'submitTransaction')
      err(`  Waiting for ${url} to respond, for ${duration(Math.ceil(leftMs / 1_000))} at most\n`);
  };
  try {
    return createHoldfastClient({
      baseUrl: url,
      source,
      clock,
      ...(!isQuiet && canAsk && { onSlow }),
      onRetry: ({ errorCode, message }, delayMs) => {
        if (isQuiet || delayMs < MIN_SHOWN_WAIT_MS) return;
        const why =
          errorCode === 'RATE_LIMITED' ? 'The service limits requests, trying' : `${plain(message)} Trying`;
        err(`  ${why} again in ${duration(Math.ceil(delayMs / 1_000))}\n`);
      },
    });
  } catch (error) {
    throw new UsageError(`${from}: ${(error as Error).message}`);
  }
};

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const callOf = (
  { args, values }: CommandLine,
  { name }: Command,
  terminal: Terminal,
  signal: AbortSignal,
): CommandCall => {
  const keypairFileIfAny = (): string | undefined =>
    settingInForce('keypair', terminal.environment, text(values.keypair)).value;
  return {
    args,
    values,
    terminal,
    signal,
    json: values.json === true,
    yes: values.yes === true,
    client: clientOf(
      settingInForce('url', terminal.environment, text(values.url)),
      name === 'mcp' ? 'mcp-stdio' : 'cli',
      terminal,
      values.json === true || name === 'mcp',
    ),
    keypairFileIfAny,
    keypairFile: () => {
      const path = keypairFileIfAny();
      if (path === undefined) throw new UsageError(NO_KEYPAIR);
      return path;
    },
    walletAddress: (given) => {
      if (given !== undefined) {
        if (!ADDRESS.test(given)) throw new UsageError(`${plain(given)} is not a Solana address.`);
        return given;
      }
      const path = keypairFileIfAny();
      if (path === undefined) throw new UsageError('specify a wallet, or a keypair file with --keypair FILE');
      return keypairAddress(path);
    },
  };
};

const runCommand = async (
  line: CommandLine,
  commands: readonly Command[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> => {
  const { command, values } = line;
  if (command === undefined || values.help === true) {
    const lines =
      command === undefined
        ? generalHelp(commands, terminal.columns)
        : commandHelp(command, terminal.columns);
    terminal.out(`${lines.join('\n')}\n`);
    return 0;
  }
  const call = callOf(line, command, terminal, signal);
  if (command.readsWallet) await warnOfOtherChain(call);
  return (await command.run(call)) === 'ok' ? 0 : 1;
};

const quoted = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/**
 * Returns the command line that shows the outcome of a request whose transaction was signed, or which a person
 * can sign with a link. Null for other failures.
 */
const continuation = (
  argv: readonly string[],
  line: CommandLine | undefined,
  { errorCode, signature, signUrl, idempotencyKey }: Readonly<Record<string, unknown>>,
): string | null => {
  const isSigned = typeof signature === 'string' || typeof signUrl === 'string';
  // After these, the same command would be refused again, or would not decide whether to sign again.
  const isFinal = errorCode === 'STILL_POSSIBLE' || errorCode === 'IDEMPOTENCY_KEY_REUSED';
  if (isFinal || !isSigned || typeof idempotencyKey !== 'string') return null;
  const takesKey = Object.hasOwn(line?.command?.options ?? {}, 'idempotency-key');
  if (!takesKey) return null;
  const key = line?.values['idempotency-key'] === undefined ? ['--idempotency-key', idempotencyKey] : [];
  return ['holdfast', ...argv, ...key].map(quoted).join(' ');
};

const interrupted = new HoldfastError({ errorCode: 'ABORTED', operation: 'cli', message: 'Interrupted.' });

/**
 * Waits without a call to the service, such as prompts, reject with the signal's reason. A call with an
 * idempotency key may have changed something, so its error stays.
 */
const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted &&
  (error === signal.reason ||
    (error instanceof Error && error.name === 'AbortError') ||
    (isHoldfastError(error, 'ABORTED') &&
      error.message === CALL_ABORTED &&
      error.idempotencyKey === undefined));

/** Runs `argv` (without node and script) and resolves with the exit code. Rejects only for bugs. */
export const runCli = async (
  argv: readonly string[],
  commands: readonly Command[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> => {
  if (argv.length === 1 && argv[0] === '--version') {
    terminal.out(`${VERSION}\n`);
    return 0;
  }
  let line: CommandLine | undefined;
  try {
    line = parseCommandLine(argv, commands);
    return await runCommand(line, commands, terminal, signal);
  } catch (error) {
    const failure = failureOf(isInterruption(error, signal) ? interrupted : error);
    if (failure === undefined) throw error;
    if (argv.includes('--json')) terminal.err(`${JSON.stringify(failure.body)}\n`);
    else {
      terminal.err(`${failureLines(failure, terminal.paintErr).join('\n')}\n`);
      const next = continuation(argv, line, failure.body);
      if (next !== null)
        terminal.err(
          `  ${failure.body.signUrl === undefined ? 'To continue' : 'Then see the outcome'}: ${plain(next)}\n`,
        );
      const about = (error instanceof UsageError ? error.command : undefined) ?? line?.command?.name;
      if (failure.exitCode === 2)
        terminal.err(`  Help: holdfast ${about === undefined ? 'help' : `${about} --help`}\n`);
    }
    return failure.exitCode;
  }
};
