// The audit's format: one sealed JSON record per line, each with the hash of the line before it. Pure.
import { createHash, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Meaning of a record. Only an `allowed` record counts toward the limits. It is written before the key signs.
 */
export type Outcome = 'requested' | 'refused' | 'allowed' | 'signed' | 'released';

/** A request in the audit. It contains no text chosen by an agent, so it cannot contain a secret. */
export interface AuditedRequest {
  readonly operation: string;
  /** Amount in SOL. Null if the request is for everything or specifies no amount. */
  readonly amountSol: string | null;
  /** SHA-256 of the idempotency key. */
  readonly intent: string;
}

/**
 * Effects read from the verified bytes. Amounts are in SOL; null if neither the transaction nor a node shows
 * them.
 */
export interface AuditedAct {
  readonly operations: readonly string[];
  readonly amountsSol: Readonly<Record<string, string | null>>;
  readonly validators: readonly string[];
  readonly recipients: readonly string[];
  readonly account: string | null;
  readonly closed: readonly string[];
}

/** The decision about a request. */
export interface AuditedDecision {
  readonly outcome: Outcome;
  /** Code of a refusal, or the reason why an allowed request no longer counts. */
  readonly reason?: string;
  /** Hash of the policy that was applied. */
  readonly policySha256: string;
  /** For `allowed`: the current epoch; null if no node reported it. */
  readonly epoch?: number | null;
  /** For `allowed`: hashes of all messages of the request. */
  readonly covers?: readonly string[];
  /** For `allowed`: true if a person approved it. */
  readonly byPerson?: boolean;
  /** Number of the `allowed` record that this record refers to. */
  readonly of?: number;
}

export interface AuditEntry {
  readonly request: AuditedRequest | null;
  readonly transactionSha256: string | null;
  /** Null until a transaction has been verified. */
  readonly verdict: AuditedAct | null;
  readonly decision: AuditedDecision;
  readonly signature: string | null;
}

/** A record as the audit stores it. */
export interface AuditRecord extends AuditEntry {
  /** Position in the audit, from 1 without gaps. */
  readonly n: number;
  /** SHA-256 of the previous line, without its line break. */
  readonly prevHash: string;
  /** ISO 8601. Never earlier than the time of the previous record. */
  readonly time: string;
}

/** `prevHash` of the first record. */
export const START_HASH = '0'.repeat(64);

const SEALED_TEXT = 'holdfast-audit:v1\n';
const SEAL = /^(.*),"seal":"([\w-]{86})"\}$/s;

/** Returns the hash of a line, which the next line contains and `--expect` searches for. */
export const lineHash = (line: string): string => createHash('sha256').update(line).digest('hex');

/** Formats a record as a line without its line break, sealed with the audit's own key. */
export const sealedLine = (record: AuditRecord, key: KeyObject): string => {
  const { n, prevHash, time, request, transactionSha256, verdict, decision, signature } = record;
  const body = JSON.stringify({
    n,
    prevHash,
    time,
    request,
    transactionSha256,
    verdict,
    decision,
    signature,
  });
  const seal = sign(null, Buffer.from(SEALED_TEXT + body), key).toString('base64url');
  return `${body.slice(0, -1)},"seal":"${seal}"}`;
};

/** True if the audit's own key sealed the line. */
export const isSealed = (line: string, key: KeyObject): boolean => {
  const [, body, seal] = SEAL.exec(line) ?? [];
  if (body === undefined || seal === undefined) return false;
  const bytes = Buffer.from(seal, 'base64url');
  // The last character of a seal has unused bits.
  if (bytes.toString('base64url') !== seal) return false;
  return verify(null, Buffer.from(`${SEALED_TEXT}${body}}`), key, bytes);
};

/** Parses a line. Returns undefined if it is not a record. */
export const parseLine = (line: string): AuditRecord | undefined => {
  try {
    const record = JSON.parse(line) as Partial<AuditRecord> | null;
    const isRecord =
      Number.isSafeInteger(record?.n) &&
      typeof record?.prevHash === 'string' &&
      typeof record.time === 'string' &&
      typeof record.decision?.outcome === 'string';
    return isRecord ? (record as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
};

export interface AuditProblem {
  /** Line number, counted from 1. */
  readonly line: number;
  readonly code:
    | 'CHANGED_OR_FORGED'
    | 'REMOVED'
    | 'OUT_OF_ORDER'
    | 'CHAIN_BROKEN'
    | 'TIME_RUNS_BACK'
    | 'INCOMPLETE'
    | 'TAIL_CUT';
  readonly text: string;
}

export interface VerifiedAudit {
  readonly records: readonly AuditRecord[];
  readonly problems: readonly AuditProblem[];
  /** Hash of the last line. Save it elsewhere to detect later whether records up to it were cut off. */
  readonly head: string;
}

/** Verifies every line, and that the line with the hash `expected` is among them. */
export const verifyAudit = (text: string, key: KeyObject, expected?: string): VerifiedAudit => {
  const lines = text.split('\n');
  const rest = lines.pop()!;
  const records: AuditRecord[] = [];
  const problems: AuditProblem[] = [];
  const report = (line: number, code: AuditProblem['code'], sentence: string): void =>
    void problems.push({ line, code, text: sentence });
  let [prevHash, n, time] = [START_HASH, 0, ''];
  let isFound = expected === undefined || expected === START_HASH;
  for (const [index, line] of lines.entries()) {
    const at = index + 1;
    const record = parseLine(line);
    const hash = lineHash(line);
    isFound ||= hash === expected;
    if (record === undefined || !isSealed(line, key)) {
      report(
        at,
        'CHANGED_OR_FORGED',
        'The seal is not valid: the record was changed, or written without the seal key.',
      );
      // Continues from this line, so the next line reveals whether this one was replaced.
      [prevHash, n] = [hash, n + 1];
      continue;
    }
    records.push(record);
    if (record.n > n + 1)
      report(at, 'REMOVED', `${record.n - n - 1} record(s) before number ${record.n} are missing here.`);
    else if (record.n < n + 1)
      report(at, 'OUT_OF_ORDER', `Record ${record.n} follows record ${n}: records were moved or repeated.`);
    else if (record.prevHash !== prevHash)
      report(
        at,
        'CHAIN_BROKEN',
        `The record before number ${record.n} is not the one that it was written after.`,
      );
    if (record.time < time)
      report(at, 'TIME_RUNS_BACK', `Record ${record.n} is earlier than the one before.`);
    [prevHash, n, time] = [hash, record.n, record.time];
  }
  if (rest !== '')
    report(
      lines.length + 1,
      'INCOMPLETE',
      'The last line is incomplete: the program was killed while writing it, so nothing was signed for it, or the end was cut.',
    );
  if (!isFound)
    report(
      lines.length + 1,
      'TAIL_CUT',
      `No record has the hash ${expected}: records at the end were cut off or replaced.`,
    );
  return { records, problems, head: prevHash };
};
