// Runs a tool that signs on this machine: the same building, checking and signing as the command line, with a budget instead of a question.
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import { carryOut, type Progress } from '../carry-out.ts';
import { failureOf } from '../failure.ts';
import { UsageError } from '../usage-error.ts';
import type { Wish } from '../wish.ts';
import type { LocalToolName } from './local-tools.ts';

/** Who signs, and for how much. */
export interface LocalSigner {
  readonly walletAddress: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** The only validator to stake with; absent: the one that the service names. */
  readonly voteAccount: string | undefined;
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
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
) => Promise<LocalAnswer>;

const text = (given: Readonly<Record<string, unknown>>, name: string): string => {
  const value = given[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`${name} is missing`);
  return value;
};

const amount = (value: unknown): string => {
  try {
    const lamports = solToLamports(value as number | string);
    if (lamports > 0n) return lamportsToSol(lamports);
  } catch {
    // Said below.
  }
  throw new UsageError('amountSol must be a number of SOL above 0 with at most 9 decimals');
};

const wishOf = (
  name: LocalToolName,
  given: Readonly<Record<string, unknown>>,
  walletAddress: string,
): Wish => {
  if (given.walletAddress !== undefined && given.walletAddress !== walletAddress)
    throw new UsageError(`this machine signs for ${walletAddress} alone`);
  if (name === 'stake') return { kind: 'stake', walletAddress, amountSol: amount(given.amountSol) };
  const stakeAccountAddress = text(given, 'stakeAccountAddress');
  if (name === 'unstake') return { kind: 'unstake', walletAddress, stakeAccountAddress };
  const amountSol =
    given.amountSol === undefined || given.amountSol === null ? undefined : amount(given.amountSol);
  return { kind: 'withdraw', walletAddress, stakeAccountAddress, amountSol };
};

/** A failure as a tool result: the service's error body, or one in its shape. */
export const failedAnswer = (error: unknown): LocalAnswer | undefined => {
  if (error instanceof UsageError)
    return {
      isError: true,
      body: { error: 'Validation error', errorCode: 'VALIDATION_ERROR', message: error.message },
    };
  const failure = failureOf(error);
  return failure && { isError: true, body: failure.body };
};

/** Makes the runner; what stakes move is counted against the budget for as long as it lives. */
export const createLocalToolRunner = (client: HoldfastClient, signer: LocalSigner): LocalToolRunner => {
  let spentLamports = 0n;
  /** Stake accounts by idempotency key: two transactions of one exclude each other, whatever the service says of how the first ended. */
  const stakedUnder = new Map<string, string>();

  /** Lamports out of the budget by idempotency key: what is repeated under its key moves nothing a second time. */
  const spentUnder = new Map<string, bigint>();

  /** Takes the stake's amount out of the budget; gives it back where nothing was signed. */
  const reserve = (wish: Wish, idempotencyKey: string): ((signed: boolean) => void) => {
    if (wish.kind !== 'stake' || signer.budgetLamports === undefined) return () => undefined;
    const spentBefore = spentUnder.get(idempotencyKey) ?? 0n;
    const whole = solToLamports(wish.amountSol);
    const lamports = whole > spentBefore ? whole - spentBefore : 0n;
    const left = signer.budgetLamports - spentLamports;
    if (lamports > left)
      throw new UsageError(
        `the user allowed stakes of ${lamportsToSol(signer.budgetLamports)} SOL in all while this runs; ${lamportsToSol(left)} SOL of that are left`,
      );
    spentLamports += lamports;
    return (signed) => {
      if (signed) spentUnder.set(idempotencyKey, spentBefore + lamports);
      else spentLamports -= lamports;
    };
  };

  return async (name, given, { signal, onProgress }) => {
    let signed = false;
    let settle: (signed: boolean) => void = () => undefined;
    const key = given.idempotencyKey;
    const idempotencyKey = typeof key === 'string' && key !== '' ? key : `mcp-${crypto.randomUUID()}`;
    try {
      const wish = wishOf(name, given, signer.walletAddress);
      settle = reserve(wish, idempotencyKey);
      const { answer, prepared } = await carryOut(client, wish, {
        voteAccount: signer.voteAccount,
        idempotencyKey,
        stakeAccount: wish.kind === 'stake' ? stakedUnder.get(idempotencyKey) : undefined,
        sign: (message) => {
          const signature = signer.sign(message);
          signed = true;
          return signature;
        },
        approve: async ({ verdict }) => {
          const { stakeAccount } = verdict.recognised;
          if (wish.kind === 'stake' && stakeAccount !== undefined)
            stakedUnder.set(idempotencyKey, stakeAccount);
          return true;
        },
        onProgress,
        now: () => performance.now(),
        signal,
      });
      settle(signed);
      const { stakeAccount, lamports } = prepared.verdict.recognised;
      const { signature, explorerUrl, message } = answer;
      return {
        isError: false,
        body: {
          signature,
          explorerUrl,
          message,
          walletAddress: signer.walletAddress,
          ...(stakeAccount === undefined ? {} : { stakeAccountAddress: stakeAccount }),
          ...(lamports === undefined ? {} : { amountSol: Number(lamportsToSol(lamports)) }),
          idempotencyKey,
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
