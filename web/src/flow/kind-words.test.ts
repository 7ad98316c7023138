// Tests that the review describes the effects of the bytes, and never calls a stake of another wallet the
// user's own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import {
  type TransactionVerdict,
  verifyTransaction,
} from '../../../client/staking/verify-against-request.ts';
import { buildTransaction } from '../../../src/chain/transactions/transaction.ts';
import { encodeWire } from '../../../src/chain/transactions/wire-transaction.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { effectsOf } from './kind-words.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, stakeAccount, voteAccount, outsider] = [key(1), key(2), key(3), key(9)];
const common = { wallet, stakeAccount, memo: 'example.org', blockhash: key(16) };
const expected = { wallet, voteAccount, memo: 'example.org' };
const short = (address: string): string => shortAddress(address);

const stake = (more: object = {}): Uint8Array =>
  encodeWire(buildTransaction.stake({ ...common, voteAccount, lamports: 2_500_000_001n, ...more }));
const withdraw = (more: object = {}): Uint8Array =>
  encodeWire(buildTransaction.withdraw({ ...common, lamports: 1n, ...more }));

const effects = (wire: Uint8Array, validator: string | null = 'Validator X', more: object = {}) =>
  effectsOf(verifyTransaction(wire, { ...expected, ...more }), validator);
const words = (...given: Parameters<typeof effects>): string =>
  effects(...given)
    .map(({ title, detail }) => `${title}: ${detail}`)
    .join('\n');

/**
 * Replaces bytes of the stake after the tag of its Initialize instruction, which contain: staker, withdrawer,
 * then the lockup's time, epoch and custodian.
 */
const initializing = (offset: number, bytes: Uint8Array): Uint8Array => {
  const wire = Buffer.from(stake());
  const data = wire.indexOf(Buffer.concat([Buffer.alloc(4), Buffer.alloc(64, 1)]));
  assert.ok(data > 0);
  wire.set(bytes, data + 4 + offset);
  return Uint8Array.from(wire);
};

it('a stake for another stake authority says who can do what, and only if that authority was requested', () => {
  const wire = stake({ stakeAuthority: outsider });
  assert.match(
    words(wire, null, { stakeAuthority: outsider }),
    new RegExp(
      `Let another key unstake: ${short(outsider)} can unstake.*cannot take anything out. Only ${short(wallet)}, your wallet, can withdraw`,
    ),
  );
  assert.doesNotMatch(words(wire), /your wallet, can/);
  assert.match(words(wire), /Give others control/);
});

it('a restake names amount and validator, and states that nothing leaves the account', () => {
  const wire = encodeWire(buildTransaction.restake({ ...common, voteAccount }));
  assert.equal(effects(wire)[0]!.title, `Delegate ${short(stakeAccount)} again to Validator X`);
  assert.match(words(wire), /account and its authorities stay the same/);
  const astray = encodeWire(buildTransaction.restake({ ...common, voteAccount: outsider }));
  assert.match(words(astray), /again to another validator/);
});

it('the same bytes are described as reverting an unstake if the goal is an undo, with a note that nothing moves', () => {
  const checked = verifyTransaction(
    encodeWire(buildTransaction.restake({ ...common, voteAccount })),
    expected,
  );
  const [delegated, taken] = effectsOf(checked, 'Validator X', 'undo');
  assert.equal(delegated!.title, `Delegate ${short(stakeAccount)} again to Validator X`);
  assert.match(taken!.detail, /misses no rewards. Nothing moves/);
  const other = verifyTransaction(withdraw(), expected);
  assert.match(effectsOf(other, null, 'undo')[0]!.title, /^Withdraw/, 'any other effect is named as well');
});

it('a change of several steps describes each step, with addresses that users can compare', () => {
  const wire = encodeWire(
    buildTransaction.rearrange({
      wallet,
      memo: common.memo,
      blockhash: common.blockhash,
      operations: [
        {
          type: 'moveStake',
          account: stakeAccount,
          into: outsider,
          lamports: 1_000_000_000n,
          authority: wallet,
        },
        { type: 'deactivate', account: outsider, authority: wallet },
      ] as never,
    }),
  );
  assert.deepEqual(effects(wire), [
    {
      title: 'Move stake',
      detail: `Moves 1 SOL of stake from ${short(stakeAccount)} to ${short(outsider)}.`,
    },
    { title: 'Unstake', detail: `Deactivates stake account ${short(outsider)}.` },
  ]);
});

