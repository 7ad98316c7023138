// Tests that displayed values are plausible and consistent with the effects of other commands.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast } from '../../test/cli/cli-runner.ts';
import { json, startScriptedService } from '../../test/client/scripted-service.ts';
import { STAKE_ACCOUNT, signer, VOTE_ACCOUNT } from '../../test/support/honest-responses.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createKeypairFile } from '../local/new-keypair.ts';

test('a slot duration below a millisecond is not rounded up', async (t) => {
  const slotTime = async (slotDurationMs: number): Promise<string | undefined> => {
    const timing = { currentEpoch: 7, progressPct: 1, estimatedSecondsRemaining: 9, estimatedEpochEnd: null };
    const { url } = await startScriptedService(t, [json(200, { ...timing, slotDurationMs })]);
    return /^slot time +(.+)$/m.exec((await holdfast(['epoch', '--url', url])).stdout)?.[1];
  };
  assert.deepEqual([await slotTime(0.7), await slotTime(399.6)], ['under 1 ms', '400 ms']);
});

test('idle SOL of a staked account is not shown as ready, and the withdrawing command is shown if the amount exceeds the fee', async (t) => {
  const idle = (withdrawableSol: number) => ({
    address: STAKE_ACCOUNT,
    sol: 2 + withdrawableSol,
    state: 'active',
    withdrawableSol,
    withdrawReady: false,
    deactivationEpoch: null,
    role: 'owner',
    voteAccount: VOTE_ACCOUNT,
    activeSol: 2,
    activatingSol: 0,
  });
  const list = async (withdrawableSol: number): Promise<string> => {
    const response = {
      accounts: [idle(withdrawableSol)],
      validatorVoteAccount: VOTE_ACCOUNT,
      notices: [],
    };
    const { url } = await startScriptedService(t, [json(200, response)]);
    return (await holdfast(['list', signer.walletAddress, '--url', url])).stdout;
  };
  const worth = await list(0.000005001);
  assert.match(worth, / active +0\.000005001 SOL idle$/m);
  assert.match(worth, /^Idle SOL earns nothing: holdfast sweep withdraws it/m);
  const dust = await list(0.000005);
  assert.match(dust, / active +0\.000005 SOL idle$/m);
  assert.doesNotMatch(dust, /holdfast sweep/);
});

test('the parts of the summary add up to the balances of the accounts, as in the list, and idle SOL is named', async (t) => {
  const account = {
    address: STAKE_ACCOUNT,
    role: 'owner',
    voteAccount: VOTE_ACCOUNT,
    deactivationEpoch: null,
  };
  const none = { activeSol: 0, activatingSol: 0 };
  const response = {
    portfolio: {
      liquidSol: 1,
      activeSol: 2,
      activatingSol: 0,
      deactivatingSol: 0,
      withdrawableSol: 1.500000087,
      // Without the account that is not delegated.
      totalStakedSol: 2.001666327,
    },
    accounts: [
      { ...account, ...none, sol: 1.5, state: 'inactive', withdrawableSol: 1.5, withdrawReady: true },
      {
        ...account,
        ...none,
        sol: 2.001666327,
        activeSol: 2,
        state: 'active',
        withdrawableSol: 0.000000087,
        withdrawReady: false,
      },
    ],
    recommendedAction: { action: 'HOLD', reason: 'The stake is active.' },
    notices: [],
  };
  const { url } = await startScriptedService(t, [json(200, response)]);
  const { stdout } = await holdfast(['summary', signer.walletAddress, '--url', url]);
  assert.deepEqual(
    stdout
      .split('\n')
      .slice(1, 5)
      .map((line) => line.replace(/ {2,}/g, ' ').trim()),
    [
      'in stake accounts 3.501666327 SOL',
      'active 2 SOL',
      'withdrawable 1.500000087 SOL, of which 0.000000087 SOL is idle in accounts with stake',
      'rent 0.00166624 SOL, returned when you withdraw',
    ],
  );
  const { accounts, notices } = response;
  const listed = await startScriptedService(t, [
    json(200, { accounts, notices, totalStakedSol: 2.001666327, validatorVoteAccount: VOTE_ACCOUNT }),
  ]);
  const list = await holdfast(['list', signer.walletAddress, '--url', listed.url]);
  assert.match(list.stdout, /^3\.501666327 SOL in stake accounts$/m);
});

test('the summary shows the command for the next step, but only for the user’s own wallet', async (t) => {
  const ready = { address: STAKE_ACCOUNT, role: 'owner', sol: 1.5, state: 'inactive', withdrawReady: true };
  const staked = {
    ...ready,
    state: 'active',
    withdrawReady: false,
    withdrawableSol: 0.5,
    deactivationEpoch: null,
  };
  const body = (recommendedAction: object, account: object) =>
    json(200, {
      portfolio: { liquidSol: 1, activeSol: 2, activatingSol: 0, deactivatingSol: 0, withdrawableSol: 0 },
      accounts: [account],
      recommendedAction: { reason: 'Because.', ...recommendedAction },
      notices: [],
    });
  const keypair = join(temporaryFolder(t), 'wallet.json');
  const own = createKeypairFile(keypair);
  const one = { action: 'WITHDRAW', stakeAccountAddress: STAKE_ACCOUNT, amountSol: 0.5 };
  for (const [action, account, command] of [
    [{ action: 'WITHDRAW', all: true, amountSol: 3 }, ready, 'holdfast withdraw ALL'],
    [one, ready, `holdfast withdraw ${STAKE_ACCOUNT}`],
    [one, staked, `holdfast withdraw ${STAKE_ACCOUNT} 0.5`],
    [{ action: 'STAKE', amountSol: 9 }, staked, 'holdfast stake ALL'],
    [{ action: 'WAIT' }, staked, 'holdfast watch'],
    [{ action: 'HOLD' }, staked, null],
  ] as const) {
    const { url } = await startScriptedService(t, [body(action, account)]);
    const { stdout } = await holdfast(['summary', '--keypair', keypair, '--url', url]);
    const expected = `${action.action}: Because.\n${command === null ? '' : `  ${command}\n`}`;
    assert.ok(stdout.endsWith(expected), stdout);
    const others = await holdfast(['summary', own, '--url', url]);
    assert.ok(others.stdout.endsWith(`${action.action}: Because.\n`), others.stdout);
  }
});
