// Restricts a signing key to its policy. Every decision is recorded in the audit, on disk, before the key signs.
import { lstatSync } from 'node:fs';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { fingerprintOf } from '../../client/staking/check-built.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';
import type { AuditEntry, AuditedAct, AuditedDecision, AuditedRequest } from './audit-chain.ts';
import { intentOf, type LockedAudit, openAuditStore } from './audit-store.ts';
import { type AmountKind, type PolicyFile, readPolicyBytes } from './policy-file.ts';
import {
  type Act,
  AMOUNT_NAMES,
  actRefusal,
  amountForPerson,
  type DecisionTime,
  hoursText,
  instantIn,
  type LimitState,
  limitRefusal,
  limitStates,
  mostAllowed,
  operationRefusal,
  type PolicyState,
} from './policy-limits.ts';
import { type PolicyRefusal, PolicyRefused } from './policy-refused.ts';
import { actOf, messageHashes, operationOf } from './signed-act.ts';

export interface PolicySubject {
  readonly walletAddress: string;
  /** Genesis hash. Null if unknown. */
  readonly cluster: string | null;
  /** The service's validator. Null without a service. */
  readonly voteAccount: string | null;
}

/** A transaction that the flow wants to sign, with the rest of its approval. */
export interface PolicyRequest {
  readonly idempotencyKey: string;
  readonly prepared: Prepared;
  /** SHA-256 of the message to be signed. */
  readonly transactionSha256: string;
}

/** Actions that a policy allows now. Amounts are in SOL, as text. */
export interface PolicyBudget {
  readonly operations: readonly string[];
  /** For example `from 08:00 to 18:00 UTC`. Null: at any time. */
  readonly hours: string | null;
  /** A person must approve larger requests. Null: none. */
  readonly approveAboveSol: string | null;
  /** Reason why nothing is signed at the moment; null if there is none. */
  readonly refusedNow: { readonly errorCode: string; readonly message: string } | null;
  /** Null if no node of the user reports it. Nothing with an epoch limit is then signed. */
  readonly currentEpoch: number | null;
  readonly limits: readonly LimitState[];
}

export interface ForeseenDecision {
  readonly refusal: PolicyRefusal | null;
  /** Most lamports that a request of this kind may move now; null: no limit. */
  readonly mostLamports: bigint | null;
  /** The threshold that this request exceeds, so a person must approve it; null if none must. */
  readonly approveAboveLamports: bigint | null;
}

/** Restricts one key to one policy. Its methods throw `PolicyRefused`, or `UsageError` if a file cannot be read or written. */
export interface PolicyGuard {
  /**
   * Returns the reason why the policy does not apply to this wallet, cluster or service, or null if it applies.
   * Records nothing.
   */
  readonly refusalOf: (subject: PolicySubject) => PolicyRefusal | null;
  /** Returns what the policy allows now. Records nothing. */
  readonly budget: (epoch: number | null) => PolicyBudget;
  /** Returns how the policy would decide about a request that moves `lamports` now. Records nothing. */
  readonly foresee: (
    operation: string,
    kind: Exclude<AmountKind, 'fees'>,
    lamports: bigint,
    epoch: number | null,
  ) => ForeseenDecision;
  /** Refuses a request before anything is built for it, if the policy already shows that it must be refused. */
  readonly admit: (
    request: StakingRequest,
    idempotencyKey: string,
    subject: PolicySubject,
    epoch: number | null,
  ) => void;
  /**
   * Checks a built transaction without counting it. Returns the question for a person if the policy requires
   * approval, or null if it does not.
   */
  readonly check: (request: PolicyRequest, epoch: number | null) => string | null;
  /**
   * Records that a person approved or declined the effects of this request, or that no person could be asked.
   * An approval is valid for one signature.
   */
  readonly answered: (request: PolicyRequest, response: 'approved' | 'declined' | 'nobody') => void;
  /**
   * Counts the transactions of the request and returns the number of its record. Called right before the key
   * signs.
   */
  readonly reserve: (request: PolicyRequest, epoch: number | null) => number;
  /** Records the signature before it is sent. */
  readonly signed: (n: number, transactionSha256: string, signature: string) => void;
  /**
   * Records that the key did not sign. The request then no longer counts, unless an earlier attempt was
   * counted.
   */
  readonly notSigned: (n: number) => void;
  /** Records that the user's node proved that this transaction can never land. */
  readonly proveDead: (signature: string) => void;
}

