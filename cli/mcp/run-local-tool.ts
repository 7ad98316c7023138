// Runs a tool that signs on this machine, like the command line but with a budget instead of a confirmation.
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { fingerprintOf } from '../../client/staking/check-built.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import type { StakingState } from '../../client/staking/staking-states.ts';
import type { ServiceBinding } from '../../client/staking/verify-against-request.ts';
import { approveUnattended } from '../act/ask-before-signing.ts';
import { signAndSubmit } from '../act/sign-and-submit.ts';
import { DAY_MS, OverBudget, type SignatureLedger } from '../act/signature-ledger.ts';
import type { UserNode } from '../node/user-node.ts';
import type { PolicyGuard } from '../policy/policy-guard.ts';
import { PolicyRefused } from '../policy/policy-refused.ts';
import { failureOf, NOBODY_THERE } from '../report-failure.ts';
import { UsageError } from '../usage-error.ts';
import { type LocalToolName, localRequest } from './local-tools.ts';

/** The wallet that signs, with its ledger and budget. */
export interface LocalSigner {
  readonly walletAddress: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
  /**
   * Returns the values that transactions must match. Rejects if the service's values differ from the
   * remembered ones.
   */
  readonly bind: (signal: AbortSignal) => Promise<ServiceBinding>;
  readonly node: (signal: AbortSignal) => Promise<UserNode | null>;
  readonly ledger: SignatureLedger;
  /** Maximum lamports that the wallet may stake in 24 hours; no limit if absent. */
  readonly budgetLamports: bigint | undefined;
  readonly policy?: PolicyGuard | undefined;
  readonly cluster?: ((signal: AbortSignal) => Promise<string | null>) | undefined;
}

export interface UserQuestion {
  readonly text: string;
  /** Identifies the question in the repeated call. Valid only once, and only in this process. */
  readonly token: string;
}

/** Thrown if the policy requires a person's approval and the client can ask for it. */
class PersonNeeded extends PolicyRefused {
  readonly question: UserQuestion;

  constructor(question: UserQuestion) {
    super({ code: 'POLICY_NEEDS_PERSON', message: `${question.text} Nothing was signed in this call.` });
    this.question = question;
  }
}

/** The client's answer to a question, sent with the repeated call. */
export interface PersonAnswer {
  readonly token: string;
  readonly isApproved: boolean;
}

export interface LocalResponse {
  readonly isError: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  /** A question for the user. The client repeats the call with the answer. */
  readonly question?: UserQuestion;
}

/** Runs the local tools of one signer. */
export type LocalToolRunner = (
  name: LocalToolName,
  given: Readonly<Record<string, unknown>>,
  options: {
    readonly signal: AbortSignal;
    readonly onState: (state: StakingState) => void;
    /** True if the client can ask its user. Default: false. */
    readonly canAsk?: boolean;
    readonly answer?: PersonAnswer | undefined;
  },
) => Promise<LocalResponse>;

const readRequest = (
  name: LocalToolName,
  given: Readonly<Record<string, unknown>>,
  walletAddress: string,
): StakingRequest => {
  if (given.walletAddress !== undefined && given.walletAddress !== walletAddress)
    throw new UsageError(`this machine signs only for ${walletAddress}`);
  return localRequest(name, given, walletAddress);
};

/** Converts a failure into a tool result: the service's error body, or one in the same format. */
export const failedResponse = (error: unknown): LocalResponse | undefined => {
  if (error instanceof UsageError)
    return {
      isError: true,
      body: { error: 'Validation error', errorCode: 'VALIDATION_ERROR', message: error.message },
    };
  if (error instanceof OverBudget)
    return {
      isError: true,
      body: {
        error: 'Over the limit',
        errorCode: 'MAX_STAKE_EXCEEDED',
        message: error.message,
        suggestedAction: 'Stake less, or ask the user to start holdfast mcp with a higher --max-stake.',
      },
    };
  const failure = failureOf(error);
  if (failure?.body.suggestedAction === NOBODY_THERE)
    return { isError: true, body: { ...failure.body, suggestedAction: SERVICE_DOWN } };
  return failure && { isError: true, body: failure.body };
};

/** Returns when more of the budget becomes available, also as advice if nothing is left. */
const freesAt = (ms: number, { isUsedUp }: OverBudget) => {
  const time = new Date(ms).toISOString();
  return {
    freesAt: time,
    ...(isUsedUp && {
      suggestedAction: `Wait until ${time} at the earliest, or ask the user to start holdfast mcp with a higher --max-stake.`,
    }),
  };
};

/** Advice for an agent, which can neither choose another service nor start the service. */
export const SERVICE_DOWN =
  'Repeat this call later with the same arguments, including the idempotencyKey of a tool that takes one. If it still fails, tell the user to check the service or the address that this MCP server was started with.';

const MAX_QUESTIONS = 100;

