// Runs a tool that signs on this machine: the same building, checking and signing as the command line, with a budget instead of a question.
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import type { StakingStep } from '../../client/staking/staking-flow.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import type { ServiceBinding } from '../../client/staking/verify-against-request.ts';
import type { RequestMemory } from '../act/request-memory.ts';
import { signAndSubmit } from '../act/sign-and-submit.ts';
import { failureOf } from '../report-failure.ts';
import { UsageError } from '../usage-error.ts';
import { type LocalToolName, localRequest, spentLamportsOf } from './local-tools.ts';

/** Who signs, and for how much. */
export interface LocalSigner {
  readonly walletAddress: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** What every transaction must be bound to; rejects where the service is no longer the one that was remembered. */
  readonly bind: (signal: AbortSignal) => Promise<ServiceBinding>;
  /** For which stake accounts was signed before. */
  readonly memory: RequestMemory;
  /** The most lamports that stakes may move while this runs; absent: no limit. */
  readonly budgetLamports: bigint | undefined;
}

/** A tool's answer. */
export interface LocalAnswer {
  readonly isError: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Runs local tools of one signer. */
export type LocalToolRunner = (
  name: LocalToolName,
  given: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal; readonly onStep: (step: StakingStep) => void },
) => Promise<LocalAnswer>;

const readRequest = (
  name: LocalToolName,
  given: Readonly<Record<string, unknown>>,
  walletAddress: string,
): StakingRequest => {
  if (given.walletAddress !== undefined && given.walletAddress !== walletAddress)
    throw new UsageError(`this machine signs for ${walletAddress} alone`);
  return localRequest(name, given, walletAddress);
};

/** The user's limit would be passed: nothing is wrong with the arguments. */
class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

/** A failure as a tool result: the service's error body, or one in its shape. */
export const failedAnswer = (error: unknown): LocalAnswer | undefined => {
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
  return failure && { isError: true, body: failure.body };
};

/** Makes the runner; what stakes move is counted against the budget for as long as it lives. */
export const createLocalToolRunner = (client: HoldfastClient, signer: LocalSigner): LocalToolRunner => {
  let spentLamports = 0n;
  /** Lamports out of the budget by idempotency key: what is repeated under its key moves nothing a second time. */
  const spentUnder = new Map<string, bigint>();

  /** Takes the stake's amount out of the budget; gives it back where nothing was signed. */
  const reserve = (request: StakingRequest, idempotencyKey: string): ((signed: boolean) => void) => {
    if (signer.budgetLamports === undefined) return () => undefined;
    const spentBefore = spentUnder.get(idempotencyKey) ?? 0n;
    const whole = spentLamportsOf(request);
    const lamports = whole > spentBefore ? whole - spentBefore : 0n;
    const left = signer.budgetLamports - spentLamports;
    if (lamports > left)
      throw new OverBudget(
        `the user allowed stakes of ${lamportsToSol(signer.budgetLamports)} SOL in total while this runs; ${lamportsToSol(left)} SOL of that is left`,
      );
    spentLamports += lamports;
    return (signed) => {
      if (signed) spentUnder.set(idempotencyKey, spentBefore + lamports);
      else spentLamports -= lamports;
    };
  };

  return async (name, given, { signal, onStep }) => {
    let signed = false;
    let settle: (signed: boolean) => void = () => undefined;
    const key = given.idempotencyKey;
    const idempotencyKey = typeof key === 'string' && key !== '' ? key : `mcp-${crypto.randomUUID()}`;
    try {
      const request = readRequest(name, given, signer.walletAddress);
      settle = reserve(request, idempotencyKey);
      const { answer, prepared } = await signAndSubmit(
        stakingService(client, { isCarriedOut: true }),
        request,
        {
          binding: await signer.bind(signal),
          idempotencyKey,
          memory: signer.memory,
          sign: (message) => {
            const signature = signer.sign(message);
            signed = true;
            return signature;
          },
          approve: async () => 'sign',
          onStep,
          now: () => performance.now(),
          signal,
        },
      );
      settle(signed);
      const { stakeAccount, lamports, extraInstructions } = prepared.verdict.recognised;
      const { signature, explorerUrl, message } = answer;
      return {
        isError: false,
        body: {
          signature,
          explorerUrl,
          message,
          walletAddress: signer.walletAddress,
          voteAccount: prepared.voteAccount,
          ...(stakeAccount === undefined ? {} : { stakeAccountAddress: stakeAccount }),
          ...(lamports === undefined ? {} : { amountSol: Number(lamportsToSol(lamports)) }),
          idempotencyKey,
          ...(extraInstructions.length === 0 ? {} : { extraInstructions }),
          warnings: prepared.built.warnings,
        },
      };
    } catch (error) {
      settle(signed);
      const failed = failedAnswer(error);
      if (failed === undefined) throw error;
      return { ...failed, body: { ...failed.body, idempotencyKey } };
    }
  };
};
