// The clients that are tested against a lying service: one without any checks, the command line, the tools of
// the local MCP server, and the page's flow.

import { createSignatureLedger } from '../../cli/act/signature-ledger.ts';
import type { LocalToolName } from '../../cli/mcp/local-tools.ts';
import { createLocalToolRunner } from '../../cli/mcp/run-local-tool.ts';
import type { UserNode } from '../../cli/node/user-node.ts';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { newRecord, type RecordSlot } from '../../client/staking/pending-transaction.ts';
import { carryOut, type StakingPorts } from '../../client/staking/run-staking-flow.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import { verifyRequest } from '../../client/staking/verify-against-request.ts';
import { configFolder, holdfast } from '../cli/cli-runner.ts';
import { MEMO } from './lying-service.ts';
import type { UserRequest } from './lying-service-chain.ts';
import { NO_EFFECTS } from './no-effects.ts';
import { createPageFlow, recordSlot, signWith } from './page-flow.ts';
import type { TestWallet } from './wallets.ts';

/** The service and the wallet of a run. */
export interface Surroundings {
  readonly url: string;
  readonly wallet: TestWallet;
  readonly keypairPath: string;
  readonly voteAccount: string;
  /** An honest RPC node, for clients that use one. */
  readonly node: UserNode;
}

/** Runs a request once with an idempotency key. Returns everything that the client displayed. */
export type LyingServiceClient = (at: Surroundings, request: UserRequest, key: string) => Promise<string>;

const requestOf = (request: UserRequest, { wallet }: Surroundings): StakingRequest =>
  ({ ...request, walletAddress: wallet.walletAddress }) as StakingRequest;

const serviceAt = (url: string) => stakingService(createHoldfastClient({ baseUrl: url, retries: 0 }));

/** A client that accepts everything unchecked: transactions, effects and expiry. */
export const unchecked: LyingServiceClient = async (at, request, key) => {
  const verify: StakingPorts['verify'] = (...args) => ({ ...verifyRequest(...args), ok: true });
  const binding = { voteAccount: at.voteAccount };
  const record = newRecord(requestOf(request, at), {
    cluster: '',
    voteAccount: at.voteAccount,
    idempotencyKey: key,
    begunAtMs: 0,
  });
  return carryOut(record, {
    service: serviceAt(at.url),
    binding,
    verify,
    verifyEffects: () => NO_EFFECTS,
    approve: async () => 'sign',
    provesExpired: async () => true,
    sign: signWith(at.wallet),
    store: { save: () => undefined, saveIfPossible: () => undefined, remove: () => undefined },
    now: () => performance.now(),
    sleep: async () => undefined,
    signal: new AbortController().signal,
    mostAttempts: 1,
  }).then(
    () => 'done',
    (error: unknown) => String(error),
  );
};

const sol = (lamports: bigint): string => String(lamportsToSol(lamports));

const argvOf = (request: UserRequest): string[] => {
  const account = 'stakeAccountAddress' in request ? [request.stakeAccountAddress ?? ''].filter(Boolean) : [];
  const amount =
    'amountLamports' in request && request.amountLamports !== undefined ? [sol(request.amountLamports)] : [];
  if (request.kind === 'stake') return ['stake', ...amount];
  if (request.kind !== 'rearrange') return [request.kind, ...account, ...amount];
  const flagged = amount.length === 0 ? [] : ['--amount', ...amount];
  switch (request.goal) {
    case 'unstake':
      return ['unstake', ...account, ...flagged, ...(request.rounding === 'atLeast' ? ['--at-least'] : [])];
    case 'top-up':
      return ['topup', ...amount];
    case 'sweep':
      return ['sweep', '--to', request.to ?? 'wallet', ...(amount.length === 0 ? [] : ['--add', ...amount])];
    case 'withdraw-all':
      return ['withdraw', '--all'];
    case 'undo':
      return ['undo', ...account, ...flagged];
    case 'tidy':
    case 'restake':
    case 'rescue':
    case 'migrate':
      return [request.goal, ...account];
    default:
      return ['unstake', ...account, ...flagged, '--withdraw-amount'];
  }
};

