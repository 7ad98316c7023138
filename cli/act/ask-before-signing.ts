// Asks the person at the terminal whether to sign what was shown.
import type { Prepared, StakingPorts } from '../../client/staking/staking-flow.ts';
import type { CommandCall } from '../command.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';
import { requestLines } from './show-request.ts';

const approve = async ({ terminal, json, yes, signal }: CommandCall): Promise<boolean> => {
  if (yes || (json && !terminal.canAsk)) return true;
  const answer = await terminal.ask('Sign and send it? [y/N] ', signal);
  return /^y(es)?$/i.test(answer.trim());
};

/** What approves each transaction of a command. Throws `UsageError` where nobody can be asked and `--yes` is missing. */
export const askBeforeSigning = (call: CommandCall) => {
  // A program that reads JSON has decided already; a person who cannot answer has not.
  if (!call.yes && !call.json && !call.terminal.canAsk)
    throw new UsageError('cannot ask for confirmation here: add --yes to sign without asking');
  return async (prepared: Prepared): Promise<'sign' | 'decline'> => {
    if (call.json && call.terminal.canAsk && !call.yes)
      call.terminal.err(`${requestLines(prepared, call.terminal.paintErr).join('\n')}\n`);
    return (await approve(call)) ? 'sign' : 'decline';
  };
};

/** Asks the person whether to sign although an earlier signature may still land too. Undefined where nobody can be asked. */
export const askAgainBeforeSigning = (call: CommandCall): StakingPorts['approveAgain'] => {
  if (call.yes || !call.terminal.canAsk) return undefined;
  const ask = askBeforeSigning(call);
  return (prepared, error) => {
    const { signature } = error.body ?? {};
    call.terminal.err(
      `The service says that the first transaction expired. If that is wrong, both will land. Look for it in an explorer: ${plain(signature)}\n`,
    );
    return ask(prepared);
  };
};
