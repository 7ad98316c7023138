// Tests when an open offer ends or is postponed before a transaction is built for it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import { snapshotOf } from '../../../test/support/chain-snapshots.ts';
import { type ContextParts, withParts } from '../../../test/support/context-parts.ts';
import { openNoticeWorld } from '../../../test/support/notice-world.ts';
import { patience } from '../../../test/support/patience.ts';
import type { Scope } from '../../../test/support/temporary-folder.ts';
import { newWallet } from '../../../test/support/wallets.ts';
import type { ChainAccount } from '../../chain/ports.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import type { SweepData } from '../../events/autopilot.ts';
import { createWebhookSecrets } from '../../events/delivery/webhook-secret.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import type { NewRegistration } from '../../store/registration-rows.ts';
import { rebuildAutopilotOffer } from './rebuild-autopilot-offer.ts';

const SOL = 1_000_000_000n;
const wallet = newWallet().walletAddress as SweepData['walletAddress'];
/** The stake addresses that an offer may use, in order, one per key. */
const stakeAddresses = Array.from({ length: 3 }, () => newWallet().walletAddress as Address);
const stakeAccountAddress = stakeAddresses[0]!;
const [voteAccount, donationAddress, blockhash] = Array.from(
  { length: 3 },
  () => newWallet().walletAddress,
) as [Address, Address, Address];
const memo = 'holdfast.example';
const create = encodeWire(
  buildTransaction.stake({
    wallet,
    stakeAccount: stakeAccountAddress,
    voteAccount,
    memo,
    blockhash,
    lamports: 9n * SOL,
  }),
);
const registration: NewRegistration = {
  id: 'a'.repeat(32),
  kind: 'autopilot',
  walletAddress: wallet,
  events: [],
  client: 'network',
  callbackUrl: 'https://hook.example/',
  createdAtMs: 1,
  createdEpoch: 7n,
  createdSlot: 1n,
};

