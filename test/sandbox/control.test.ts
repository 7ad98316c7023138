// Checks the sandbox's control interface: its effects, and that every refusal has a code and changes nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readVoteState } from '../../sandbox/epochs/vote-account.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';

const cluster = sharedSandbox({ before, after });

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${cluster.get().controlUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

async function rpc(method: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(cluster.get().rpcUrl, { method: 'POST', body });
  return ((await response.json()) as { result: never }).result as unknown;
}

test('the state contains everything that a client needs', async () => {
  const sandbox = cluster.get();
  const { status, body } = await control('GET', '/state');
  assert.equal(status, 200);
  assert.deepEqual(body as unknown, { ...sandbox.state() });
  assert.equal(body.chain, 'new');
});

test('an airdrop is a confirmed transfer from the faucet', async () => {
  const sandbox = cluster.get();
  const walletAddress = sandbox.donationAddress;
  const { body } = await control('POST', '/airdrop', { walletAddress, lamports: '2500000000' });
  const [status] = (
    (await rpc('getSignatureStatuses', [[body.signature]])) as {
      value: { confirmationStatus: string; err: null }[];
    }
  ).value;
  assert.ok(status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized');
  assert.equal(((await rpc('getBalance', [walletAddress])) as { value: number }).value, 2_500_000_000);
  const transaction = (await rpc('getTransaction', [body.signature, { encoding: 'jsonParsed' }])) as {
    transaction: { message: { instructions: { parsed: { type: string; info: { source: string } } }[] } };
  };
  const transfer = transaction.transaction.message.instructions.at(-1);
  assert.equal(transfer?.parsed.type, 'transfer');
  assert.equal(transfer?.parsed.info.source, sandbox.faucetAddress);
});

test('identical airdrops in a row are separate transfers', async () => {
  const walletAddress = cluster.get().identity;
  const before = ((await rpc('getBalance', [walletAddress])) as { value: number }).value;
  const responses = await Promise.all(
    [1, 2, 3].map(() => control('POST', '/airdrop', { walletAddress, lamports: '1000' })),
  );
  assert.equal(new Set(responses.map(({ body }) => body.signature)).size, 3);
  assert.equal(((await rpc('getBalance', [walletAddress])) as { value: number }).value, before + 3_000);
});

test('ending epochs returns the reached epoch once its rewards are paid', async () => {
  const before = cluster.get().epoch();
  assert.deepEqual((await control('POST', '/epoch')).body as unknown, { epoch: before + 1 });
  assert.deepEqual((await control('POST', '/epoch', { count: 3 })).body as unknown, { epoch: before + 4 });
  const account = (await rpc('getAccountInfo', [
    'SysvarEpochRewards1111111111111111111111111',
    { encoding: 'base64' },
  ])) as {
    value: { data: [string, string] };
  };
  assert.equal(Buffer.from(account.value.data[0], 'base64').at(80), 0);
});

test('rent can be set and is returned by the RPC', async () => {
  assert.equal((await control('POST', '/rent', { lamportsPerByte: 6_960 })).status, 200);
  assert.equal(await rpc('getMinimumBalanceForRentExemption', [200]), 2_282_880);
  await control('POST', '/rent', { lamportsPerByte: 5_080 });
  assert.equal(await rpc('getMinimumBalanceForRentExemption', [200]), 1_666_240);
});

test('the EpochRewards window can be held open and released', async () => {
  const active = async (): Promise<number | undefined> => {
    const account = (await rpc('getAccountInfo', [
      'SysvarEpochRewards1111111111111111111111111',
      { encoding: 'base64' },
    ])) as {
      value: { data: [string, string] };
    };
    return Buffer.from(account.value.data[0], 'base64').at(80);
  };
  await control('POST', '/epoch-rewards', { hold: true });
  await cluster.get().advanceEpochs(1);
  assert.equal(await active(), 1);
  await control('POST', '/epoch-rewards', { hold: false });
  assert.equal(await active(), 0);
});

test('malformed requests are refused with a code and have no effect', async () => {
  const sandbox = cluster.get();
  const epoch = sandbox.epoch();
  for (const [method, path, body, status, code] of [
    ['POST', '/epoch', { count: 0 }, 400, 'INVALID_FIELD'],
    ['POST', '/epoch', { count: 101 }, 400, 'INVALID_FIELD'],
    ['POST', '/epoch', { count: 1.5 }, 400, 'INVALID_FIELD'],
    ['POST', '/epoch', { count: '1' }, 400, 'INVALID_FIELD'],
    ['POST', '/epoch', '[1]', 400, 'INVALID_BODY'],
    ['POST', '/epoch', '{', 400, 'INVALID_BODY'],
    ['POST', '/airdrop', { walletAddress: 'x', lamports: '1' }, 400, 'INVALID_FIELD'],
    ['POST', '/airdrop', { walletAddress: sandbox.identity, lamports: 1 }, 400, 'INVALID_FIELD'],
    ['POST', '/airdrop', { walletAddress: sandbox.identity, lamports: '0' }, 400, 'INVALID_FIELD'],
    ['POST', '/airdrop', { walletAddress: sandbox.identity, lamports: '-1' }, 400, 'INVALID_FIELD'],
    [
      'POST',
      '/airdrop',
      { walletAddress: sandbox.identity, lamports: '9999999999999999999' },
      400,
      'INVALID_FIELD',
    ],
    ['POST', '/epoch-rewards', {}, 400, 'INVALID_FIELD'],
    ['POST', '/rent', { lamportsPerByte: 0 }, 400, 'INVALID_FIELD'],
    ['GET', '/epoch', undefined, 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/nothing', undefined, 404, 'NOT_FOUND'],
  ] as const) {
    const answer = await control(method, path, body);
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}`);
    assert.equal((answer.body.error as unknown as { code: string }).code, code);
  }
  assert.equal(sandbox.epoch(), epoch);
});

test('the validator can change its commission, stop voting, and be excluded from an epoch that its account cannot pay for', async (t) => {
  const sandbox = cluster.get();
  const validator = async (conduct: object) => (await control('POST', '/validator', conduct)).body;
  const normal = { commissionBps: 0, votes: true, ticketLamports: 0 };
  t.after(() => validator(normal));
  const listed = async () => {
    const { current, delinquent } = (await rpc('getVoteAccounts', [
      { votePubkey: sandbox.voteAccount },
    ])) as Record<'current' | 'delinquent', { lastVote: number; inflationRewardsCommissionBps: number }[]>;
    return { isCurrent: current.length === 1, ...(current[0] ?? delinquent[0])! };
  };
  const earnedIn = async () => {
    const { data } = (
      (await rpc('getAccountInfo', [sandbox.voteAccount, { encoding: 'base64' }])) as {
        value: { data: [string, string] };
      }
    ).value;
    return readVoteState(Buffer.from(data[0], 'base64'))!.epochCredits.map(({ epoch }) => Number(epoch));
  };
  const { admitted, commissionBps, balanceLamports } = await validator({ commissionBps: 10_000 });
  assert.deepEqual([admitted, commissionBps], [true, 10_000]);
  assert.equal((await listed()).inflationRewardsCommissionBps, 10_000);

  await validator({ commissionBps: 0, votes: false });
  const { isCurrent, lastVote } = await listed();
  assert.equal(isCurrent, false);
  for (const until = sandbox.slot() + 40; sandbox.slot() < until; )
    await sandbox.nextBlock(AbortSignal.timeout(10_000));
  assert.equal((await listed()).lastVote, lastVote, 'no vote is added');
  await validator({ votes: true });
  assert.equal((await listed()).isCurrent, true);

  const epoch = sandbox.epoch();
  await validator({ ticketLamports: Number(balanceLamports) });
  await sandbox.advanceEpochs(2);
  assert.equal((await validator({})).admitted, false, 'two boundaries later');
  assert.equal((await listed()).isCurrent, false);
  await control('POST', '/airdrop', { walletAddress: sandbox.voteAccount, lamports: `${10n ** 10n}` });
  await sandbox.advanceEpochs(1);
  const { balanceLamports: paid } = await validator({});
  assert.ok(BigInt(paid!) < 10n ** 10n + BigInt(balanceLamports!), 'the admission ticket was charged');
  await sandbox.advanceEpochs(1);
  const state = await validator(normal);
  assert.equal(state.admitted, true);
  const earned = await earnedIn();
  assert.deepEqual(
    [epoch, epoch + 1, epoch + 2, epoch + 3].map((one) => earned.includes(one)),
    [true, true, false, false],
  );
  for (const wrong of [{ votes: 1 }, { commissionBps: 10_001 }, { ticketLamports: -1 }])
    assert.equal((await control('POST', '/validator', wrong)).status, 400);
});