const exists = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    // On any other error the file may exist.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
};

const auditedAct = ({ amounts, operations, validators, recipients, account, closed }: Act): AuditedAct => ({
  operations,
  amountsSol: Object.fromEntries(
    Object.entries(amounts).map(([kind, lamports]) => [
      kind,
      lamports === null ? null : lamportsToSol(lamports),
    ]),
  ),
  validators,
  recipients,
  account,
  closed,
});

const amountIn = (request: StakingRequest): bigint | undefined =>
  'amountLamports' in request ? request.amountLamports : undefined;

const audited = (
  operation: string,
  amountLamports: bigint | undefined,
  idempotencyKey: string,
): AuditedRequest => ({
  operation,
  amountSol: amountLamports === undefined ? null : lamportsToSol(amountLamports),
  intent: intentOf(idempotencyKey),
});

const auditedRequest = ({ idempotencyKey, prepared: { record } }: PolicyRequest): AuditedRequest =>
  audited(
    operationOf({ kind: record.kind, ...(record.change && { goal: record.change.goal }) }),
    record.amountLamports === undefined ? undefined : BigInt(record.amountLamports),
    idempotencyKey,
  );

/** Returns the amounts that a request states before its transaction is built. */
const namedAmounts = (request: StakingRequest): Act['amounts'] => {
  const lamports = amountIn(request) ?? 0n;
  const operation = operationOf(request);
  const of = (...operations: readonly string[]): bigint => (operations.includes(operation) ? lamports : 0n);
  // The amount of a sweep is SOL that the wallet adds to a new stake.
  return {
    stake: of('stake', 'topup', 'undo', 'sweep'),
    unstake: of('unstake'),
    // The total of `withdraw-amount` includes SOL that can only be withdrawn later.
    withdraw: request.kind === 'withdraw' ? lamports : 0n,
    fees: 0n,
  };
};

const withoutIntent = (state: PolicyState, intent: string): PolicyState => ({
  ...state,
  spends: state.spends.filter((one) => one.intent !== intent),
});

/** Dependencies of a guard, replaceable in tests. */
export interface LimiterSources {
  readonly now?: () => number;
  /** Monotonic time in milliseconds. */
  readonly steadyMs?: () => number;
}

