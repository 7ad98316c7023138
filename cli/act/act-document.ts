// Builds the JSON document of a command that changes stake. The fields are the same for a new request, a
// request repeated with its idempotency key, and a dry run.
import type { StakeAccount } from '../../client/generated/stake-operations.ts';
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import { fromBase64 } from '../../client/staking/base64.ts';
import type { TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { CarriedOut } from '../../client/staking/run-staking-flow.ts';
import type { SubmitAnswer } from '../../client/staking/staking-request.ts';
import {
  type ServiceBinding,
  type TransactionVerdict,
  verifyRequest,
} from '../../client/staking/verify-against-request.ts';
import { readApproval } from '../../src/domain/transaction/effects/approval-bytes.ts';
import { priorityFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import { explorerLink } from '../show/format-cells.ts';
import { priorityFeeIn } from './show-request.ts';

/** Data about a command that its transactions do not contain. */
export interface ActFacts {
  readonly action: string;
  readonly idempotencyKey: string;
  readonly binding: ServiceBinding;
  /** False with `--direct`, which names no validator. */
  readonly hasService: boolean;
  /** The wallet's accounts before the change, if the response to the request contains no plan. Null if unknown. */
  readonly listed: readonly ListedAccount[] | null;
}

type ListedAccount = Pick<StakeAccount, 'address' | 'state' | 'sol' | 'stakeAuthority'>;

/** SOL as a JSON number; null if unknown. */
const sol = (lamports: bigint | string | null | undefined): number | null =>
  lamports === null || lamports === undefined ? null : Number(lamportsToSol(BigInt(lamports)));

/** Lists the stake accounts that the transactions create, change or close. */
const accountsIn = (verdicts: readonly TransactionVerdict[]): readonly string[] => [
  ...readApproval(verdicts.map(({ message }) => message)).touched,
];

/**
 * Describes each touched account before the change, as the service or the RPC node reports it. New accounts are
 * left out. Null if nothing is known, as for a request that an earlier run carried out.
 */
const accountsBefore = (
  { listed }: ActFacts,
  prepared: Prepared | undefined,
  touched: readonly string[],
): readonly object[] | null => {
  if (prepared === undefined) return null;
  const { plan } = prepared.built;
  if (plan === undefined && listed === null) return prepared.record.kind === 'stake' ? [] : null;
  return touched.flatMap((stakeAccountAddress) => {
    const account = listed?.find(({ address }) => address === stakeAccountAddress);
    const before =
      account ?? plan?.accounts.find((one) => one.stakeAccountAddress === stakeAccountAddress)?.before;
    if (!before) return [];
    const { state, sol } = before;
    const authority = account === undefined ? {} : { stakeAuthority: account.stakeAuthority };
    return [{ stakeAccountAddress, state, sol, ...authority }];
  });
};

/** Returns the amount in the service's confirmation, or undefined if the confirmation contains none or several. */
const confirmedSol = ({ messageSentences = [] }: SubmitAnswer): number | undefined => {
  const amount = messageSentences.find(({ code }) => code === 'CONFIRMED')?.params.amountSol;
  return amount === undefined ? undefined : Number(amount);
};

/**
 * Returns the requested amount or, for a request without one, the amount that the service confirmed. Returns
 * null if the amount is unknown, and for commands without an amount.
 */
const amountOf = (
  { amountLamports, change, part }: TransactionRecord,
  landed: readonly SubmitAnswer[],
): number | null => {
  const requested = sol(amountLamports);
  if (requested !== null && change?.rounding !== 'atLeast') return requested;
  const amounts = landed.map(confirmedSol);
  const isWhole = landed.length === (part?.of ?? 1) && amounts.every((one) => one !== undefined);
  return isWhole ? sol(amounts.reduce((sum, one) => sum + solToLamports(one!), 0n)) : requested;
};

/**
 * Returns the check result of a transaction that was signed in an earlier run, or null if the transaction is
 * no longer known.
 */
const verdictOfSigned = (
  signed: TransactionRecord | undefined,
  signature: string,
  binding: ServiceBinding,
): TransactionVerdict | null =>
  signed?.signedTransaction === undefined || signed.signature !== signature
    ? null
    : verifyRequest(fromBase64(signed.signedTransaction), signed, binding, 'signed');

/** Returns the fields that every document has. */
const common = (
  { action, idempotencyKey, binding, hasService }: ActFacts,
  { walletAddress }: TransactionRecord,
  verdicts: readonly TransactionVerdict[],
) => {
  const [first] = verdicts;
  const { lamports, extraInstructions = [] } = first?.recognized ?? {};
  return {
    action,
    walletAddress,
    ...(lamports === undefined ? {} : { lamports: String(lamports) }),
    ...(hasService ? { voteAccount: binding.voteAccount } : {}),
    idempotencyKey,
    ...(extraInstructions.length === 0 ? {} : { extraInstructions }),
  };
};

/** Effect whose amount is reported if a request specifies none. Absent for operations without an amount. */
const MAIN_EFFECT: Readonly<
  Partial<Record<string, 'deactivatedLamports' | 'stakedLamports' | 'withdrawnLamports'>>
> = {
  unstake: 'deactivatedLamports',
  undo: 'stakedLamports',
  restake: 'stakedLamports',
  withdraw: 'withdrawnLamports',
  'withdraw-all': 'withdrawnLamports',
  sweep: 'withdrawnLamports',
};

const plannedAmount = ({ record, built, effects }: Prepared): number | null => {
  const main = MAIN_EFFECT[record.change?.goal ?? record.kind];
  return (
    built.plan?.amountSol ??
    sol(record.amountLamports) ??
    (main === undefined ? null : sol(effects.effects[main]))
  );
};

/**
 * Describes a request whose transactions landed. `signed` is this machine's record of the signature, which is
 * needed if the request was repeated with its idempotency key. `response` is the service's response to the
 * submission.
 */
export const landedDocument = (
  facts: ActFacts,
  { prepared, landed, record }: CarriedOut,
  response: SubmitAnswer,
  signed: TransactionRecord | undefined,
) => {
  const earlier = prepared === undefined ? verdictOfSigned(signed, response.signature, facts.binding) : null;
  const verdicts =
    prepared === undefined
      ? earlier === null
        ? []
        : [earlier]
      : [prepared.verdict, ...prepared.following.map((one) => one.verdict)];
  const stakeAccount = verdicts[0]?.recognized.stakeAccount ?? record.stakeAccountAddress;
  const touched = accountsIn(verdicts);
  const priorityLamports = verdicts.reduce((sum, { message }) => sum + priorityFeeLamports(message), 0n);
  const amountSol = amountOf(record, prepared === undefined ? [response] : landed.map((one) => one.response));
  return {
    ...response,
    ...(stakeAccount ? { stakeAccountAddress: stakeAccount } : {}),
    ...common(facts, record, verdicts),
    state: 'confirmed',
    replayed: prepared === undefined,
    // Without a service no response confirms an amount.
    amountSol: amountSol ?? (facts.hasService || prepared === undefined ? null : plannedAmount(prepared)),
    accounts: touched.length === 0 && stakeAccount ? [stakeAccount] : touched,
    accountsBefore: accountsBefore(facts, prepared, touched),
    explorerUrl: explorerLink(response.explorerUrl),
    warnings: prepared?.built.warnings ?? [],
    ...(record.priority === undefined ? {} : { priorityFeeLamports: String(priorityLamports) }),
    ...(landed.length > 1 ? { transactions: landed.map((one) => one.response) } : {}),
  };
};

/** Describes the transactions that a dry run would have signed. */
export const plannedDocument = (facts: ActFacts, prepared: Prepared) => {
  const { record, built, effects, voteAccount, following, verdict, expiresAtMs } = prepared;
  const verdicts = [verdict, ...following.map((one) => one.verdict)];
  const { deactivatedLamports, stakedLamports, withdrawnLamports, rentLamports } = effects.effects;
  const priorityLamports = priorityFeeIn(prepared);
  const feeLamports = verdicts.reduce((sum, one) => sum + one.networkFeeLamports, 0n);
  const { stakeAccount } = verdict.recognized;
  const memo = verdict.fields.find(({ field }) => field === 'memo')?.found;
  return {
    dryRun: true,
    ...(stakeAccount ? { stakeAccountAddress: stakeAccount } : {}),
    ...common(facts, record, verdicts),
    state: 'planned',
    replayed: false,
    amountSol: plannedAmount(prepared),
    accounts: accountsIn(verdicts),
    accountsBefore: accountsBefore(facts, prepared, accountsIn(verdicts)),
    signature: null,
    explorerUrl: null,
    warnings: built.warnings,
    plan: {
      transactions: verdicts.map((one) => ({
        instructions: one.instructions.map(({ program, name, summary }) => ({ program, name, summary })),
      })),
      unstakedSol: sol(deactivatedLamports),
      stakedSol: sol(stakedLamports),
      withdrawnSol: sol(withdrawnLamports),
      networkFeeSol: sol(feeLamports - priorityLamports),
      priorityFeeSol: sol(priorityLamports),
      rentSol: sol(rentLamports),
      voteAccount: facts.hasService && stakedLamports !== 0n ? voteAccount : null,
      memo: memo || null,
      unknowns: effects.unknowns.map(({ account, text }) => ({ account, text })),
      epochEndsAt: built.epochTiming?.estimatedEpochEnd ?? null,
      signBefore: new Date(expiresAtMs).toISOString(),
      balances: built.plan ?? null,
      warnings: built.warnings,
    },
  };
};

/** Joins the documents of a request that was carried out in steps. The amount is the sum of all steps. */
export const joinDocuments = (documents: readonly { readonly amountSol: number | null }[]): object => {
  const last = documents.at(-1)!;
  if (documents.length === 1) return last;
  const amounts = documents.map(({ amountSol }) => amountSol);
  const total = amounts.includes(null) ? null : amounts.reduce((sum, one) => sum + solToLamports(one!), 0n);
  return { ...last, amountSol: sol(total), steps: documents };
};
