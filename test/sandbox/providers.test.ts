// Checks the sandbox's providers with the service's own adapters: the peers are plausible, and the validator's
// data matches the chain.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Address, address } from '@solana/kit';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { computePeerDensity } from '../../src/domain/validator/compute-peer-density.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { createJito } from '../../src/upstream/jito.ts';
import type { ValidatorStatistic } from '../../src/upstream/network-statistics.ts';
import { createStakewiz } from '../../src/upstream/stakewiz.ts';
import { sharedSandbox, withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const cluster = sharedSandbox({ before, after });
const { signal } = new AbortController();

/** Opens the real adapters without caching, so every call sends a request. */
const adapters = (sandbox: Sandbox, voteAccount = sandbox.voteAccount) => {
  const options = { voteAccount, clock: createManualClock(), logger: createLogger('silent') };
  const stakewiz = createStakewiz({
    ...options,
    url: sandbox.stakewizUrl,
    lifetimes: { validatorsMs: 0, validatorMs: 0, stakeHistoryMs: 0 },
  });
  const jito = createJito({
    ...options,
    url: sandbox.jitoUrl,
    lifetimes: { commissionMs: 0, rewardsMs: 0 },
  });
  return {
    stakewiz,
    jito,
    [Symbol.asyncDispose]: async () => {
      await stakewiz.close();
      await jito.close();
    },
  };
};

const validatorsOf = async (sandbox: Sandbox): Promise<readonly ValidatorStatistic[]> => {
  await using it = adapters(sandbox);
  const { value, warnings } = await it.stakewiz.validators(signal);
  assert.deepEqual(warnings, []);
  assert.ok(value);
  return value;
};

const voteEntry = async (sandbox: Sandbox) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getVoteAccounts',
    params: [{ votePubkey: sandbox.voteAccount }],
  });
  const response = await fetch(sandbox.rpcUrl, { method: 'POST', body });
  type Answer = {
    result: { current: { activatedStake: number }[] };
  };
  const entry = ((await response.json()) as Answer).result.current[0];
  assert.ok(entry);
  return entry;
};

test('the cluster has at least 60 validators in at least 20 cities, and the adapters can read every field', async () => {
  const sandbox = cluster.get();
  const validators = await validatorsOf(sandbox);
  assert.ok(validators.length >= 60, String(validators.length));
  const cities = new Set(validators.flatMap(({ city }) => city ?? []));
  assert.ok(cities.size >= 20, String(cities.size));
  for (const peer of validators) {
    assert.equal(peer.epoch, sandbox.epoch());
    assert.ok(peer.totalApyPct !== null && peer.totalApyPct < 20, peer.name ?? '');
  }
  assert.ok(validators.some(({ voteAccount }) => voteAccount === sandbox.otherVoteAccount));
});

test('peer density finds more cities than it lists, including the validator’s own and cities too small for a median', async () => {
  const sandbox = cluster.get();
  const peers = (await validatorsOf(sandbox)).map((validator) => ({
    ...validator,
    apyPct: validator.totalApyPct,
  }));
  const density = computePeerDensity(peers, sandbox.voteAccount);
  assert.equal(density.cities.length, 25);
  assert.equal(density.validatorCity?.city, 'Frankfurt');
  assert.ok(density.cities.some(({ medianApy }) => medianApy === null));
  assert.ok(density.cities.some(({ medianApy }) => medianApy !== null));
  assert.ok(density.globalMedianApy !== null && density.globalMedianApy > 5 && density.globalMedianApy < 8);
});

test('two starts produce the same cluster, and another epoch changes its figures but not its fields', async () => {
  const peersOf = async (sandbox: Sandbox) =>
    (await validatorsOf(sandbox))
      .filter(({ voteAccount }) => voteAccount !== sandbox.voteAccount)
      .map((peer) => ({ ...peer, creditsThisEpoch: null }))
      .sort((a, b) => (a.voteAccount < b.voteAccount ? -1 : 1));
  const once = await withSandbox({}, peersOf);
  await withSandbox({}, async (sandbox) => {
    assert.deepEqual(await peersOf(sandbox), once);
    await sandbox.advanceEpochs(1);
    const later = await peersOf(sandbox);
    assert.deepEqual(
      later.map(({ voteAccount, city, name }) => [voteAccount, city, name]),
      once.map(({ voteAccount, city, name }) => [voteAccount, city, name]),
    );
    assert.notDeepEqual(
      later.map(({ activatedStakeSol, skipRatePct }) => [activatedStakeSol, skipRatePct]),
      once.map(({ activatedStakeSol, skipRatePct }) => [activatedStakeSol, skipRatePct]),
    );
  });
});

