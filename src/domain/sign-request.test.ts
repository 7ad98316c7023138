// A sign link keeps every field of a request, and no other text is decoded as a link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { goalNames } from './plan/plan-goals.ts';
import { decodeSignLink, encodeSignLink, MAX_LINKED_ACCOUNTS, type SignLink } from './sign-request.ts';

const WALLET = 'Vote111111111111111111111111111111111111111';

const addresses = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

const links: fc.Arbitrary<SignLink> = fc
  .record({
    kind: fc.constantFrom('stake', 'unstake', 'withdraw', 'restake', 'rearrange'),
    walletAddress: addresses,
    amountLamports: optional(fc.bigInt(1n, 9_999_999_999_999_999_999n)),
    stakeAccountAddress: optional(addresses),
    change: optional(
      fc
        .record({
          goal: fc.constantFrom(...goalNames),
          rounding: optional(fc.constantFrom('exact', 'atLeast')),
          to: optional(fc.constantFrom('wallet', 'stake', 'activating')),
          accounts: optional(fc.array(addresses, { maxLength: MAX_LINKED_ACCOUNTS })),
        })
        .map((change) => withoutAbsent(change)),
    ),
    idempotencyKey: fc.stringMatching(/^[\x21-\x7e]{1,255}$/),
    genesisHash: addresses,
    voteAccount: addresses,
    expiresAtSeconds: fc.nat(4_000_000_000),
  })
  .map((link) => withoutAbsent(link) as SignLink);

const withoutAbsent = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;

test('a link keeps every field of the request, in characters that no URL has to escape', () => {
  fc.assert(
    fc.property(links, (link) => {
      const text = encodeSignLink(link);
      assert.match(text, /^[\w-]+$/);
      assert.deepEqual(decodeSignLink(text), link);
    }),
  );
});

test('text that is not a link, or has malformed fields, is refused', () => {
  const good = [1, 'stake', WALLET, 'key', WALLET, WALLET, 1, '5', null, null];
  const textOf = (payload: unknown) => btoa(JSON.stringify(payload)).replaceAll('=', '');
  assert.ok(decodeSignLink(textOf(good)) !== null);
  const replaced = (at: number, value: unknown) => textOf(good.with(at, value as never));
  for (const text of [
    '',
    '%',
    'bm8',
    textOf({}),
    textOf([...good, 1]),
    replaced(0, 2),
    replaced(1, 'donate'),
    replaced(2, '<b>'),
    replaced(3, 'with space'),
    replaced(3, 'x'.repeat(256)),
    replaced(4, 'short'),
    replaced(6, 1.5),
    replaced(7, '-5'),
    replaced(7, 5),
    replaced(8, 'short'),
    replaced(9, ['burn', null, null, null]),
    replaced(9, ['tidy', 'about', null, null]),
    replaced(9, ['tidy', null, 'elsewhere', null]),
    replaced(9, ['tidy', null, null, ['short']]),
    replaced(9, ['tidy', null, null, Array(MAX_LINKED_ACCOUNTS + 1).fill(WALLET)]),
  ])
    assert.equal(decodeSignLink(text), null, text);
});
