// The commands that change the chain and sign on this machine.

import { HoldfastError, isHoldfastError } from '../../client/holdfast-error.ts';
import type { TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { CarriedOut } from '../../client/staking/run-staking-flow.ts';
import { Declined, interruptedError, StoppedHalfway } from '../../client/staking/staking-errors.ts';
import {
  type Priority,
  type StakingRequest,
  type SubmitAnswer,
  stakingService,
} from '../../client/staking/staking-request.ts';
import { type Completed, isAlreadyApproved, type StakingState } from '../../client/staking/staking-states.ts';
import { priorityLevels } from '../../src/domain/priority-levels.ts';
import type { ActFacts } from '../act/act-document.ts';
import { askAgainBeforeSigning, askBeforeSigning, askForPolicy } from '../act/ask-before-signing.ts';
import { ALL, createResolver } from '../act/resolve-arguments.ts';
import { accountsBeforeLines } from '../act/show-accounts-before.ts';
import { priorityFeeIn, priorityFeeText, requestLines, sourceOf } from '../act/show-request.ts';
import { createSendingDisplay } from '../act/show-unconfirmed.ts';
import { createSignatureLedger, type SignatureLedger } from '../act/signature-ledger.ts';
import { type Act, acts, addressIn } from '../act/stake-commands.ts';
import { touchedAccounts, waitUntilStakeChanged } from '../act/wait-until-stake-changed.ts';
import { readAmount } from '../amount-argument.ts';
import { type Command, type CommandCall, type CommandOption, printJson } from '../command.ts';
import type { RpcNode } from '../direct/call-rpc-node.ts';
import { allStakes, directFigures, directNode, directService, RPC_OPTION } from '../direct/open-direct.ts';
import { signWithKeypair } from '../local/keypair-file.ts';
import { bindService, rememberedService } from '../local/known-services.ts';
import { clusterOf, openPolicy, POLICY_OPTION } from '../policy/open-policy.ts';
import { explorerLink, readyAt, timeZone } from '../show/format-cells.ts';
import { plain } from '../show/plain-text.ts';
import type { Paint } from '../show/terminal-colors.ts';
import { UsageError } from '../usage-error.ts';

const OPTIONS = {
  ...RPC_OPTION,
  ...POLICY_OPTION,
  'dry-run': { description: 'show and check everything without signing or sending' },
  wait: { description: 'wait until no affected account is activating or deactivating' },
  'transaction-version': {
    value: 'VERSION',
    description:
      'transaction message version: all have the same effect, and auto is legacy (default: set by the service)',
    choices: ['legacy', '0', '1', 'auto'],
  },
  priority: {
    value: 'LEVEL',
    description:
      'priority fee while the network is busy: none, low, medium, high, or the most lamports to pay (default: none)',
    suggestions: priorityLevels,
  },
  'idempotency-key': {
    value: 'KEY',
    description:
      'idempotency key: a repeated command with the same key has no second effect (default: a new one)',
  },
} as const satisfies Record<string, CommandOption>;
const DELEGATION_OPTIONS = {
  vote: {
    value: 'ADDRESS',
    description: 'the only validator to stake with (default: HOLDFAST_VOTE_ACCOUNT)',
  },
  ...OPTIONS,
} as const satisfies Record<string, CommandOption>;

/** Replaces the descriptions for commands that also work without a service. */
const ACT_DIRECT_OPTIONS = {
  direct: { description: 'do not use a service, only an RPC node; covers stake with any validator' },
  rpc: {
    value: 'URL',
    description:
      'your RPC node: checks what the service reports (saved for its cluster), or replaces it with --direct (default then: the one in holdfast config, else in solana config)',
  },
} as const satisfies Record<string, CommandOption>;

const SAFETY =
  'The service builds the transaction. This machine checks it, shows what it does, asks for confirmation, signs it with the keypair file and submits it. The key never leaves this machine.';

/** Reads a priority level or a number of lamports. Throws `UsageError` for anything else. */
const readPriority = (given: string | boolean | undefined): Priority | undefined => {
  if (typeof given !== 'string') return undefined;
  const level = priorityLevels.find((one) => one === given);
  if (level !== undefined) return level;
  if (/^\d{1,9}$/.test(given)) return { maxLamports: Number(given) };
  throw new UsageError(
    `--priority is none, low, medium, high, or the most lamports to pay, for example 20000; not ${plain(given)}`,
  );
};

const VERSIONS = { legacy: 'legacy', '0': 0, '1': 1, auto: 'auto' } as const;

const readVersion = (given: string | boolean | undefined) =>
  typeof given === 'string' ? VERSIONS[given as keyof typeof VERSIONS] : undefined;

/** Returns the priority fee of the landed transactions, or 0 if this run built none. */
const paidPriorityFee = ({ prepared }: Completed): bigint =>
  prepared === undefined ? 0n : priorityFeeIn({ ...prepared, following: [] });

/** Returns the lines that a terminal shows in this state. Most states have none. */
const stateLines = (
  state: StakingState,
  paint: Paint,
  review: (prepared: Prepared) => readonly string[],
): readonly string[] => {
  const { part } = state.record;
  const which = part === undefined ? '' : ` ${part.index} of ${part.of}`;
  switch (state.name) {
    case 'built':
      return isAlreadyApproved(state) ? [] : review(state.prepared!);
    case 'expired': {
      const what =
        state.reason.why === 'stale'
          ? 'expired before you approved it, and was not signed'
          : 'expired before it landed';
      return [`${paint('yellow', '!')} The transaction ${what}. Rebuilding it for the same request.`];
    }
    case 'replanned':
      return [`${paint('yellow', '!')} The accounts changed after the plan was made. Making a new plan.`];
    case 'signed':
      // This run has built nothing, so an earlier run signed the transaction.
      if (state.builds === 0 && state.landed.length === 0)
        return [
          `${paint('green', '✓')} signed earlier under this idempotency key  ${state.record.signature}`,
          '  checking its outcome',
        ];
      return [
        `${paint('green', '✓')} signed${which}     ${state.record.signature}`,
        '  waiting for the cluster',
      ];
    case 'landed': {
      const last = state.landed.at(-1)!;
      const { explorerUrl, message, signature, estimatedActiveAt: at } = last.response;
      // There is no link without a service, nor for a stake that landed in an earlier run.
      if (explorerUrl === undefined && last.prepared === undefined)
        return [`${paint('green', '✓')} confirmed earlier under this idempotency key  ${plain(signature)}`];
      const fee = priorityFeeText(paidPriorityFee(last), last.prepared && last.record.priority);
      return [
        `${paint('green', '✓')} confirmed${which}  ${explorerLink(explorerUrl) ?? plain(signature)}`,
        ...(fee === null ? [] : [`  priority fee ${fee}`]),
        ...(message ? [`  ${plain(message)}`] : []),
        ...(at === undefined
          ? []
          : [
              `  active ${readyAt({ estimatedAt: at, earliestAt: at, latestAt: at }, Date.now())} (${timeZone()})`,
            ]),
      ];
    }
    default:
      return [];
  }
};

/**
 * Returns the full response for a stake that landed in an earlier run, by submitting the same bytes again,
 * which is safe. The service's refusal to build the stake again contains only its signature.
 */
const completeResponse = async (
  { client, signal }: CommandCall,
  response: SubmitAnswer,
  signed: TransactionRecord | undefined,
): Promise<SubmitAnswer> => {
  if (response.explorerUrl !== undefined || signed?.signature !== response.signature) return response;
  const { signedTransaction, idempotencyKey } = signed;
  if (signedTransaction === undefined) return response;
  return client
    .submitTransaction({ signedTransaction }, { idempotencyKey, signal })
    .catch((error: unknown) => {
      if (isHoldfastError(error) && !signal.aborted) return response;
      throw error;
    });
};

/** Title of one of several steps of a request for all accounts. */
const stepTitle = (step: StakingRequest, index: number, of: number): string => {
  const { accounts = [] } = step.kind === 'rearrange' ? step : {};
  return `Step ${index} of ${of}: ${accounts.length} of your accounts`;
};

/** Returns the error of a later step, with the transactions of the earlier steps, which landed. */
const stoppedAfter = (earlier: CarriedOut['landed'], error: unknown): unknown => {
  if (earlier.length === 0) return error;
  if (error instanceof StoppedHalfway)
    return new StoppedHalfway([...earlier, ...error.landed], earlier.length + error.count, error.cause);
  const cause =
    error instanceof Declined ? new Declined('You declined the next step.', error.prepared) : error;
  return new StoppedHalfway(earlier, earlier.length, cause);
};

/** Returns the error of `--wait` with the transaction, which is confirmed. */
const waitEnded = (
  error: unknown,
  { response: { signature, explorerUrl } }: Completed,
  idempotencyKey: string,
  { aborted }: AbortSignal,
): unknown => {
  if (!aborted && !isHoldfastError(error)) return error;
  const { errorCode, operation, message } = aborted || !isHoldfastError(error) ? interruptedError() : error;
  const text = `${message} The transaction is confirmed; only the wait for the epoch has ended.`;
  return new HoldfastError({
    errorCode,
    operation,
    message: text,
    idempotencyKey,
    body: { error: 'Wait ended', errorCode, message: text, signature, explorerUrl, idempotencyKey },
  });
};

/** Lists the accounts of a request that an earlier run carried out. */
const namedAccounts = ({ stakeAccountAddress, change }: TransactionRecord): readonly string[] =>
  [stakeAccountAddress ?? [], change?.accounts ?? []].flat();

/** The options of a command, checked before anything is read or asked. */
interface ActOptions {
  readonly walletAddress: string;
  readonly keypairFile: string;
  /** The node that replaces the service; null without `--direct`. */
  readonly node: RpcNode | null;
  readonly priority: Priority | undefined;
  readonly owner: string | undefined;
  readonly isDry: boolean;
  readonly idempotencyKey: string;
  readonly ledger: SignatureLedger;
}

const readOptions = (call: CommandCall, { usage }: Act): ActOptions => {
  const { args, values, terminal, client } = call;
  const priority = readPriority(values.priority);
  // Checks the amount before the keypair file, because the user has just typed it.
  if (usage === '<amountSol>' && args[0] !== ALL) readAmount(args[0]!);
  const keypairFile = call.keypairFile();
  const walletAddress = call.walletAddress(undefined);
  const node = values.direct === true ? directNode(call) : null;
  const owner = addressIn(values, 'owner');
  const needService = {
    wait: values.wait === true,
    priority: priority !== undefined,
    owner: owner !== undefined,
  };
  for (const [option, isGiven] of Object.entries(needService))
    if (node !== null && isGiven)
      throw new UsageError(`--${option} requires a service and does not work with --direct`);
  const key = values['idempotency-key'];
  return {
    walletAddress,
    keypairFile,
    node,
    priority,
    owner: owner === walletAddress ? undefined : owner,
    isDry: values['dry-run'] === true,
    idempotencyKey: typeof key === 'string' ? key : `cli-${crypto.randomUUID()}`,
    ledger: createSignatureLedger(terminal.environment, client.baseUrl),
  };
};

/** Resolves the command's arguments into the request to the service or to `--direct`'s planner. */
const readRequest = async (
  call: CommandCall,
  { request }: Act,
  options: ActOptions,
): Promise<StakingRequest> => {
  const { walletAddress, node, priority, owner, idempotencyKey, ledger } = options;
  const signed = ledger.lastSigned(walletAddress, idempotencyKey);
  const resolver = createResolver(
    node === null ? call.client : directFigures(node),
    {
      walletAddress,
      isOwner: owner === undefined,
      // With --direct, a request for everything may have several steps, each with its own signatures.
      signed: node === null ? signed : undefined,
      signedAccounts: signed === undefined ? [] : namedAccounts(signed),
    },
    async () => (await allStakes(node, call, walletAddress)).map(({ address }) => address),
    call.signal,
  );
  return {
    ...(await request(call.args, call.values, resolver)),
    walletAddress,
    ...(priority && { priority }),
    ...(owner !== undefined && { owner }),
  } as StakingRequest;
};

/** The service, or what replaces it with `--direct`, and the values that its transactions must match. */
const openService = async (call: CommandCall, { node }: ActOptions) => {
  if (node !== null) {
    const { service, memo, stepsOf } = await directService(node, call);
    return {
      service,
      stepsOf,
      // Nothing is delegated with --direct, so there is no validator to compare with.
      binding: { voteAccount: call.walletAddress(undefined), memo },
      trust: () => {},
      cluster: null,
    };
  }
  const service = stakingService(call.client, {
    transactionVersion: readVersion(call.values['transaction-version']),
    addressing: call.values.addressing as 'key' | 'seed' | undefined,
  });
  const bound = await bindService(call, call.terminal.canAsk && !call.yes && !call.json);
  return { ...bound, service, stepsOf: async (request: StakingRequest) => [request] };
};

/**
 * Throws `UsageError` for a dry run whose idempotency key already has a signed transaction: repeating the
 * request would submit it. A stake is built again instead.
 */
const requireUnsigned = (
  { isDry, ledger, walletAddress, idempotencyKey }: ActOptions,
  { kind }: StakingRequest,
) => {
  const open = isDry && kind !== 'stake' ? ledger.lastSigned(walletAddress, idempotencyKey) : undefined;
  if (open !== undefined)
    throw new UsageError(
      `the idempotency key ${idempotencyKey} already has a signed transaction, ${open.signature}: repeat the command without --dry-run to see its outcome`,
    );
};

/**
 * Lists the wallet's accounts before the change if the service's response to the request contains no plan.
 * Null if they are unknown, or not needed, as for the review of a withdrawal.
 */
const accountsBefore = async (
  { client, signal, json }: CommandCall,
  { node, walletAddress }: ActOptions,
  request: StakingRequest,
) => {
  const { kind } = request;
  const needed =
    kind === 'unstake' ||
    kind === 'restake' ||
    (kind === 'withdraw' && json) ||
    (kind === 'rearrange' && request.goal === 'rescue');
  if (node !== null || !needed) return null;
  try {
    return (await client.listStakeAccounts({ walletAddress, scope: 'all' }, { signal })).accounts;
  } catch (error) {
    if (isHoldfastError(error) && !signal.aborted) return null;
    throw error;
  }
};

/** Returns lines on a stake of an earlier run, of which the refusal to build it again contains only the signature. */
const earlierLines = async (
  call: CommandCall,
  { ledger, walletAddress, idempotencyKey }: ActOptions,
  { prepared, response, record }: CarriedOut,
): Promise<readonly string[]> => {
  if (prepared !== undefined || response.explorerUrl !== undefined) return [];
  const signed = ledger.lastSigned(walletAddress, idempotencyKey);
  const { message, explorerUrl } = await completeResponse(call, response, signed);
  const account = signed?.stakeAccountAddress ?? record.stakeAccountAddress;
  const link = explorerLink(explorerUrl);
  return [
    ...(message ? [`  ${plain(message)}`] : []),
    ...(account === undefined ? [] : [`  stake account ${plain(account)}`]),
    ...(link === null ? [] : [`  ${link}`]),
  ];
};

/** Prints the JSON document of all steps, landed or planned. */
const printDocument = async (
  call: CommandCall,
  { node, ledger, walletAddress, idempotencyKey }: ActOptions,
  facts: ActFacts,
  outcomes: readonly (CarriedOut | Declined)[],
): Promise<void> => {
  const { landedDocument, plannedDocument, joinDocuments } = await import('../act/act-document.ts');
  const documents = [];
  for (const outcome of outcomes) {
    if (outcome instanceof Declined) documents.push(plannedDocument(facts, outcome.prepared));
    else {
      const { response, prepared } = outcome;
      const signed = prepared === undefined ? ledger.lastSigned(walletAddress, idempotencyKey) : undefined;
      const full = node === null ? await completeResponse(call, response, signed) : response;
      documents.push(landedDocument(facts, outcome, full, signed));
    }
  }
  printJson(call.terminal, JSON.stringify(joinDocuments(documents)));
};

const act = async (call: CommandCall, command: Act): Promise<'ok'> => {
  const { terminal, json } = call;
  const options = readOptions(call, command);
  const { walletAddress, node, isDry, idempotencyKey, ledger } = options;
  const guard = await openPolicy(call);
  const asked = await readRequest(call, command, options);
  const { service, stepsOf, binding, trust, cluster } = await openService(call, options);
  // Loaded on demand, because loading the transaction decoder takes longer than running most commands.
  const [{ signAndSubmit }, { openUserNode, userNodeOf }] = await Promise.all([
    import('../act/sign-and-submit.ts'),
    import('../node/user-node.ts'),
  ]);
  const known = rememberedService(terminal, call.client.baseUrl);
  const userNode =
    node === null ? await openUserNode(call, known?.genesisHash ?? null) : userNodeOf(call, node);
  requireUnsigned(options, asked);
  const listed = await accountsBefore(call, options, asked);
  const review = (prepared: Prepared): readonly string[] => [
    ...requestLines(prepared, terminal.paintOut, sourceOf(call)),
    ...(listed === null ? [] : accountsBeforeLines(prepared, listed, terminal.clock.now())),
  ];
  const showSending = json
    ? null
    : createSendingDisplay(terminal, node === null ? 'The service' : 'Your RPC node');
  const approve = isDry ? async () => 'decline' as const : askBeforeSigning(call);
  const policy = guard && {
    guard,
    subject: {
      walletAddress,
      cluster: node === null ? await clusterOf(call) : await node.call<string>('getGenesisHash'),
      voteAccount: node === null ? binding.voteAccount : null,
    },
    ask: askForPolicy(call),
    wouldAsk: isDry
      ? (question: string) =>
          terminal.err(`The policy requires a person's approval to sign this.\n  ${plain(question)}\n`)
      : undefined,
  };
  const carryOut = (step: StakingRequest, key: string): Promise<CarriedOut | Declined> =>
    signAndSubmit(service, step, {
      binding,
      idempotencyKey: key,
      ledger,
      cluster,
      sign: (message) => signWithKeypair(options.keypairFile, walletAddress, message),
      ...userNode,
      policy,
      approve: async (prepared) => {
        const decision = await approve(prepared);
        if (decision === 'sign') trust();
        return decision;
      },
      acceptEarlier: true,
      approveDespiteOpenSignature: askAgainBeforeSigning(call),
      onState: (state) => {
        showSending?.(state);
        const lines = json ? [] : stateLines(state, terminal.paintOut, review);
        if (lines.length > 0) terminal.out(`${lines.join('\n')}\n`);
      },
      now: terminal.clock.now,
      signal: call.signal,
    }).catch((error: unknown) => {
      if (isDry && error instanceof Declined) return error;
      throw error;
    });
  const steps = await stepsOf(asked);
  const outcomes: (CarriedOut | Declined)[] = [];
  for (const [index, step] of steps.entries()) {
    if (steps.length > 1 && !json) terminal.out(`${stepTitle(step, index + 1, steps.length)}\n`);
    const key = index === 0 ? idempotencyKey : `${idempotencyKey}-step-${index + 1}`;
    const outcome = await carryOut(step, key).catch((error: unknown) => {
      throw stoppedAfter(
        outcomes.flatMap((one) => (one instanceof Declined ? [] : one.landed)),
        error,
      );
    });
    outcomes.push(outcome);
  }
  const done = outcomes.at(-1)!;
  if (call.values.wait === true && !(done instanceof Declined))
    await waitUntilStakeChanged(
      call,
      walletAddress,
      done.prepared === undefined ? namedAccounts(done.record) : touchedAccounts(done.prepared),
    ).catch((error: unknown) => {
      throw waitEnded(error, done, idempotencyKey, call.signal);
    });
  const facts = { action: command.name, idempotencyKey, binding, hasService: node === null, listed };
  if (json) await printDocument(call, options, facts, outcomes);
  else if (done instanceof Declined) terminal.out('Nothing was signed or sent.\n');
  // After a wait, the message of the confirmation is outdated.
  else if (node === null && call.values.wait !== true) {
    const lines = await earlierLines(call, options, done);
    if (lines.length > 0) terminal.out(`${lines.join('\n')}\n`);
  }
  return 'ok';
};

export const actCommands: readonly Command[] = acts.map((one) => {
  const { name, summary, usage, takes, details, options, examples, delegates } = one;
  return {
    name,
    summary,
    usage,
    takes,
    examples,
    details: [SAFETY, ...(details === undefined ? [] : [details])],
    options: {
      ...options,
      ...(delegates ? DELEGATION_OPTIONS : OPTIONS),
      ...(options !== undefined && 'direct' in options ? ACT_DIRECT_OPTIONS : {}),
    },
    run: (call) => act(call, one),
  };
});
