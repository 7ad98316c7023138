// AUDIT-1: verification reports the position of every flipped, deleted, moved or forged record, and detects a
// truncated tail if the head was saved. The signer stops signing if its audit was edited.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type AuditProblem,
  lineHash,
  parseLine,
  sealedLine,
  verifyAudit,
} from '../../cli/policy/audit-chain.ts';
import { filesOf, readSealKey } from '../../cli/policy/audit-store.ts';
import { readPolicy } from '../../cli/policy/policy-file.ts';
import { createPolicyGuard } from '../../cli/policy/policy-guard.ts';
import { holdfast } from '../cli/cli-runner.ts';
import { addressOf, policyRequest, policyText, SOL, SUBJECT, stakeAct } from '../support/policy-acts.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const EDITS = FULL ? 20_000 : 1_000;
const SEED = 20_261_128;

/** Creates an audit with several refused and several signed stakes. */
const startAudit = async (t: TestContext) => {
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, policyText({ limits: { stake: { each: 3 } } }));
  const guard = () => createPolicyGuard(readPolicy(path));
  const stake = async (sol: number, account: number, program = guard()): Promise<void> => {
    const act = stakeAct(BigInt(sol) * SOL, addressOf(account));
    program.admit(act.request, `key ${account}`, SUBJECT, 700);
    const request = await policyRequest(act, `key ${account}`);
    program.signed(program.reserve(request, 700), request.transactionSha256, `signature ${account}`);
  };
  for (let account = 1; account <= 4; account += 1) await stake(2, account);
  await assert.rejects(stake(4, 5), { name: 'PolicyRefused' });
  const files = filesOf(path);
  const text = readFileSync(files.audit, 'utf8');
  return {
    path,
    files,
    guard,
    text,
    lines: text.split('\n').slice(0, -1),
    stake,
    key: readSealKey(files.sealKey),
  };
};

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const codes = (problems: readonly AuditProblem[]) => problems.map(({ line, code }) => [line, code]);

test('AUDIT-1 an unedited audit passes verification and contains every request, decision and signature in order, but no secret key', async (t) => {
  const { text, key, files } = await startAudit(t);
  const { records, problems, head } = verifyAudit(text, key);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    records.map(({ n, decision, signature }) => [n, decision.outcome, decision.reason ?? signature]),
    [
      ...[1, 2, 3, 4].flatMap((account) => [
        [account * 3 - 2, 'requested', null],
        [account * 3 - 1, 'allowed', null],
        [account * 3, 'signed', `signature ${account}`],
      ]),
      [13, 'refused', 'POLICY_LIMIT'],
    ],
  );
  assert.equal(head, lineHash(text.split('\n').at(-2)!));
  for (const file of Object.values(files)) assert.equal(statSync(file).mode & 0o077, 0, file);
  assert.ok(!text.includes('key 1'), 'an idempotency key may contain anything, so only its hash is written');
});

test(`AUDIT-1 each of ${EDITS} flipped bits, and every deleted, swapped, repeated and forged record, is reported with its position`, async (t) => {
  const { text, lines, key } = await startAudit(t);
  const random = seededRandom(SEED);
  const pick = (most: number): number => Math.floor(random() * most);
  const bytes = Buffer.from(text);
  for (let edit = 0; edit < EDITS; edit += 1) {
    const [at, bit] = [pick(bytes.length), pick(8)];
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << bit;
    const line = bytes.subarray(0, at).toString().split('\n').length;
    const { problems } = verifyAudit(flipped.toString(), key);
    const first = problems[0];
    assert.ok(first, `byte ${at}, bit ${bit} (seed ${SEED})`);
    assert.equal(first.line, line, `byte ${at}, bit ${bit} (seed ${SEED})`);
    assert.ok(['CHANGED_OR_FORGED', 'INCOMPLETE'].includes(first.code), first.code);
  }
  for (let at = 0; at < lines.length - 1; at += 1) {
    assert.deepEqual(codes(verifyAudit(joined(lines.toSpliced(at, 1)), key).problems), [[at + 1, 'REMOVED']]);
    const swapped = lines.toSpliced(at, 2, lines[at + 1]!, lines[at]!);
    assert.equal(codes(verifyAudit(joined(swapped), key).problems)[0]!.join(), `${at + 1},REMOVED`);
    assert.ok(verifyAudit(joined(swapped), key).problems.some(({ code }) => code === 'OUT_OF_ORDER'));
    assert.deepEqual(codes(verifyAudit(joined(lines.toSpliced(at, 0, lines[at]!)), key).problems), [
      [at + 2, 'OUT_OF_ORDER'],
    ]);
  }
  const last = parseLine(lines.at(-1)!)!;
  const forged = { ...last, n: last.n + 1, prevHash: lineHash(lines.at(-1)!) };
  const foreign = sealedLine(forged, generateKeyPairSync('ed25519').privateKey);
  for (const line of [
    foreign,
    JSON.stringify(forged),
    foreign.replace(/"seal":"[^"]+"/, `"seal":"${'A'.repeat(86)}"`),
  ])
    assert.deepEqual(codes(verifyAudit(joined([...lines, line]), key).problems), [
      [lines.length + 1, 'CHANGED_OR_FORGED'],
    ]);
});

