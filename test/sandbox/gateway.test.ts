// Checks the gateway: which clients are admitted, the format of errors, and that responses are forwarded
// unchanged.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { patience } from '../support/patience.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';

const cluster = sharedSandbox({ before, after });

type Answer = { status: number; headers: Record<string, unknown>; text: string };

// Not `fetch`, which sets Host itself. These tests need other values.
async function call(input: {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = new URL(input.path ?? '/', cluster.get().rpcUrl);
    const outgoing = request(
      url,
      { method: input.method ?? 'POST', headers: input.headers ?? {} },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(input.body);
  });
}

async function rpc(
  method: string,
  params: unknown[] = [],
): Promise<{ result?: never; error?: { code: number; message: string } }> {
  return JSON.parse((await call({ body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }) })).text);
}

const SLOT_CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });

test('another site’s Origin is refused on RPC, control and preflight, and gets no CORS header', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'http://127.0.0.1.evil.example',
    'http://localhost@evil.example',
  ]) {
    for (const [method, path] of [
      ['POST', '/'],
      ['OPTIONS', '/'],
      ['GET', '/control/state'],
      ['POST', '/control/epoch'],
    ] as const) {
      const answer = await call({
        method,
        path,
        headers: { origin },
        body: method === 'POST' ? SLOT_CALL : '',
      });
      assert.equal(answer.status, 403, `${method} ${path} from ${origin}`);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.equal(JSON.parse(answer.text).error.code, -32_600);
    }
  }
});

test('a loopback page and a client without Origin are served', async () => {
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:3000']) {
    const answer = await call({ headers: { origin }, body: SLOT_CALL });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], origin);
  }
  assert.equal((await call({ body: SLOT_CALL })).headers['access-control-allow-origin'], undefined);
});

test('a Host other than this machine (DNS rebinding) is refused', async () => {
  for (const host of ['evil.example', 'evil.example:80', '10.0.0.1', 'localhost.evil.example']) {
    assert.equal((await call({ headers: { host }, body: SLOT_CALL })).status, 403, host);
  }
  assert.equal((await call({ headers: { host: 'localhost:1' }, body: SLOT_CALL })).status, 200);
});

