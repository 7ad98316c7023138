// Tests Solana Actions on the sandbox: a standard wallet stakes, unstakes, withdraws and donates, and gets a
// clear message when an action is impossible.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ActionError, ActionGetResponse, ActionsJson, NextAction } from '@solana/actions-spec';
import fc from 'fast-check';
import { eventually } from '../../demo/poll-until-result.ts';
import { formatSol } from '../../src/domain/lamports.ts';
import { createActionClient, fillLink } from '../support/action-client.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { patience } from '../support/patience.ts';
import { balanceOf, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const NAMES = ['stake', 'unstake', 'withdraw', 'donate', 'unstake-amount', 'undo'] as const;

interface ArbitraryRequest {
  readonly path: string;
  readonly method: string;
  readonly query: [string, string][];
  readonly body: unknown;
}

const client = () => createActionClient(shared().service.url, shared().sandbox);
const accountsOf = async (walletAddress: string) =>
  (await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts;
const linkOf = ({ links }: ActionGetResponse, label: string) => {
  const link = links?.actions.find((action) => action.label === label);
  assert.ok(link, `${label} is not among ${links?.actions.map((action) => action.label).join(', ')}`);
  return link;
};
const parameterOf = (card: ActionGetResponse, name: string) => {
  const found = card.links?.actions.at(-1)?.parameters?.find((parameter) => parameter.name === name);
  assert.ok(found, name);
  return found;
};

describe('a full staking lifecycle through Actions', () => {
  test('a typed amount is staked exactly, unstaked and withdrawn to the last lamport', async () => {
    const { sandbox } = shared();
    const { show, build, run } = client();
    const wallet = await fundedWallet(sandbox, 20);

    const stakeCard = await show('/api/actions/stake');
    const [smallest] = stakeCard.links!.actions;
    const { message } = await build(smallest!.href, wallet.walletAddress);
    assert.match(
      message ?? '',
      /^Stakes 3 SOL in the new stake account \w+, which only your wallet controls\.$/,
    );
    const built = await build(
      fillLink(linkOf(stakeCard, 'Stake SOL'), { amountSol: '2.000000001' }),
      wallet.walletAddress,
    );
    assert.match(built.message ?? '', /^Stakes 2\.000000001 SOL /);
    const staked = await run(wallet, built);
    assert.equal(staked.completed.type, 'completed');
    assert.equal(staked.completed.title, 'Transaction confirmed');
    assert.ok(staked.completed.description.includes(staked.signature));
    assert.match(staked.completed.description, /^Stake of 2\.000000001 SOL confirmed\. It becomes active/);
    const [account] = await accountsOf(wallet.walletAddress);
    assert.equal(account.lamports, 2_000_000_001);
    assert.equal(account.voteAccount, sandbox.voteAccount);
    assert.deepEqual(
      [account.stakeAuthority, account.withdrawAuthority],
      [wallet.walletAddress, wallet.walletAddress],
    );

    await sandbox.advanceEpochs(1);
    const unstakeCard = await show(`/api/actions/unstake?account=${wallet.walletAddress}`);
    const choice = parameterOf(unstakeCard, 'stakeAccountAddress') as { options?: { value: string }[] };
    assert.deepEqual(
      choice.options?.map(({ value }) => value),
      [account.address],
    );
    const typed = { stakeAccountAddress: account.address };
    const unstake = await build(fillLink(linkOf(unstakeCard, 'Unstake'), typed), wallet.walletAddress);
    await run(wallet, unstake);
    assert.equal((await accountsOf(wallet.walletAddress))[0].state, 'deactivating');

    await sandbox.advanceEpochs(1);
    const [{ lamports: all }] = await accountsOf(wallet.walletAddress);
    const before = await balanceOf(sandbox, wallet.walletAddress);
    const withdrawCard = await show('/api/actions/withdraw');
    assert.equal(parameterOf(withdrawCard, 'amountSol').required, false);
    // The amount field is left blank; clients send that as `amountSol=`.
    const withdraw = await build(fillLink(linkOf(withdrawCard, 'Withdraw SOL'), typed), wallet.walletAddress);
    assert.match(withdraw.message ?? '', /^Withdraws everything from /);
    await run(wallet, withdraw);
    assert.deepEqual(await accountsOf(wallet.walletAddress), []);
    assert.equal(await balanceOf(sandbox, wallet.walletAddress), before + BigInt(all) - 5_000n);
  });

  test('an amount is unstaked from two accounts, then partly and fully undone', async () => {
    const { sandbox, service } = shared();
    const { show, build, run } = client();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    for (const amountSol of [2, 10]) await stakeNow(service, wallet, amountSol);
    await sandbox.advanceEpochs(1);
    const coolingSol = async () =>
      (await accountsOf(walletAddress)).reduce(
        (sum: number, { deactivatingSol }: { deactivatingSol: number }) => sum + deactivatingSol,
        0,
      );
    const card = await show('/api/actions/unstake-amount');
    assert.equal(parameterOf(card, 'amountSol').required, true);
    const typed = fillLink(linkOf(card, 'Unstake an amount'), { amountSol: '5' });
    const built = await build(typed, walletAddress);
    assert.match(built.message ?? '', /^Unstakes 5 SOL\./);
    const done = await run(wallet, built);
    assert.equal(done.completed.title, 'Transaction confirmed');
    assert.equal(await coolingSol(), 5);

    const undoCard = await show('/api/actions/undo');
    assert.equal(parameterOf(undoCard, 'amountSol').required, false);
    const undo = linkOf(undoCard, 'Undo unstake');
    await run(wallet, await build(fillLink(undo, { amountSol: '2' }), walletAddress));
    assert.equal(await coolingSol(), 3);
    await run(wallet, await build(fillLink(undo), walletAddress));
    assert.equal(await coolingSol(), 0);

    // With 2 + 10 SOL, the nearest amount above 11.5 is the whole stake.
    const active = (await accountsOf(walletAddress)).map(({ activeSol }: { activeSol: number }) =>
      BigInt(Math.round(activeSol * 1e9)),
    );
    const all = active.reduce((sum: bigint, lamports: bigint) => sum + lamports, 0n);
    const link = linkOf(card, 'Unstake an amount');
    const more = await build(`${fillLink(link, { amountSol: '11.5' })}&rounding=atLeast`, walletAddress);
    assert.equal(more.message?.split(' The epoch')[0], `Unstakes ${formatSol(all)} SOL.`);
    const brought = await build(`${fillLink(link, { amountSol: '5' })}&want=withdrawAmount`, walletAddress);
    assert.match(brought.message ?? '', /^Moves 5 SOL into the wallet\./);
  });

  test('a button with an amount donates that amount, and parameters may also be sent in the request body', async () => {
    const { sandbox } = shared();
    const { show, build, run } = client();
    const wallet = await fundedWallet(sandbox, 5);
    const before = await balanceOf(sandbox, sandbox.donationAddress);
    const card = await show('/api/actions/donate');
    await run(wallet, await build(linkOf(card, 'Donate 0.1 SOL').href, wallet.walletAddress));
    const byData = await build('/api/actions/donate', wallet.walletAddress, { amountSol: '0.25' });
    await run(wallet, byData);
    assert.equal(await balanceOf(sandbox, sandbox.donationAddress), before + 350_000_000n);
  });

  test('a transaction that landed through an action appears in its wallet’s history immediately', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 5);
    const { build, run } = client();
    const { signature } = await run(
      wallet,
      await build('/api/actions/donate?amountSol=0.5', wallet.walletAddress),
    );
    const { history } = await service.client.get(`/api/v1/stake/history/${wallet.walletAddress}`);
    assert.deepEqual(
      history.map((entry: Record<string, unknown>) => [entry.type, entry.amountSol, entry.signature]),
      [['donate', 0.5, signature]],
    );
  });

  test('a typed amount withdraws part of an inactive stake', async () => {
    const { sandbox, service } = shared();
    const { build, run } = client();
    const wallet = await fundedWallet(sandbox, 20);
    const stakeAccountAddress = await stakeNow(service, wallet, 3);
    const { walletAddress, secretKey } = wallet;
    await service.client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
    await sandbox.advanceEpochs(1);
    const path = `/api/actions/withdraw?stakeAccountAddress=${stakeAccountAddress}&amountSol=1.5`;
    await run(wallet, await build(path, walletAddress));
    assert.equal((await accountsOf(walletAddress))[0].lamports, 1_500_000_000);
  });
});

