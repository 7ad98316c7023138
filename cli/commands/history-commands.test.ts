// Tests that tables of past events fit 80 columns on a terminal, and 100 in a file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdfast } from '../../test/cli/cli-runner.ts';
import { json, startScriptedService } from '../../test/client/scripted-service.ts';
import { OUTSIDER, SECOND_ACCOUNT, STAKE_ACCOUNT, signer } from '../../test/support/honest-responses.ts';

const leg = {
  type: 'moveStake',
  amountSol: 1234.567890123,
  stakeAccountAddress: STAKE_ACCOUNT,
  counterAccountAddress: SECOND_ACCOUNT,
};
const entry = {
  type: 'rearrange',
  title: 'Merge 12 → 1, withdraw 1234.567890123 SOL from stake accounts',
  epoch: 1042,
  confirmedAt: '2026-11-21T08:05:59.123Z',
  stakeAccountAddress: null,
  signature: '5'.repeat(88),
  legs: [leg, { ...leg, type: 'create', amountSol: 0.50166624, counterAccountAddress: null }],
};

test('history and rewards fit the terminal by shortening addresses, while --json prints full addresses', async (t) => {
  const { url } = await startScriptedService(t, [json(200, { history: [entry], nextCursor: null })]);
  const show = async (argv: readonly string[], isScreen: boolean): Promise<string> =>
    (await holdfast([...argv, signer.walletAddress, '--url', url], { isScreen, columns: 80 })).stdout;
  for (const [isScreen, columns] of [
    [true, 80],
    [false, 100],
  ] as const) {
    const stdout = await show(['history'], isScreen);
    const wide = stdout.split('\n').filter((line) => line.length > columns);
    assert.deepEqual(wide, [], stdout);
    assert.ok(stdout.includes(`${STAKE_ACCOUNT.slice(0, 4)}…${STAKE_ACCOUNT.slice(-4)} > `), stdout);
    assert.ok(!stdout.includes(STAKE_ACCOUNT));
  }
  // A change made with --direct has the type of its main step.
  const made = { ...entry, type: 'unstake', legs: [{ ...leg, amountSol: 0.19 }] };
  const direct = await startScriptedService(t, [json(200, { history: [made], nextCursor: null })]);
  assert.match(
    (await holdfast(['history', signer.walletAddress, '--url', direct.url])).stdout,
    /move stake\s+0\.19/,
  );
  const stake = {
    ...entry,
    type: 'stake',
    title: 'Stake 1.5 SOL',
    stakeAccountAddress: STAKE_ACCOUNT,
    legs: [],
  };
  const short = await startScriptedService(t, [json(200, { history: [stake], nextCursor: null })]);
  const narrow = ['history', signer.walletAddress, '--url', short.url];
  const { stdout: shown } = await holdfast(narrow, { isScreen: true, columns: 60 });
  assert.match(shown, / Stake 1\.5 SOL .*…/, 'on one line');
  assert.ok(
    shown
      .split('\n')
      .slice(0, 2)
      .every((line) => line.length <= 60),
    shown,
  );
  // The amount is the rent plus the deposit.
  assert.match(await show(['history'], false), /create account with\s+0\.50166624/);
  assert.ok((await show(['history', '--json'], false)).includes(SECOND_ACCOUNT));
  const rewards = [
    {
      epoch: 1042,
      stakeAccountAddress: OUTSIDER,
      inflationSol: 0.123456789,
      tipsSol: null,
      balanceAfterSol: 1234.567890123,
    },
  ];
  const totals = { inflationSol: 0.123456789, tipsSol: 0 };
  const response = { rewards, totals, fromEpoch: 1, toEpoch: 1042, warnings: [] };
  const other = await startScriptedService(t, [json(200, response)]);
  const { stdout } = await holdfast(['rewards', signer.walletAddress, '--url', other.url]);
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  );
  assert.ok(stdout.includes(`${OUTSIDER.slice(0, 4)}…`));
});

test('a period of rewards that the service refuses is a usage error with the names of the options', async (t) => {
  for (const [message, shown] of [
    [
      'epochs: must be omitted, because fromEpoch is given',
      '--epochs must be omitted, because --from-epoch is given',
    ],
    ['fromEpoch: must be at most toEpoch, 3', '--from-epoch must be at most --to-epoch, 3'],
  ] as const) {
    const refusal = { error: 'Validation error', errorCode: 'VALIDATION_ERROR', message };
    const { url } = await startScriptedService(t, [json(400, refusal)]);
    const run = await holdfast(['rewards', signer.walletAddress, '--url', url, '--from-epoch', '5']);
    assert.equal(run.code, 2);
    assert.ok(run.stderr.includes(`✗ ${shown}\n`), run.stderr);
  }
});

test('history --csv prints all pages, with full addresses, and says on standard error what is missing', async (t) => {
  const page = (nextCursor: string | null, warnings: readonly string[]) =>
    json(200, { history: [entry], nextCursor, warnings });
  const { url } = await startScriptedService(t, [page('next', ['Still searching.']), page(null, [])]);
  const run = (...more: string[]) =>
    holdfast(['history', signer.walletAddress, '--csv', '--url', url, ...more]);
  const { code, stdout, stderr } = await run();
  assert.deepEqual([code, stderr], [0, '! Still searching.\n']);
  const lines = stdout.split('\r\n');
  assert.equal(lines.length, 1 + 2 * entry.legs.length + 1);
  assert.match(
    lines[1]!,
    new RegExp(
      `^2026-11-21T08:05:59.123Z,1042,.*,moveStake,${STAKE_ACCOUNT},${STAKE_ACCOUNT},${SECOND_ACCOUNT},1234.567890123,,$`,
    ),
  );
  assert.equal((await run('--limit', '5')).code, 2);
});