test('AUDIT-1 a history rewritten with the stolen seal key does not match the saved head', async (t) => {
  const { lines, files, key } = await startAudit(t);
  const { createPrivateKey } = await import('node:crypto');
  const stolen = createPrivateKey(readFileSync(files.sealKey));
  const head = lineHash(lines.at(-1)!);
  let prevHash = parseLine(lines[0]!)!.prevHash;
  const rewritten = lines.map((line) => {
    const record = parseLine(line)!;
    const again = sealedLine({ ...record, prevHash, time: '2026-11-27T00:00:00.000Z' }, stolen);
    prevHash = lineHash(again);
    return again;
  });
  assert.deepEqual(verifyAudit(joined(rewritten), key).problems, []);
  assert.deepEqual(codes(verifyAudit(joined(rewritten), key, head).problems).at(-1), [
    lines.length + 1,
    'TAIL_CUT',
  ]);
});

test('AUDIT-1 a truncated tail is reported only with --expect, and the command exits with 1 for every edit', async (t) => {
  const { lines, files, stake, text } = await startAudit(t);
  const run = (...more: readonly string[]) => holdfast(['audit', files.audit, '--json', ...more]);
  const { head, ok } = (await run()).json();
  assert.equal(ok, true);
  writeFileSync(files.audit, joined(lines.slice(0, -3)));
  assert.equal((await run()).code, 0, 'the file alone cannot show that its tail is missing');
  const cut = await run('--expect', String(head));
  assert.equal(cut.code, 1);
  assert.deepEqual(codes(cut.json().problems as AuditProblem[]), [[lines.length - 2, 'TAIL_CUT']]);
  writeFileSync(files.audit, text);
  await stake(1, 6);
  assert.equal((await run('--expect', String(head))).code, 0, 'a longer audit still contains the saved head');
  assert.equal((await run('--expect', 'f'.repeat(64))).code, 1);
  assert.equal((await run('--expect', 'x')).code, 2);
  writeFileSync(files.audit, joined(lines.toSpliced(2, 1)));
  const removed = await holdfast(['audit', files.audit]);
  assert.equal(removed.code, 1);
  assert.match(removed.stdout, /✗ line 3: 1 record\(s\) before number 4 are missing here\. REMOVED/);
});

test('AUDIT-1 the signer stops signing if its audit is truncated, changed, forged or removed', async (t) => {
  const { lines, files, stake, guard, text } = await startAudit(t);
  const edits: Readonly<Record<string, () => void>> = {
    cut: () => writeFileSync(files.audit, joined(lines.slice(0, -3))),
    'cut in the middle of the last line': () => writeFileSync(files.audit, text.slice(0, -1)),
    emptied: () => writeFileSync(files.audit, ''),
    deleted: () => rmSync(files.audit),
    'a record removed': () => writeFileSync(files.audit, joined(lines.toSpliced(4, 1))),
    'a record changed': () => writeFileSync(files.audit, text.replace('"amountSol":"2"', '"amountSol":"1"')),
    forged: () => writeFileSync(files.audit, `${text}${lines.at(-1)!.replace('"n":13', '"n":14')}\n`),
    'sealed with another key': () => {
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(files.sealKey, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    },
    'seal key deleted': () => rmSync(files.sealKey),
    'state deleted': () => rmSync(files.state),
  };
  const [sealKey, state] = [readFileSync(files.sealKey), readFileSync(files.state)];
  for (const [name, edit] of Object.entries(edits)) {
    const running = guard();
    running.check(await policyRequest(stakeAct(SOL, addressOf(7)), 'key 7'), 700);
    edit();
    // A running program reads only new records and counts records itself, so it does not notice a change to an
    // earlier record.
    const isRead = name !== 'a record changed';
    for (const program of [...(isRead ? [running] : []), guard(), guard()])
      await assert.rejects(stake(1, 7, program), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'POLICY_AUDIT_DAMAGED', `${name}: ${error.message}`);
        return true;
      });
    if (name === 'seal key deleted')
      assert.ok(!existsSync(files.sealKey), 'no new seal key is created in its place');
    writeFileSync(files.audit, text, { mode: 0o600 });
    writeFileSync(files.sealKey, sealKey, { mode: 0o600 });
    writeFileSync(files.state, state, { mode: 0o600 });
  }
  await stake(1, 7);
});