export const createPolicyGuard = (
  { path, sha256, policy }: PolicyFile,
  { now: wallClock = Date.now, steadyMs = () => performance.now() }: LimiterSources = {},
): PolicyGuard => {
  const store = openAuditStore(path);
  const [startMs, startSteadyMs] = [wallClock(), steadyMs()];
  // While this program runs, time advances even if the wall clock is set back.
  const now = (): number => Math.trunc(Math.max(wallClock(), startMs + steadyMs() - startSteadyMs));
  /** Approvals that have not been used for a signature yet. */
  const approvals = new Set<string>();
  const approvalOf = ({ idempotencyKey, prepared }: PolicyRequest): string =>
    `${intentOf(idempotencyKey)} ${fingerprintOf(prepared)}`;
  /** Recorded requests with an open question. The call that carries its answer is not a new request. */
  const asked = new Set<string>();
  const decision = (more: Omit<AuditedDecision, 'policySha256'>): AuditedDecision => ({
    ...more,
    policySha256: sha256,
  });
  const empty: Omit<AuditEntry, 'decision'> = {
    request: null,
    transactionSha256: null,
    verdict: null,
    signature: null,
  };

  /** Returns the refusal that applies to every request at the moment, or null. */
  const standingRefusal = (): PolicyRefusal | null => {
    const current = (() => {
      try {
        return readPolicyBytes(path).sha256;
      } catch {
        return null;
      }
    })();
    if (current !== sha256)
      return {
        code: 'POLICY_CHANGED',
        message: `The policy ${path} ${current === null ? 'can no longer be read' : 'was changed'} after this program read it. Nothing is signed until the program is started again.`,
      };
    if (policy.freezeFile !== undefined && exists(policy.freezeFile))
      return {
        code: 'POLICY_FROZEN',
        message: `Signing is frozen: the file ${policy.freezeFile} exists. Its owner removes it to allow signing again.`,
      };
    return null;
  };

  const subjectRefusal = ({ walletAddress, cluster, voteAccount }: PolicySubject): PolicyRefusal | null => {
    if (walletAddress !== policy.wallet)
      return {
        code: 'POLICY_OTHER_WALLET',
        message: `The policy is for the wallet ${policy.wallet}, not for ${walletAddress}.`,
      };
    if (cluster !== policy.cluster)
      return {
        code: 'POLICY_OTHER_CLUSTER',
        message: `The policy is for the cluster with the genesis hash ${policy.cluster}, not for ${plain(cluster ?? 'an unknown one')}.`,
      };
    if (voteAccount !== null && !policy.validators.includes(voteAccount))
      return {
        code: 'POLICY_OTHER_SERVICE',
        message: `The policy is not for this service: its validator is ${plain(voteAccount)}, and the policy allows ${policy.validators.join(', ')}.`,
      };
    return null;
  };

  /** Records a refusal and throws it. */
  const refuse = (
    audit: LockedAudit,
    refusal: PolicyRefusal,
    entry: Omit<AuditEntry, 'decision'>,
    atMs: number,
  ): never => {
    audit.append({ ...entry, decision: decision({ outcome: 'refused', reason: refusal.code }) }, atMs);
    throw new PolicyRefused(refusal);
  };

  const at = (audit: LockedAudit, epoch: number | null): DecisionTime =>
    instantIn(audit.state(), { ms: now(), epoch });

  const entryOf = (request: PolicyRequest, act: Act): Omit<AuditEntry, 'decision'> => ({
    ...empty,
    request: auditedRequest(request),
    transactionSha256: request.transactionSha256,
    verdict: auditedAct(act),
  });

  /** Decides whether a transaction is allowed. Records a refusal and throws it. */
  const decide = (audit: LockedAudit, request: PolicyRequest, epoch: number | null) => {
    const instant = at(audit, epoch);
    const state = audit.state();
    // The same transaction can land only once, and a plan is counted with its first transaction.
    const earlier = state.spends.find(({ covers }) => covers.includes(request.transactionSha256));
    const isLater = (request.prepared.record.part?.index ?? 1) > 1;
    const read = actOf(request.prepared);
    const act: Act =
      earlier !== undefined && isLater
        ? { ...read, amounts: earlier.amounts, account: earlier.account, closed: earlier.closed }
        : read;
    const entry = entryOf(request, act);
    const others = { ...state, spends: state.spends.filter((one) => one !== earlier) };
    const refusal = standingRefusal() ?? actRefusal(policy, others, act, instant);
    if (refusal !== null) refuse(audit, refusal, entry, instant.ms);
    return { act, entry, instant, earlier, isLater, above: amountForPerson(policy, act) };
  };

  const questionFor = ({ lamports }: { readonly lamports: bigint | null }, act: Act): string => {
    const amounts = (['stake', 'unstake', 'withdraw'] as const)
      .filter((kind) => act.amounts[kind] !== 0n)
      .map((kind) => {
        const amount = act.amounts[kind];
        return `${amount === null ? 'an amount that the transaction does not show' : `${lamportsToSol(amount)} SOL`} ${AMOUNT_NAMES[kind]}`;
      });
    const why =
      lamports === null
        ? 'does not show its amount'
        : `is above ${lamportsToSol(policy.approveAboveLamports!)} SOL`;
    return `Sign this ${act.operations.join(' and ')} for the wallet ${policy.wallet}? ${amounts.join(', ')}${
      act.validators.length === 0 ? '' : `, with the validator ${act.validators.join(', ')}`
    }. The policy asks because the request ${why}.`;
  };

  return {
    refusalOf: subjectRefusal,
    budget: (epoch) =>
      store.locked((audit) => {
        const instant = at(audit, epoch);
        const { operations, hours, approveAboveLamports } = policy;
        const refusal = standingRefusal() ?? operationRefusal(policy, [], instant);
        return {
          operations,
          hours: hours === undefined ? null : hoursText(hours),
          approveAboveSol: approveAboveLamports === undefined ? null : lamportsToSol(approveAboveLamports),
          refusedNow: refusal && { errorCode: refusal.code, message: refusal.message },
          currentEpoch: instant.epoch,
          limits: limitStates(policy, audit.state(), instant),
        };
      }),
    foresee: (operation, kind, lamports, epoch) =>
      store.locked((audit) => {
        const instant = at(audit, epoch);
        const state = audit.state();
        const amounts = { stake: 0n, unstake: 0n, withdraw: 0n, fees: 0n, [kind]: lamports };
        return {
          refusal:
            standingRefusal() ??
            operationRefusal(policy, [operation], instant) ??
            limitRefusal(policy, state, { amounts, account: null, closed: [] }, instant),
          mostLamports: mostAllowed(policy, state, kind, instant),
          approveAboveLamports: amountForPerson(policy, { amounts }) && policy.approveAboveLamports!,
        };
      }),
    admit: (request, idempotencyKey, subject, epoch) =>
      store.locked((audit) => {
        const instant = at(audit, epoch);
        const entry = {
          ...empty,
          request: audited(operationOf(request), amountIn(request), idempotencyKey),
        };
        const { intent } = entry.request;
        const refusal =
          standingRefusal() ??
          subjectRefusal(subject) ??
          operationRefusal(policy, [operationOf(request)], instant) ??
          // A retried request may already have been counted, but only the transaction bytes would show that,
          // and they do not exist yet. Spends with the same idempotency key are therefore left out.
          limitRefusal(
            policy,
            withoutIntent(audit.state(), intent),
            { amounts: namedAmounts(request), account: null, closed: [] },
            instant,
          );
        if (refusal !== null) refuse(audit, refusal, entry, instant.ms);
        if (asked.delete(JSON.stringify(entry.request))) return;
        audit.append({ ...entry, decision: decision({ outcome: 'requested' }) }, instant.ms);
      }),
    check: (request, epoch) =>
      store.locked((audit) => {
        const { act, above } = decide(audit, request, epoch);
        if (above === null || approvals.has(approvalOf(request))) return null;
        asked.add(JSON.stringify(auditedRequest(request)));
        return questionFor(above, act);
      }),
    answered: (request, response) => {
      asked.delete(JSON.stringify(auditedRequest(request)));
      if (response === 'approved') {
        approvals.add(approvalOf(request));
        return;
      }
      const refusal: PolicyRefusal =
        response === 'declined'
          ? { code: 'POLICY_DECLINED', message: 'The person who was asked declined. Nothing was signed.' }
          : {
              code: 'POLICY_NEEDS_PERSON',
              message: `The policy asks a person for anything above ${lamportsToSol(policy.approveAboveLamports ?? 0n)} SOL, and there is no one to ask here. Nothing was signed.`,
              signUrl: request.prepared.built.signUrl,
              signUrlExpiresAt: request.prepared.built.signUrlExpiresAt,
              idempotencyKey: request.idempotencyKey,
            };
      store.locked((audit) => refuse(audit, refusal, entryOf(request, actOf(request.prepared)), now()));
    },
    reserve: (request, epoch) =>
      store.locked((audit) => {
        const { entry, instant, earlier, isLater, above } = decide(audit, request, epoch);
        // The later transactions of a plan were approved with the first one.
        if (above !== null && !isLater && !approvals.has(approvalOf(request)))
          refuse(
            audit,
            { code: 'POLICY_NEEDS_PERSON', message: 'Nobody approved this request. Nothing was signed.' },
            entry,
            instant.ms,
          );
        const covers = earlier?.covers ?? messageHashes(request.prepared);
        // The verified bytes and the bytes to be signed are the same, or nothing is signed.
        if (!covers.includes(request.transactionSha256) || (isLater && earlier === undefined))
          throw new UsageError('this transaction was not approved');
        approvals.delete(approvalOf(request));
        return audit.append(
          {
            ...entry,
            decision: decision({
              outcome: 'allowed',
              epoch: instant.epoch,
              covers,
              ...(above !== null && { byPerson: true }),
              ...(earlier !== undefined && { of: earlier.n }),
            }),
          },
          instant.ms,
        );
      }),
    signed: (n, transactionSha256, signature) =>
      store.locked((audit) => {
        audit.append(
          { ...empty, transactionSha256, signature, decision: decision({ outcome: 'signed', of: n }) },
          now(),
        );
      }),
    notSigned: (n) =>
      store.locked((audit) => {
        // An earlier attempt at the same request may have been signed.
        if (audit.state().spends.find((one) => one.n === n)?.isRepeated !== false) return;
        audit.append(
          { ...empty, decision: decision({ outcome: 'released', reason: 'NOT_SIGNED', of: n }) },
          now(),
        );
      }),
    proveDead: (signature) =>
      store.locked((audit) => {
        const dead = audit.state().spends.find(({ signatures }) => signatures.includes(signature));
        // The other messages of the request may still be signed or land.
        if (dead === undefined || dead.covers.length > 1) return;
        audit.append(
          { ...empty, signature, decision: decision({ outcome: 'released', reason: 'EXPIRED', of: dead.n }) },
          now(),
        );
      }),
  };
};
