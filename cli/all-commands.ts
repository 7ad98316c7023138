// Lists every command of the command line.
import { VERSION } from '../client/version.ts';
import { type Command, printDocument } from './command.ts';
import { commandHelp, generalHelp } from './command-help.ts';
import { alerts } from './commands/alerts-command.ts';
import { audit } from './commands/audit-command.ts';
import { call } from './commands/call-command.ts';
import { completion } from './commands/completion-command.ts';
import { config } from './commands/config-command.ts';
import { history, rewards } from './commands/history-commands.ts';
import { keygen } from './commands/keygen-command.ts';
import { mcp } from './commands/mcp-command.ts';
import { airdrop, epoch, simulate, validator } from './commands/network-commands.ts';
import { policy } from './commands/policy-command.ts';
import { actCommands } from './commands/run-stake-command.ts';
import { sheet } from './commands/sheet-command.ts';
import { attach } from './commands/transactions/attach-command.ts';
import { build } from './commands/transactions/build-command.ts';
import { nonce } from './commands/transactions/nonce-command.ts';
import { rebuild } from './commands/transactions/rebuild-command.ts';
import { show } from './commands/transactions/show-command.ts';
import { sign, submit } from './commands/transactions/sign-command.ts';
import { verify } from './commands/transactions/verify-command.ts';
import { trust } from './commands/trust-command.ts';
import { accounts, balance, list, status, summary } from './commands/wallet-commands.ts';
import { watch } from './commands/watch-command.ts';
import { webhooks } from './commands/webhooks-command.ts';
import { unknownCommand } from './parse-command-line.ts';

const help: Command = {
  name: 'help',
  summary: 'Show this help, or the help of a command',
  usage: '[command]',
  takes: [0, 1],
  examples: ['help stake'],
  async run({ args: [name], terminal }) {
    const command = commands.find((each) => each.name === name);
    if (name !== undefined && command === undefined) throw unknownCommand(name, commands);
    const lines =
      command === undefined
        ? generalHelp(commands, terminal.columns)
        : commandHelp(command, terminal.columns);
    terminal.out(`${lines.join('\n')}\n`);
    return 'ok';
  },
};

const version: Command = {
  name: 'version',
  summary: 'Show the version of this program',
  usage: '',
  takes: [0, 0],
  examples: ['version', 'version --json'],
  async run(call) {
    printDocument(call, { version: VERSION }, () => [VERSION]);
    return 'ok';
  },
};

export const commands: readonly Command[] = [
  balance,
  summary,
  accounts,
  list,
  status,
  sheet,
  simulate,
  ...actCommands,
  history,
  rewards,
  alerts,
  watch,
  webhooks,
  verify,
  rebuild,
  build,
  nonce,
  show,
  sign,
  attach,
  submit,
  trust,
  validator,
  epoch,
  config,
  keygen,
  airdrop,
  mcp,
  policy,
  audit,
  call,
  completion(() => commands),
  version,
  help,
];
