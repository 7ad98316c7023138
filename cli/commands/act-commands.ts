// The commands that change something on the chain, signed on this machine.
import { requestKinds, type StakingRequest } from '../../client/staking/staking-request.ts';
import type { Prepared, StakingStep } from '../../client/staking/submit-and-wait.ts';
import { delegates } from '../../src/domain/transaction/transaction-kinds.ts';
import { acts } from '../act/acts.ts';
import { createRequestMemory } from '../act/request-memory.ts';
import { requestLines } from '../act/show-request.ts';
import type { Command, CommandCall, CommandOption } from '../command.ts';
import { signWithKeypair } from '../local/keypair-file.ts';
import { bindService } from '../local/known-services.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';

const OPTIONS = {
  'transaction-version': {
    value: 'VERSION',
    description: 'form of the message; both do the same (default: what the service builds)',
    choices: ['legacy', '0'],
  },
  'idempotency-key': {
    value: 'KEY',
    description: 'names this intent: repeated under the same key it is not done twice (default: a new one)',
  },
} as const satisfies Record<string, CommandOption>;
const DELEGATION_OPTIONS = {
  vote: {
    value: 'ADDRESS',
    description: 'the one validator to stake with; refuse any other (default: HOLDFAST_VOTE_ACCOUNT)',
  },
  ...OPTIONS,
} as const satisfies Record<string, CommandOption>;

const SAFETY =
  'The service builds the transaction; this machine checks its bytes, shows what they do, asks, signs with the keypair file, and submits. The key never leaves.';

const newKey = (): string => `cli-${crypto.randomUUID()}`;

const showProgress =
  ({ json, terminal }: CommandCall) =>
  (progress: StakingStep): void => {
    if (json) return;
    const { paintOut, out } = terminal;
    const done = paintOut('green', '✓');
    if (progress.step === 'built') out(`${requestLines(progress.prepared, paintOut).join('\n')}\n`);
    else if (progress.step === 'expired')
      out(`${paintOut('yellow', '!')} it expired before it landed; built again, for the same intent\n`);
    else if (progress.step === 'signed')
      out(`${done} signed     ${progress.signature}\n  waiting for the cluster\n`);
    else if (progress.step === 'confirmed') {
      const { explorerUrl = '', message = '' } = progress.answer;
      out(`${done} confirmed  ${plain(explorerUrl)}\n  ${plain(message)}\n`);
    }
  };

const approve = async ({ terminal, json, yes, signal }: CommandCall): Promise<boolean> => {
  if (yes || (json && !terminal.canAsk)) return true;
  const answer = await terminal.ask('Sign and send it? [y/N] ', signal);
  return /^y(es)?$/i.test(answer.trim());
};

const approver = (call: CommandCall) => {
  // A program that reads JSON has decided already; a person who cannot answer has not.
  if (!call.yes && !call.json && !call.terminal.canAsk)
    throw new UsageError('nobody can be asked here: add --yes to sign without asking');
  return async (prepared: Prepared): Promise<'sign' | 'decline'> => {
    if (call.json && call.terminal.canAsk && !call.yes)
      call.terminal.err(`${requestLines(prepared, call.terminal.paintErr).join('\n')}\n`);
    return (await approve(call)) ? 'sign' : 'decline';
  };
};

const act = async (
  call: CommandCall,
  requestOf: (walletAddress: string) => StakingRequest,
): Promise<'ok'> => {
  const file = call.keypairFile();
  const walletAddress = call.walletAddress(undefined);
  const key = call.values['idempotency-key'];
  const idempotencyKey = typeof key === 'string' ? key : newKey();
  const version = call.values['transaction-version'];
  const askPerson = approver(call);
  const binding = await bindService(call, !call.yes && !call.json);
  // Loaded when it is needed: decoding transactions takes longer to load than most commands to run.
  const { signAndSubmit } = await import('../act/sign-and-submit.ts');
  const { answer, prepared } = await signAndSubmit(call.client, requestOf(walletAddress), {
    binding,
    idempotencyKey,
    transactionVersion: version === undefined ? undefined : version === '0' ? 0 : 'legacy',
    memory: createRequestMemory(call.terminal.environment, call.client.baseUrl),
    sign: (message) => signWithKeypair(file, walletAddress, message),
    approve: askPerson,
    onStep: showProgress(call),
    now: call.terminal.now,
    signal: call.signal,
  });
  const { stakeAccount, lamports, extraInstructions } = prepared.verdict.recognised;
  if (call.json)
    call.terminal.out(
      `${JSON.stringify({
        ...answer,
        ...(stakeAccount ? { stakeAccountAddress: stakeAccount } : {}),
        ...(lamports === undefined ? {} : { lamports: String(lamports) }),
        walletAddress,
        voteAccount: prepared.voteAccount,
        idempotencyKey,
        ...(extraInstructions.length === 0 ? {} : { extraInstructions }),
      })}\n`,
    );
  return 'ok';
};

/** `holdfast stake` and so on, one command a kind. */
export const actCommands: readonly Command[] = requestKinds.map((kind) => {
  const { summary, usage, takes, details, examples, request } = acts[kind];
  return {
    ...{ name: kind, summary, usage, takes, examples },
    details: [SAFETY, ...(details === undefined ? [] : [details])],
    options: delegates(kind) ? DELEGATION_OPTIONS : OPTIONS,
    run: (call) => {
      const members = request(call.args);
      return act(call, (walletAddress) => ({ kind, walletAddress, ...members }) as StakingRequest);
    },
  };
});