/** Opens a context with a policy that keeps 1 SOL, an offer for epoch 7, and a chain that the test controls. */
const worldOf = async (
  t: Scope,
  {
    boardNotices = [],
    microLamports = 0n,
  }: { boardNotices?: readonly Notice[]; microLamports?: bigint } = {},
) => {
  const world = await openNoticeWorld(t);
  const history: string[] = [];
  const nodes = { tellBlockhash: true, notices: [] as Notice[] };
  const accounts = new Map<string, { owner: string; lamports: bigint; data: Uint8Array }>();
  const hold = (address: string, lamports: bigint, owner: string = SYSTEM_PROGRAM) =>
    accounts.set(address, { owner, lamports, data: new Uint8Array(owner === STAKE_PROGRAM ? 200 : 0) });
  hold(wallet, 10n * SOL);
  /** Addresses derived from keys other than the offer's. */
  const others = new Map<string, Address>();
  const addressOf = (key: string): Address => {
    const secretKeys = stakeAddresses.map((_, candidate) =>
      world.ctx.events.webhookSecrets.offerKeyOf({ registrationId: registration.id, epoch: 7n, candidate }),
    );
    const known = stakeAddresses[secretKeys.indexOf(key)] ?? others.get(key) ?? newWallet().walletAddress;
    others.set(key, known as Address);
    return known as Address;
  };
  const ctx = withParts(world.ctx, {
    service: {
      settings: {
        ...world.ctx.service.settings,
        feeReserveLamports: 5_000_000n,
        voteAccount,
        donationAddress,
        memo,
        priorityFee: 'high',
        priorityFeeMaxLamports: SOL,
      },
    },
    validator: {
      status: { rewardsEstimate: () => null, notices: () => boardNotices },
      noticesNow: async () => [...boardNotices, ...nodes.notices],
    },
    chain: {
      index: null,
      stakeKeys: {
        derive: ({ idempotencyKey }: { idempotencyKey: string }) => ({
          address: addressOf(idempotencyKey),
          sign: () => new Uint8Array(64),
          [Symbol.dispose]: () => undefined,
        }),
      },
      cluster: {
        ...world.ctx.chain.cluster,
        readChainSnapshot: async (addresses: readonly string[]) =>
          snapshotOf(
            { ...(await world.ctx.chain.cluster.recentEpochPosition(patience())) },
            addresses.map((address) => (accounts.get(address) ?? null) as ChainAccount | null),
          ),
        priorityPrice: async () => ({ microLamports, differs: false }),
        blockhash: async () => {
          if (nodes.tellBlockhash) return { blockhash, lastValidBlockHeight: 10n, estimatedExpiresAtMs: 0 };
          throw new AppError('UPSTREAM_UNAVAILABLE', 'no node returns a blockhash');
        },
        limits: async () => ({
          stakeRentLamports: 2_282_880n,
          walletRentLamports: 890_880n,
          minimumDelegationLamports: SOL,
        }),
      },
      reads: {
        accounts: async (addresses: readonly string[]) => ({
          slot: 1n,
          accounts: addresses.map((address) => accounts.get(address) ?? null),
        }),
        signaturesFor: async (address: Address) =>
          (address === stakeAccountAddress ? history : []).map((signature) => ({
            signature,
            slot: 9n,
            succeeded: true,
          })),
        transaction: async () => ({ slot: 9n, wireBytes: create, error: null }),
      },
    },
  } as unknown as ContextParts);
  const put = (nonce: number, paused = false) =>
    world.store.policies.put(
      {
        walletAddress: wallet,
        keepLiquidLamports: SOL,
        minSweepLamports: 2n * SOL,
        nonce,
        paused,
        callbackUrl: registration.callbackUrl,
        signature: 'signature',
      },
      registration,
      100,
      nonce,
    );
  const sweep: SweepData = { walletAddress: wallet, epoch: 7, sol: 9 };
  const compose = (more: Partial<SweepData> = {}) =>
    rebuildAutopilotOffer(
      ctx,
      { id: 'evt_offer', registrationId: registration.id, data: JSON.stringify({ ...sweep, ...more }) },
      new AbortController().signal,
    );
  return { world, ctx, hold, put, compose, history, nodes };
};

it('an offer contains the validator warnings that matter before signing', async (t) => {
  const { put, compose } = await worldOf(t, {
    boardNotices: [notice('COMMISSION_RAISED', 'The commission rose.')],
  });
  await put(1);
  const composed = await compose();
  assert.ok('data' in composed);
  assert.ok(JSON.parse(composed.data).warnings.includes('The commission rose.'));
});

it('an offer leaves the amount that the policy keeps liquid after every fee, priority fee included', async (t) => {
  const { put, compose } = await worldOf(t, { microLamports: 1_000_000n });
  await put(1);
  const composed = await compose();
  assert.ok('data' in composed);
  const { sol, rebuild, priorityFeeLamports } = JSON.parse(composed.data);
  assert.ok(priorityFeeLamports > 1_000);
  const staked = BigInt(Math.round(sol * 1e9));
  assert.equal(10n * SOL - staked - 10_000n - BigInt(priorityFeeLamports), SOL);
  assert.equal(rebuild.amountSol, sol);
});

it('an offer ends if its policy is paused, deleted or unknown', async (t) => {
  const { world, put, compose } = await worldOf(t);
  const over = { dead: 'the policy is paused or deleted' };
  assert.deepEqual(await compose(), over);
  await put(1, true);
  assert.deepEqual(await compose(), over);
  await put(2);
  await world.store.policies.delete(wallet, 3, 3);
  assert.deepEqual(await compose(), over);
});

it('an offer ends with its epoch, or once a stake exists at its address', async (t) => {
  const { world, put, hold, compose } = await worldOf(t);
  await put(1);
  world.chain.epoch = 8n;
  assert.deepEqual(await compose(), { dead: 'the epoch is over' });
  world.chain.epoch = 7n;
  hold(stakeAccountAddress, 9n * SOL, STAKE_PROGRAM);
  assert.deepEqual(await compose(), { dead: 'the stake for this epoch was already made' });
});

