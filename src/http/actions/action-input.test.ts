// Tests the conversion of a wallet's request to the operation's input: amounts stay exact, blanks are omitted,
// contradictions are refused, and no input is echoed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJsonBody } from '../../adapter/parse-json-body.ts';
import { parseSol } from '../../domain/lamports.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { AppError } from '../../kernel/app-error.ts';
import { findAction } from '../routes/transaction-builders.ts';
import { readAccount, readActionInput, readQueryMembers } from './action-input.ts';

const ACCOUNT = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const STAKE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

const read = (
  name: TransactionKind,
  query: Readonly<Record<string, string>>,
  body: object = { account: ACCOUNT },
  idempotencyKey?: string,
) =>
  readActionInput(findAction(name)!, {
    query: new Map(Object.entries(query)),
    body: parseJsonBody(Buffer.from(JSON.stringify(body))),
    idempotencyKey,
  });

const issuesOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'VALIDATION_ERROR', String(error));
    return error.message;
  }
  return assert.fail('the request should have been refused');
};

describe('amounts', () => {
  it('are exact to the lamport, both from the query and from data, and never become a double', () => {
    const lamports = fc.bigInt({ min: 1n, max: 9_000_000n * 1_000_000_000n });
    fc.assert(
      fc.property(lamports, fc.boolean(), (amount, inQuery) => {
        const digits = amount.toString().padStart(10, '0');
        const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`;
        const input = inQuery
          ? read('stake', { amountSol: text })
          : read('stake', {}, { account: ACCOUNT, data: { amountSol: text } });
        assert.equal(input.amountSol, amount);
        assert.equal(input.amountSol, parseSol(text));
      }),
      { seed: 3 },
    );
  });

  it('may be JSON numbers in data, and are read from their text', () => {
    const body = parseJsonBody(
      Buffer.from(`{"account":"${ACCOUNT}","data":{"amountSol":8999999.000000001}}`),
    );
    const input = readActionInput(findAction('stake')!, {
      query: new Map(),
      body,
      idempotencyKey: undefined,
    });
    assert.equal(input.amountSol, 8_999_999_000_000_001n);
  });

  it('mean everything if left blank for a withdrawal, and count as missing elsewhere', () => {
    const members = { stakeAccountAddress: STAKE, amountSol: ' ' };
    assert.equal(read('withdraw', members).amountSol, undefined);
    assert.equal(
      issuesOf(() => read('donate', { amountSol: '' })),
      'amountSol: is required',
    );
  });

  for (const text of [
    '0',
    '-1',
    '1.0000000001',
    '1e10',
    '0x10',
    '1,5',
    'NaN',
    'Infinity',
    '{amountSol}',
    '١',
  ])
    it(`${text} is refused, and the error does not quote it`, () => {
      const message = issuesOf(() => read('stake', { amountSol: text }));
      assert.match(message, /^amountSol: must (be|have) /);
      assert.doesNotMatch(message, /quotes/);
      assert.ok(text === '0' || text === '-1' || !message.includes(text));
    });
});

describe('fields', () => {
  it('cannot override the values that an action sets itself', () => {
    const body = { account: ACCOUNT, data: { cosign: 'on-submit', walletAddress: STAKE, amountSol: '2' } };
    const input = read('stake', { cosign: 'on-submit', walletAddress: STAKE }, body);
    assert.deepEqual([input.cosign, input.walletAddress], ['now', ACCOUNT]);
  });

  it('may occur twice with the same value, but not with different values', () => {
    const twice = (amountSol: string) => () =>
      read('donate', { amountSol: '1' }, { account: ACCOUNT, data: { amountSol } });
    assert.equal(twice('1')().amountSol, 1_000_000_000n);
    assert.equal(issuesOf(twice('2')), 'amountSol: is given twice with different values');
  });

  it('may be sent as a list with one entry if they are chosen from a list', () => {
    const data = { stakeAccountAddress: [STAKE] };
    assert.equal(read('unstake', {}, { account: ACCOUNT, data }).stakeAccountAddress, STAKE);
    const two = { stakeAccountAddress: [STAKE, ACCOUNT] };
    assert.match(
      issuesOf(() => read('unstake', {}, { account: ACCOUNT, data: two })),
      /^stakeAccountAddress: /,
    );
  });

  it('the idempotency key in the header takes precedence over the one in the link', () => {
    const query = { amountSol: '1', idempotencyKey: 'link' };
    assert.equal(read('donate', query).idempotencyKey, 'link');
    assert.equal(read('donate', query, { account: ACCOUNT }, 'header').idempotencyKey, 'header');
  });

  it('every issue is reported at once, under the field names of the standard', () => {
    const message = issuesOf(() => read('withdraw', { amountSol: 'x' }, { account: 7 }));
    for (const path of ['account', 'stakeAccountAddress', 'amountSol'])
      assert.match(message, new RegExp(`(^|; )${path}: `), path);
    assert.ok(!message.includes('walletAddress'));
  });
});

describe('a link', () => {
  it('is validated before its card is shown', () => {
    const query = new Map([['amountSol', '1.0000000001']]);
    assert.match(
      issuesOf(() => readQueryMembers(findAction('stake')!, query)),
      /^amountSol: must have at most 9 decimals/,
    );
  });

  it('may contain a wallet, and an empty wallet counts as absent', () => {
    assert.equal(readAccount(new Map([['account', ACCOUNT]])), ACCOUNT);
    assert.equal(readAccount(new Map([['account', '']])), undefined);
    assert.equal(readAccount(new Map()), undefined);
    assert.match(
      issuesOf(() => readAccount(new Map([['account', 'me']]))),
      /^account: must be a valid base58/,
    );
  });
});
