// Runs the full staking lifecycle on the command line. Every step is a `holdfast` command, and the key stays in
// a file on this machine.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { eventually } from './poll-until-result.ts';
import type { Story } from './story.ts';
import { fromBase58, runSnippet } from './wallet.ts';

const STAKE_SOL = 2;
/** Fee of one signature. A stake earns less than this in a short sandbox epoch. */
const FEE_SOL = 0.000005;
const AIRDROP_SOL = 10;

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `holdfast ...args`. */
export type RunCommand = (args: readonly string[]) => Promise<CommandEnd>;

/**
 * Runs the staking lifecycle using only `run`. The wallet is stored in `keypairFile`. Throws on the first
 * unexpected result.
 */
export const playLifeOverCli = async (run: RunCommand, keypairFile: string, story: Story): Promise<void> => {
  const { step } = story;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  const json = async (...args: string[]): Promise<any> => {
    const { code, stdout, stderr } = await run([...args, '--json', '--yes', '--keypair', keypairFile]);
    assert.equal(code, 0, `holdfast ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  /** Runs a command that must be refused, and returns the error body. */
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  const refused = async (...args: string[]): Promise<any> => {
    const { code, stderr } = await run([...args, '--json', '--yes', '--keypair', keypairFile]);
    assert.equal(code, 1, `holdfast ${args.join(' ')} must be refused`);
    return JSON.parse(stderr);
  };
  const endEpoch = () =>
    step('holdfast epoch --end 1', async () => ({
      value: undefined,
      result: `epoch ${(await json('epoch', '--end', '1')).epoch}`,
    }));
  const stakeAccount = async () => (await json('accounts')).accounts[0];

  await step('Create a wallet here with the snippet from the service', async () => {
    const { runThis } = await json('call', 'generateWallet');
    const { walletAddress, secretKey } = runSnippet(runThis.javascript);
    writeFileSync(keypairFile, JSON.stringify([...fromBase58(secretKey)]), { mode: 0o600 });
    return { value: undefined, result: walletAddress };
  });
  await step(`holdfast trust, airdrop ${AIRDROP_SOL}, balance, simulate ${STAKE_SOL}`, async () => {
    await json('trust');
    await json('airdrop', String(AIRDROP_SOL));
    const { sol, readyToStake } = await json('balance');
    assert.deepEqual([sol, readyToStake], [AIRDROP_SOL, true]);
    const { activation, recommendation } = await json('simulate', String(STAKE_SOL));
    assert.equal(activation.epochsUntilActive, 1);
    return { value: undefined, result: recommendation };
  });

  const stakeAccountAddress: string = await step(
    `holdfast stake ${STAKE_SOL}, twice with one idempotency key`,
    async () => {
      const stake = ['stake', String(STAKE_SOL), '--idempotency-key', `demo-cli-${Date.now()}`] as const;
      const first = await json(...stake);
      const again = await json(...stake);
      assert.equal(again.signature, first.signature);
      assert.equal((await json('accounts')).accounts.length, 1);
      const { verified, checks } = await json('verify', first.signature);
      assert.equal(verified, true);
      assert.ok(Object.values(checks).every((holds) => holds === true));
      assert.equal((await stakeAccount()).state, 'activating');
      return {
        value: first.stakeAccountAddress,
        result: `one stake account: ${first.stakeAccountAddress}, verified`,
        link: first.explorerUrl,
      };
    },
  );
  await endEpoch();
  await endEpoch();
  await step('holdfast summary: the stake is active and has earned rewards', async () => {
    const { portfolio, recommendedAction } = await json('summary');
    assert.equal((await stakeAccount()).state, 'active');
    assert.ok(portfolio.totalStakedSol > STAKE_SOL, 'an active stake must have earned something');
    return {
      value: undefined,
      result: `${portfolio.totalStakedSol} SOL; ${recommendedAction.action}: ${recommendedAction.reason}`,
    };
  });
  await step('holdfast rewards, once finalized, as JSON and CSV', async () => {
    const totals = await eventually(async () => {
      const rewards = await json('rewards');
      return rewards.totals.inflationSol > 0 ? rewards.totals : null;
    }, 'the rewards to be finalized');
    const { code, stdout } = await run(['rewards', '--csv', '--keypair', keypairFile]);
    assert.equal(code, 0);
    assert.match(stdout, /^epoch,paidAt,/);
    assert.ok(stdout.includes(stakeAccountAddress));
    return { value: undefined, result: `${totals.inflationSol.toFixed(9)} SOL inflation` };
  });
  await step('holdfast unstake', async () => {
    const { explorerUrl } = await json('unstake', stakeAccountAddress);
    assert.equal((await stakeAccount()).state, 'deactivating');
    return { value: undefined, result: 'deactivated', link: explorerUrl };
  });
  await step('holdfast withdraw is still refused, before anything is signed', async () => {
    const { errorCode, suggestedAction } = await refused('withdraw', stakeAccountAddress);
    assert.equal(errorCode, 'STAKE_NOT_WITHDRAWABLE');
    return { value: undefined, result: `${errorCode}: ${suggestedAction}` };
  });
  await endEpoch();
  await step('holdfast withdraw', async () => {
    const before = (await json('balance')).sol;
    const { explorerUrl } = await json('withdraw', stakeAccountAddress);
    const after = (await json('balance')).sol;
    assert.ok(after + FEE_SOL > before + STAKE_SOL, 'the full amount must come back, with its rewards');
    assert.equal(await stakeAccount(), undefined, 'the emptied account must be gone');
    return { value: undefined, result: `balance ${after} SOL, from ${before}`, link: explorerUrl };
  });
  await step('holdfast history lists everything once it is finalized', async () => {
    const history = await eventually(async () => {
      const entries = (await json('history')).history;
      return entries.length === 3 ? entries : null;
    }, 'the history to be finalized');
    const types: string[] = history.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['withdraw', 'unstake', 'stake']);
    return { value: undefined, result: types.toReversed().join(', ') };
  });
};
