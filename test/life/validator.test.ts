// Compares the responses about the validator and its network with the chain and the providers, also while some
// of these are down.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { decodeAddress } from '../../sandbox/base58.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { sandboxKey } from '../../sandbox/sandbox-keys.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { DEAD_ORIGIN } from '../support/free-port.ts';
import { operatorConsoleOf } from '../support/operator-console-client.ts';
import { patience } from '../support/patience.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { lamportsOf, stakeNow } from '../support/service-calls.ts';
import {
  type RunningService,
  settingsFor,
  startService,
  startServiceHere,
} from '../support/service-fixture.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';

const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const cleanUps: (() => unknown)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
let sandbox: Sandbox;

/** Two wallets stake and receive rewards for two epochs. */
before(async () => {
  sandbox = await startSandbox(QUICK_SANDBOX);
  cleanUps.push(() => sandbox.close());
  const first = await startServiceHere(scope, settingsFor(sandbox));
  for (const amountSol of [60, 40]) {
    const wallet = await fundedWallet(sandbox, amountSol + 10);
    await stakeNow(first, wallet, amountSol);
  }
  await sandbox.advanceEpochs(3);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const serviceWith = (
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningService> => startServiceHere(t, { ...settingsFor(sandbox), ...settings });

const ask = async (
  { url }: RunningService,
  path: string,
): Promise<{ status: number; headers: Headers; body: Json }> => {
  const response = await fetch(`${url}/api/v1/${path}`, { signal: patience() });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const read = async (service: RunningService, path: string): Promise<Json> => {
  const { status, body } = await ask(service, path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

const rpc = async (method: string, ...params: unknown[]): Promise<Json> => {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as Json).result;
};

const ownVote = async (): Promise<Json> =>
  (await rpc('getVoteAccounts', { votePubkey: sandbox.voteAccount })).current[0];

const APY = ['stakingApy', 'jitoMevApy', 'totalApy', 'commission', 'jitoCommissionBps', 'method', 'warnings'];
const PERFORMANCE = [
  ...['voteSuccessRate', 'uptimePercentage', 'skipRate', 'epochCredits', 'epochCreditsRank'],
  ...['totalActiveStake', 'delinquent', 'uptimeSamples', 'warnings'],
];
const PROFILE = [
  ...['name', 'identity', 'voteAccount', 'website', 'description', 'commission', 'jitoCommissionBps'],
  ...[
    'voteState',
    'jitoCommissionEpoch',
    'activatedStakeSol',
    'delegatorCount',
    'rank',
    'voteCreditRank',
    'software',
  ],
  ...['jitoEnabled', 'location', 'iconUrl', 'apy', 'performance', 'warnings', '_meta'],
];
const LIVE = [
  ...['currentSlot', 'currentEpoch', 'epochProgressPct', 'slotIndex', 'slotsInEpoch', 'slotDurationMs'],
  ...['leaderSlots', 'lastVoteSlot', 'rootSlot', 'epochCredits', 'activatedStakeSol', 'delinquent'],
  ...['commission', 'jitoCommissionBps', 'warnings', '_meta'],
];
const CITY = ['city', 'country', 'validatorCount', 'sharePct', 'scored', 'medianApy'];

const assertMembers = (body: object, members: readonly string[], what: string): void => {
  for (const member of members) assert.ok(member in body, `${what} has no ${member}`);
};

describe('while every provider is up', () => {
  let service: RunningService;
  before(async () => {
    service = await startServiceHere(scope, settingsFor(sandbox));
  });

  test('the profile has every field, read from the chain if possible and from the operator otherwise', async () => {
    const [profile, vote] = [await read(service, 'validator'), await ownVote()];
    assertMembers(profile, PROFILE, 'profile');
    assertMembers(profile.apy, APY, 'profile.apy');
    assertMembers(profile.performance, PERFORMANCE, 'profile.performance');
    assertMembers(
      profile.voteCreditRank,
      ['rank', 'total', 'epoch', 'missedCredits', 'avgLatency', 'source'],
      'rank',
    );
    assert.deepEqual(
      [profile.identity, profile.voteAccount, lamportsOf(profile.activatedStakeSol), profile.commission],
      [sandbox.identity, sandbox.voteAccount, BigInt(vote.activatedStake), vote.commission],
    );
    assert.deepEqual(
      [profile.name, profile.location, profile.software, profile.jitoEnabled, profile.jitoCommissionBps],
      ['Holdfast Sandbox', 'Frankfurt, Germany', '4.1.2', true, 0],
    );
    assert.deepEqual([profile.delegatorCount, profile.rank], [2, 72]);
    // The second warning remains until the validator's first votes of the epoch have been counted.
    assert.match(
      profile.warnings.join('|'),
      /^Fewer than 8 leader slots[^|]*(\|The epoch has just begun, so there is no vote success rate[^|]*)?$/,
    );
    const { epoch, rank, total } = profile.voteCreditRank;
    assert.deepEqual(
      [epoch, rank, total],
      [sandbox.epoch(), 1, 72],
      'validators with equal credits share the better rank',
    );
    assert.deepEqual([profile.website, profile.iconUrl, profile.blockRevenueCommission], [null, null, 0]);
    const { hasBlsKey, pendingDelegatorRewardsSol, balanceSol, inflationCommissionBps } = profile.voteState;
    assert.deepEqual(
      [typeof hasBlsKey, pendingDelegatorRewardsSol, inflationCommissionBps],
      ['boolean', 0, 0],
    );
    assert.ok(balanceSol > 0);
    assert.equal(profile._meta.cacheTtlSeconds, 60);
    assert.equal(profile._meta.cachedAt, profile._meta.timestamp);
  });

  test('the APY is computed from real payments, labeled as such, and equal to the sum of its parts', async () => {
    const apy = await read(service, 'validator/apy');
    assertMembers(apy, [...APY, '_meta'], 'apy');
    const epochs = (365 * 86_400) / apy.method.secondsPerEpoch;
    assert.equal(apy.method.secondsPerEpoch, 8_640, '432,000 slots of 20 ms');
    assert.ok(Math.abs(apy.stakingApy - (1.000354 ** epochs - 1) * 100) < 0.01, String(apy.stakingApy));
    const { staking, jitoMev } = apy.method;
    const last = sandbox.epoch() - 1;
    // Each of the two accounts earned in both epochs. Tips count as one sample per epoch.
    assert.deepEqual(staking, {
      source: 'realised',
      fromEpoch: last - 1,
      toEpoch: last,
      epochCount: 2,
      sampleCount: 4,
    });
    assert.deepEqual([jitoMev.source, jitoMev.toEpoch, jitoMev.sampleCount], ['realised', last, 2]);
    assert.equal(apy.totalApy, Math.round((apy.stakingApy + apy.jitoMevApy) * 10_000) / 10_000);
    assert.deepEqual([apy.commission, apy.warnings, apy._meta.cacheTtlSeconds], [0, [], 120]);
  });

  test('performance and live report the same current epoch as the chain', async () => {
    const performance = await read(service, 'validator/performance');
    assertMembers(performance, [...PERFORMANCE, '_meta'], 'performance');
    const vote = await ownVote();
    assert.equal(lamportsOf(performance.totalActiveStake), BigInt(vote.activatedStake));
    assert.deepEqual([performance.delinquent, performance.epochCreditsRank], [false, 1]);
    assert.equal(performance._meta.cacheTtlSeconds, 60);
    const live = await read(service, 'validator/live');
    assertMembers(live, LIVE, 'live');
    assertMembers(
      live.leaderSlots,
      ['assigned', 'passed', 'produced', 'skipped', 'skipRatePct'],
      'leaderSlots',
    );
    // Read after `live` with the same commitment, so the position is at least as recent.
    const then = await rpc('getEpochInfo', { commitment: 'confirmed' });
    assert.equal(live.currentEpoch, then.epoch);
    assert.ok(live.currentSlot <= then.absoluteSlot && live.lastVoteSlot < live.currentSlot);
    assert.equal(live.currentSlot - live.slotIndex, live.currentEpoch * live.slotsInEpoch);
    assert.deepEqual([live.commission, live.jitoCommissionBps, live.delinquent], [0, 0, false]);
    assert.equal(live._meta.cacheTtlSeconds, 15);
  });

  test('history contains every completed epoch once, newest first, and never the current epoch', async () => {
    const history = await read(service, 'validator/history');
    const epochs: Json[] = history.epochs;
    assert.deepEqual(
      epochs.map(({ epoch }) => epoch),
      Array.from({ length: epochs.length }, (_, i) => sandbox.epoch() - 1 - i),
    );
    for (const entry of epochs)
      assertMembers(entry, ['epoch', 'activeStakeSol', 'credits', 'apy', 'commission', 'skipRate'], 'epoch');
    assert.deepEqual([epochs[0].credits, epochs[0].commission], [6_808_320, 0]);
    assert.ok(epochs[0].activeStakeSol >= 99 && epochs[0].apy > 0);
    assert.ok(Array.isArray(history.voteSamples));
  });

  test('peer density ranks at most 25 cities and includes the validator’s own, and medians require three validators', async () => {
    const density = await read(service, 'network/peer-density');
    const counts = density.cities.map(({ validatorCount }: Json) => validatorCount);
    assert.ok(counts.length >= 20 && counts.length <= 25);
    assert.deepEqual(
      counts,
      [...counts].sort((a: number, b: number) => b - a),
    );
    for (const city of [...density.cities, density.validatorCity]) {
      assertMembers(city, CITY, 'city');
      assert.equal(city.medianApy === null, city.scored < 3, city.city);
    }
    assert.equal(density.validatorCity.city, 'Frankfurt');
    assert.ok(density.totalValidators === 72 && density.scoredValidators <= density.totalValidators);
    assert.ok(density.globalMedianApy > 5 && density.globalMedianApy < 8);
  });

  test('the infrastructure text is exactly what the operator wrote', async () => {
    const machine = await read(service, 'validator/infrastructure');
    assert.deepEqual(machine.datacenter, {
      name: 'Example Data Centre FRA-1',
      city: 'Frankfurt',
      country: 'Germany',
      certifications: ['ISO 27001', 'ISO 50001'],
    });
    assertMembers(
      machine,
      ['cpu', 'memory', 'storage', 'network', 'redundancy', 'software', 'warnings'],
      'machine',
    );
    assert.equal(machine.redundancy.standby, true);
  });

  test('a cached response is the same for all clients byte for byte, and clients that already have it get a 304', async () => {
    const url = `${service.url}/api/v1/validator/apy`;
    const [first, second] = [await fetch(url), await fetch(url)];
    assert.equal(await first.text(), await second.text());
    const etag = first.headers.get('etag')!;
    assert.equal(second.headers.get('etag'), etag);
    assert.match(first.headers.get('cache-control')!, /^private, max-age=\d+$/);
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    const other = await fetch(url, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200);
    await other.text();
  });

  test('the stake builder estimates rewards from the reported APY', async () => {
    const { walletAddress } = await fundedWallet(sandbox, 20);
    const apy = await read(service, 'validator/apy');
    const built = await service.client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 10 });
    const { estimatedAnnualSol, estimatedPerEpochSol, basedOnApy } = built.rewardsEstimate;
    assert.equal(basedOnApy, apy.totalApy);
    assert.ok(Math.abs(estimatedAnnualSol - (built.delegatedSol * basedOnApy) / 100) < 1e-8);
    assert.ok(estimatedPerEpochSol >= built.delegatedSol * 0.000353 && estimatedPerEpochSol < 0.01);
    assert.deepEqual(built.warnings, []);
  });
});

describe('with a provider down', () => {
  test('if StakeWiz is down, only data that no other source provides is missing', async (t) => {
    const service = await serviceWith(t, { HOLDFAST_STAKEWIZ_URL: DEAD_ORIGIN });
    const profile = await read(service, 'validator');
    assert.equal(profile.name, 'Holdfast Sandbox', "the operator's own value");
    assert.deepEqual([profile.delegatorCount, profile.rank, profile.commission], [2, 72, 0]);
    assert.equal(profile.jitoCommissionBps, 0);
    assert.ok(profile.apy.stakingApy > 0);
    assert.match(profile.warnings.join(), /StakeWiz cannot be reached/);
    for (const name of ['validator/performance', 'validator/live'])
      assert.doesNotMatch((await read(service, name)).warnings.join(), /StakeWiz|cannot/);
    const density = await ask(service, 'network/peer-density');
    assert.deepEqual([density.status, density.body.errorCode], [502, 'UPSTREAM_UNAVAILABLE']);
    assert.match(density.body.message, /StakeWiz cannot be reached/);
    assert.doesNotMatch(density.body.message, /RPC/);
  });

  test('if Jito is down, only the MEV figures change, and they come from the other provider', async (t) => {
    const service = await serviceWith(t, { HOLDFAST_JITO_URL: DEAD_ORIGIN });
    const apy = await read(service, 'validator/apy');
    assert.deepEqual([apy.method.staking.source, apy.method.jitoMev.source], ['realised', 'provider']);
    assert.match(apy.warnings.join(), /Jito cannot be reached/);
    assert.notEqual(apy.totalApy, null);
    assert.equal((await read(service, 'validator')).jitoCommissionBps, 0);
  });

  test('if both are down, tips and the tip commission are null, and so are all sums that include them', async (t) => {
    const service = await serviceWith(t, {
      HOLDFAST_STAKEWIZ_URL: DEAD_ORIGIN,
      HOLDFAST_JITO_URL: DEAD_ORIGIN,
    });
    const apy = await read(service, 'validator/apy');
    assert.ok(apy.stakingApy > 0);
    assert.deepEqual([apy.jitoMevApy, apy.totalApy, apy.jitoCommissionBps], [null, null, null]);
    const profile = await read(service, 'validator');
    assert.deepEqual(
      [profile.jitoCommissionBps, profile.jitoCommissionEpoch, profile.jitoEnabled],
      [null, null, null],
    );
    assert.deepEqual([profile.commission, profile.rank], [0, 72]);
    const { walletAddress } = await fundedWallet(sandbox, 20);
    const built = await service.client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 10 });
    assert.equal(built.rewardsEstimate, null);
  });
});

describe('the profile file', () => {
  test('a profile that becomes invalid is reported everywhere without its path or content', async (t) => {
    const file = join(temporaryFolder(t), 'validator.json');
    // The service does not start with an invalid file, so the test damages the file after startup.
    writeFileSync(file, '{ "name": "Whole" }');
    const service = await startService(t, { ...settingsFor(sandbox), HOLDFAST_PROFILE_FILE: file });
    assert.match(service.process.stdout, /^ {2}Profile {4}Whole, no logo, no accent$/m);
    writeFileSync(file, '{ "name": "half a na');
    await service.process.output(/"level":40.*is not JSON: line 1, column 21.*no longer valid/);
    const seen = await service.client.get('/ready');
    assert.deepEqual(
      [seen.status, seen.dependencies.profile.ok, seen.dependencies.profile.optional],
      ['ready', false, true],
    );
    const health = await (await operatorConsoleOf(service)).get('health');
    const row = health.dependencies.find(({ name }: { name: string }) => name === 'profile');
    assert.match(row.error, /is not JSON: line 1, column 21: .*; still using the last valid profile$/);
    const { status, body } = await ask(service, 'validator/infrastructure');
    assert.deepEqual([status, body.errorCode, body.error], [500, 'INTERNAL', 'Internal server error']);
    assert.ok(!JSON.stringify(body).includes(file) && !JSON.stringify(body).includes('half a na'));
    const profile = await read(service, 'validator');
    assert.match(profile.warnings.join(' '), /profile file cannot be read/);
    // Another source now provides the name.
    assert.equal(profile.name, 'Holdfast Sandbox');
    writeFileSync(file, '{ "name": "A New Name" }');
    const machine = await read(service, 'validator/infrastructure');
    assert.deepEqual([machine.cpu, machine.warnings.length], [null, 1]);
    await service.process.output(/"profile":"A New Name, no logo, no accent".*was reloaded/);
  });
});

test('without a profile file, the name, site and page title come from the info signed by the identity, not from another account', async (t) => {
  const info = (name: string, signed: 0 | 1): Buffer => {
    const text = Buffer.from(
      JSON.stringify({ name, website: 'https://aurora.example', details: 'Northern' }),
    );
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    return Buffer.concat([
      Buffer.of(2),
      ...[decodeAddress(VALIDATOR_INFO)!, Buffer.of(0), decodeAddress(sandbox.identity)!, Buffer.of(signed)],
      ...[length, text, Buffer.alloc(100)],
    ]);
  };
  for (const [name, signed] of [
    ['Forged', 0],
    ['Aurora', 1],
  ] as const)
    await sandbox.setAccount({
      address: sandboxKey(`validator info ${name}`).address,
      lamports: 10_000_000n,
      data: info(name, signed),
      owner: 'Config1111111111111111111111111111111111111',
    });
  const service = await serviceWith(t, { HOLDFAST_PROFILE_FILE: '' });
  const { name, website, description, iconUrl } = await read(service, 'validator');
  assert.deepEqual([name, website, description], ['Aurora', 'https://aurora.example', 'Northern']);
  assert.notEqual(iconUrl, `${service.url}/icon`);
  const button = await (await fetch(`${service.url}/button.svg`)).text();
  assert.match(button, /<title>Stake with Aurora<\/title>/);
});