async function upgradeStatus(port: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const outgoing = request({ host: '127.0.0.1', port, headers: { ...handshake, ...headers } });
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('WebSockets open on both ports, but not for another site’s Origin or Host', async () => {
  const { rpcUrl, wsUrl } = cluster.get();
  assert.equal(Number(new URL(wsUrl).port), Number(new URL(rpcUrl).port) + 1);
  for (const url of [rpcUrl, wsUrl]) {
    const { port } = new URL(url);
    assert.equal(await upgradeStatus(port, {}), 101);
    assert.equal(await upgradeStatus(port, { origin: 'http://localhost:3000' }), 101);
    assert.equal(await upgradeStatus(port, { origin: 'https://evil.example' }), 403);
    assert.equal(await upgradeStatus(port, { host: 'evil.example' }), 403);
  }
});

test('a body over the limit gets a 413, and the next request is served', async () => {
  const answer = await call({ body: `{"pad":"${'x'.repeat(300_000)}"}` });
  assert.equal(answer.status, 413);
  assert.equal(JSON.parse(answer.text).error.code, -32_600);
  assert.equal((await call({ body: SLOT_CALL })).status, 200);
});

test('anything but a JSON-RPC call gets an error in the JSON-RPC format', async () => {
  for (const [body, code] of [
    ['{', -32_700],
    ['', -32_700],
    ['3', -32_600],
    ['null', -32_600],
    ['{}', -32_600],
    ['{"method":5}', -32_600],
    ['[]', -32_600],
    [JSON.stringify(Array.from({ length: 101 }, () => JSON.parse(SLOT_CALL))), -32_600],
  ] as const) {
    const answer = JSON.parse((await call({ body })).text);
    assert.equal(answer.jsonrpc, '2.0');
    assert.equal(answer.error.code, code, body.slice(0, 20));
  }
  assert.equal((await call({ method: 'GET', path: '/' })).status, 405);
});

test("unknown methods and the runtime's own cheat methods are not found", async () => {
  for (const method of ['noSuchMethod', 'surfnet_timeTravel', 'surfnet_setAccount', 'surfnet_resetNetwork']) {
    assert.equal((await rpc(method)).error?.code, -32_601, method);
  }
});

test('a batch may mix the gateway’s own, corrected and forwarded responses, in order and each with its id', async () => {
  const calls = [
    { jsonrpc: '2.0', id: 'a', method: 'getVoteAccounts' },
    { jsonrpc: '2.0', id: 2, method: 'getGenesisHash' },
    { nonsense: true },
    { jsonrpc: '2.0', id: 3, method: 'getSignaturesForAddress', params: [cluster.get().faucetAddress] },
  ];
  const responses = JSON.parse((await call({ body: JSON.stringify(calls) })).text);
  assert.deepEqual(
    responses.map((answer: { id: unknown }) => answer.id),
    ['a', 2, null, 3],
  );
  assert.equal(responses[1].result, cluster.get().genesisHash);
  assert.equal(responses[2].error.code, -32_600);
  assert.ok(Array.isArray(responses[3].result));
});

test('signatures are listed back to the first one, whatever the minContextSlot', async () => {
  const sandbox = cluster.get();
  await sandbox.airdrop('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR', 1_000_000_000n, patience());
  for (let block = 0; block < 3; block += 1) await sandbox.nextBlock(patience());
  const minContextSlot = sandbox.slot();
  const commitment = 'confirmed';
  const listed = await rpc('getSignaturesForAddress', [
    sandbox.faucetAddress,
    { commitment, minContextSlot },
  ]);
  const whole = await rpc('getSignaturesForAddress', [sandbox.faucetAddress, { commitment }]);
  assert.ok((listed.result as unknown as unknown[]).length > 0);
  assert.deepEqual(listed.result, whole.result);
});

test('lamport amounts beyond 2^53 keep every digit', async () => {
  const { text } = await call({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getVoteAccounts' }) });
  const stakes = [...text.matchAll(/"activatedStake":(\d+)[,}]/g)].map(([, digits]) => BigInt(digits ?? ''));
  assert.equal(
    stakes.reduce((sum, stake) => sum + stake, 0n),
    390_000_000_000_000_000n,
  );
  assert.ok(stakes.some((stake) => stake > 2n ** 53n));
});

test('the gateway serves methods that an execution-only runtime lacks, and its responses are consistent', async () => {
  const sandbox = cluster.get();
  const { result: votes } = await rpc('getVoteAccounts', [{ votePubkey: sandbox.voteAccount }]);
  const [vote] = (
    votes as unknown as { current: { nodePubkey: string; epochCredits: number[][]; commission: number }[] }
  ).current;
  assert.equal(vote?.nodePubkey, sandbox.identity);
  assert.equal(vote?.commission, 0);
  assert.equal(vote?.epochCredits.at(-1)?.[0], sandbox.epoch());
  const { result: minimum } = await rpc('getStakeMinimumDelegation');
  assert.equal((minimum as unknown as { value: number }).value, 1_000_000_000);
  const { result: schedule } = await rpc('getLeaderSchedule', [null, { identity: sandbox.identity }]);
  const slots = (schedule as unknown as Record<string, number[]>)[sandbox.identity] ?? [];
  assert.ok(slots.length > 0);
  const epochStart = sandbox.epoch() * 432_000;
  const { result: leaders } = await rpc('getSlotLeaders', [epochStart + (slots[0] ?? 0), 4]);
  assert.deepEqual(
    leaders as unknown,
    Array.from({ length: 4 }, () => sandbox.identity),
  );
  const { result: production } = await rpc('getBlockProduction');
  const { byIdentity, range } = (
    production as unknown as {
      value: { byIdentity: Record<string, [number, number]>; range: { firstSlot: number; lastSlot: number } };
    }
  ).value;
  const led = Object.values(byIdentity).reduce((sum, [assigned]) => sum + assigned, 0);
  assert.equal(led, range.lastSlot - range.firstSlot + 1, 'every slot so far had exactly one leader');
  const { result: nodes } = await rpc('getClusterNodes');
  const own = (nodes as unknown as { pubkey: string; rpc: string }[]).find(
    (node) => node.pubkey === sandbox.identity,
  );
  assert.equal(own?.rpc, new URL(sandbox.rpcUrl).host, 'no response names the runtime behind the gateway');
  const { result: supply } = await rpc('getSupply');
  assert.ok((supply as unknown as { value: { total: number } }).value.total > 390_000_000e9);
});

test('the gateway’s own methods refuse invalid parameters', async () => {
  const { epoch } = cluster.get();
  for (const [method, params] of [
    ['getInflationReward', []],
    ['getInflationReward', [['not an address']]],
    ['getSlotLeaders', ['x', 1]],
    ['getSlotLeaders', [epoch() * 432_000, 100_000]],
    ['getBlockProduction', [{ range: { firstSlot: 0 } }]],
    ['requestAirdrop', ['x', 1]],
    ['requestAirdrop', [cluster.get().identity, -1]],
  ] as const) {
    assert.equal((await rpc(method, params as unknown as unknown[])).error?.code, -32_602, method);
  }
  assert.equal(
    (await rpc('getInflationReward', [[cluster.get().identity], { epoch: epoch() }])).error?.code,
    -32_004,
  );
});

test('a resent transaction and a forged signature fail as on a real node', async () => {
  const sandbox = cluster.get();
  const signature = await sandbox.airdrop(sandbox.donationAddress, 1_000_000_000n, patience());
  const { result } = await rpc('getTransaction', [signature, { encoding: 'base64' }]);
  const [wire] = (result as unknown as { transaction: [string, string] }).transaction;
  const again = await rpc('sendTransaction', [wire, { encoding: 'base64' }]);
  assert.equal(again.error?.code, -32_002);
  assert.equal((again.error as unknown as { data: { err: string } }).data.err, 'AlreadyProcessed');
  const forged = Buffer.from(wire, 'base64');
  forged.writeUInt8(forged.readUInt8(5) ^ 1, 5);
  const refused = await rpc('sendTransaction', [forged.toString('base64'), { encoding: 'base64' }]);
  assert.equal(refused.error?.code, -32_002);
});

test('finalized accounts reflect exactly the transactions up to their slot, and every other finalized response is consistent with them', async () => {
  const wallet = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
  const signatures: string[] = [];
  const reads: { slot: number; lamports: number }[] = [];
  for (let round = 0; round < 40; round += 1) {
    const { result } = await rpc('requestAirdrop', [wallet, 1_000_000]);
    signatures.push(result as unknown as string);
    // A transaction sent while the balance is being read must not be included in it.
    const [balance, sent] = await Promise.all([
      rpc('getBalance', [wallet]),
      rpc('requestAirdrop', [wallet, 1_000_000]),
    ]);
    signatures.push(sent.result as unknown as string);
    const { context, value } = balance.result as unknown as { context: { slot: number }; value: number };
    reads.push({ slot: context.slot, lamports: value });
    const { slot } = context;
    const { result: finalizedSlot } = await rpc('getSlot');
    assert.ok(Number(finalizedSlot) >= slot);
    assert.equal((await rpc('getBalance', [wallet, { minContextSlot: slot }])).error, undefined);
    const { result: rows } = await rpc('getSignaturesForAddress', [wallet, { minContextSlot: slot }]);
    const listed = rows as unknown as { slot: number; confirmationStatus: string }[];
    assert.ok(listed.every((row) => row.confirmationStatus === 'finalized'));
    const upTo = listed.filter((row) => row.slot <= slot);
    assert.equal(value, upTo.length * 1_000_000, `the balance of slot ${slot}`);
  }
  await cluster.get().nextBlock(patience());
  const { result } = await rpc('getSignatureStatuses', [signatures]);
  const landed = (result as unknown as { value: { slot: number; confirmationStatus: string }[] }).value;
  assert.ok(landed.every(({ confirmationStatus }) => confirmationStatus === 'finalized'));
  for (const { slot, lamports } of reads)
    assert.equal(lamports, landed.filter((one) => one.slot <= slot).length * 1_000_000);
});

test('/health responds ok', async () => {
  assert.equal((await call({ method: 'GET', path: '/health' })).text, 'ok');
});
