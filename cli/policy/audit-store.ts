// Keeps a policy's audit. Appends records under a lock shared by all processes that use the policy, and
// derives all spends from the records.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { solToLamports } from '../../client/sol-amount.ts';
import { sqlite } from '../local/node-sqlite.ts';
import { UsageError } from '../usage-error.ts';
import {
  type AuditEntry,
  type AuditRecord,
  isSealed,
  lineHash,
  parseLine,
  START_HASH,
  sealedLine,
} from './audit-chain.ts';
import { AMOUNT_KINDS } from './policy-file.ts';
import { type Amounts, NOTHING_SPENT, type PolicyState, withoutExpiredSpends } from './policy-limits.ts';
import { PolicyRefused } from './policy-refused.ts';

const OWNER_ONLY = 0o600;
const OTHERS_MAY = 0o077;
/** Maximum wait for another process that holds the lock. */
const BUSY_TIMEOUT_MS = 10_000;

/** Files next to a policy. */
export const filesOf = (policyPath: string) => ({
  audit: `${policyPath}.audit`,
  state: `${policyPath}.state`,
  sealKey: `${policyPath}.seal-key`,
});

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const fsyncFolderOf = (path: string): void => {
  if (platform() === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

const writeAll = (file: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  fsyncSync(file);
};

/** Reads a seal key in PEM, private or public. Throws `UsageError` if the file cannot be read. */
export const readSealKey = (path: string): KeyObject => {
  try {
    return createPublicKey(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`the seal key ${path} cannot be read: ${code ?? message}`);
  }
};

/** Creates the seal key, unless there is one. The caller holds the lock. */
const createSealKey = (path: string): void => {
  if (existsSync(path)) return;
  const draft = `${path}.${process.pid}.tmp`;
  const file = openSync(draft, 'w', OWNER_ONLY);
  try {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeAll(file, Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' }) as string));
  } finally {
    closeSync(file);
  }
  // Renamed into place, because a partially written key file would make the policy unusable.
  renameSync(draft, path);
  fsyncFolderOf(path);
};

const openSealKey = (path: string): KeyObject => {
  if (platform() !== 'win32' && (statSync(path).mode & OTHERS_MAY) !== 0)
    throw new UsageError(`other users can read the seal key ${path}; fix this with: chmod 600 ${path}`);
  return createPrivateKey(readFileSync(path));
};

const amountsOf = (amountsSol: Readonly<Record<string, string | null>>): Amounts =>
  Object.fromEntries(
    AMOUNT_KINDS.map((kind) => {
      const sol = amountsSol[kind] ?? null;
      return [kind, sol === null ? null : solToLamports(sol)];
    }),
  ) as unknown as Amounts;

/** Returns the state after `record`. */
const stateAfter = (state: PolicyState, record: AuditRecord): PolicyState => {
  const { n, decision, request, verdict, signature } = record;
  const { outcome, of, epoch = null, covers = [] } = decision;
  const next: PolicyState = {
    ...state,
    lastMs: Math.max(state.lastMs, Date.parse(record.time)),
    lastEpoch: Math.max(state.lastEpoch, epoch ?? 0),
  };
  const others = state.spends.filter((one) => one.n !== of);
  if (outcome === 'released') return { ...next, spends: others };
  if (outcome === 'signed')
    return {
      ...next,
      spends: state.spends.map((one) =>
        one.n === of ? { ...one, signatures: [...one.signatures, signature ?? ''] } : one,
      ),
    };
  if (outcome !== 'allowed') return next;
  return withoutExpiredSpends({
    ...next,
    spends: [
      ...others,
      {
        n,
        atMs: Date.parse(record.time),
        epoch,
        amounts: amountsOf(verdict?.amountsSol ?? {}),
        account: verdict?.account ?? null,
        closed: verdict?.closed ?? [],
        intent: request?.intent ?? '',
        covers,
        // A record that refers to an earlier one replaces it and keeps its signatures.
        signatures: state.spends.find((one) => one.n === of)?.signatures ?? [],
        isRepeated: of !== undefined,
      },
    ],
  });
};

/** Access to the audit while its lock is held. */
export interface LockedAudit {
  readonly state: () => PolicyState;
  /** Writes a record and waits until it is on disk. Returns its number. */
  readonly append: (entry: AuditEntry, atMs: number) => number;
}

export interface AuditStore {
  /**
   * Runs `work` while no other process can use the audit. Throws `PolicyRefused` if the audit was edited, and
   * `UsageError` if a file cannot be read or written.
   */
  readonly locked: <Result>(work: (audit: LockedAudit) => Result) => Result;
}

const damaged = (path: string, problem: string): PolicyRefused =>
  new PolicyRefused({
    code: 'POLICY_AUDIT_DAMAGED',
    message: `${problem} Nothing is signed under this policy. Show what is wrong with holdfast audit ${path}, and find out who changed it before you start a new policy file.`,
  });

/** Opens the audit next to the policy. Creates its files on first use. */
export const openAuditStore = (policyPath: string): AuditStore => {
  const paths = filesOf(policyPath);
  let [offset, n, hash, last, state] = [0, 0, START_HASH, '', NOTHING_SPENT];
  let sealKey: KeyObject | undefined;

  const openState = (): DatabaseSync => {
    const { DatabaseSync } = sqlite();
    closeSync(openSync(paths.state, 'a', OWNER_ONLY));
    const database = new DatabaseSync(paths.state, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.exec('PRAGMA synchronous = FULL');
      // The lock of this transaction is released by the operating system if the process is killed.
      database.exec('BEGIN IMMEDIATE');
      database.exec(
        'create table if not exists head (id integer primary key check (id = 1), n integer not null, hash text not null) strict',
      );
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };

  /** Reads the records that this process has not seen yet. */
  const catchUp = (file: number, head: { readonly n: number; readonly hash: string }): void => {
    const { size } = fstatSync(file);
    if (size < offset) throw damaged(paths.audit, 'The audit is shorter than before.');
    const bytes = Buffer.alloc(size - offset);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(file, bytes, at, bytes.length - at, offset + at);
      if (read === 0) break;
      at += read;
    }
    const end = bytes.lastIndexOf(0x0a) + 1;
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    let isHeadFound = head.n <= n && (head.n < n || head.hash === hash);
    for (const line of lines) {
      const record = parseLine(line);
      if (record === undefined || record.n !== n + 1 || record.prevHash !== hash)
        throw damaged(paths.audit, `The audit was edited after record ${n}.`);
      state = stateAfter(state, record);
      [n, hash, last] = [record.n, lineHash(line), line];
      if (n === head.n) isHeadFound = hash === head.hash;
    }
    // The last seal covers all earlier records, because each record contains the hash of the previous one.
    if (last !== '' && !isSealed(last, sealKey!))
      throw damaged(paths.audit, `Record ${n} of the audit was not written with the seal key.`);
    if (!isHeadFound) throw damaged(paths.audit, 'Records at the end of the audit were cut off or replaced.');
    offset += end;
    // A process was killed while writing this line, so nothing was signed for it.
    if (end < bytes.length) ftruncateSync(file, offset);
  };

  return {
    locked: (work) => {
      let database: DatabaseSync | undefined;
      let file: number | undefined;
      try {
        const isUsed = sizeOf(paths.audit) > 0;
        // The state file is created first, so someone must have deleted it.
        if (isUsed && !existsSync(paths.state))
          throw damaged(paths.audit, `The file ${paths.state} is missing.`);
        database = openState();
        const row = database.prepare('select n, hash from head').get() as
          | { n: number; hash: string }
          | undefined;
        const head = row ?? { n: 0, hash: START_HASH };
        if (isUsed && !existsSync(paths.sealKey))
          throw damaged(paths.audit, `The seal key ${paths.sealKey} is missing.`);
        createSealKey(paths.sealKey);
        sealKey = openSealKey(paths.sealKey);
        file = openSync(paths.audit, 'a+', OWNER_ONLY);
        if (!isUsed) fsyncFolderOf(paths.audit);
        catchUp(file, head);
        const setHead = database.prepare(
          'insert into head (id, n, hash) values (1, ?, ?) on conflict (id) do update set n = excluded.n, hash = excluded.hash',
        );
        const append = (entry: AuditEntry, atMs: number): number => {
          const time = new Date(Math.max(atMs, state.lastMs)).toISOString();
          const record: AuditRecord = { ...entry, n: n + 1, prevHash: hash, time };
          const line = sealedLine(record, sealKey!);
          const bytes = Buffer.from(`${line}\n`);
          writeAll(file!, bytes);
          state = stateAfter(state, record);
          [n, hash, last, offset] = [record.n, lineHash(line), line, offset + bytes.length];
          setHead.run(n, hash);
          return n;
        };
        const result = work({ state: () => state, append });
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (error instanceof UsageError || error instanceof PolicyRefused) {
          // Commits even after an error, because records that have been written are never removed.
          if (database?.isTransaction) database.exec('COMMIT');
          throw error;
        }
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        throw new UsageError(`could not write the audit ${paths.audit}, so nothing was sent: ${message}`);
      } finally {
        if (file !== undefined) closeSync(file);
        database?.close();
      }
    },
  };
};

/** Returns the SHA-256 of an idempotency key. The key itself is not stored, because an agent chose it. */
export const intentOf = (idempotencyKey: string): string =>
  createHash('sha256').update(idempotencyKey).digest('hex');
