import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContextParts, withParts } from '../../../test/support/context-parts.ts';
import { patience } from '../../../test/support/patience.ts';
import { PLAN, planContext } from '../../../test/support/plan-context.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { JsonNumber } from '../../kernel/json-number.ts';
import type { ValidatorYield } from '../../validator/validator-facts.ts';
import { simulate } from './simulate-rewards.ts';

const KNOWN: ValidatorYield = {
  schedule: null,
  interval: null,
  apy: { stakingApy: 6.6, jitoMevApy: 0.4, totalApy: 7 },
  inflationPerEpoch: 0.000354,
  tipsPerEpoch: 0.00002,
  notices: [],
};

const NO_VOTE = notice('VALIDATOR_DELINQUENT', 'It does not vote.');
const LIMITED = notice('NO_NETWORK_PROVIDER', 'A provider is away.');

interface World {
  readonly known?: Partial<ValidatorYield> | 'away' | 'broken' | null;
  readonly boardNotices?: readonly Notice[];
}

const ask = async (
  amountSol: string,
  { known = {}, boardNotices = [] }: World = {},
  durationDays?: number,
  signal = patience(),
) => {
  const validatorYield = async (): Promise<ValidatorYield> => {
    if (known === 'away') throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
    if (known === 'broken') throw new TypeError('broken');
    return { ...KNOWN, ...known };
  };
  const base = planContext({ walletLamports: 0n, account: null });
  const ctx = withParts(base, {
    service: { settings: { ...base.service.settings, feeReserveLamports: 5_000_000n } },
    validator: { status: { notices: () => boardNotices }, yieldNow: known === null ? null : validatorYield },
  } as unknown as ContextParts);
  const input = simulate.input.parse({ amountSol: new JsonNumber(amountSol), durationDays });
  const { body } = await simulate.run({ ctx, input, signal, source: 'rest', client: 'test' });
  return body;
};

test('rent is moved but not delegated, and longer periods earn more', async () => {
  const { amountSol, delegatedSol, projections, onceActive, effectiveApy } = await ask('10');
  assert.deepEqual([amountSol, delegatedSol, effectiveApy], [10, 9.99833376, 7]);
  const { daily, monthly, annual, total } = projections!;
  // The warm-up takes at least two days.
  assert.equal(daily.rewardSol, 0);
  assert.equal(daily.balanceSol, 10);
  assert.ok(monthly.rewardSol > 0 && monthly.rewardSol < annual.rewardSol);
  assert.deepEqual(total, annual, 'the default period is one year');
  assert.equal(onceActive?.perEpochSol, 0.003739376);
});

test('no projected balance exceeds what an account can hold', async () => {
  const { projections } = await ask('2', { known: { inflationPerEpoch: 0.9 } }, 3_650);
  const { annual, total } = projections!;
  assert.equal(JSON.stringify(total.balanceSol), '18446744073.709551615');
  assert.deepEqual(annual, total);
});

test('typed amounts are used exactly, even beyond the precision of doubles', async () => {
  const { amountSol, delegatedSol } = await ask('8999999.123456789');
  assert.equal(JSON.stringify([amountSol, delegatedSol]), '[8999999.123456789,8999999.121790549]');
});

test('the rent-exempt minimum alone cannot be staked, but one lamport more can be simulated', async () => {
  await assert.rejects(ask('0.00166624'), (error) => {
    assert.ok(isAppError(error, 'BELOW_MINIMUM_STAKE'));
    assert.equal(error.body.minimumStakeSol, 1.00166624);
    return true;
  });
  const { delegatedSol, recommendation, projections } = await ask('0.001666241');
  assert.equal(delegatedSol, 1e-9);
  assert.match(recommendation, /below the minimum stake.*0\.999999999 SOL is missing/);
  assert.equal(projections?.total.rewardSol, 0);
});

const unknown = /currently unavailable/;
for (const [what, known] of [
  ['no source', null],
  ['an unavailable RPC', 'away'],
  ['an unknown inflation rate', { inflationPerEpoch: null }],
] as const)
  test(`with ${what} there is no projection, but dates are still reported`, async () => {
    const { projections, onceActive, recommendation, activation, warnings } = await ask('10', { known });
    assert.deepEqual([projections, onceActive], [null, null]);
    assert.match(recommendation, unknown);
    assert.match(warnings.join(), /rewards cannot be projected/);
    assert.equal(activation.firstRewardEpoch, Number(PLAN.epoch) + 1);
  });

test('unknown tips count as zero with a notice, and known tips of zero need no notice', async () => {
  const [missing, none] = [
    await ask('10', { known: { tipsPerEpoch: null } }),
    await ask('10', { known: { tipsPerEpoch: 0 } }),
  ];
  assert.deepEqual(missing.projections, none.projections);
  assert.ok(missing.projections!.annual.rewardSol > 0);
  assert.deepEqual([missing.warnings.length, none.warnings.length], [1, 0]);
});

test('a critical notice suppresses the projection and comes first, both as text and as data', async () => {
  for (const known of [{ notices: [NO_VOTE, LIMITED] }, 'away'] as const) {
    const { recommendation, warnings, notices, projections, onceActive, atLeastApy } = await ask('10', {
      known,
      boardNotices: [NO_VOTE],
    });
    assert.equal(recommendation, 'Wait before you stake. It does not vote.');
    assert.deepEqual([projections, onceActive, atLeastApy], [null, null, null]);
    assert.equal(warnings.filter((text) => text === NO_VOTE.text).length, 1);
    assert.deepEqual(notices[0], { ...NO_VOTE, params: {} });
    assert.deepEqual(
      warnings,
      notices.map(({ text }) => text),
    );
  }
});

test('the simulation warns about a stake that is too small to be split later', async () => {
  for (const [amountSol, isNamed] of [
    ['2', true],
    ['3', false],
  ] as const)
    assert.equal(
      (await ask(amountSol)).notices.some(({ code }) => code === 'STAKE_INDIVISIBLE'),
      isNamed,
    );
});

test('neither an internal error nor a disconnected caller leads to a response full of nulls', async () => {
  await assert.rejects(ask('10', { known: 'broken' }), TypeError);
  const gone = new Error('gone');
  await assert.rejects(ask('10', { known: 'away' }, 30, AbortSignal.abort(gone)), (error) => error === gone);
});
