// Tests that the review shown for approval is derived from the bytes, and that the service's texts can neither
// change it nor control the terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { fromBase64 } from '../../client/staking/base64.ts';
import { newRecord } from '../../client/staking/pending-transaction.ts';
import type { Priority, StakingRequest } from '../../client/staking/staking-request.ts';
import { verifyRequest } from '../../client/staking/verify-against-request.ts';
import { notice } from '../../src/domain/notice.ts';
import { unknownEffect } from '../../src/domain/transaction/effects/approval-effects.ts';
import {
  built,
  changeBytes,
  OUTSIDER,
  SECOND_ACCOUNT,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  unstakeBytes,
  VOTE_ACCOUNT,
  withdrawBytes,
} from '../../test/support/honest-responses.ts';
import { NO_EFFECTS } from '../../test/support/no-effects.ts';
import { accountsBeforeLines } from './show-accounts-before.ts';
import { requestLines } from './show-request.ts';

const { walletAddress } = signer;
const lines = (
  transaction: string,
  request: StakingRequest,
  more: object = {},
  effects = NO_EFFECTS,
  nowMs?: number,
): string[] => {
  const record = newRecord(request, {
    cluster: '',
    voteAccount: VOTE_ACCOUNT,
    idempotencyKey: 'k',
    begunAtMs: 0,
  });
  return requestLines(
    {
      record,
      built: { ...built(transaction), ...more },
      verdict: verifyRequest(fromBase64(transaction), record, { voteAccount: VOTE_ACCOUNT }, 'built'),
      following: [],
      effects,
      voteAccount: VOTE_ACCOUNT,
      expiresAtMs: 60_000,
    },
    (tone, text) => `<${tone} ${text}>`,
    undefined,
    nowMs,
  );
};
const checked = '<green ✓> checked on this machine: this is all it does';

test('the review of a stake shows its amount to the lamport, its validator, owner, authorities and cost', () => {
  const request: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 8_999_999_000_000_001n };
  assert.deepEqual(lines(stakeBytes({ lamports: 8_999_999_000_000_001n }), request), [
    '<bold Stake 8999999.000000001 SOL>',
    `  wallet       ${walletAddress}`,
    `  into         ${STAKE_ACCOUNT} (a new stake account)`,
    `  validator    ${VOTE_ACCOUNT}`,
    '  authorities  only your wallet can unstake and withdraw',
    '  lockup       none',
    '  network fee  0.00001 SOL',
    '  memo         "stake.example"',
    checked,
  ]);
});

test('a priority fee has its own row, with its level or limit', () => {
  const unitPrice = { microLamports: 50_000n, maxFeeLamports: 1_000_000n };
  const PAID_SOL = '0.000001661';
  const row = (transaction: string, priority: Priority | undefined) => {
    const request = { kind: 'stake', walletAddress, amountLamports: 2_000_000_000n, priority } as const;
    return lines(transaction, request).filter((line) => /fee|also/.test(line));
  };
  const paid = stakeBytes({ lamports: 2_000_000_000n, unitPrice });
  assert.deepEqual(row(paid, 'high'), [
    '  network fee   0.00001 SOL',
    `  priority fee  ${PAID_SOL} SOL (high)`,
  ]);
  assert.equal(
    row(paid, { maxLamports: 9_000 })[1],
    `  priority fee  ${PAID_SOL} SOL (at most 0.000009 SOL)`,
  );
  assert.equal(row(paid, undefined)[1], `  priority fee  ${PAID_SOL} SOL (not requested)`);
  const free = stakeBytes({ lamports: 2_000_000_000n });
  assert.equal(row(free, 'low')[1], '  priority fee  0 SOL (low)');
  assert.deepEqual(row(free, 'none'), ['  network fee  0.00001 SOL']);
});

test('the review of an unstake or a withdrawal shows the stake account and where the SOL goes', () => {
  const at = { walletAddress, stakeAccountAddress: STAKE_ACCOUNT };
  const unstake = lines(unstakeBytes(), { kind: 'unstake', ...at });
  assert.equal(unstake[0], '<bold Unstake>');
  assert.ok(unstake.includes(`  stake account  ${STAKE_ACCOUNT}`));
  const all = lines(withdrawBytes({ lamports: 7n }), { kind: 'withdraw', ...at });
  assert.equal(all[0], '<bold Withdraw 0.000000007 SOL>', 'all of it, according to the bytes');
  assert.ok(all.includes(`  from         ${STAKE_ACCOUNT}`));
  assert.ok(all.includes(`  to           ${walletAddress}`));
});

test('amounts and accounts in the service’s texts are ignored, and the service’s warnings come last', () => {
  const request: StakingRequest = { kind: 'stake', walletAddress, amountLamports: 2_000_000_000n };
  const shown = lines(stakeBytes(), request, {
    stakeAccountAddress: 'Elsewhere',
    networkFeeSol: 7,
    message: 'Nothing to see',
    notices: [notice('VALIDATOR_DELINQUENT', 'Slow.'), notice('COMMISSION_RAISED', 'Odd\u001b[2J\n✓ fine')],
  });
  assert.doesNotMatch(shown.join('\n'), /Elsewhere|7 SOL|Nothing/);
  assert.deepEqual(shown.slice(-3), [checked, '<red !> Slow.', '<yellow !> Odd\ufffd[2J\ufffd✓ fine']);
});

