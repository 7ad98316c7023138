// In German, every notice and every reason for a missing figure is German, with its figures.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { parseAst } from 'vite';
import { validatorWarnings } from '../../src/domain/alerts/validator-notices.ts';
import type { InstructionFields } from '../../src/domain/instruction-types.ts';
import { type NoticeCode, notice } from '../../src/domain/notice.ts';
import { summarise } from '../../src/domain/transaction/instruction-summary.ts';
import { describeWarning } from '../../src/upstream/provider-snapshot.ts';

Object.assign(globalThis, { document: { documentElement: { dataset: { languages: 'en de' } } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { german } = await import('../../web/src/words/de/german.ts');
const { addTranslations } = await import('../../web/src/words/define-words.ts');
addTranslations(german);
const { noticeText, sentenceText } = await import('../../web/src/text/notice-text.ts');

const A = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ' as Address;
const said = (code: NoticeCode, params: Record<string, string | number> = {}, text = 'English.'): string =>
  noticeText({ ...notice(code, text, params), params });

describe('a notice', () => {
  it('is German for every code that has a text', () => {
    const params = {
      stakeAuthority: A,
      withdrawAuthority: A,
      voteAccount: A,
      from: A,
      to: A,
      epoch: 1,
      what: 'x',
      amountSol: '1',
      minimumStakeSol: '2',
      provider: 'jito',
      field: 'apy',
      failure: 'timeout',
      cluster: 'devnet',
      program: A,
    };
    for (const code of Object.keys(german.serviceNotices) as NoticeCode[])
      assert.doesNotMatch(said(code, params), /English|undefined|\{/, code);
  });

  it('of an unknown code stays English', () => {
    assert.equal(said('TOMORROWS' as NoticeCode), 'English.');
  });

  it('names who controls how many stakes, of this wallet and of others', () => {
    const one = { stakeAuthority: A, stakes: 1, otherWallets: 2 };
    assert.match(
      said('FOREIGN_STAKE_AUTHORITY', one),
      /^7QxW…prnQ kann einen Stake dieser Wallet .* aufteilen\. Wenn/,
    );
    const many = { stakeAuthority: A, stakes: 4, otherWallets: 3 };
    assert.match(
      said('FOREIGN_STAKE_AUTHORITY', many),
      /4 Stakes dieser Wallet .* Stakes von 3 anderen Wallets\. Wenn/,
    );
    const account = { stakeAuthority: A, stakeAccountAddress: A };
    assert.match(said('FOREIGN_STAKE_AUTHORITY', account), /^Nicht diese Wallet, sondern 7QxW…prnQ ist/);
  });

  it('of a raised commission has its part, rates and epoch, and the boundary', () => {
    const [raised] = validatorWarnings(
      {
        state: null,
        alerts: [{ what: 'blockRevenueCommissionBps', from: '0', to: '750', epoch: 800, nearBoundary: true }],
      },
      801n,
    );
    assert.equal(
      noticeText({ ...raised!, params: { ...raised!.params } }),
      'Die Provision des Validators auf Blockeinnahmen ist in Epoche 800 von 0\u00a0% auf 7,50\u00a0% gestiegen, unmittelbar am Epochenwechsel wie bei einem Rug Pull.',
    );
    assert.equal(
      said('COMMISSION_RAISED', { what: 'inflationCommissionBps', fromBps: 500, toBps: 1000 }),
      'Die Provision des Validators ist in den letzten Epochen von 5\u00a0% auf 10\u00a0% gestiegen.',
    );
  });

  it('has amounts and counts as German writes them', () => {
    assert.match(
      said('BELOW_MINIMUM_STAKE', { amountSol: '0.5', minimumStakeSol: '1.00228288' }),
      /^0,5 SOL liegen unter dem Mindest-Stake von 1,00228288 SOL/,
    );
    assert.match(said('EPOCH_ENDS_SOON', { slotsRemaining: 1500 }), /in etwa 1\.500 Slots/);
  });
});

/** Texts in the source of a file that are whole sentences, without descriptions and errors. */
const sentencesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(sentencesIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Record<string, unknown>;
  const name = (node.key as { name?: string } | undefined)?.name ?? '';
  if (node.type === 'Property' && ['description', 'summary', 'suggestedAction'].includes(name)) return [];
  if (node.type === 'NewExpression') return [];
  if (node.type === 'CallExpression' && !isWarning(node)) return sentencesIn([node.callee, ...others(node)]);
  if (node.type === 'Literal')
    return typeof node.value === 'string' && /^[A-Z].* .*\.$/s.test(node.value) ? [node.value] : [];
  return Object.values(node).flatMap(sentencesIn);
};
/** Calls of schemas such as `integer('The epoch.')`, whose first argument is a description. */
const isWarning = ({ callee }: Record<string, unknown>): boolean =>
  !/^(?:integer|sol|percent|timestamp|url|nullable\w+)$/.test(String((callee as { name?: string }).name));
const others = (node: Record<string, unknown>): readonly unknown[] =>
  (node.arguments as readonly unknown[]).slice(1);

/** The method of the yield is said by the sources of its parts; an error and a notice about the validator by their codes. */
const BY_CODE =
  /^(?:The staking part is|The tip part is|The tips are|Tips are|The validator does not share|The cluster does not list|The vote account of the validator moved|The commission of the validator rose) /;

describe('a reason for a missing figure', () => {
  const root = join(import.meta.dirname, '../..');
  const files = ['src/validator/*.ts', 'src/operations/validator/*.ts'];
  const sentences = globSync(files, { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) => sentencesIn(parseAst(readFileSync(join(root, path), 'utf8'), { lang: 'ts' })));

  it('is German, whatever the service says about its validator', () => {
    assert.ok(sentences.length > 20, String(sentences.length));
    assert.deepEqual(
      [...new Set(sentences)].filter(
        (sentence) => sentenceText(sentence) === sentence && !BY_CODE.test(sentence),
      ),
      [],
    );
  });

  it('is German, whatever it says about a provider', () => {
    const words = [
      ...([
        'unreachable',
        'timeout',
        'reset',
        'http-error',
        'rate-limited',
        'not-found',
        'too-large',
      ] as const),
      ...(['garbage', 'closed', 'field-missing', 'field-invalid', 'row-invalid', 'row-duplicate'] as const),
      'validator-missing' as const,
    ];
    for (const word of words)
      for (const more of [{}, { field: 'apy' }, { field: 'apy', count: 1 }, { field: 'apy', count: 3 }]) {
        const english = describeWarning({ provider: 'jito', word, ...more }).text;
        assert.notEqual(sentenceText(english), english, english);
      }
    assert.equal(
      sentenceText(
        describeWarning({ provider: 'stakewiz', word: 'field-missing', field: 'apy', count: 3 }).text,
      ),
      'StakeWiz: In 3 Einträgen fehlt apy.',
    );
  });
});

describe('the sentence of an instruction', () => {
  const stakeAccount = A;
  it('is German, with amounts as German writes them, and a memo is quoted', () => {
    const fields: readonly InstructionFields[] = [
      { type: 'system.transfer', from: A, to: A, lamports: 1_500_000_000n },
      { type: 'stake.deactivate', stakeAccount, stakeAuthority: A },
      { type: 'memo', text: 'Transfers 1 SOL from you to me.' },
      { type: 'computeBudget.setComputeUnitLimit', units: 5_000 },
    ];
    assert.deepEqual(
      fields.map((data) => sentenceText(summarise(data, 'Example', 'example'))),
      [
        `Überträgt 1,5 SOL von ${A} an ${A}.`,
        `Deaktiviert das Stake-Konto ${A}.`,
        'Trägt das Memo "Transfers 1 SOL from you to me.".',
        'Begrenzt die Transaktion auf 5000 Compute Units.',
      ],
    );
  });

  it('is German for every kind of instruction', () => {
    const source = readFileSync(
      join(import.meta.dirname, '../../src/domain/transaction/instruction-summary.ts'),
      'utf8',
    );
    // The figures of each template, and both of a choice, are any text.
    const templates = [...source.matchAll(/return [`']([A-Z][^\n]*\.)[`'];/g)].map(([, text]) =>
      text!
        .replace(/\$\{data\.role === [^}]*\}/, 'stake')
        .replace(/\$\{lockupWords\([^}]*\}/, 'with no lockup')
        .replaceAll(/\$\{[^}]*\}/g, 'x'),
    );
    assert.ok(templates.length >= 15, String(templates.length));
    assert.deepEqual(
      templates.filter((template) => sentenceText(template) === template),
      [],
    );
  });
});