const commandLine =
  (surroundings: () => Parameters<typeof holdfast>[1], more: readonly string[]): LyingServiceClient =>
  async ({ url, keypairPath }, request, key) => {
    const argv = [...argvOf(request), '--url', url, '--keypair', keypairPath, '--idempotency-key', key];
    const { stdout, stderr } = await holdfast([...argv, ...more], surroundings());
    return `${stdout}\n${stderr}`;
  };

/** The command line run unattended, with `--yes`. */
export const commandLineAlone = commandLine(() => ({}), ['--yes']);

const DOUBTFUL = /except for what the transaction does not reveal|both will land/;

/** The command line with a user who reads the review and declines unless it confirms everything. */
export const commandLineWithPerson = commandLine(() => {
  let shown = '';
  const response = () => {
    const isDoubtful = DOUBTFUL.test(shown);
    shown = '';
    return isDoubtful ? 'n' : 'y';
  };
  const see = (text: string): void => {
    shown += text;
  };
  return { onOut: see, onErr: see, responses: Array.from({ length: 9 }, () => response) };
}, []);

/** Returns the tool and the arguments for a request. */
const callOf = (request: UserRequest): readonly [LocalToolName, Record<string, unknown>] => {
  const amountSol =
    'amountLamports' in request && request.amountLamports !== undefined
      ? { amountSol: Number(lamportsToSol(request.amountLamports)) }
      : {};
  if (request.kind === 'stake') return ['stake', amountSol];
  const { stakeAccountAddress } = request;
  if (request.kind === 'restake') return ['stake', { stakeAccountAddress }];
  if (request.kind !== 'rearrange') return [request.kind, { stakeAccountAddress, ...amountSol }];
  const { goal, rounding, to } = request;
  const accounts = stakeAccountAddress === undefined ? {} : { stakeAccountAddresses: [stakeAccountAddress] };
  return [
    'change_stake',
    { goal, ...(rounding && { rounding }), ...(to && { to }), ...amountSol, ...accounts },
  ];
};

const localTools =
  (hasNode: boolean): LyingServiceClient =>
  async ({ url, wallet, voteAccount, node }, request, key) => {
    const run = createLocalToolRunner(createHoldfastClient({ baseUrl: url, retries: 0 }), {
      walletAddress: wallet.walletAddress,
      sign: wallet.sign,
      budgetLamports: undefined,
      node: async () => (hasNode ? node : null),
      bind: async () => ({ voteAccount, memo: MEMO }),
      ledger: createSignatureLedger({ XDG_CONFIG_HOME: configFolder }, url),
    });
    const [name, given] = callOf(request);
    const signal = new AbortController().signal;
    const response = await run(name, { ...given, idempotencyKey: key }, { signal, onState: () => undefined });
    return JSON.stringify(response);
  };

/** The tools of `holdfast mcp --keypair`. */
export const localMcp = localTools(false);

/** The same tools with the user's own RPC node, which shows every account as it is. */
export const localMcpWithNode = localTools(true);

const slots = new Map<string, RecordSlot>();

const slotOf = (key: string): RecordSlot => {
  const slot = slots.get(key) ?? recordSlot();
  slots.set(key, slot);
  return slot;
};

/**
 * The page's flow with a user who reads the review and dismisses everything that it does not confirm. The
 * browser keeps its record between calls.
 */
export const page: LyingServiceClient = async (at, request, key) => {
  const { url, wallet, voteAccount } = at;
  // Each request has its own key. A reload resumes the same request.
  const isRepeated = slots.has(key);
  const flow = createPageFlow({
    wallet,
    binding: { voteAccount, memo: MEMO },
    service: serviceAt(url),
    newKey: () => key,
    slot: slotOf(key),
  });
  if (isRepeated) await flow.resume();
  else await flow.begin(requestOf(request, at));
  let shown = '';
  for (let questions = 0; questions < 9; questions += 1) {
    const { step, built, error } = flow.state.get();
    shown += `${step} ${String(error ?? '')}\n`;
    if (step !== 'review') break;
    const isVouched = built?.verdict.ok && built.effects.unknowns.length === 0;
    if (!isVouched || error !== undefined) flow.dismiss();
    else await flow.approve();
  }
  return shown;
};