describe('the content of a card', () => {
  test('every action has a title, an icon that the service serves, short labels, and links that lead back to it', async () => {
    const { service } = shared();
    for (const name of NAMES) {
      const card = await client().show(`/api/actions/${name}`);
      assert.equal(card.type, 'action');
      assert.ok(card.title.length > 0 && card.description.length > 0);
      const icon = await fetch(card.icon);
      assert.equal(icon.status, 200);
      assert.equal(icon.headers.get('content-type'), 'image/svg+xml');
      assert.ok(card.icon.startsWith(service.url));
      const labels = [card.label, ...(card.links?.actions ?? []).map(({ label }) => label)];
      for (const label of labels) assert.ok(label.split(' ').length <= 5, label);
      for (const { href, type } of card.links?.actions ?? []) {
        assert.equal(type, 'transaction');
        assert.equal(new URL(href, service.url).pathname, `/api/actions/${name}`);
      }
    }
  });

  test('the smallest accepted amount is the cluster’s current minimum, and no button offers less', async () => {
    const { service } = shared();
    const { walletAddress } = newWallet();
    const { minimumStakeSol } = await service.client.get(`/api/v1/wallet/balance/${walletAddress}`);
    const card = await client().show('/api/actions/stake');
    assert.equal(parameterOf(card, 'amountSol').min, minimumStakeSol);
    for (const { href } of card.links?.actions ?? []) {
      const preset = new URL(href, service.url).searchParams.get('amountSol') ?? '';
      if (preset !== '{amountSol}') assert.ok(Number(preset) >= minimumStakeSol, preset);
    }
  });

  test('the card does not ask again for parameters in the link, which reach the transaction together with the idempotency key', async () => {
    const { sandbox } = shared();
    const { show, build } = client();
    const wallet = await fundedWallet(sandbox, 20);
    const card = await show('/api/actions/stake?amountSol=3&idempotencyKey=from%2Blink');
    assert.equal(card.links?.actions.length, 1);
    const link = linkOf(card, 'Stake 3 SOL');
    assert.equal(link.parameters, undefined);
    const [first, again] = [
      await build(link.href, wallet.walletAddress),
      await build(link.href, wallet.walletAddress),
    ];
    assert.equal(first.message, again.message, 'the same key creates the same stake account');
    const { stakeAccountAddress } = await shared().service.client.post('/api/v1/stake/transaction', {
      walletAddress: wallet.walletAddress,
      amountSol: 3,
      idempotencyKey: 'from+link',
    });
    assert.ok(first.message?.includes(stakeAccountAddress), 'REST interprets it the same way');
  });

  test('an impossible action is disabled, has no links and states the reason', async () => {
    const { sandbox } = shared();
    const { show, ask, post } = client();
    const wallet = await fundedWallet(sandbox, 20);
    const none = await show(`/api/actions/unstake?account=${wallet.walletAddress}`);
    assert.deepEqual([none.disabled, none.links], [true, undefined]);
    assert.match(none.error?.message ?? '', /no stake account/);
    await sandbox.holdEpochRewards(true);
    try {
      await sandbox.advanceEpochs(1).catch(() => {});
      // Without an account, a card may use an epoch position that is up to two seconds old.
      await eventually(
        async () => ((await show('/api/actions/stake')).disabled === true ? true : null),
        'the service to notice the reward distribution',
      );
      for (const name of ['stake', 'unstake', 'withdraw']) {
        const card = await show(`/api/actions/${name}`);
        assert.deepEqual([card.disabled, card.links], [true, undefined], name);
        assert.match(card.error?.message ?? '', /rewards/i);
      }
      assert.notEqual((await show('/api/actions/donate')).disabled, true);
      const refused = await post<ActionError>('/api/actions/stake?amountSol=2', {
        account: wallet.walletAddress,
      });
      assert.equal(refused.status, 502);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      assert.match(refused.body.message, /rewards/i);
    } finally {
      await sandbox.holdEpochRewards(false);
    }
    assert.equal((await ask('/api/actions/stake', { method: 'HEAD' })).status, 200);
  });
});

