// Checks that no interface projects rewards or recommends staking if the commission is 100 % or the validator
// does not vote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdfast } from '../cli/cli-runner.ts';
import { createActionClient } from '../support/action-client.ts';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { until } from '../support/index-fixture.ts';
import { callTool } from '../support/mcp-rpc.ts';
import { fundedWallet } from '../support/wallets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const codesOf = ({ notices }: Json): string[] => notices.map(({ code }: Json) => code);

const CASES = [
  {
    name: 'a commission of 100 %',
    code: 'COMMISSION_FULL',
    begin: async ({ sandbox }: TestApp) => {
      await sandbox.setValidator({ commissionBps: 10_000 });
    },
  },
  {
    name: 'a validator that does not vote',
    code: 'VALIDATOR_DELINQUENT',
    begin: async ({ app, sandbox, clock }: TestApp) => {
      await sandbox.setValidator({ votes: false });
      const signal = AbortSignal.timeout(60_000);
      await until(async () => {
        clock.advance(6_000);
        return (await app.ctx.validator.facts.chain.own(signal)).listed.delinquent;
      }, 'the delinquency');
    },
  },
] as const;

for (const { name, code, begin } of CASES)
  test(`with ${name} REST, MCP, Actions and the command line project no rewards and do not recommend staking`, async (t) => {
    const world = await startTestApp(t);
    const { app, sandbox, clock } = world;
    const read = async (path: string, body?: object): Promise<Json> => {
      const response = await fetch(`${app.url}/api/v1/${path}`, {
        ...(body && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      assert.equal(response.status, 200, path);
      return response.json();
    };
    const { walletAddress } = await fundedWallet(sandbox, 100);
    const offered = await read(`stake/summary/${walletAddress}`);
    assert.equal(offered.recommendedAction.action, 'STAKE', 'before the change');
    const simulated = await read('stake/simulate', { amountSol: 5 });
    assert.ok(simulated.projections.annual.rewardSol > 0, 'before the change');

    await begin(world);
    // Everything cached earlier is now too old to be served.
    clock.advance(121_000);

    const summary = await read(`stake/summary/${walletAddress}`);
    assert.equal(summary.recommendedAction.action, 'HOLD');
    assert.equal(summary.recommendedAction.reason, summary.notices[0].text);
    const simulation = await read('stake/simulate', { amountSol: 5 });
    assert.deepEqual(
      [simulation.projections, simulation.onceActive, simulation.atLeastApy],
      [null, null, null],
    );
    assert.match(simulation.recommendation, /^Wait before you stake\. /);
    await until(async () => codesOf(await read('validator/apy'))[0] === code, 'the recomputed response');
    const apy = await read('validator/apy');
    assert.equal(apy.stakingApy, code === 'COMMISSION_FULL' ? 0 : null);
    for (const response of [summary, simulation, apy]) {
      assert.equal(codesOf(response)[0], code);
      assert.equal(response.notices[0].severity, 'critical');
      assert.deepEqual(
        response.warnings,
        response.notices.map(({ text }: Json) => text),
      );
    }
    const built = await read('stake/transaction', { walletAddress, amountSol: 5 });
    assert.equal(built.rewardsEstimate, null);

    const asked = await callTool(app.url, 'get_staking_summary', { walletAddress });
    assert.equal(asked.structuredContent.recommendedAction.action, 'HOLD');
    assert.equal(codesOf(asked.structuredContent)[0], code);
    const balance = await callTool(app.url, 'check_balance', { walletAddress });
    assert.ok(balance.content[0].text.startsWith(`${summary.notices[0].text}\n`), balance.content[0].text);
    const accounts = await callTool(app.url, 'check_stake_accounts', { walletAddress });
    assert.ok(accounts.content[0].text.startsWith(`${summary.notices[0].text}\n`), accounts.content[0].text);
    assert.equal(balance.structuredContent.readyToStake, true);
    assert.doesNotMatch(
      JSON.stringify(balance.structuredContent._meta.nextSteps),
      /create_stake_transaction/,
    );
    const tool = await callTool(app.url, 'simulate_stake', { amountSol: 5 });
    assert.equal(tool.structuredContent.projections, null);

    const card = await createActionClient(app.url, sandbox).show('/api/actions/stake');
    assert.doesNotMatch(card.description, /yield|%/i);

    const shown = await holdfast(['summary', walletAddress, '--url', app.url]);
    assert.match(shown.stdout, new RegExp(`^! ${summary.notices[0].text.slice(0, 40)}`), 'it comes first');
    assert.match(shown.stdout, /^HOLD: /m);
    const held = await holdfast(['balance', walletAddress, '--url', app.url]);
    assert.match(held.stdout, /enough to stake +yes\n! /);
    const projected = await holdfast(['simulate', '5', '--url', app.url]);
    assert.doesNotMatch(projected.stdout, /after a (day|year)|would earn/);
    assert.match(projected.stdout, /^! /m);
  });
