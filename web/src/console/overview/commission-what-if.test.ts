// Tests that the effect of a commission is derived from the published yield, and equals that yield at the
// current commission.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OwnValidator } from '../operator-api.ts';
import { commissionOutcome, knownYield, whyUnknown } from './commission-what-if.ts';

const apyWith = (more: object): OwnValidator['apy'] =>
  ({
    stakingApy: (1.0009 ** 100 - 1) * 100,
    jitoMevApy: 0.4,
    commission: 10,
    method: { secondsPerEpoch: (365 * 86_400) / 100 },
    ...more,
  }) as OwnValidator['apy'];

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < expected * 1e-9, `${actual}, not ${expected}`);

it('the yield at the current commission is the published one, tips included', () => {
  const apy = apyWith({})!;
  const at = (commissionPct: number) =>
    commissionOutcome(knownYield(apy)!, { commissionPct, activeSol: 2_000 });
  near(at(10).stakersApy, apy.stakingApy! + 0.4);
  near(at(0).stakersApy, (1.001 ** 100 - 1) * 100 + 0.4);
  near(at(5).validatorSolPerEpoch, 0.1);
  near(at(5).validatorSolPerYear, 10);
  assert.equal(at(0).validatorSolPerEpoch, 0);
  near(at(100).stakersApy, 0.4);
});

it('nothing is computed while the yield or the commission is unknown, or if the current commission is 100%', () => {
  assert.equal(knownYield(null), null);
  for (const more of [
    { stakingApy: null },
    { stakingApy: 0 },
    { commission: null },
    { commission: 100 },
    { method: { secondsPerEpoch: null } },
  ])
    assert.equal(knownYield(apyWith(more)), null);
});

it('a card without a comparison says why: the reason why stake earns nothing, if there is one', () => {
  const text = 'The validator is delinquent.';
  const notices = [{ code: 'VALIDATOR_DELINQUENT', severity: 'critical', text }];
  assert.equal(whyUnknown(apyWith({ stakingApy: null, notices })), text);
  assert.match(whyUnknown(apyWith({ stakingApy: null, notices: [] })), /currently unavailable/);
  assert.match(whyUnknown(apyWith({ commission: 100, notices })), /100%/);
  assert.match(whyUnknown(null), /currently unavailable/);
});
