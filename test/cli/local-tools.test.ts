// Checks that the local signing tools accept every argument of the remote tools that take a secret key, and
// interpret it the same way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spentLamportsOf } from '../../cli/act/sign-and-submit.ts';
import { describeLocalTools, type LocalToolName, localRequest } from '../../cli/mcp/local-tools.ts';
import { UsageError } from '../../cli/usage-error.ts';
import { stake } from '../../src/operations/stake/stake.ts';
import { unstake } from '../../src/operations/stake/unstake.ts';
import { withdraw } from '../../src/operations/stake/withdraw.ts';

const walletAddress = 'Wa11et1111111111111111111111111111111111111';
const stakeAccountAddress = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const owner = 'Ba843aq8GS6y9S9FkyHRLwzZGCHdZfnNanoqKKJgUpXy';

test('a local tool takes the arguments of the remote tool except the secret key and the transaction version', () => {
  const tools = describeLocalTools(walletAddress);
  for (const [name, { input }] of Object.entries({ stake, unstake, withdraw })) {
    const { secretKey: _, transactionVersion: __, ...remote } = input.shape;
    const { properties, required = [] } = tools[name as LocalToolName].inputSchema;
    const missing = Object.keys(remote).filter((member) => !Object.hasOwn(properties!, member));
    assert.deepEqual(missing, [], name);
    assert.deepEqual(required, [], `${name} already has the wallet`);
  }
});

test('each combination of arguments sends the same request as the remote tool', () => {
  const five = 5_000_000_000n;
  const calls: readonly (readonly [LocalToolName, object, object])[] = [
    ['stake', { amountSol: 5 }, { kind: 'stake', amountLamports: five }],
    ['stake', { stakeAccountAddress }, { kind: 'restake', stakeAccountAddress }],
    ['unstake', { stakeAccountAddress }, { kind: 'unstake', stakeAccountAddress }],
    ['unstake', { amountSol: 5 }, { kind: 'rearrange', goal: 'unstake', amountLamports: five }],
    [
      'unstake',
      { amountSol: 5, want: 'withdrawAmount', rounding: 'atLeast' },
      { kind: 'rearrange', goal: 'withdraw-amount', amountLamports: five, rounding: 'atLeast' },
    ],
    [
      'unstake',
      { amountSol: 5, stakeAccountAddress },
      { kind: 'rearrange', goal: 'unstake', amountLamports: five, stakeAccountAddress },
    ],
    ['withdraw', { stakeAccountAddress }, { kind: 'withdraw', stakeAccountAddress }],
    [
      'withdraw',
      { stakeAccountAddress, amountSol: 5 },
      { kind: 'withdraw', stakeAccountAddress, amountLamports: five },
    ],
    ['withdraw', { all: true }, { kind: 'rearrange', goal: 'withdraw-all' }],
    ['stake', { stakeAccountAddress, owner }, { kind: 'restake', stakeAccountAddress, owner }],
    ['unstake', { stakeAccountAddress, owner }, { kind: 'unstake', stakeAccountAddress, owner }],
    ['change_stake', { goal: 'tidy', owner }, { kind: 'rearrange', goal: 'tidy', owner }],
    ['change_stake', { goal: 'tidy', owner: walletAddress }, { kind: 'rearrange', goal: 'tidy' }],
  ];
  for (const [name, given, request] of calls)
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(localRequest(name, { ...given }, walletAddress)).filter(
          ([, value]) => value !== undefined,
        ),
      ),
      { ...request, walletAddress },
      JSON.stringify([name, given]),
    );
});

test('an amount in quotes is refused, as it is by the service', () => {
  for (const [name, given] of [
    ['stake', { amountSol: '2' }],
    ['unstake', { amountSol: '2' }],
    ['withdraw', { stakeAccountAddress, amountSol: '2' }],
    ['withdraw', { all: 'true' }],
    ['change_stake', { goal: 'top-up', amountSol: '2' }],
  ] as const)
    assert.throws(() => localRequest(name, given, walletAddress), UsageError, JSON.stringify(given));
});

test('only SOL that leaves the wallet to be staked counts towards the budget: a stake, a top-up or the amount added to a sweep', () => {
  const spent = (name: LocalToolName, given: object) =>
    spentLamportsOf(localRequest(name, { ...given }, walletAddress));
  const amountSol = 5;
  assert.equal(spent('stake', { amountSol }), 5_000_000_000n);
  assert.equal(spent('change_stake', { goal: 'top-up', amountSol }), 5_000_000_000n);
  assert.equal(spent('change_stake', { goal: 'sweep', to: 'stake', amountSol }), 5_000_000_000n);
  for (const goal of ['unstake', 'withdraw-amount', 'undo'])
    assert.equal(spent('change_stake', { goal, amountSol }), 0n, goal);
  assert.equal(spent('unstake', { amountSol }), 0n);
});