test('the cards report that no RPC node is available, and with a delinquent validator the stake card stays enabled with a warning', async (t) => {
  const { app, sandbox, rpc, clock } = await startTestApp(t);
  const { show, post } = createActionClient(app.url, sandbox);
  app.ctx.validator.status.post({
    listed: true,
    moved: null,
    delinquent: true,
    lastVote: null,
    inEpoch: true,
    reported: [],
    commission: 0,
    recordedCommission: 0,
    apy: null,
  });
  const warned = await show('/api/actions/stake');
  assert.match(warned.error?.message ?? '', /delinquent/);
  assert.notEqual(warned.disabled, true);
  assert.ok((warned.links?.actions.length ?? 0) > 0);
  assert.equal((await show('/api/actions/donate')).error, undefined);
  rpc.cut(true);
  // The service's cached data is now too old to be shown.
  clock.advance(120_000);
  for (const name of ['stake', 'unstake', 'withdraw']) {
    const card = await show(`/api/actions/${name}`);
    assert.deepEqual([card.disabled, card.links], [true, undefined], name);
    assert.match(card.error?.message ?? '', /cannot be reached/);
  }
  const refused = await post<ActionError>('/api/actions/donate?amountSol=1', {
    account: newWallet().walletAddress,
  });
  assert.equal(refused.status, 502);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});