/** Creates the runner. The ledger enforces the budget on every signature. */
export const createLocalToolRunner = (client: HoldfastClient, signer: LocalSigner): LocalToolRunner => {
  /** Open questions by token. An answer is valid only for the same effects with the same idempotency key. */
  const questions = new Map<string, { readonly idempotencyKey: string; readonly effects: string }>();

  const openQuestion = (idempotencyKey: string, effects: string, text: string): PersonNeeded => {
    const token = crypto.randomUUID();
    questions.set(token, { idempotencyKey, effects });
    const [oldest] = questions.keys();
    if (questions.size > MAX_QUESTIONS) questions.delete(oldest!);
    return new PersonNeeded({ text, token });
  };

  return async (name, given, { signal, onState, canAsk = false, answer: personAnswer }) => {
    const asked = personAnswer && questions.get(personAnswer.token);
    if (personAnswer) questions.delete(personAnswer.token);
    const key = given.idempotencyKey ?? asked?.idempotencyKey;
    const idempotencyKey = typeof key === 'string' && key !== '' ? key : `mcp-${crypto.randomUUID()}`;
    let hasSigned = false;
    try {
      const request = readRequest(name, given, signer.walletAddress);
      const binding = await signer.bind(signal);
      const cluster = (await signer.cluster?.(signal)) ?? null;
      const { response, prepared, record, landed } = await signAndSubmit(stakingService(client), request, {
        binding,
        idempotencyKey,
        ledger: signer.ledger,
        cluster,
        mostStakeLamports: signer.budgetLamports,
        sign: (message) => {
          hasSigned = true;
          return signer.sign(message);
        },
        ...(await signer.node(signal)),
        policy: signer.policy && {
          guard: signer.policy,
          subject: {
            walletAddress: signer.walletAddress,
            cluster,
            voteAccount: binding.voteAccount,
          },
          ask: canAsk
            ? async (prepared, question) => {
                const effects = fingerprintOf(prepared);
                if (asked?.effects === effects && asked.idempotencyKey === idempotencyKey)
                  return personAnswer!.isApproved;
                throw openQuestion(idempotencyKey, effects, question);
              }
            : undefined,
        },
        approve: approveUnattended,
        acceptEarlier: true,
        onState,
        now: () => performance.now(),
        signal,
      });
      // Undefined if this call built nothing, because an earlier call with this idempotency key has landed.
      const recognized = prepared?.verdict.recognized;
      const { extraInstructions = [] } = recognized ?? {};
      const stakeAccount = recognized?.stakeAccount ?? record.stakeAccountAddress;
      const replayed = prepared === undefined;
      // For a request that landed before, the service may return only its signature.
      const lamports =
        replayed && 'amountLamports' in request ? request.amountLamports : recognized?.lamports;
      const { signature, explorerUrl, unstaked, estimatedActiveAt } = response;
      // Each transaction of a plan has its own confirmation.
      const messages = landed.flatMap((one) => one.response.message ?? []);
      if (replayed)
        messages.unshift(
          `This ${request.kind === 'stake' ? 'stake' : 'request'} was signed before under the same idempotency key and is confirmed. Nothing was signed in this call.`,
        );
      const message = messages.length === 0 ? undefined : messages.join(' ');
      const amountSol =
        lamports === undefined ? prepared?.built.plan?.amountSol : Number(lamportsToSol(lamports));
      return {
        isError: false,
        body: {
          signature,
          ...(explorerUrl === undefined ? {} : { explorerUrl }),
          message,
          walletAddress: signer.walletAddress,
          voteAccount: binding.voteAccount,
          ...(stakeAccount === undefined ? {} : { stakeAccountAddress: stakeAccount }),
          ...(amountSol === undefined ? {} : { amountSol }),
          ...(unstaked === undefined ? {} : { unstaked }),
          ...(estimatedActiveAt === undefined ? {} : { estimatedActiveAt }),
          idempotencyKey,
          ...(replayed && { replayed }),
          ...(extraInstructions.length === 0 ? {} : { extraInstructions }),
          warnings: prepared?.built.warnings ?? [],
        },
      };
    } catch (error) {
      const failed = failedResponse(error);
      if (failed === undefined) throw error;
      const { errorCode, message } = failed.body;
      const times = error instanceof OverBudget ? signer.ledger.stakedTimes(signer.walletAddress) : null;
      const isUnsigned =
        (errorCode === 'NETWORK' || errorCode === 'TIMEOUT') && !hasSigned && typeof message === 'string';
      const body = {
        ...failed.body,
        ...(isUnsigned && { message: `${message} Nothing was signed in this call.` }),
        ...(times && freesAt(times.firstMs + DAY_MS, error as OverBudget)),
        idempotencyKey,
      };
      return error instanceof PersonNeeded
        ? { ...failed, body, question: error.question }
        : { ...failed, body };
    }
  };
};
