// Follows the Python guide of a running service. Every block runs as printed, with packages from PyPI, and its
// check refuses every changed byte and every lie about a stake.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { freePort } from '../support/free-port.ts';
import { planStrategies } from '../support/lying-plans.ts';
import { type Strategy, startLyingService } from '../support/lying-service.ts';
import { createLyingServiceChain, overreachOf } from '../support/lying-service-chain.ts';
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

test('every code block of the guide runs as printed: the blocks create a wallet, stake, unstake an amount, and receive verified events', async (t) => {
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

  await shell(line('unstake.py <STAKE_ACCOUNT>').replace('<STAKE_ACCOUNT>', staked!));
  const now = await accountsOf(walletAddress!);
  assert.deepEqual(now.map(({ state }) => state).toSorted(), ['active', 'deactivating']);
  const { sol } = now.find(({ state }) => state === 'deactivating')!;
  assert.ok(sol > 2 && sol < 2.003, `2 SOL and the rent: ${sol}`);

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
  assert.equal(lines.length, 6);
  assert.deepEqual(
    [...files.keys()],
    [
      ...['service.py', 'make_wallet.py', 'airdrop.py', 'checks.py', 'stake.py', 'unstake.py'],
      ...['receiver.py', 'register.py', 'epoch.py'],
    ],
  );
});

/** Flips each bit of the message, and prints the bytes in which a flip is accepted. */
const FLIP = `
import base64, json, sys
from checks import NotAsRequested, check_stake, check_unstake
from solders.pubkey import Pubkey

kind, transaction, wallet, other, lamports = json.loads(sys.argv[1])
check = check_stake if kind == "stake" else check_unstake
check(transaction, Pubkey.from_string(wallet), Pubkey.from_string(other), lamports)
wire = base64.b64decode(transaction)
begin = 1 + 64 * wire[0]
free = set()
for at in range(begin, len(wire)):
    for bit in range(8):
        flipped = bytearray(wire)
        flipped[at] ^= 1 << bit
        changed = base64.b64encode(bytes(flipped)).decode()
        try:
            check(changed, Pubkey.from_string(wallet), Pubkey.from_string(other), lamports)
            free.add(at - begin)
        except NotAsRequested:
            pass
for cut in (*range(len(wire)), None):
    changed = base64.b64encode(wire[:cut] if cut is not None else wire + bytes(1)).decode()
    try:
        check(changed, Pubkey.from_string(wallet), Pubkey.from_string(other), lamports)
        free.add(cut)
    except NotAsRequested:
        pass
print(json.dumps(sorted(free, key=str)))
`;

test('the check in the guide refuses every flipped bit outside the parts that may vary', async (t) => {
  if (isSkipped(t)) return;
  const { client } = shared();
  const wallet = walletOfSeed(new Uint8Array(32).fill(41));
  const { walletAddress } = wallet;
  await client.sandboxAirdrop({ walletAddress, amountSol: 20 });
  writeFileSync(join(folder, 'flip.py'), FLIP);
  const freeOf = async (kind: string, transaction: string, other: string): Promise<string[]> => {
    const given = JSON.stringify([kind, transaction, walletAddress, other, 2_000_000_000]);
    const free: number[] = JSON.parse(await python(`flip.py '${given}'`));
    const wire = Buffer.from(transaction, 'base64');
    const message = wire.subarray(1 + 64 * wire[0]!);
    const keys = message[3]!;
    const memo = message.length - 'holdfast sandbox'.length;
    const rent = 4 + 32 * (keys + 1) + 1 + 5 + 4;
    const partOf = (at: number): string => {
      if (at >= 4 + 32 && at < 4 + 64) return 'new address';
      if (at >= 4 + 32 * keys && at < 4 + 32 * (keys + 1)) return 'blockhash';
      if (at >= memo) return 'memo';
      return kind === 'unstake' && at >= rent && at < rent + 3 ? 'rent' : `byte ${at}`;
    };
    return [...new Set(free.map(partOf))].toSorted();
  };
  const voteAccount = (await client.listStakeAccounts({ walletAddress })).validatorVoteAccount;
  const options = { walletAddress, amountSol: 2, transactionVersion: 'legacy' } as const;
  const staked = await client.createStakeTransaction(options);
  assert.deepEqual(await freeOf('stake', staked.transaction, voteAccount), [
    'blockhash',
    'memo',
    'new address',
  ]);
  const large = await client.createStakeTransaction({ ...options, amountSol: 5 });
  await client.submitTransaction({ signedTransaction: signedBy(wallet, large.transaction) });
  await client.sandboxEndEpochs({ count: 1 });
  const stakeAccountAddress = large.stakeAccountAddress!;
  const unstaked = await client.createUnstakeTransaction({ ...options, stakeAccountAddress });
  assert.deepEqual(await freeOf('unstake', unstaked.transaction, stakeAccountAddress), [
    ...['blockhash', 'memo', 'new address', 'rent'],
  ]);
});

const SEED = new Uint8Array(32).fill(23);
const isTried = ({ asks }: Strategy): boolean =>
  typeof asks === 'object' &&
  ((asks.kind === 'stake' && 'amountLamports' in asks) ||
    (asks.kind === 'rearrange' && asks.goal === 'unstake'));

test('a lying service gets nothing signed beyond the request, because every lie about a stake or an unstake by amount is refused', async (t) => {
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
    const request = strategy.asks as Exclude<typeof strategy.asks, (...given: never) => unknown>;
    const texts = { ...strategy.texts, idempotencyKey: `lie-${runs}` };
    service.tell({ strategy: { ...strategy, texts }, world, request });
    const earlier = world.world.accounts();
    // The user names one of their own stakes with this validator.
    const named = [...earlier.stakes.values()].find(
      (one) =>
        'withdrawAuthority' in one &&
        one.withdrawAuthority === wallet.walletAddress &&
        one.delegation?.voteAccount === voteAccount,
    );
    const own = named?.address ?? world.newAddress();
    const sol = Number((request as { amountLamports: bigint }).amountLamports) / 1e9;
    const program = request.kind === 'stake' ? `stake.py ${sol}` : `unstake.py ${own} ${sol}`;
    const printed = await shell(`cd lied-to; ../.venv/bin/python ${program} 2>&1 || true`);
    return {
      overreach: overreachOf(request, earlier, world.world.accounts(), world),
      landed: service.landed(),
      printed,
    };
  };
  const honest = {
    name: 'no lie',
    asks: { kind: 'stake', amountLamports: 2_000_000_000n },
    builds: (world) => () => [world.newStake(2_000_000_000n)],
  } as const satisfies Strategy;
  assert.equal((await meet(honest)).landed, 1, 'an honest response is signed');
  const tried = [...oneStepStrategies, ...planStrategies].filter(isTried);
  t.diagnostic(`${tried.length} lies`);
  assert.ok(tried.length >= 40, String(tried.length));
  for (const strategy of tried) {
    const { overreach, printed } = await meet(strategy);
    assert.deepEqual(overreach, [], `${strategy.name}: ${printed}`);
  }
});