it('a low balance, an address that is not a plain wallet, a failing validator, or a rewards distribution postpones the offer without ending it', async (t) => {
  const { world, put, hold, nodes, compose } = await worldOf(t);
  await put(1);
  const putOff = async (words: RegExp) =>
    assert.rejects(
      compose(),
      (error) => isAppError(error, 'INSUFFICIENT_BALANCE') && words.test(error.message),
    );
  hold(wallet, SOL);
  await putOff(/holds no more than the amount to keep liquid/);
  hold(wallet, 3n * SOL);
  await putOff(/amount above the liquid amount is too small/);
  hold(wallet, 10n * SOL, stakeAccountAddress);
  await putOff(/not a plain wallet/);
  hold(wallet, 10n * SOL);
  nodes.notices = [notice('VALIDATOR_DELINQUENT', 'The validator is delinquent.')];
  await putOff(/critical notice about the validator/);
  nodes.notices = [];
  // An account that an outsider created at the address is not a stake.
  hold(stakeAccountAddress, SOL);
  world.chain.epochRewardsActive = true;
  await putOff(/until that is done/);
});

it('an offer uses the next address if the first is unusable, and ends as done if any of them has ever held a stake', async (t) => {
  const { put, hold, history, compose } = await worldOf(t);
  await put(1);
  const offeredAt = async () => {
    const composed = await compose();
    assert.ok('data' in composed);
    return JSON.parse(composed.data).stakeAccountAddress as string;
  };
  for (const address of stakeAddresses) {
    assert.equal(await offeredAt(), address);
    if (address !== stakeAddresses.at(-1)) hold(address, 1n);
  }
  history.push('the creation of a stake that has since been withdrawn');
  assert.deepEqual(await compose(), { dead: 'the stake for this epoch was already made' });
});

it('an offer without a usable address ends, and the service notifies its callback once', async (t) => {
  const { world, put, hold, compose } = await worldOf(t);
  await put(1);
  for (const address of stakeAddresses) hold(address, 1n);
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual(await compose(), { dead: "none of the addresses for this epoch's stake can be used" });
  const deliveries = await world.store.outbox.deliveries(registration.id, {
    limit: 9,
    before: null,
    state: null,
  });
  assert.deepEqual(
    deliveries.map(({ type, state, data }) => [type, state, JSON.parse(data)]),
    [
      [
        'autopilot_failed',
        'pending',
        { walletAddress: wallet, epoch: 7, offerId: 'evt_offer', reason: 'ADDRESS_UNUSABLE' },
      ],
    ],
  );
  assert.ok(world.woken.delivery > 0);
});

it('the key of an offer cannot be derived from wallet, epoch and registration alone', async (t) => {
  const { ctx, put, compose } = await worldOf(t);
  await put(1);
  const composed = await compose();
  assert.ok('data' in composed);
  const { rebuild, stakeAccountAddress: offered } = JSON.parse(composed.data);
  assert.match(rebuild.idempotencyKey, /^hf_offer_[0-9a-f]{32}$/);
  const secretOf = (byte: number) =>
    createWebhookSecrets(SecretBytes.take(new Uint8Array(32).fill(byte)), ctx.chain.cluster.genesisHash);
  const offer = { registrationId: registration.id, epoch: 7n, candidate: 0 };
  assert.equal(secretOf(7).offerKeyOf(offer), rebuild.idempotencyKey);
  assert.notEqual(
    secretOf(8).offerKeyOf(offer),
    rebuild.idempotencyKey,
    'the key depends on the server secret',
  );
  using again = ctx.chain.stakeKeys.derive({
    use: 'builder',
    wallet,
    idempotencyKey: rebuild.idempotencyKey,
  });
  assert.equal(again.address, offered, 'a rebuild uses the offered address');
});

it('an offer is postponed while no node returns a blockhash', async (t) => {
  const { put, nodes, compose } = await worldOf(t);
  await put(1);
  nodes.tellBlockhash = false;
  await assert.rejects(compose(), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});
