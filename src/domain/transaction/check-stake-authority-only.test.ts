// A stake authority other than the owner is only set on request, and can never take anything out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { buildTransaction } from '../../chain/transactions/transaction.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { textOf } from '../../kernel/sentence.ts';
import type { InstructionFields } from '../instruction-types.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { NO_LOCKUP } from '../stake/stake-account.ts';
import { controlSentences } from './control-sentences.ts';
import { type Expectations, type MessageFacts, recognizeTransaction } from './stake-verifier.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, agent, thief, stakeAccount, other, voteAccount] = [11, 12, 13, 14, 15, 16].map(key) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const service: Expectations = { voteAccount, memo: 'example.org' };
const common = { memo: 'example.org', blockhash: key(17) };
const codesOf = (message: MessageFacts, more: Partial<Expectations>): readonly string[] =>
  recognizeTransaction(message, { ...service, ...more }).problems.map(({ code }) => code);

describe('a new stake with a separate stake authority', () => {
  const given = { ...common, wallet, stakeAccount, voteAccount, lamports: 5n };
  const message = buildTransaction.stake({ ...given, stakeAuthority: agent });
  const changed = (change: Record<string, unknown>): MessageFacts => ({
    feePayer: message.feePayer,
    requiredSigners: message.requiredSigners,
    instructions: message.instructions.map((one) =>
      one.data.type === 'stake.authorize'
        ? { ...one, data: { ...one.data, ...change } as InstructionFields }
        : one,
    ),
  });

  test('passes if that authority was requested, and its text says who can do what', () => {
    const seen = recognizeTransaction(message, { ...service, stakeAuthority: agent });
    assert.deepEqual(
      [seen.problems, seen.kind, seen.stakeAuthority, seen.lamports],
      [[], 'stake', agent, 5n],
    );
    assert.equal(
      textOf(controlSentences(seen)),
      `Afterwards, ${agent} can unstake and redelegate this stake, but cannot take anything out. Only ${wallet} can withdraw.`,
    );
    assert.deepEqual(message.requiredSigners, [wallet, stakeAccount]);
  });

  test('is refused unless exactly that stake authority was requested', () => {
    assert.deepEqual(codesOf(message, {}), ['GIVES_AUTHORITY_AWAY']);
    assert.deepEqual(codesOf(message, { stakeAuthority: thief }), ['GIVES_AUTHORITY_AWAY']);
    const ordinary = buildTransaction.stake(given);
    assert.deepEqual(codesOf(ordinary, { stakeAuthority: agent }), ['STAKE_AUTHORITY_NOT_SET']);
    assert.deepEqual(codesOf(ordinary, { stakeAuthority: wallet }), []);
    assert.deepEqual(codesOf(ordinary, { stakeAuthority: 'any' }), []);
  });

  for (const [what, change] of Object.entries({
    'the withdraw authority': { role: 'withdrawer' },
    'another account': { stakeAccount: other },
    'another signer': { authority: thief },
    'a custodian': { custodian: thief },
  }))
    test(`is refused if the authorization contains ${what}`, () => {
      assert.deepEqual(codesOf(changed(change), { stakeAuthority: agent }), ['GIVES_OTHER_AUTHORITY']);
    });

  test('is refused if the authority is set twice, or after the memo', () => {
    const { feePayer, requiredSigners, instructions } = message;
    const authorize = instructions.find(({ data }) => data.type === 'stake.authorize')!;
    const twice = { feePayer, requiredSigners, instructions: [...instructions, authorize] };
    const late = {
      ...twice,
      instructions: [...instructions.filter((one) => one !== authorize), authorize],
    };
    for (const one of [twice, late]) assert.notDeepEqual(codesOf(one, { stakeAuthority: agent }), []);
  });
});

describe('a key that is only the stake authority', () => {
  const authority = agent;
  const allowed: Readonly<Record<string, readonly MachineOperation[]>> = {
    unstake: [{ type: 'deactivate', account: stakeAccount, authority }],
    restake: [{ type: 'delegate', account: stakeAccount, voteAccount, authority }],
    rearrange: [
      { type: 'create', account: other, payer: agent, lamports: 2_000_000n },
      { type: 'split', account: stakeAccount, into: other, lamports: 5n, authority },
      { type: 'deactivate', account: other, authority },
      { type: 'merge', account: stakeAccount, from: key(18), authority },
      { type: 'moveStake', account: stakeAccount, into: key(19), lamports: 1n, authority },
      { type: 'moveLamports', account: stakeAccount, into: key(19), lamports: 1n, authority },
    ],
  };
  const built = (operations: readonly MachineOperation[]) =>
    buildTransaction.rearrange({ ...common, wallet: agent, operations });

  for (const [kind, operations] of Object.entries(allowed))
    test(`may ${kind}, and the text names the owner`, () => {
      const seen = recognizeTransaction(built(operations), { ...service, wallet: agent, owner: wallet });
      assert.deepEqual([seen.problems, seen.kind, seen.owner], [[], kind, wallet]);
      assert.match(textOf(controlSentences(seen)), /cannot take anything out.*you named/);
    });

  for (const [what, operations] of Object.entries({
    withdraw: [{ type: 'withdraw', account: stakeAccount, to: agent, lamports: 1n, authority }],
    'withdraw what it unstakes': [
      { type: 'deactivate', account: stakeAccount, authority },
      { type: 'withdraw', account: stakeAccount, to: agent, lamports: 1n, authority },
    ],
    'set an authority': [
      { type: 'authorize', account: stakeAccount, role: 'staker', authority, newAuthority: agent },
    ],
    'lend lamports': [
      { type: 'transfer', from: agent, to: stakeAccount, lamports: 1n },
      { type: 'delegate', account: stakeAccount, voteAccount, authority },
      { type: 'withdraw', account: stakeAccount, to: agent, lamports: 1n, authority },
    ],
    stake: [
      { type: 'create', account: other, payer: agent, lamports: 5n },
      {
        type: 'initialize',
        account: other,
        stakeAuthority: agent,
        withdrawAuthority: agent,
        lockup: NO_LOCKUP,
      },
      { type: 'delegate', account: other, voteAccount, authority },
    ],
  } satisfies Record<string, readonly MachineOperation[]>))
    test(`may not ${what}`, () => {
      const message = built(operations);
      assert.ok(codesOf(message, { wallet: agent, owner: wallet }).includes('NEEDS_OWNER'));
      assert.ok(!codesOf(message, { wallet: agent, owner: agent }).includes('NEEDS_OWNER'));
    });

  test('is refused if a known account belongs to someone else', () => {
    const accounts = (withdrawer: Address) =>
      new Map([[stakeAccount, { state: 'active' as const, withdrawer }]]);
    const owned = { wallet: agent, owner: wallet };
    assert.deepEqual(codesOf(built(allowed.unstake!), { ...owned, accounts: accounts(wallet) }), []);
    assert.deepEqual(codesOf(built(allowed.unstake!), { ...owned, accounts: accounts(thief) }), [
      'WITHDRAWABLE_BY_OTHER',
    ]);
  });

  test('may not donate either, although a donation takes nothing from the owner', () => {
    const donationAddress = key(20);
    const donation = buildTransaction.donate({ ...common, wallet: agent, donationAddress, lamports: 1n });
    assert.deepEqual(codesOf(donation, { donationAddress, owner: wallet }), ['NEEDS_OWNER']);
  });
});
