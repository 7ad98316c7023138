// When an offer under way is over, and when it may only be made later, before any transaction is built for it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import { openNoticeWorld } from '../../../test/support/notice-world.ts';
import type { Scope } from '../../../test/support/temporary-folder.ts';
import { newWallet } from '../../../test/support/wallets.ts';
import { buildStakeTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import type { SweepData } from '../../events/autopilot.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { NewRegistration } from '../../store/webhooks.ts';
import type { Context } from '../context.ts';
import { composeSweep } from './compose-sweep.ts';

const SOL = 1_000_000_000n;
const wallet = newWallet().walletAddress as SweepData['walletAddress'];
const stakeAccountAddress = newWallet().walletAddress as SweepData['stakeAccountAddress'];
const [voteAccount, donationAddress, blockhash] = Array.from(
  { length: 3 },
  () => newWallet().walletAddress,
) as [Address, Address, Address];
const memo = 'holdfast.example';
const create = encodeWire(
  buildStakeTransaction({
    wallet,
    stakeAccount: stakeAccountAddress,
    voteAccount,
    memo,
    blockhash,
    lamports: 9n * SOL,
  }),
);
const registration: NewRegistration = {
  ...{ id: 'a'.repeat(32), kind: 'autopilot', walletAddress: wallet, events: [], client: 'network' },
  ...{ callbackUrl: 'https://hook.example/', createdAtMs: 1, createdEpoch: 7n, createdSlot: 1n },
};

/** A policy that keeps 1 SOL, an offer of epoch 7, and a chain that a test sets. */
const worldOf = async (t: Scope) => {
  const world = await openNoticeWorld(t);
  const history: string[] = [];
  const nodes = { tellBlockhash: true };
  const accounts = new Map<string, { owner: string; lamports: bigint; data: Uint8Array }>();
  const hold = (address: string, lamports: bigint, owner: string = SYSTEM_PROGRAM) =>
    accounts.set(address, { owner, lamports, data: new Uint8Array(owner === STAKE_PROGRAM ? 200 : 0) });
  hold(wallet, 10n * SOL);
  const ctx = {
    ...world.ctx,
    settings: { ...world.ctx.settings, feeReserveLamports: 5_000_000n, voteAccount, donationAddress, memo },
    deriveStakeKey: () => ({
      address: stakeAccountAddress,
      sign: () => new Uint8Array(64),
      [Symbol.dispose]: () => undefined,
    }),
    cluster: {
      ...world.ctx.cluster,
      blockhash: async () => {
        if (nodes.tellBlockhash) return { blockhash, lastValidBlockHeight: 10n };
        throw new AppError('UPSTREAM_UNAVAILABLE', 'no node tells one');
      },
      limits: async () => ({
        ...{ stakeRentLamports: 2_282_880n, walletRentLamports: 890_880n, minimumDelegationLamports: SOL },
      }),
    },
    reads: {
      accounts: async (addresses: readonly string[]) => ({
        slot: 1n,
        accounts: addresses.map((address) => accounts.get(address) ?? null),
      }),
      signaturesFor: async () => history.map((signature) => ({ signature, slot: 9n, succeeded: true })),
      transaction: async () => ({ slot: 9n, wireBytes: create, error: null }),
    },
  } as unknown as Context;
  const put = (nonce: number, paused = false) =>
    world.store.policies.put(
      {
        ...{ walletAddress: wallet, keepLiquidLamports: SOL, minSweepLamports: 2n * SOL, nonce, paused },
        ...{ callbackUrl: registration.callbackUrl, signature: 'signature' },
      },
      registration,
      100,
      nonce,
    );
  const sweep: SweepData = { walletAddress: wallet, epoch: 7, stakeAccountAddress, sol: 9 };
  const compose = () => composeSweep(ctx, { data: JSON.stringify(sweep) }, new AbortController().signal);
  return { world, hold, put, compose, history, nodes };
};

it('an offer is over once its policy is paused or deleted, or was never there', async (t) => {
  const { world, put, compose } = await worldOf(t);
  const over = { dead: 'the policy is paused or deleted' };
  assert.deepEqual(await compose(), over);
  await put(1, true);
  assert.deepEqual(await compose(), over);
  await put(2);
  await world.store.policies.delete(wallet, 3, 3);
  assert.deepEqual(await compose(), over);
});

it('an offer is over with its epoch, and once the stake stands at its address', async (t) => {
  const { world, put, hold, compose } = await worldOf(t);
  await put(1);
  world.chain.epoch = 8n;
  assert.deepEqual(await compose(), { dead: 'the epoch is over' });
  world.chain.epoch = 7n;
  hold(stakeAccountAddress, 9n * SOL, STAKE_PROGRAM);
  assert.deepEqual(await compose(), { dead: 'the stake of this epoch was made' });
});

it('a wallet that is short, a wish that is smaller and rewards under way only put the offer off', async (t) => {
  const { world, put, hold, compose } = await worldOf(t);
  await put(1);
  const putOff = async (words: RegExp) =>
    assert.rejects(
      compose(),
      (error) => isAppError(error, 'INSUFFICIENT_BALANCE') && words.test(error.message),
    );
  hold(wallet, SOL);
  await putOff(/holds no more than keepLiquidSol/);
  hold(wallet, 3n * SOL);
  await putOff(/is not more than minSweepSol/);
  hold(wallet, 10n * SOL, stakeAccountAddress);
  await putOff(/not a plain wallet/);
  hold(wallet, 10n * SOL);
  // What may land on the address from outside is no stake.
  hold(stakeAccountAddress, SOL);
  world.chain.epochRewardsActive = true;
  await putOff(/until that ends/);
});

it('an address that strangers spoilt ends the offer, and is not said to be staked; one whose stake came and went is', async (t) => {
  const { put, hold, history, compose } = await worldOf(t);
  await put(1);
  hold(stakeAccountAddress, 1n);
  assert.deepEqual(await compose(), { dead: "somebody made the address of this epoch's stake unusable" });
  history.push('the create of a stake that was withdrawn since');
  assert.deepEqual(await compose(), { dead: 'the stake of this epoch was made' });
});

it('an offer is put off while no node tells a blockhash', async (t) => {
  const { put, nodes, compose } = await worldOf(t);
  await put(1);
  nodes.tellBlockhash = false;
  await assert.rejects(compose(), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});
