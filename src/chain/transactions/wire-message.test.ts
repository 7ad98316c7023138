// A message's signers, writable accounts and counts follow from its header and lookups, within the limits of
// validators.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAppError } from '../../kernel/app-error.ts';
import { parseMessage } from './wire-message.ts';

interface Sketch {
  readonly version?: 0;
  /** Number of signers, number of read-only signers, and number of other read-only accounts. */
  readonly header?: readonly [number, number, number];
  readonly accounts?: number;
  readonly instructions?: readonly { readonly program: number; readonly accounts: readonly number[] }[];
  readonly lookups?: readonly { readonly writable: number; readonly readonly: number }[];
}

const compact = (value: number): number[] => (value < 0x80 ? [value] : [0x80 | (value & 0x7f), value >> 7]);
const indexes = (count: number): number[] => [...compact(count), ...new Array<number>(count).fill(7)];
const keyBytes = (tag: number): number[] => [tag >> 8, tag & 255, ...new Array<number>(30).fill(1)];

/** Message bytes written by hand. Only version 0 has a list of lookups. */
const messageOf = ({
  version,
  header = [1, 0, 1],
  accounts = 3,
  instructions = [],
  lookups = [],
}: Sketch): Uint8Array =>
  Uint8Array.from([
    ...(version === 0 ? [0x80] : []),
    ...header,
    ...compact(accounts),
    ...Array.from({ length: accounts }, (_, tag) => keyBytes(tag)).flat(),
    ...new Array<number>(32).fill(9),
    ...compact(instructions.length),
    ...instructions.flatMap(({ program, accounts: used }) => [program, ...compact(used.length), ...used, 0]),
    ...(version === 0
      ? [
          ...compact(lookups.length),
          ...lookups.flatMap(({ writable, readonly }) => [
            ...keyBytes(999),
            ...indexes(writable),
            ...indexes(readonly),
          ]),
        ]
      : []),
  ]);

/** Message bytes of version 1 (SIMD-0385) without instructions and configuration. */
const version1Of = ({ header = [1, 0, 1], accounts = 3 }: Pick<Sketch, 'header' | 'accounts'>): Uint8Array =>
  Uint8Array.from([
    ...[0x81, ...header, 0, 0, 0, 0],
    ...new Array<number>(32).fill(9),
    ...[0, accounts],
    ...Array.from({ length: accounts }, (_, tag) => keyBytes(tag)).flat(),
  ]);

const flagsOf = (sketch: Sketch, used: readonly number[]): string =>
  parseMessage(messageOf({ ...sketch, instructions: [{ program: 1, accounts: used }] }))
    .instructions[0]!.accounts.map(
      ({ address, signer, writable }) =>
        `${address === null ? '?' : ''}${signer ? 's' : ''}${writable ? 'w' : 'r'}`,
    )
    .join(' ');

const refused = (sketch: Sketch, why: RegExp) =>
  assert.throws(
    () => parseMessage(messageOf(sketch)),
    (error) => isAppError(error, 'INVALID_TRANSACTION') && why.test(error.message),
  );

