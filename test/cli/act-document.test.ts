// Checks the JSON output of every command that changes something: its fields are the same after the change,
// after a retry with the same idempotency key, and for a dry run.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { holdfast, keypairFile, trustService } from './cli-runner.ts';

const shared = sharedSandboxService({ before, after });

interface ActDocument {
  readonly [member: string]: unknown;
  readonly action: string;
  readonly state: string;
  readonly replayed: boolean;
  readonly walletAddress: string;
  readonly amountSol: number | null;
  readonly accounts: readonly string[];
  readonly signature: string | null;
  readonly explorerUrl: string | null;
}

interface PlannedDocument extends ActDocument {
  readonly dryRun: true;
  readonly plan: {
    readonly transactions: readonly { readonly instructions: readonly { readonly name: string }[] }[];
    readonly networkFeeSol: number;
    readonly unstakedSol: number | null;
    readonly stakedSol: number | null;
    readonly epochEndsAt: string | null;
    readonly signBefore: string;
    readonly balances: { readonly accounts: readonly { readonly after: unknown }[] } | null;
  };
}

const COMMON = [
  'action',
  'walletAddress',
  'amountSol',
  'accounts',
  'accountsBefore',
  'signature',
  'state',
  'explorerUrl',
  'replayed',
  'warnings',
];

const start = async (t: TestContext) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  await trustService(url);
  const run = async <Document = ActDocument>(...args: string[]): Promise<Document> => {
    const given = [...args, '--json', '--yes', '--url', url, '--keypair', wallet.path];
    const { code, stdout, stderr } = await holdfast(given);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Document;
  };
  let keys = 0;
  /** Runs the command as a dry run, for real, and again with the same idempotency key. */
  const thrice = async (...args: string[]) => {
    keys += 1;
    const planned = await run<PlannedDocument>(...args, '--dry-run');
    const key = ['--idempotency-key', `act-${keys}`];
    const first = await run(...args, ...key);
    const again = await run(...args, ...key);
    const { walletAddress } = wallet;
    for (const [document, state, replayed] of [
      [planned, 'planned', false],
      [first, 'confirmed', false],
      [again, 'confirmed', true],
    ] as const) {
      for (const member of COMMON) assert.ok(member in document, `${args.join(' ')}: ${member}`);
      assert.deepEqual(
        [document.action, document.walletAddress, document.state, document.replayed],
        [args[0], walletAddress, state, replayed],
      );
      assert.ok(document.accounts.length > 0, args.join(' '));
    }
    assert.deepEqual(Object.keys(again).toSorted(), Object.keys(first).toSorted(), args.join(' '));
    // Time estimates differ between responses.
    for (const member of [
      'signature',
      'explorerUrl',
      'amountSol',
      'accounts',
      'lamports',
      'stakeAccountAddress',
    ])
      assert.deepEqual(again[member], first[member], `${args.join(' ')}: ${member}`);
    assert.match(String(first.explorerUrl), /^https:\/\/explorer/);
    assert.deepEqual([planned.signature, planned.explorerUrl, planned.dryRun], [null, null, true]);
    if (args[0] !== 'stake') {
      const dry = [...args, ...key, '--dry-run', '--json', '--url', url, '--keypair', wallet.path];
      const refused = await holdfast(dry);
      assert.equal(refused.code, 2, refused.stdout);
      assert.match(refused.stderr, new RegExp(`already has a signed transaction, ${first.signature}`));
    }
    assert.ok(planned.plan.networkFeeSol > 0);
    assert.ok(Date.parse(planned.plan.signBefore) > 0);
    assert.ok(planned.plan.transactions[0]!.instructions.length > 0);
    return { planned, first };
  };
  return { run, thrice };
};

test('every such command prints the same fields when performed, when retried with the same idempotency key, and as a dry run', async (t) => {
  const { run, thrice } = await start(t);
  await run('airdrop', '40');
  const staked = await thrice('stake', '2');
  assert.deepEqual(
    [staked.first.amountSol, staked.planned.amountSol, staked.first.lamports],
    [2, 2, '2000000000'],
  );
  assert.equal(staked.planned.plan.stakedSol, 2);
  assert.ok(
    Date.parse(String(staked.planned.plan.epochEndsAt)) > 0,
    'the time at which the stake becomes active',
  );
  const [account] = staked.first.accounts as [string];
  assert.equal(account, staked.first.stakeAccountAddress);

  const added = await thrice('topup', '1');
  assert.equal(added.first.amountSol, 1);
  await run('stake', '3');
  const merged = await thrice('tidy');
  assert.deepEqual([merged.first.amountSol, merged.planned.amountSol], [null, null]);
  assert.equal((merged.first.accountsBefore as unknown[]).length, 2);
  assert.deepEqual(staked.first.accountsBefore, []);
  assert.equal(merged.first.accounts.length, 2);
  assert.ok(merged.planned.plan.balances!.accounts.some(({ after }) => after === null));
  await run('epoch', '--end', '2');

  const part = await thrice('unstake', '1');
  assert.deepEqual([part.first.amountSol, part.planned.amountSol], [1, 1]);
  const list = await run<{ accounts: { address: string; state: string; sol: number }[] }>('accounts');
  const active = list.accounts.find(({ state }) => state === 'active')!.address;
  const whole = await thrice('unstake', active);
  assert.ok(whole.first.amountSol! > 4.9, `${whole.first.amountSol}`);
  assert.equal(whole.planned.plan.unstakedSol, whole.planned.amountSol);
  for (const { accountsBefore } of [whole.planned, whole.first]) {
    const [before, ...others] = accountsBefore as {
      stakeAccountAddress: string;
      state: string;
      sol: number;
    }[];
    assert.deepEqual([before!.stakeAccountAddress, before!.state, others.length], [active, 'active', 0]);
    assert.ok(before!.sol > 4.9, `${before!.sol}`);
  }
  const undone = await thrice('undo', active);
  assert.ok(undone.first.amountSol! > 4.9, `${undone.first.amountSol}`);
  await run('unstake', active);
  await run('epoch', '--end', '1');

  const again = await thrice('restake', active);
  assert.ok(again.first.amountSol! > 4.9, `${again.first.amountSol}`);
  const out = await thrice('withdraw', 'ALL');
  assert.ok(out.first.amountSol! > 1, `${out.first.amountSol}`);
});