test('effects that the transaction does not show are listed by account, instead of the line that says the review is complete', () => {
  const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'unstake', amountLamports: 5n };
  const account = STAKE_ACCOUNT as Address;
  const shown = lines(
    unstakeBytes(),
    request,
    {},
    {
      problems: [],
      unknowns: [unknownEffect(account, 'ALL_DEACTIVATED')],
      effects: {
        ...NO_EFFECTS.effects,
        deactivatedLamports: null,
        rentLamports: 2_000_000n,
        atRiskLamports: 3_000_000n,
        fullyDelegated: [account],
      },
    },
  );
  assert.ok(!shown.includes(checked));
  for (const line of [
    '  deactivates  amount not shown in the transaction',
    `  note         All of account ${account} will be delegated to ${VOTE_ACCOUNT}`,
    '  rent         0.002 SOL, returned when the new accounts are closed',
    '  at risk      up to 0.003 SOL of the rent, if someone else can withdraw or lock the split account',
    '<yellow !> checked on this machine, except for what the transaction does not reveal:',
    `    ${account}: ${unknownEffect(account, 'ALL_DEACTIVATED').text}`,
  ])
    assert.ok(shown.includes(line), `${line}\n${shown.join('\n')}`);
});

test('a change is described in one line of plain language, and its plan shows times of day', () => {
  const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'unstake', amountLamports: 5n };
  const nowMs = Date.UTC(2026, 10, 26, 11, 2);
  const at = (minutes: number): string => new Date(nowMs + minutes * 60_000).toISOString();
  const plan = {
    accounts: [],
    wallet: {
      beforeSol: 1,
      afterSol: 1,
      later: [
        {
          stakeAccountAddress: 'a',
          sol: 5,
          epoch: 3,
          estimatedAt: at(5),
          earliestAt: at(4),
          latestAt: at(6),
        },
      ],
    },
    cost: { feesSol: 0.000005, rentLockedSol: 0, forgoneSol: 0 },
  };
  const shown = lines(unstakeBytes(), request, { plan }, NO_EFFECTS, nowMs);
  assert.ok(shown.includes('  how          unstake an account'), shown.join('\n'));
  const clock = new Date(nowMs + 300_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  assert.ok(shown.includes(`  later  5 SOL ready about ${clock}, in 5 min`), shown.join('\n'));
});

test('the rent that a plan returns is what reaches the wallet: a merge may leave rent in the remaining account', () => {
  const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'tidy' };
  const rentLine = (afterSol: number): string | undefined => {
    const plan = {
      accounts: [],
      wallet: { beforeSol: 1, afterSol, later: [] },
      cost: { feesSol: 0.000005, rentLockedSol: -0.00333248, forgoneSol: 0 },
    };
    return lines(unstakeBytes(), request, { plan }).find((line) => line.startsWith('  rent'));
  };
  assert.equal(rentLine(1.00166124), '  rent  0.00166624 SOL is returned');
  assert.equal(rentLine(7), '  rent  0.00333248 SOL is returned');
  assert.equal(rentLine(0.999995), undefined);
});

test('the review of a rescue names each recovered stake account and its new stake authority', () => {
  const recovered = changeBytes({
    type: 'authorize',
    account: STAKE_ACCOUNT as Address,
    role: 'staker',
    authority: walletAddress as Address,
    newAuthority: walletAddress as Address,
  });
  const shown = lines(recovered, { kind: 'rearrange', walletAddress, goal: 'rescue' });
  for (const line of [
    `  stake account  ${STAKE_ACCOUNT}`,
    `  authority      ${walletAddress} replaces the current stake authority`,
  ])
    assert.ok(shown.includes(line), shown.join('\n'));
});

test('the stake authority that a rescue removes is named for the recovered account only', () => {
  const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'rescue' };
  const record = newRecord(request, {
    cluster: '',
    voteAccount: VOTE_ACCOUNT,
    idempotencyKey: 'k',
    begunAtMs: 0,
  });
  const [wallet, account] = [walletAddress, STAKE_ACCOUNT] as Address[];
  const authorize = { type: 'authorize', role: 'staker', account: account!, authority: wallet! } as const;
  const bytes = fromBase64(changeBytes({ ...authorize, newAuthority: wallet! }));
  const verdict = verifyRequest(bytes, record, { voteAccount: VOTE_ACCOUNT }, 'built');
  const listed = [
    { address: STAKE_ACCOUNT, stakeAuthority: OUTSIDER },
    { address: SECOND_ACCOUNT, stakeAuthority: VOTE_ACCOUNT },
  ];
  const shown = accountsBeforeLines({ record, verdict, following: [] } as never, listed as never, 0);
  assert.deepEqual(shown.slice(2), [`  ${STAKE_ACCOUNT}  ${OUTSIDER}`]);
});

test('SOL that others could take from new accounts is shown only if it exceeds the displayed rent', () => {
  const request: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'unstake', amountLamports: 5n };
  const atRisk = (atRiskLamports: bigint): boolean =>
    lines(
      unstakeBytes(),
      request,
      {},
      {
        problems: [],
        unknowns: [],
        effects: { ...NO_EFFECTS.effects, rentLamports: 2_000_000n, atRiskLamports },
      },
    ).some((line) => line.includes('at risk'));
  assert.deepEqual([atRisk(2_000_000n), atRisk(2_000_001n)], [false, true]);
});

test('every memo is shown on one line, in quotes', () => {
  const request: StakingRequest = { kind: 'unstake', walletAddress, stakeAccountAddress: STAKE_ACCOUNT };
  const memo = (text: string) =>
    lines(unstakeBytes({ memo: text }), request).filter((line) => line.startsWith('  memo'));
  assert.deepEqual(memo('a"\n  to  \u202eelsewhere'), ['  memo           "a"\ufffd  to  \ufffdelsewhere"']);
  assert.deepEqual(memo('漢字'), ['  memo           "漢字"']);
});