describe('signers and writable accounts', () => {
  test('follow from the header: signers come first, and read-only accounts last within each group', () => {
    const header = [3, 1, 2] as const;
    assert.equal(flagsOf({ header, accounts: 7 }, [0, 1, 2, 3, 4, 5, 6]), 'sw sw sr w w r r');
    assert.equal(flagsOf({ header: [1, 0, 0], accounts: 2 }, [0, 1]), 'sw w');
    assert.equal(flagsOf({ header: [2, 1, 0], accounts: 2 }, [0, 1]), 'sw sr');
  });

  test('continue with the lookups: writable accounts come first, and none of them signs or has an address', () => {
    const lookups = [
      { writable: 1, readonly: 1 },
      { writable: 1, readonly: 2 },
    ];
    const sketch = { version: 0, header: [1, 0, 1], accounts: 2, lookups } as const;
    assert.equal(flagsOf(sketch, [0, 1, 2, 3, 4, 5, 6]), 'sw r ?w ?w ?r ?r ?r');
    const instructions = [{ program: 1, accounts: [7] }];
    refused({ ...sketch, instructions }, /account that it does not contain/);
    assert.equal(parseMessage(messageOf(sketch)).hasLookups, true);
    assert.equal(parseMessage(messageOf({ ...sketch, lookups: [] })).hasLookups, false);
    const [one] = [{ writable: 0, readonly: 1 }];
    assert.equal(parseMessage(messageOf({ ...sketch, lookups: [one] })).hasLookups, true);
  });

  test('are refused if the header leaves no fee payer or declares more accounts than exist', () => {
    parseMessage(messageOf({ header: [2, 1, 1], accounts: 3 }));
    refused({ header: [0, 0, 1] }, /no fee payer/);
    refused({ header: [2, 2, 0] }, /no fee payer/);
    refused({ header: [2, 1, 2], accounts: 3 }, /more accounts than it contains/);
  });

  test('do not allow a program that is the fee payer or comes from a lookup', () => {
    const lookups = [{ writable: 1, readonly: 0 }];
    for (const program of [0, 3, 9])
      refused({ version: 0, lookups, instructions: [{ program, accounts: [] }] }, /has no program/);
  });
});

describe('limits', () => {
  test('256 accounts are accepted and 257 are not, whether in the message itself or in lookups', () => {
    const header = [1, 0, 1] as const;
    assert.equal(parseMessage(messageOf({ header, accounts: 256 })).staticAccounts.length, 256);
    refused({ header, accounts: 257 }, /256/);
    const filled = (writable: number, readonly: number) => ({
      version: 0 as const,
      header,
      accounts: 100,
      lookups: [{ writable, readonly }],
    });
    parseMessage(messageOf(filled(100, 56)));
    refused(filled(101, 56), /256 accounts/);
    refused(filled(100, 57), /256 accounts/);
  });

  test('64 instructions are accepted and 65 are not', () => {
    const nothing = { program: 1, accounts: [] };
    const many = (length: number) => ({ instructions: Array.from({ length }, () => nothing) });
    for (const version of [{}, { version: 0 as const }]) {
      assert.equal(parseMessage(messageOf({ ...version, ...many(64) })).instructions.length, 64);
      refused({ ...version, ...many(65) }, /64 instructions/);
    }
    refused(many(257), /256/);
  });

  test('version 1 accepts 12 signers and 64 addresses, but not 13 or 65', () => {
    const signers = (count: number) => ({ header: [count, 0, 1] as const, accounts: count + 1 });
    const addresses = (count: number) => ({ header: [1, 0, 1] as const, accounts: count });
    const parse = (sketch: Pick<Sketch, 'header' | 'accounts'>) => parseMessage(version1Of(sketch));
    const refuses = (sketch: Pick<Sketch, 'header' | 'accounts'>, why: RegExp) =>
      assert.throws(
        () => parse(sketch),
        (error) => isAppError(error, 'INVALID_TRANSACTION') && why.test(error.message),
      );
    assert.equal(parse(signers(12)).requiredSigners.length, 12);
    refuses(signers(13), /more than 12 signatures/);
    assert.equal(parse(addresses(64)).staticAccounts.length, 64);
    refuses(addresses(65), /more than 64 accounts/);
  });

  test('an empty lookup and lookups in a legacy message are refused', () => {
    refused({ version: 0, lookups: [{ writable: 0, readonly: 0 }] }, /lists no account/);
    const legacy = Uint8Array.of(...messageOf({}), 0);
    assert.throws(() => parseMessage(legacy), { code: 'INVALID_TRANSACTION' });
    assert.throws(() => parseMessage(new Uint8Array()), { code: 'INVALID_TRANSACTION' });
  });
});
