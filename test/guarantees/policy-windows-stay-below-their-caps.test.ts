// POLICY-1: spending never exceeds a policy's limit in any period and nothing counts twice, despite kills,
// restarts, concurrent programs and clocks set back. An independent oracle checks every decision.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { verifyAudit } from '../../cli/policy/audit-chain.ts';
import { filesOf, readSealKey } from '../../cli/policy/audit-store.ts';
import { readPolicy } from '../../cli/policy/policy-file.ts';
import { createPolicyGuard, type PolicyGuard, type PolicyRequest } from '../../cli/policy/policy-guard.ts';
import { type PolicyRefusalCode, PolicyRefused } from '../../cli/policy/policy-refused.ts';
import { createTally } from '../support/count-outcomes.ts';
import {
  addressOf,
  type PlannedAct,
  policyRequest,
  policyText,
  SOL,
  SUBJECT,
  stakeAct,
  withdrawAct,
} from '../support/policy-acts.ts';
import type { SignerLine, SignerOrder } from '../support/policy-signer-process.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SEQUENCES = FULL ? 10_000 : 80;
const KILLS = FULL ? 120 : 6;
const SEED = 20_261_127;
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const DAY_MS = 24 * HOUR_MS;

/** Limits in SOL. The limit for a single stake exceeds the amount above which a person is asked. */
const LIMITS = {
  stake: { each: 4, hour: 6, day: 10, epoch: 5 },
  withdraw: { hour: 3, day: 5 },
} as const;
const APPROVE_ABOVE = 3;

/** A signature that was made, or that the guard allowed shortly before the program was killed. */
interface Signed {
  readonly kind: 'stake' | 'withdraw';
  readonly lamports: bigint;
  readonly account: string;
  readonly message: string;
  readonly atMs: number;
  readonly epoch: number;
  readonly signature: string | null;
}

/**
 * Returns the amount that counts according to the oracle. If several stakes create the same account, only one
 * can land, unless a withdrawal may have closed the account in between. One message can land only once.
 */
const countedLamports = (signed: readonly Signed[], all: readonly Signed[], kind: Signed['kind']): bigint => {
  let total = 0n;
  const largest = new Map<string, bigint>();
  const seen = new Set<string>();
  for (const one of signed.toReversed()) {
    if (one.kind !== kind || seen.has(one.message)) continue;
    seen.add(one.message);
    const isClosed = all.some((other) => other.kind === 'withdraw' && other.account === one.account);
    if (kind === 'withdraw' || isClosed) total += one.lamports;
    else if (one.lamports > (largest.get(one.account) ?? 0n)) {
      total += one.lamports - (largest.get(one.account) ?? 0n);
      largest.set(one.account, one.lamports);
    }
  }
  return total;
};

/** Returns the periods in which the signatures exceed a limit at `atMs` and `epoch`. */
const exceeded = (signed: readonly Signed[], atMs: number, epoch: number): readonly string[] =>
  (['stake', 'withdraw'] as const).flatMap((kind) => {
    const within = {
      hour: signed.filter((one) => one.atMs > atMs - HOUR_MS && one.atMs <= atMs),
      day: signed.filter((one) => one.atMs > atMs - DAY_MS && one.atMs <= atMs),
      epoch: signed.filter((one) => one.epoch === epoch),
    };
    return Object.entries(within).flatMap(([period, some]) => {
      const limit = (LIMITS[kind] as Readonly<Record<string, number>>)[period];
      return limit !== undefined && countedLamports(some, signed, kind) > BigInt(limit) * SOL
        ? [`${kind}.${period}`]
        : [];
    });
  });

/** Cache of verified requests, which are expensive to build and the same in every sequence. */
const requests = new Map<string, Promise<PolicyRequest>>();
const requestOf = (name: string, act: () => PlannedAct, key: string): Promise<PolicyRequest> => {
  const found = requests.get(name) ?? policyRequest(act(), key);
  requests.set(name, found);
  return found;
};

const codeOf = (run: () => void): PolicyRefusalCode | null => {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof PolicyRefused && error.code !== 'POLICY_AUDIT_DAMAGED') return error.code;
    throw error;
  }
};

