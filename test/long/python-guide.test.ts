// Follows the Python guide of a running service. Every block runs as printed, with packages from PyPI, and its
// checks refuse every changed byte and every lie about a stake, an unstake or a withdrawal.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Address } from '@solana/kit';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { freePort } from '../support/free-port.ts';
import { planStrategies } from '../support/lying-plans.ts';
import { type Strategy, startLyingService } from '../support/lying-service.ts';
import {
  createLyingServiceChain,
  overreachOf,
  SOL,
  type UserRequest,
} from '../support/lying-service-chain.ts';
import { oneStepStrategies } from '../support/lying-strategies.ts';
import { cleanEnvironment, spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { preparedTruth } from '../support/truth-prepared.ts';
import { guideCode } from '../support/user-without-clone.ts';
import { signedBy, walletOfSeed } from '../support/wallets.ts';

const shared = sharedSandboxService({ before, after });
const cleanUps: (() => void | Promise<void>)[] = [];
let folder = '';
let unavailable: string | null = null;
/** The guide's files by name, as printed, and its other blocks in order. */
let files: ReadonlyMap<string, string>;
let lines: readonly string[];
let port = '';

/** Runs the lines in one shell, up to the first that fails. */
const shell = async (text: string): Promise<string> => {
  const env = { ...cleanEnvironment(), PYTHONDONTWRITEBYTECODE: '1' };
  return (await promisify(execFile)('sh', ['-ec', text], { cwd: folder, env })).stdout;
};
const python = (text: string): Promise<string> => shell(`.venv/bin/python ${text}`);

before(async () => {
  await shared.started;
  folder = temporaryFolder({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  port = String(await freePort());
  const blocks = (await guideCode(shared().service.url, 'python')).map((block) =>
    block.replaceAll('4600', port),
  );
  const nameOf = (block: string) => /^# (\w+\.py): /.exec(block)?.[1];
  files = new Map(blocks.flatMap((block) => (nameOf(block) ? [[nameOf(block)!, block] as const] : [])));
  lines = blocks.filter((block) => nameOf(block) === undefined);
  for (const [name, block] of files) writeFileSync(join(folder, name), block);
  await shell(lines[0]!).catch((error: { stderr?: string }) => {
    unavailable = `the packages could not be installed from PyPI: ${error.stderr?.trim().slice(-300)}`;
  });
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Skips the test if PyPI does not respond. */
const isSkipped = (t: TestContext): boolean => {
  if (unavailable !== null) t.skip(unavailable);
  return unavailable !== null;
};

const line = (text: string): string => {
  const found = lines.filter((block) => block.includes(text));
  assert.equal(found.length, 1, `one block with ${text}`);
  return found[0]!;
};

const accountsOf = async (walletAddress: string) =>
  (await shared().client.listStakeAccounts({ walletAddress })).accounts;

test('every code block of the guide runs as printed: the blocks create a wallet, stake, unstake, withdraw, and receive verified events', async (t) => {
  if (isSkipped(t)) return;
  const [walletAddress] = (await shell(line('make_wallet.py'))).trim().split('\n');
  const [, staked] = /^(\w{32,44}) \w{80,90}$/m.exec(await shell(line('stake.py 5')))!;
  assert.deepEqual(
    (await accountsOf(walletAddress!)).map(({ address, state }) => [address, state]),
    [[staked, 'activating']],
  );

  const { WEBHOOK_SECRET } = JSON.parse(
    await shell(
      line('receiver.py').replace(
        '.venv/bin/python receiver.py',
        `.venv/bin/python -c 'import json, os; print(json.dumps(dict(os.environ)))'`,
      ),
    ),
  );
  const receiver = spawnProcess(t, {
    node: join(folder, '.venv/bin/python'),
    file: join(folder, 'receiver.py'),
    cwd: folder,
    env: { WEBHOOK_SECRET },
  });
  await receiver.output(/^ping \{/m);
  await shared().client.sandboxEndEpochs({ count: 1 });
  await receiver.output(/^stake_activated \{.*\}$/m);

  const statesOf = async () => (await accountsOf(walletAddress!)).map(({ state }) => state).toSorted();
  const printedAccount = (printed: string): string => /^(\w{32,44}) \w{80,90}$/m.exec(printed)![1]!;
  const onAccount = async (text: string, account: string): Promise<string> =>
    printedAccount(await shell(line(text).replace('<STAKE_ACCOUNT>', account)));
  const part = await onAccount('unstake.py <STAKE_ACCOUNT> 2', staked!);
  assert.deepEqual(await statesOf(), ['active', 'deactivating']);
  const { sol } = (await accountsOf(walletAddress!)).find(({ address }) => address === part)!;
  assert.ok(sol > 2 && sol < 2.003, `2 SOL and the rent: ${sol}`);

  // A whole account that was never active is withdrawable immediately.
  const whole = printedAccount(await python('stake.py 1.5'));
  assert.equal(await onAccount('unstake.py <STAKE_ACCOUNT> all', whole), whole);
  assert.equal(await onAccount('withdraw.py <STAKE_ACCOUNT> all', whole), whole);
  assert.deepEqual(await statesOf(), ['active', 'deactivating']);
  await shared().client.sandboxEndEpochs({ count: 1 });
  await python(`withdraw.py ${part} 0.5`);
  const [left] = (await accountsOf(walletAddress!)).filter(({ address }) => address === part);
  assert.ok(left!.sol > 1.5 && left!.sol < 1.503, `1.5 SOL and the rent: ${left!.sol}`);
  await onAccount('withdraw.py <STAKE_ACCOUNT> all', part);
  assert.deepEqual(await statesOf(), ['active']);

  // The amounts that the service recommends work, and without an agreement the whole account stays staked.
  const failed = (text: string): Promise<string> =>
    python(`${text} </dev/null`).then(
      () => assert.fail(`${text} succeeded`),
      (error: { stderr: string }) => error.stderr,
    );
  const refused = await failed(`unstake.py ${staked} 2.5`);
  const [, below, all] = /Ask for ([\d.]+) or ([\d.]+) SOL/.exec(refused) ?? assert.fail(refused);
  assert.equal(
    await failed(`unstake.py ${staked} ${all}`),
    'Nothing was signed. The transaction is not the one requested: it unstakes the whole account.\n',
  );
  assert.deepEqual(await statesOf(), ['active']);
  await python(`unstake.py ${staked} ${below}`);
  assert.deepEqual(await statesOf(), ['active', 'deactivating']);
  assert.equal(printedAccount(await shell(`echo y | .venv/bin/python unstake.py ${staked} 1`)), staked);
  assert.deepEqual(await statesOf(), ['deactivating', 'deactivating']);

  // The receiver accepts only what was signed with the secret.
  const post = async (body: string, secret: string, at = Math.floor(Date.now() / 1000)) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${at}`,
      'webhook-signature': `v1,${signature}`,
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  const forged = '{"id":"x","type":"withdraw_ready","data":{}}';
  assert.equal(await post(forged, WEBHOOK_SECRET), 204);
  assert.equal(await post(forged, `whsec_${Buffer.alloc(32, 1).toString('base64')}`), 400);
  assert.equal(await post(forged, WEBHOOK_SECRET, Math.floor(Date.now() / 1000) - 3_600), 400, 'a replay');
  assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: forged })).status, 400);

  await shell(line('openapi-python-client generate'));
  assert.match(await python('epoch.py'), /^\d+\n$/);
  assert.equal(lines.length, 8);
  assert.deepEqual(
    [...files.keys()],
    [
      ...['service.py', 'make_wallet.py', 'airdrop.py', 'checks.py', 'stake.py', 'unstake.py'],
      ...['withdraw.py', 'receiver.py', 'register.py', 'epoch.py'],
    ],
  );
});

/** Flips each bit of the message, and prints the bytes in which a flip is accepted. */
const FLIP = `
import base64, json, sys
import checks
from checks import NotAsRequested
from solders.pubkey import Pubkey

kind, transaction, wallet, other, *amount = json.loads(sys.argv[1])


def check(changed):
    getattr(checks, f"check_{kind}")(changed, Pubkey.from_string(wallet), Pubkey.from_string(other), *amount)


check(transaction)
wire = base64.b64decode(transaction)
begin = 1 + 64 * wire[0]
free = set()
for at in range(begin, len(wire)):
    for bit in range(8):
        flipped = bytearray(wire)
        flipped[at] ^= 1 << bit
        changed = base64.b64encode(bytes(flipped)).decode()
        try:
            check(changed)
            free.add(at - begin)
        except NotAsRequested:
            pass
for cut in (*range(len(wire)), None):
    changed = base64.b64encode(wire[:cut] if cut is not None else wire + bytes(1)).decode()
    try:
        check(changed)
        free.add(cut)
    except NotAsRequested:
        pass
print(json.dumps(sorted(free, key=str)))
`;

test('the checks in the guide refuse every flipped bit outside the parts that may vary', async (t) => {
  if (isSkipped(t)) return;
  const { client } = shared();
  const wallet = walletOfSeed(new Uint8Array(32).fill(41));
  const { walletAddress } = wallet;
  await client.sandboxAirdrop({ walletAddress, amountSol: 20 });
  writeFileSync(join(folder, 'flip.py'), FLIP);
  const freeOf = async (
    kind: 'stake' | 'unstake' | 'deactivate' | 'withdraw',
    { transaction }: { readonly transaction: string },
    other: string,
    ...amount: (number | null)[]
  ): Promise<string[]> => {
    const given = JSON.stringify([kind, transaction, walletAddress, other, ...amount]);
    const free: number[] = JSON.parse(await python(`flip.py '${given}'`));
    const wire = Buffer.from(transaction, 'base64');
    const message = wire.subarray(1 + 64 * wire[0]!);
    const keys = message[3]!;
    const memo = message.length - 'holdfast sandbox'.length;
    // The amount in the first instruction, after its accounts and its tag.
    const first = 4 + 32 * (keys + 1) + 1;
    const lamports = first + 2 + message[first + 1]! + 1 + 4;
    const [isNew, variable, bytes] =
      kind === 'withdraw' ? [false, 'amount', 8] : [kind !== 'deactivate', 'rent', 3];
    const partOf = (at: number): string => {
      if (isNew && at >= 4 + 32 && at < 4 + 64) return 'new address';
      if (at >= 4 + 32 * keys && at < 4 + 32 * (keys + 1)) return 'blockhash';
      if (at >= memo) return 'memo';
      return at >= lamports && at < lamports + bytes ? variable : `byte ${at}`;
    };
    return [...new Set(free.map(partOf))].toSorted();
  };
  const voteAccount = (await client.listStakeAccounts({ walletAddress })).validatorVoteAccount;
  const options = { walletAddress, amountSol: 2, transactionVersion: 'legacy' } as const;
  const staked = await client.createStakeTransaction(options);
  const SOL_2 = 2_000_000_000;
  assert.deepEqual(await freeOf('stake', staked, voteAccount, SOL_2), ['blockhash', 'memo', 'new address']);
  const submit = ({ transaction }: { readonly transaction: string }) =>
    client.submitTransaction({ signedTransaction: signedBy(wallet, transaction) });
  const large = await client.createStakeTransaction({ ...options, amountSol: 5 });
  await submit(large);
  await client.sandboxEndEpochs({ count: 1 });
  const stakeAccountAddress = large.stakeAccountAddress!;
  const unstaked = await client.createUnstakeTransaction({ ...options, stakeAccountAddress });
  assert.deepEqual(await freeOf('unstake', unstaked, stakeAccountAddress, SOL_2), [
    ...['blockhash', 'memo', 'new address', 'rent'],
  ]);
  const whole = { walletAddress, stakeAccountAddress, transactionVersion: 'legacy' } as const;
  const deactivated = await client.createUnstakeTransaction(whole);
  assert.deepEqual(await freeOf('deactivate', deactivated, stakeAccountAddress), ['blockhash', 'memo']);
  await submit(deactivated);
  await client.sandboxEndEpochs({ count: 1 });
  const part = await client.createWithdrawTransaction({ ...options, stakeAccountAddress });
  assert.deepEqual(await freeOf('withdraw', part, stakeAccountAddress, SOL_2), ['blockhash', 'memo']);
  const rest = await client.createWithdrawTransaction(whole);
  assert.deepEqual(await freeOf('withdraw', rest, stakeAccountAddress, null), [
    'amount',
    'blockhash',
    'memo',
  ]);
});

const SEED = new Uint8Array(32).fill(23);
const accountOf = (request: UserRequest): Address =>
  (request as { readonly stakeAccountAddress: string }).stakeAccountAddress as Address;
const isTried = ({ asks, name }: Strategy): boolean =>
  typeof asks === 'function'
    ? /^(unstake|withdraw): /.test(name)
    : (asks.kind === 'stake' && 'amountLamports' in asks) ||
      (asks.kind === 'rearrange' && asks.goal === 'unstake');

test('a lying service gets nothing signed beyond the request, because every lie about a stake, an unstake or a withdrawal is refused', async (t) => {
  if (isSkipped(t)) return;
  const prepared = preparedTruth();
  const wallet = walletOfSeed(SEED);
  const voteAccount = prepared.keys.votes[0]!;
  const service = await startLyingService(t, voteAccount);
  const here = join(folder, 'lied-to');
  mkdirSync(here);
  for (const [name, text] of files) writeFileSync(join(here, name), text);
  const known = files.get('service.py')!;
  const lied = known
    .replace(/SERVICE = ".*"/, `SERVICE = "${service.url}"`)
    .replace(/from_string\("\w+"\)/, `from_string("${voteAccount}")`);
  assert.notEqual(lied, known);
  writeFileSync(join(here, 'service.py'), lied);
  writeFileSync(join(here, 'wallet.json'), JSON.stringify([...SEED, ...wallet.publicKeyBytes]));
  let runs = 0;
  /**
   * Runs a program against a lying service. Returns what the program did beyond the request, and how many
   * transactions it signed.
   */
  const meet = async (strategy: Strategy) => {
    runs += 1;
    const world = createLyingServiceChain(prepared, wallet.walletAddress, runs);
    const request = typeof strategy.asks === 'function' ? strategy.asks(world) : strategy.asks;
    const texts = { ...strategy.texts, idempotencyKey: `lie-${runs}` };
    service.tell({ strategy: { ...strategy, texts }, world, request });
    const earlier = world.world.accounts();
    // Without an account in the request, the user names one of their own stakes with this validator.
    const named = [...earlier.stakes.values()].find(
      (one) =>
        'withdrawAuthority' in one &&
        one.withdrawAuthority === wallet.walletAddress &&
        one.delegation?.voteAccount === voteAccount,
    );
    const own =
      'stakeAccountAddress' in request ? request.stakeAccountAddress : (named?.address ?? world.newAddress());
    const amount =
      'amountLamports' in request && request.amountLamports !== undefined
        ? Number(request.amountLamports) / 1e9
        : 'all';
    const file = request.kind === 'rearrange' ? 'unstake' : request.kind;
    const program = file === 'stake' ? `stake.py ${amount}` : `${file}.py ${own} ${amount}`;
    const printed = await shell(`cd lied-to; ../.venv/bin/python ${program} 2>&1 </dev/null || true`);
    return {
      overreach: overreachOf(request, earlier, world.world.accounts(), world),
      landed: service.landed(),
      printed,
    };
  };
  const honest: Strategy[] = [
    {
      name: 'an honest stake',
      asks: { kind: 'stake', amountLamports: 2n * SOL },
      builds: (world) => () => [world.newStake(2n * SOL)],
    },
    {
      name: 'an honest unstake',
      asks: ({ plant }) => ({ kind: 'unstake', stakeAccountAddress: plant(30n, 'active') }),
      builds: (world, request) => () => [[world.deactivate(accountOf(request))]],
    },
    {
      name: 'an honest withdrawal',
      asks: ({ plant }) => ({ kind: 'withdraw', stakeAccountAddress: plant(30n, 'inactive') }),
      builds: (world, request) => () => [[world.withdraw(accountOf(request), 30n * SOL + world.rent)]],
    },
  ];
  for (const strategy of honest) {
    const { landed, printed } = await meet(strategy);
    assert.equal(landed, 1, `${strategy.name} is signed: ${printed}`);
  }
  const tried = [...oneStepStrategies, ...planStrategies].filter(isTried);
  t.diagnostic(`${tried.length} lies`);
  assert.ok(tried.length >= 55, String(tried.length));
  for (const strategy of tried) {
    const { overreach, printed } = await meet(strategy);
    assert.deepEqual(overreach, [], `${strategy.name}: ${printed}`);
    assert.doesNotMatch(printed, /Traceback/, strategy.name);
  }
});