test('the validator’s stake, identity and tips match the chain, to the lamport', async () => {
  await withSandbox({}, async (sandbox) => {
    await using it = adapters(sandbox);
    assert.deepEqual((await it.jito.rewards(signal)).value, [], 'nothing staked, nothing earned');
    const staker = await SandboxStaker.fund(sandbox, 200n * SOL);
    const stakes: Address[] = [];
    for (let count = 0n; count < 6n; count += 1n)
      stakes.push(address(await staker.stake((10n + count) * SOL + RENT)));
    await sandbox.advanceEpochs(1);
    const ended = sandbox.epoch();
    const tipsBefore = (await it.jito.commission(ended, signal)).value;
    assert.deepEqual(tipsBefore, { epoch: ended, commissionBps: 0, runsJito: true });
    await sandbox.advanceEpochs(1);

    let tips = 0n;
    const rewards = await staker.rpc.getInflationReward(stakes, { epoch: BigInt(ended) }).send();
    for (const [index, stake] of stakes.entries()) {
      const { lamports } = (await staker.account(stake)) ?? { lamports: 0n };
      tips += lamports - (rewards[index]?.postBalance ?? 0n);
    }
    assert.ok(tips > 0n);
    assert.deepEqual((await it.jito.rewards(signal)).value, [
      {
        epoch: ended,
        mevLamports: tips,
        commissionBps: 0,
      },
    ]);

    const [own, vote, history] = [
      (await it.stakewiz.validator(signal)).value,
      await voteEntry(sandbox),
      (await it.stakewiz.stakeHistory(signal)).value,
    ];
    assert.equal(own?.activatedStakeSol, vote.activatedStake / 1e9);
    assert.equal(own?.identity, sandbox.identity);
    assert.deepEqual(history, [
      { epoch: ended + 1, activeStakeSol: vote.activatedStake / 1e9 },
      { epoch: ended, activeStakeSol: 75 },
    ]);
  });
});

test('other validators can be requested too, and an unknown validator is not found', async () => {
  const sandbox = cluster.get();
  await using other = adapters(sandbox, sandbox.otherVoteAccount);
  assert.equal((await other.stakewiz.validator(signal)).value?.voteAccount, sandbox.otherVoteAccount);
  const history = (await other.stakewiz.stakeHistory(signal)).value ?? [];
  assert.deepEqual([history.length, history[0]?.epoch], [30, sandbox.epoch() - 1]);
  assert.ok(((await other.jito.rewards(signal)).value?.[0]?.mevLamports ?? 0n) > 0n);
  await using nobody = adapters(sandbox, sandbox.faucetAddress);
  assert.deepEqual((await nobody.stakewiz.validator(signal)).warnings, [
    { provider: 'stakewiz', word: 'not-found' },
  ]);
  assert.deepEqual((await nobody.jito.rewards(signal)).value, []);
});

test('Jito’s list reads its epoch only from a POST body, like the real one, and contains no future epoch', async () => {
  const sandbox = cluster.get();
  const ask = async (query: string, init?: RequestInit) =>
    (await (await fetch(`${sandbox.jitoUrl}/api/v1/validators${query}`, init)).json()) as {
      validators: { vote_account: string; mev_rewards: number }[];
    };
  const past = sandbox.epoch() - 1;
  const tipsOf = (list: Awaited<ReturnType<typeof ask>>) =>
    list.validators.find(({ vote_account }) => vote_account === sandbox.otherVoteAccount)?.mev_rewards;
  assert.equal(
    tipsOf(await ask(`?epoch=${past}`)),
    0,
    'a GET returns the current epoch, whose tips are not settled',
  );
  const body = (epoch: number) => ({ method: 'POST', body: JSON.stringify({ epoch }) });
  assert.ok((tipsOf(await ask('', body(past))) ?? 0) > 0);
  assert.deepEqual(await ask('', body(past + 2)), { validators: [] });
});

test('the providers also refuse another site’s Origin, and unknown paths are not found', async () => {
  const { stakewizUrl } = cluster.get();
  const foreign = await fetch(`${stakewizUrl}/validators`, { headers: { origin: 'https://evil.example' } });
  assert.equal(foreign.status, 403);
  for (const path of ['', '/', '/validators/x', '/validator', '/nothing', '/../jito'])
    assert.equal((await fetch(`${stakewizUrl}${path}`)).status, 404, path);
});