// Uses files in memory if possible, because the sequences write several hundred thousand records.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Runs one sequence on a new policy with two programs. */
const playSequence = async (folder: string, random: () => number, count: (what: string) => void) => {
  const path = join(folder, 'policy.json');
  writeFileSync(path, policyText({ limits: LIMITS, approveAbove: APPROVE_ABOVE }));
  const pick = (most: number): number => Math.floor(random() * most);
  let [clockMs, steadyMs, epoch] = [Date.parse('2026-11-27T00:00:00Z'), 0, 700];
  let [seenMs, seenEpoch] = [0, 0];
  const starts = [0, 0];
  const open = (program: number): PolicyGuard => {
    starts[program] = clockMs - steadyMs;
    return createPolicyGuard(readPolicy(path), { now: () => clockMs, steadyMs: () => steadyMs });
  };
  const programs = [open(0), open(1)];
  /** Approvals not yet used by a signature. */
  const approvals = [new Set<string>(), new Set<string>()];
  const restart = (program: number): void => {
    programs[program] = open(program);
    approvals[program] = new Set();
  };
  const signed: Signed[] = [];
  const proveDead = (which: Signed, program: number): void => {
    programs[program]!.proveDead(which.signature!);
    for (let at = signed.length; at-- > 0; ) if (signed[at]!.message === which.message) signed.splice(at, 1);
  };

  const call = async (program: number): Promise<void> => {
    const guard = programs[program]!;
    const sol = 1 + pick(5);
    const account = pick(4);
    const [key, blockhash] = [`key ${account}`, pick(2)];
    const kind = random() < 0.75 ? ('stake' as const) : ('withdraw' as const);
    const act = kind === 'stake' ? stakeAct : withdrawAct;
    const name = [kind, sol, account, blockhash].join();
    const planned = () => act(BigInt(sol) * SOL, addressOf(account), blockhash);
    const request = await requestOf(name, planned, key);
    // A node may be one epoch behind.
    const told = random() < 0.2 ? epoch - 1 : epoch;
    // Each record uses the latest of three times: the clock, the program's monotonic clock and the last record.
    const nowMs = Math.max(clockMs, starts[program]! + steadyMs, seenMs);
    const nowEpoch = Math.max(told, seenEpoch);
    const next: Signed = {
      kind,
      lamports: BigInt(sol) * SOL,
      account: addressOf(account),
      message: request.transactionSha256,
      atMs: nowMs,
      epoch: nowEpoch,
      signature: null,
    };
    const others = signed.filter((one) => one.message !== next.message);
    const before = exceeded(others, nowMs, nowEpoch);
    assert.deepEqual(before, [], 'a period exceeds its limit');
    const isOver =
      (kind === 'stake' && sol > LIMITS.stake.each) ||
      exceeded([...others, next], nowMs, nowEpoch).length > 0;
    const admitted = codeOf(() => guard.admit(planned().request, key, SUBJECT, told));
    seenMs = nowMs;
    if (admitted !== null) {
      assert.equal(admitted, 'POLICY_LIMIT');
      assert.ok(isOver, `${name} was refused although it fits`);
      return count('refused before it was built');
    }
    let question: string | null = null;
    const checked = codeOf(() => {
      question = guard.check(request, told);
    });
    assert.equal(checked, isOver ? 'POLICY_LIMIT' : null, name);
    if (checked !== null) return count('refused after it was built');
    const effects = [kind, sol, account].join();
    assert.equal(question !== null, sol > APPROVE_ABOVE && !approvals[program]!.has(effects), name);
    if (question !== null) {
      const response = (['approved', 'approved', 'declined', 'nobody'] as const)[pick(4)]!;
      const refused = codeOf(() => guard.answered(request, response));
      count(response);
      if (response === 'approved') approvals[program]!.add(effects);
      if (response !== 'approved') {
        assert.equal(
          codeOf(() => guard.reserve(request, told)),
          'POLICY_NEEDS_PERSON',
        );
        assert.equal(refused, response === 'declined' ? 'POLICY_DECLINED' : 'POLICY_NEEDS_PERSON');
        return;
      }
    }
    // Another program may spend between the check and the signature.
    if (random() < 0.1) {
      count('another program spent in between');
      await call(1 - program);
      const later = { ...next, atMs: Math.max(nowMs, seenMs), epoch: Math.max(nowEpoch, seenEpoch) };
      const rest = signed.filter((one) => one.message !== next.message);
      if (exceeded([...rest, later], later.atMs, later.epoch).length > 0) {
        assert.equal(
          codeOf(() => guard.reserve(request, told)),
          'POLICY_LIMIT',
        );
        return count('refused at the signature');
      }
    }
    const n = guard.reserve(request, told);
    approvals[program]!.delete(effects);
    seenEpoch = Math.max(seenEpoch, told);
    const allowed = { ...next, atMs: Math.max(nowMs, seenMs), epoch: seenEpoch };
    const earlier = signed.filter((one) => one.message === next.message);
    const signature = `signature of ${next.message}`;
    switch (pick(6)) {
      case 0:
        count('killed before the signature');
        signed.push({ ...allowed, signature: earlier.at(-1)?.signature ?? null });
        restart(program);
        return;
      case 1:
        count('killed after the signature');
        signed.push({ ...allowed, signature: earlier.at(-1)?.signature ?? null });
        restart(program);
        return;
      case 2:
        count('the key did not sign');
        guard.notSigned(n);
        // The same message may already be signed.
        if (earlier.length > 0) signed.push({ ...allowed, signature: earlier.at(-1)!.signature });
        return;
      default:
        count(earlier.length > 0 ? 'signed the same message again' : 'signed');
        guard.signed(n, next.message, signature);
        signed.push({ ...allowed, signature });
    }
  };

  const steps = 8 + pick(18);
  for (let step = 0; step < steps; step += 1) {
    const program = pick(2);
    const action = random();
    const elapsedMs = pick(40) * MINUTE_MS + pick(MINUTE_MS);
    if (action < 0.62) await call(program);
    else if (action < 0.78) {
      count('time passed');
      clockMs += elapsedMs;
      steadyMs += elapsedMs;
    } else if (action < 0.84) {
      count('clock set back');
      clockMs -= pick(3 * DAY_MS);
    } else if (action < 0.87) {
      count('clock set right');
      clockMs = Math.max(clockMs, seenMs);
    } else if (action < 0.93) {
      count('epoch ended');
      epoch += 1;
    } else if (action < 0.96) {
      count('restarted');
      restart(program);
    } else if (action < 0.98) {
      if (!existsSync(filesOf(path).audit)) continue;
      count('killed while writing a record');
      appendFileSync(filesOf(path).audit, '{"n":');
      restart(program);
    } else {
      const known = signed.filter((one) => one.signature !== null);
      const dead = known[pick(known.length)];
      if (dead === undefined) continue;
      count('proven expired');
      proveDead(dead, program);
    }
  }
  const { problems, records } = verifyAudit(
    readFileSync(filesOf(path).audit, 'utf8'),
    readSealKey(filesOf(path).sealKey),
  );
  assert.deepEqual(
    problems.filter(({ code }) => code !== 'INCOMPLETE'),
    [],
  );
  for (const { decision } of records) count(`record: ${decision.outcome}`);
};