describe('failures', () => {
  const cases: readonly [name: string, path: string, body: object, status: number, message: RegExp][] = [
    ['no account', '/api/actions/donate?amountSol=1', {}, 400, /^account: is required$/],
    ['an invalid account', '/api/actions/donate?amountSol=1', { account: 'me' }, 400, /^account: /],
    [
      'no amount',
      '/api/actions/donate',
      { account: newWallet().walletAddress },
      400,
      /^amountSol: is required$/,
    ],
    [
      'ten decimals',
      '/api/actions/donate?amountSol=1.0000000001',
      { account: newWallet().walletAddress },
      400,
      /9 decimals/,
    ],
    [
      'an amount in words',
      '/api/actions/donate?amountSol=lots',
      { account: newWallet().walletAddress },
      400,
      /^amountSol: must be a number$/,
    ],
    [
      'two amounts',
      '/api/actions/donate?amountSol=1',
      { account: newWallet().walletAddress, data: { amountSol: '2' } },
      400,
      /given twice/,
    ],
    [
      'an empty wallet',
      '/api/actions/donate?amountSol=1',
      { account: newWallet().walletAddress },
      400,
      /SOL/,
    ],
    [
      'no such stake account',
      `/api/actions/unstake?stakeAccountAddress=${newWallet().walletAddress}`,
      { account: newWallet().walletAddress },
      400,
      /does not exist/,
    ],
    [
      'no such action',
      '/api/actions/borrow',
      { account: newWallet().walletAddress },
      404,
      /action does not exist/,
    ],
    [
      'an invalid signature',
      '/api/actions/stake/done',
      { account: newWallet().walletAddress, signature: 'x' },
      400,
      /^signature: /,
    ],
  ];
  for (const [name, path, body, status, message] of cases) {
    test(`${name} is refused with a readable message, the standard’s headers and no internals`, async () => {
      const response = await client().post<ActionError & { errorCode: string }>(path, body);
      assert.equal(response.status, status, JSON.stringify(response.body));
      assert.match(response.body.message, message);
      assert.deepEqual(Object.keys(response.body).toSorted(), ['errorCode', 'message']);
    });
  }

  test('a transaction that the chain never received is not reported as done', async () => {
    const response = await client().post<ActionError>('/api/actions/stake/done', {
      account: newWallet().walletAddress,
      signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    });
    assert.equal(response.status, 404);
    assert.match(response.body.message, /has not seen/);
  });

  test('a transaction that failed on chain leads back to the action and shows the reason', async () => {
    const { sandbox, service } = shared();
    const { build, send, post } = client();
    const wallet = await fundedWallet(sandbox, 20);
    const stakeAccountAddress = await stakeNow(service, wallet, 3);
    const path = `/api/actions/unstake?stakeAccountAddress=${stakeAccountAddress}`;
    const [first, second] = [
      await build(path, wallet.walletAddress),
      await build(path, wallet.walletAddress),
    ];
    assert.equal((await send(wallet, first)).error, null);
    // Waits for a new blockhash, because an identical transaction would be the same one.
    await sandbox.nextBlock(patience());
    const { signature, error } = await send(wallet, second);
    assert.notEqual(error, null);
    const response = await post<NextAction>('/api/actions/unstake/done', {
      account: wallet.walletAddress,
      signature,
    });
    assert.equal(response.status, 200);
    assert.equal(response.body.type, 'action');
    assert.match(response.body.error?.message ?? '', /failed on chain/);
    assert.ok(response.body.error?.message.includes(signature));
  });

  test('a body that is too large, of the wrong type or not JSON is refused as on other routes', async () => {
    const { ask } = client();
    const send = (body: string, type = 'application/json') =>
      ask<ActionError>('/api/actions/donate?amountSol=1', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
    const broken = await send('{');
    const text = await send('{"account":1}', 'text/plain');
    const large = await send(JSON.stringify({ account: 'x'.repeat(70_000) }));
    assert.deepEqual([broken.status, text.status, large.status], [400, 415, 413]);
    for (const { body } of [broken, text, large])
      assert.deepEqual(Object.keys(body).toSorted(), ['errorCode', 'message']);
  });
});

describe('HTTP', () => {
  test('every path responds to OPTIONS, whether or not it is a preflight, even for an unknown method or action', async () => {
    const { ask } = client();
    const paths = [
      '/actions.json',
      ...NAMES.flatMap((name) => [`/api/actions/${name}`, `/api/actions/${name}/done`]),
      '/api/actions/borrow',
    ];
    for (const path of paths) {
      assert.equal((await ask(path, { method: 'OPTIONS' })).status, 204, path);
      const preflight = await ask(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://wallet.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      assert.equal(preflight.status, 204, path);
    }
    const wrong = await ask<ActionError>('/api/actions/stake', { method: 'DELETE' });
    assert.equal(wrong.status, 405);
    assert.deepEqual(Object.keys(wrong.body).toSorted(), ['errorCode', 'message']);
  });

  test('actions.json maps the front page and every action to an action that responds', async () => {
    const { service } = shared();
    const { ask, show } = client();
    const { body } = await ask<ActionsJson>('/actions.json');
    for (const path of ['/', ...NAMES.map((name) => `/api/actions/${name}`)]) {
      const rule = body.rules.find(
        ({ pathPattern }) =>
          pathPattern === path || path.startsWith(pathPattern.replace(/\*\*$/, '*').slice(0, -1)),
      );
      assert.ok(rule, path);
      const target = rule.apiPath.endsWith('/**') ? path : rule.apiPath;
      assert.equal((await show(new URL(target, service.url).pathname)).type, 'action');
    }
  });

  test('pages of any origin may call Actions, and their calls count towards the rate limit', async () => {
    const { ask, post } = client();
    const card = await ask('/api/actions/stake', { headers: { origin: 'https://blinks.example' } });
    assert.equal(card.status, 200);
    assert.match(card.headers.get('ratelimit') ?? '', /^"default";r=\d+/);
    const built = await post(
      '/api/actions/donate?amountSol=1',
      { account: 'x' },
      { origin: 'https://blinks.example' },
    );
    assert.equal(built.status, 400);
    assert.match(built.headers.get('ratelimit') ?? '', /^"default";r=\d+/);
  });
});

test(`${FULL ? 2_000 : 60} arbitrary requests: every response is an action or a message, and none is an internal error`, async () => {
  const { sandbox } = shared();
  const { ask } = client();
  const { walletAddress } = await fundedWallet(sandbox, 5);
  const text = fc.oneof(
    fc.constantFrom('', '1', '1e-9', '-1', '1e400', '0x10', '٣', '{amountSol}', walletAddress, 'a b', '%'),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const value = fc.oneof(
    text,
    fc.constantFrom(null, 0, 1.5, true, [], ['1'], ['1', '2'], {}),
    fc.jsonValue(),
  );
  const member = fc.constantFrom(
    'amountSol',
    'stakeAccountAddress',
    'idempotencyKey',
    'account',
    '__proto__',
  );
  const request = fc.record({
    path: fc.constantFrom(...NAMES, 'stake/done', 'borrow').map((name) => `/api/actions/${name}`),
    method: fc.constantFrom('GET', 'POST'),
    query: fc.array(fc.tuple(member, text), { maxLength: 3 }),
    body: fc.oneof(
      fc.dictionary(fc.constantFrom('account', 'data', 'signature', 'type', 'state'), value),
      fc.record({ account: fc.constant(walletAddress), data: fc.dictionary(member, value) }),
      fc.jsonValue(),
    ),
  });
  const check = async ({ path, method, query, body }: ArbitraryRequest) => {
    const search = new URLSearchParams(query).toString();
    const response = await ask<Record<string, unknown>>(`${path}?${search}`, {
      method,
      ...(method === 'POST'
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : {}),
    });
    assert.ok(response.status < 500, `${response.status} ${JSON.stringify(response.body)}`);
    if (response.status === 200)
      assert.ok(['action', 'transaction', 'completed'].includes(String(response.body.type)));
    else assert.equal(typeof response.body.message, 'string');
  };
  await fc.assert(fc.asyncProperty(request, check), { numRuns: FULL ? 2_000 : 60, seed: 5 });
});
