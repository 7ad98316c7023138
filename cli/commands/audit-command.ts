// The command that shows a policy's audit and verifies that the audit was not edited.
import { readFileSync } from 'node:fs';
import { type Command, printDocument } from '../command.ts';
import { fileProblem } from '../local/text-file.ts';
import type { AuditRecord } from '../policy/audit-chain.ts';
import { formatTable } from '../show/align-columns.ts';
import { instant, timeZoneLine } from '../show/format-cells.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(fileProblem(file, error), 'audit');
  }
};

const cells = ({ n, time, request, verdict, decision, signature }: AuditRecord): readonly string[] => {
  const amounts = Object.entries(verdict?.amountsSol ?? {})
    .filter(([kind, sol]) => sol !== '0' && kind !== 'fees')
    .map(([kind, sol]) => `${kind} ${sol ?? '?'}`);
  const asked = amounts.length > 0 ? amounts.join(', ') : (request?.amountSol ?? '');
  const about = decision.of === undefined ? [] : [`(record ${decision.of})`];
  return [
    String(n),
    instant(time, 'second'),
    [decision.outcome, ...about].join(' '),
    request?.operation ?? '',
    asked,
    [
      decision.reason,
      decision.byPerson ? 'approved by a person' : '',
      signature === null ? '' : `signature ${signature.slice(0, 4)}…${signature.slice(-4)}`,
    ]
      .filter(Boolean)
      .join(', '),
  ].map(plain);
};

export const audit: Command = {
  name: 'audit',
  summary: "Show a policy's audit and verify that nobody edited it",
  usage: '<file>',
  takes: [1, 1],
  details: [
    "Each record contains the hash of the one before and is sealed with the audit's own key (FILE.seal-key next to the policy). A changed, removed, moved or forged record is named, and the exit code is 1.",
    'Records cut off at the end leave no trace in the file. Keep a copy of the printed head in another place, and pass it later with --expect.',
  ],
  options: {
    expect: { value: 'HASH', description: 'head printed earlier: its record must still be there' },
    'seal-key': {
      value: 'FILE',
      description: 'seal key in PEM, private or public (default: the one next to the audit)',
    },
  },
  examples: ['audit agent.policy.json.audit', `audit agent.policy.json.audit --expect ${'0'.repeat(64)}`],
  async run(call) {
    const [file] = call.args as [string];
    const { expect, 'seal-key': given } = call.values;
    if (typeof expect === 'string' && !/^[0-9a-f]{64}$/.test(expect))
      throw new UsageError('--expect takes the 64 characters of a head', 'audit');
    const [{ verifyAudit }, { readSealKey }] = await Promise.all([
      import('../policy/audit-chain.ts'),
      import('../policy/audit-store.ts'),
    ]);
    const key = readSealKey(typeof given === 'string' ? given : `${file.replace(/\.audit$/, '')}.seal-key`);
    const { records, problems, head } = verifyAudit(
      textOf(file),
      key,
      typeof expect === 'string' ? expect : undefined,
    );
    printDocument(call, { ok: problems.length === 0, records, problems, head }, () => [
      ...formatTable(
        [
          { title: 'N', align: 'right' },
          { title: 'TIME' },
          { title: 'DECISION' },
          { title: 'REQUEST' },
          { title: 'SOL', wrapAt: 16 },
          { title: 'DETAILS', wrapAt: 20 },
        ],
        records.map(cells),
      ),
      ...(problems.length === 0
        ? [`${call.terminal.paintOut('green', '✓')} ${records.length} records, none edited`]
        : problems.map(
            ({ line, code, text }) =>
              `${call.terminal.paintOut('red', '✗')} line ${line}: ${plain(text)} ${code}`,
          )),
      timeZoneLine(),
      `head ${head}`,
    ]);
    return problems.length === 0 ? 'ok' : 'refused';
  },
};