test(`POLICY-1 in ${SEQUENCES} random sequences of calls with kills, restarts, two programs and clocks set back, spending never exceeds a limit and nothing counts twice`, async (t) => {
  const random = seededRandom(SEED);
  const { counts, count } = createTally();
  const root = mkdtempSync(join(base, 'holdfast-policy-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const folder = join(root, String(sequence));
    mkdirSync(folder);
    try {
      await playSequence(folder, random, count);
    } catch (error) {
      (error as Error).message += ` (seed ${SEED}, sequence ${sequence})`;
      throw error;
    }
    rmSync(folder, { recursive: true });
  }
  t.diagnostic(JSON.stringify(counts));
  const least: Readonly<Record<string, number>> = {
    signed: 1,
    'signed the same message again': 0.05,
    'refused before it was built': 0.5,
    'refused after it was built': 0.1,
    'refused at the signature': 0.02,
    'another program spent in between': 0.2,
    'killed before the signature': 0.3,
    'killed after the signature': 0.3,
    'the key did not sign': 0.3,
    'clock set back': 0.5,
    'epoch ended': 0.3,
    restarted: 0.2,
    'killed while writing a record': 0.1,
    'proven expired': 0.1,
    approved: 0.3,
    declined: 0.1,
    nobody: 0.1,
  };
  for (const [what, share] of Object.entries(least))
    assert.ok((counts[what] ?? 0) >= share * SEQUENCES, `${what}: ${counts[what] ?? 0}`);
});

const linesOf = (path: string): readonly SignerLine[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SignerLine)
    : [];

const DAY_SOL = 60;
const START_MS = Date.parse('2026-11-27T00:00:00Z');

/** Prepares runs of real programs that share one policy with a daily limit. */
const startPrograms = (t: TestContext) => {
  const folder = temporaryFolder(t);
  const policyPath = join(folder, 'policy.json');
  const logPath = join(folder, 'log');
  writeFileSync(policyPath, policyText({ limits: { stake: { day: DAY_SOL } } }));
  const run = async (orders: readonly SignerOrder[], clockMs = START_MS) => {
    const { ended, child } = spawnProcess(t, {
      file: 'test/support/policy-signer-process.ts',
      args: [JSON.stringify({ policyPath, logPath, clockMs, orders })],
    });
    child.stderr?.on('data', (text: string) => process.stderr.write(text));
    const { code, signal } = await ended;
    const isKilled = orders.some(({ kill }) => kill !== undefined);
    assert.ok(code === 0 || (isKilled && signal === 'SIGKILL'), `exit ${code} ${signal}`);
    return signal;
  };
  /** Returns the SOL already signed, or about to be signed when the program was killed. */
  const spentSol = (): number => {
    const largest = new Map<number, number>();
    for (const { event, sol, account } of linesOf(logPath))
      if (event !== 'refused') largest.set(account, Math.max(sol, largest.get(account) ?? 0));
    return [...largest.values()].reduce((sum, sol) => sum + sol, 0);
  };
  const { audit, sealKey } = filesOf(policyPath);
  const verified = () => verifyAudit(readFileSync(audit, 'utf8'), readSealKey(sealKey));
  return { run, spentSol, lines: () => linesOf(logPath), verified };
};

test(`POLICY-1 when real programs are killed ${KILLS} times between record, signature and response, every recorded amount counts as spent`, async (t) => {
  const random = seededRandom(SEED + 1);
  const pick = (most: number): number => Math.floor(random() * most);
  const { counts, count } = createTally();
  let [programs, account] = [startPrograms(t), 0];
  for (let kills = 0; kills < KILLS; ) {
    const before = programs.lines().length;
    const orders = Array.from({ length: 1 + pick(3) }, (): SignerOrder => {
      // Some requests repeat the account of an interrupted stake.
      if (random() < 0.75) account += 1;
      return { sol: 1 + pick(9), account, blockhash: pick(3) };
    });
    const kill = pick(2) === 0 ? ('before' as const) : ('after' as const);
    const spent = programs.spentSol();
    // The first program's clock is correct.
    const setBackMs = before === 0 ? 0 : pick(2) * pick(5) * DAY_MS;
    const signal = await programs.run(
      [...orders.slice(0, -1), { ...orders.at(-1)!, kill }],
      START_MS - setBackMs,
    );
    assert.ok(programs.spentSol() <= DAY_SOL, `${programs.spentSol()} SOL`);
    for (const { code } of programs.lines().slice(before))
      if (code !== undefined) assert.equal(code, 'POLICY_LIMIT');
    assert.deepEqual(programs.verified().problems, []);
    if (signal === 'SIGKILL') {
      kills += 1;
      count(`killed ${kill} the signature`);
      if (setBackMs > 0) count('started with the clock set back');
    } else {
      assert.ok(spent + orders.reduce((sum, { sol }) => sum + sol, 0) > DAY_SOL, 'refused too early');
      count('refused');
      [programs, account] = [startPrograms(t), 0];
    }
  }
  // Exactly the remaining amount can still be spent.
  const left = DAY_SOL - programs.spentSol();
  const before = programs.lines().length;
  await programs.run([
    { sol: left + 1, account: account + 1, blockhash: 1 },
    { sol: left, account: account + 2, blockhash: 1 },
  ]);
  assert.deepEqual(
    programs
      .lines()
      .slice(before)
      .map(({ event }) => event),
    ['refused', 'signed'],
  );
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts['killed before the signature']! > 0 && counts['killed after the signature']! > 0);
});

test('POLICY-1 two concurrent programs share one budget, to the lamport', async (t) => {
  const { run, spentSol, lines, verified } = startPrograms(t);
  const orders = (first: number): readonly SignerOrder[] =>
    Array.from({ length: 25 }, (_, index) => ({ sol: 2, account: first + index, blockhash: 1 }));
  await Promise.all([run(orders(1)), run(orders(101))]);
  assert.equal(spentSol(), DAY_SOL);
  assert.equal(lines().filter(({ event }) => event === 'signed').length, DAY_SOL / 2);
  assert.equal(lines().filter(({ code }) => code === 'POLICY_LIMIT').length, 50 - DAY_SOL / 2);
  assert.deepEqual(verified().problems, []);
});
