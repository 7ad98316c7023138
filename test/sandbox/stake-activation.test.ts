// Compares the sandbox's calculation of warm-up and cooldown with the real Stake program, for random
// delegations on a cluster small enough for the 9 % cap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  address,
  appendTransactionMessageInstruction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getWithdrawInstruction } from '@solana-program/stake';
import { NO_EPOCH, readDelegation } from '../../sandbox/epochs/delegation-bytes.ts';
import { STAKE_HISTORY_SYSVAR, type StakeHistoryEntry } from '../../sandbox/epochs/encode-sysvars.ts';
import { activationAt } from '../../sandbox/epochs/replay-activation.ts';
import { stakeActivation } from '../../src/domain/stake/stake-activation.ts';
import { withArithmetic } from '../../src/domain/stake/stake-history.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;

/** Creates a mulberry32 generator, which returns the same sequence in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function readHistory(staker: SandboxStaker): Promise<Map<bigint, StakeHistoryEntry>> {
  const { data } = (await staker.account(STAKE_HISTORY_SYSVAR))!;
  const history = new Map<bigint, StakeHistoryEntry>();
  for (let at = 8; at < data.length; at += 32) {
    const word = (offset: number): bigint => data.readBigUInt64LE(at + offset);
    history.set(word(0), {
      epoch: word(0),
      effective: word(8),
      activating: word(16),
      deactivating: word(24),
    });
  }
  return history;
}

async function withdrawPasses(staker: SandboxStaker, stake: string, lamports: bigint): Promise<boolean> {
  const { value: blockhash } = await staker.rpc.getLatestBlockhash().send();
  const instruction = getWithdrawInstruction({
    stake: address(stake),
    recipient: staker.wallet.address,
    withdrawAuthority: staker.wallet,
    args: lamports,
  });
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(staker.wallet, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(blockhash, draft),
    (draft) => appendTransactionMessageInstruction(instruction, draft),
    signTransactionMessageWithSigners,
  );
  const wire = getBase64EncodedWireTransaction(transaction);
  const { value } = await staker.rpc.simulateTransaction(wire, { encoding: 'base64' }).send();
  return value.err === null;
}

test('in random sequences, the withdrawable part of a delegation equals the amount that the program pays out, to the lamport', async () => {
  const random = seededRandom(20_261_121);
  await withSandbox({ clusterRestSol: 300, startEpoch: 700 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 5_000n * SOL);
    const stakes: string[] = [];
    let compared = 0;
    let partial = 0;
    for (let epoch = 0; epoch < 14; epoch += 1) {
      for (let count = Math.floor(random() * 3); count > 0; count -= 1) {
        const lamports = BigInt(Math.floor((1 + random() * 120) * 1e9)) + RENT;
        stakes.push(await staker.stake(lamports));
      }
      const history = await readHistory(staker);
      for (const stake of stakes) {
        let account = (await staker.account(stake))!;
        if (readDelegation(account.data)?.deactivationEpoch === NO_EPOCH && random() < 0.25) {
          await staker.deactivate(stake);
          account = (await staker.account(stake))!;
        }
        const delegation = readDelegation(account.data)!;
        const status = activationAt(delegation, BigInt(sandbox.epoch()), (at) => history.get(at));
        const deactivated = delegation.deactivationEpoch !== NO_EPOCH;
        const remaining = deactivated ? status.effective : delegation.stakeLamports;
        const free = account.lamports - remaining - (remaining === 0n ? 0n : RENT);
        assert.equal(await withdrawPasses(staker, stake, free), true, `${free} of ${stake} is withdrawable`);
        assert.equal(
          await withdrawPasses(staker, stake, free + 1n),
          false,
          `no more than ${free} of ${stake} is withdrawable`,
        );
        compared += 1;
        if (status.effective > 0n && status.effective < delegation.stakeLamports) partial += 1;
      }
      await sandbox.advanceEpochs(1 + Math.floor(random() * 2));
    }
    assert.ok(compared > 60 && partial > 15, `${compared} comparisons, ${partial} of them partly effective`);
  });
});

test('no epoch activates or deactivates more than 9 % of the stake that was effective before it', async () => {
  await withSandbox({ clusterRestSol: 100, rewardPpb: 0, tipPpb: 0 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 1_000n * SOL);
    for (let count = 0; count < 3; count += 1) await staker.stake(50n * SOL + RENT);
    await sandbox.advanceEpochs(6);
    const history = [...(await readHistory(staker)).values()].slice(0, 6).reverse();
    history.forEach((entry, index) => {
      const before = history[index - 1];
      if (before === undefined) return;
      const activated = entry.effective - before.effective;
      assert.ok(
        activated > 0n && activated * 100n <= before.effective * 9n,
        `${activated} in epoch ${entry.epoch}`,
      );
      assert.equal(entry.effective + entry.activating, 250n * SOL);
    });
  });
});

test('the sandbox and the program agree on epochs before the delegation, bootstrap stake and epochs older than the history', () => {
  const delegation = {
    voter: 'x',
    stakeLamports: 100n,
    activationEpoch: 10n,
    deactivationEpoch: NO_EPOCH,
    creditsObserved: 0n,
  };
  const none = (): undefined => undefined;
  assert.deepEqual(activationAt(delegation, 9n, none), { effective: 0n, activating: 0n, deactivating: 0n });
  assert.deepEqual(activationAt(delegation, 10n, none), {
    effective: 0n,
    activating: 100n,
    deactivating: 0n,
  });
  assert.deepEqual(activationAt(delegation, 600n, none), {
    effective: 100n,
    activating: 0n,
    deactivating: 0n,
  });
  const undone = { ...delegation, deactivationEpoch: 10n };
  assert.deepEqual(activationAt(undone, 10n, none), { effective: 0n, activating: 0n, deactivating: 0n });
  const bootstrap = { ...delegation, activationEpoch: NO_EPOCH };
  assert.deepEqual(activationAt(bootstrap, 0n, none), { effective: 100n, activating: 0n, deactivating: 0n });
  const gone = { ...delegation, deactivationEpoch: 20n };
  assert.deepEqual(activationAt(gone, 20n, none), { effective: 100n, activating: 0n, deactivating: 100n });
  assert.deepEqual(activationAt(gone, 600n, none), { effective: 0n, activating: 0n, deactivating: 0n });
});

test('the sandbox’s calculation agrees with the service’s, even if the sum of a merged stake wraps at 64 bits', () => {
  const random = createTruthRandom(11);
  let wrapped = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const entries = new Map<bigint, StakeHistoryEntry>();
    for (let epoch = 0n; epoch < 20n; epoch += 1n) {
      entries.set(epoch, {
        epoch,
        effective: random.lamports(10n ** 18n),
        activating: random.lamports(10n ** 15n),
        deactivating: random.lamports(10n ** 15n),
      });
    }
    const activationEpoch = BigInt(random.int(5) + 1);
    const deactivationEpoch = random.chance(0.5) ? NO_EPOCH : activationEpoch + BigInt(random.int(6));
    const stakeLamports = random.lamports(10n ** 17n);
    const epoch = activationEpoch + BigInt(random.int(10));
    const own = stakeActivation(
      { stakeLamports, activationEpoch, deactivationEpoch },
      epoch,
      withArithmetic(
        new Map(
          [...entries].map(([at, entry]) => [
            at,
            {
              effectiveLamports: entry.effective,
              activatingLamports: entry.activating,
              deactivatingLamports: entry.deactivating,
            },
          ]),
        ),
        'float64',
      ),
    );
    const here = activationAt(
      { voter: '', creditsObserved: 0n, stakeLamports, activationEpoch, deactivationEpoch },
      epoch,
      (at) => entries.get(at),
    );
    assert.deepEqual(
      [here.effective, here.activating, here.deactivating],
      [own.effectiveLamports, own.activatingLamports, own.deactivatingLamports],
      `round ${round}`,
    );
    if (stakeLamports > 300n * (entries.get(activationEpoch)?.activating ?? 1n)) wrapped += 1;
  }
  assert.ok(wrapped > 100, 'the sample must include stakes far above the activating amount');
});
