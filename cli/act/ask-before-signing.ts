// Asks the person at the terminal whether to sign the displayed transaction.
import { HoldfastError } from '../../client/holdfast-error.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { Decision, StakingPorts } from '../../client/staking/run-staking-flow.ts';
import type { CommandCall } from '../command.ts';
import { PolicyRefused } from '../policy/policy-refused.ts';
import { plain } from '../show/plain-text.ts';
import { confirmsWithYes } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { requestLines, sourceOf } from './show-request.ts';
import type { SigningPolicy } from './sign-and-submit.ts';

/**
 * Approves without a question if the transaction or the user's node shows every effect, and the service reports
 * no critical notice about a validator to which it delegates. Throws `HoldfastError` or `PolicyRefused` if only a
 * person can decide. A person who sees the notice may still sign with the link.
 */
export const approveUnattended = async (prepared: Prepared): Promise<'sign'> => {
  const { notices = [], signUrl, signUrlExpiresAt } = prepared.built;
  const critical = notices.find(({ severity }) => severity === 'critical');
  if (critical !== undefined) {
    // Loaded on demand, because loading the transaction decoder takes longer than running most commands.
    const { actOf } = await import('../policy/signed-act.ts');
    if (actOf(prepared).validators.length > 0)
      throw new PolicyRefused({
        code: 'POLICY_NEEDS_PERSON',
        message: `${critical.text} Only a person may stake now. Nothing was signed.`,
        signUrl,
        signUrlExpiresAt,
        idempotencyKey: prepared.record.idempotencyKey,
      });
  }
  const { unknowns } = prepared.effects;
  const [first] = unknowns;
  if (first === undefined) return 'sign';
  throw new HoldfastError({
    errorCode: 'NEEDS_NODE_OR_PERSON',
    operation: 'submitTransaction',
    message: `The transaction alone does not show everything it does, and only the service reports the rest: ${first.text} (${first.account}${unknowns.length > 1 ? ` and ${unknowns.length - 1} more` : ''}). Nothing was signed.`,
    suggestedAction:
      'Specify your own RPC node with --rpc URL, or run the command in a terminal without --yes and read the review. To work without the service, use --direct or holdfast sheet.',
  });
};

const ask = ({ terminal, signal }: CommandCall): Promise<boolean> =>
  confirmsWithYes(terminal, 'Sign and send it?', signal);

/** Maximum wait for the epoch, so a slow service does not let the transaction expire. */
const EPOCH_TIMEOUT_MS = 5_000;

/** True if the epoch of the review has ended, so the transaction may have other effects. False if that is unknown. */
const hasEpochEnded = async (
  { built: { epochTiming } }: Prepared,
  { client, terminal, signal }: CommandCall,
): Promise<boolean> => {
  if (epochTiming === undefined) return false;
  const hasEnded = await client.epoch({}, { signal, retries: 0, timeoutMs: EPOCH_TIMEOUT_MS }).then(
    ({ currentEpoch }) => currentEpoch > epochTiming.currentEpoch,
    () => false,
  );
  if (hasEnded)
    terminal.err(
      `${terminal.paintErr('yellow', '!')} The epoch ended while you decided, so the effects may differ. Nothing was signed. Rebuilding it for the same request.\n`,
    );
  return hasEnded;
};

/** Creates the error for a command that signs only with `--yes`, because there is no person to ask. */
export const noPersonToAsk = (): UsageError =>
  new UsageError('cannot prompt for confirmation here; add --yes to sign without a prompt');

/**
 * Returns the approval function of a command. Throws `UsageError` if there is no person to ask and `--yes` is
 * missing.
 */
export const askBeforeSigning = (call: CommandCall) => {
  if (!call.yes && !call.terminal.canAsk) throw noPersonToAsk();
  return async (prepared: Prepared): Promise<Decision> => {
    if (call.yes) return approveUnattended(prepared);
    if (call.json)
      call.terminal.err(`${requestLines(prepared, call.terminal.paintErr, sourceOf(call)).join('\n')}\n`);
    if (!(await ask(call))) return 'decline';
    return (await hasEpochEnded(prepared, call)) ? 'rebuild' : 'sign';
  };
};

/**
 * Returns a function that asks the person at the terminal for the approval that a policy requires. Undefined
 * if there is no person to ask.
 */
export const askForPolicy = (call: CommandCall): SigningPolicy['ask'] => {
  if (!call.terminal.canAsk) return undefined;
  // Without --yes, the person has just read and accepted the review.
  if (!call.yes) return async () => true;
  return async (prepared, question) => {
    // On a screen, the review of the text output is just above.
    const review =
      call.terminal.isScreen && !call.json
        ? []
        : requestLines(prepared, call.terminal.paintErr, sourceOf(call));
    call.terminal.err(`${[...review, plain(question)].join('\n')}\n`);
    return ask(call);
  };
};

/**
 * Returns a function that asks the person to approve a signature even though an earlier signed transaction
 * may still land. Undefined if there is no person to ask.
 */
export const askAgainBeforeSigning = (call: CommandCall): StakingPorts['approveDespiteOpenSignature'] => {
  if (call.yes || !call.terminal.canAsk) return undefined;
  const askFirst = askBeforeSigning(call);
  return (prepared, error) => {
    const { signature } = error.body ?? {};
    call.terminal.err(
      `The service says the first transaction expired. If that is wrong, both will land. Look it up in an explorer first: ${plain(signature)}\n`,
    );
    return askFirst(prepared);
  };
};