describe('a stake as requested', () => {
  it('is shown with its amount to the lamport, its account, its owner and its validator', () => {
    assert.deepEqual(effects(stake()), [
      {
        title: 'Move 2.500000001 SOL into a new stake account',
        detail: `${short(stakeAccount)}, created only for this stake.`,
      },
      {
        title: 'Stay in control',
        detail: `Only ${short(wallet)}, your wallet, can unstake or withdraw it. No lockup, no custodian.`,
      },
      {
        title: 'Delegate it to Validator X',
        detail: `Vote account ${short(voteAccount)}. The validator cannot move or spend your SOL.`,
      },
    ]);
  });

  it('is delegated to "the validator" if the validator has no name', () => {
    assert.match(words(stake(), null), /Delegate it to the validator:/);
  });
});

describe('a stake for another wallet', () => {
  const theirs = new Uint8Array(32).fill(9);

  it('is not called yours if another wallet may withdraw it, may unstake it or pays for it, or if it is locked', () => {
    for (const [what, wire, more, said] of [
      ['withdrawer', initializing(32, theirs), {}, `${short(outsider)} could withdraw it`],
      ['staker', initializing(0, theirs), {}, `${short(outsider)} and ${short(wallet)} could unstake it`],
      ['lockup', initializing(72, Uint8Array.of(7)), {}, 'until Unix time 0 and epoch 7, custodian '],
      ['payer', stake(), { wallet: outsider }, `${short(wallet)} could withdraw it`],
    ] as const) {
      const text = words(wire, 'Validator X', more);
      assert.doesNotMatch(text, /yours|your wallet/, what);
      assert.ok(text.includes(said), text);
    }
  });

  it('does not show the name of this validator for a different vote account', () => {
    const text = words(stake({ voteAccount: outsider }));
    assert.match(text, /Delegate it to another validator: /);
    assert.ok(!text.includes('Validator X') && text.includes(short(outsider)), text);
  });
});

describe('the other kinds', () => {
  it('a withdrawal names its recipient and says whether that is the wallet', () => {
    assert.deepEqual(effects(withdraw()), [
      {
        title: `Withdraw 0.000000001 SOL from ${short(stakeAccount)}`,
        detail: `To ${short(wallet)}, your wallet.`,
      },
    ]);
    assert.ok(words(withdraw({ recipient: outsider })).endsWith(`To ${short(outsider)}, not your wallet.`));
    assert.match(words(withdraw(), null, { wallet: outsider }), /not your wallet/);
  });

  it('an unstake names its account', () => {
    const [only, ...more] = effects(encodeWire(buildTransaction.unstake(common)));
    assert.deepEqual([only?.title, more], [`Stop delegating ${short(stakeAccount)}`, []]);
  });

  it('a detail that the bytes lack is shown as missing, not invented', () => {
    const nothing: TransactionVerdict = {
      ...verifyTransaction(withdraw(), expected),
      recognized: { kind: 'withdraw' } as TransactionVerdict['recognized'],
      fields: [],
    };
    assert.deepEqual(effectsOf(nothing, null), [
      { title: 'Withdraw SOL from an account', detail: 'To no one, not your wallet.' },
    ]);
    assert.deepEqual(
      effectsOf({ ...nothing, recognized: { ...nothing.recognized, kind: 'donate' } }, null).map(
        ({ title }) => title,
      ),
      ['Unknown transaction'],
    );
  });
});

it('a validator’s name cannot reverse the sentence that contains it', () => {
  assert.equal(effects(stake(), 'X\u202eY')[2]?.title, 'Delegate it to X\ufffdY');
  assert.equal(effects(stake(), 'שלום')[2]?.title, 'Delegate it to \u2068שלום\u2069');
});
