// The commands that change something on the chain, signed on this machine.

import type { StakingStep } from '../../client/staking/staking-flow.ts';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { acts } from '../act/acts.ts';
import { askBeforeSigning } from '../act/ask-before-signing.ts';
import { createRequestMemory } from '../act/request-memory.ts';
import { requestLines } from '../act/show-request.ts';
import type { Command, CommandCall, CommandOption } from '../command.ts';
import { signWithKeypair } from '../local/keypair-file.ts';
import { bindService } from '../local/known-services.ts';
import { plain } from '../show/plain-text.ts';

const OPTIONS = {
  'transaction-version': {
    value: 'VERSION',
    description: 'transaction message version; both do the same (default: what the service builds)',
    choices: ['legacy', '0'],
  },
  'idempotency-key': {
    value: 'KEY',
    description: 'idempotency key: repeating the command with it does nothing twice (default: a new one)',
  },
} as const satisfies Record<string, CommandOption>;
const DELEGATION_OPTIONS = {
  vote: {
    value: 'ADDRESS',
    description: 'the only validator to stake with (default: HOLDFAST_VOTE_ACCOUNT)',
  },
  ...OPTIONS,
} as const satisfies Record<string, CommandOption>;

const SAFETY =
  'The service builds the transaction. This machine checks it, shows what it does, asks, signs with the keypair file, and submits it. The key never leaves.';

const newKey = (): string => `cli-${crypto.randomUUID()}`;

const showProgress =
  ({ json, terminal }: CommandCall) =>
  (progress: StakingStep): void => {
    if (json) return;
    const { paintOut, out } = terminal;
    const done = paintOut('green', '✓');
    if (progress.step === 'built') out(`${requestLines(progress.prepared, paintOut).join('\n')}\n`);
    else if (progress.step === 'expired')
      out(`${paintOut('yellow', '!')} it expired before it landed; rebuilt for the same request\n`);
    else if (progress.step === 'replanned')
      out(`${paintOut('yellow', '!')} the accounts changed since it was planned; planned anew\n`);
    else if (progress.step === 'signed')
      out(`${done} signed     ${progress.signature}\n  waiting for the cluster\n`);
    else if (progress.step === 'confirmed') {
      const { explorerUrl = '', message = '' } = progress.answer;
      out(`${done} confirmed  ${plain(explorerUrl)}\n  ${plain(message)}\n`);
    }
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
  const askPerson = askBeforeSigning(call);
  const binding = await bindService(call, !call.yes && !call.json);
  // Loaded when it is needed: decoding transactions takes longer to load than most commands to run.
  const { signAndSubmit } = await import('../act/sign-and-submit.ts');
  const { answer, prepared, landed } = await signAndSubmit(call.client, requestOf(walletAddress), {
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
        ...(landed.length > 1 ? { transactions: landed.map((one) => one.answer) } : {}),
      })}\n`,
    );
  return 'ok';
};

/** `holdfast stake` and so on. */
export const actCommands: readonly Command[] = acts.map(
  ({ name, summary, usage, takes, details, options, examples, request, delegates }) => ({
    ...{ name, summary, usage, takes, examples },
    details: [SAFETY, ...(details === undefined ? [] : [details])],
    options: { ...options, ...(delegates ? DELEGATION_OPTIONS : OPTIONS) },
    run: (call) => {
      const asked = request(call.args, call.values);
      return act(call, (walletAddress) => ({ ...asked, walletAddress }) as StakingRequest);
    },
  }),
);
