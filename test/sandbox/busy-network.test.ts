// Checks a busy network: blocks have limited capacity, transactions with the best price per compute unit enter
// first, and the reported fees match the blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionBlockhashLifetime,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  BackgroundLoad,
  type BusyNetworkSettings,
  DEFAULT_BUSY_NETWORK,
} from '../../sandbox/blocks/background-load.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { patience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';

const SOL = 1_000_000_000n;
const SIGNATURE_FEE = 5_000n;
const UNITS = 1_000;
/** Price of the background transactions in these tests, in micro-lamports per compute unit. */
const GOING_PRICE = 1_000_000;

/** Full blocks with room for two transactions, all at the going price. */
const FULL: BusyNetworkSettings = {
  transactionsPerBlock: 2,
  backgroundPerBlock: 20,
  unitPrices: [GOING_PRICE],
  waveBlocks: 1_000_000,
  seed: 1,
};

/** Creates a client with a funded wallet. */
const clientOf = async (sandbox: Sandbox) => {
  const rpc = createSolanaRpc(sandbox.rpcUrl);
  const [payer, receiver] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  await sandbox.airdrop(payer.address, 10n * SOL, patience());
  await sandbox.airdrop(receiver.address, SOL, patience());
  const transfer = (amount: bigint, to: Address) =>
    getTransferSolInstruction({ source: payer, destination: to, amount });
  const lifetime = async () => (await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value;
  /** Signs a transfer. Different amounts produce different signatures. */
  const signed = async (
    amount: bigint,
    { unitPrice = 0, to = receiver.address }: { unitPrice?: number; to?: Address } = {},
  ) => {
    const blockhash = await lifetime();
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (m) => setTransactionMessageFeePayerSigner(payer, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
        (m) => setTransactionMessageComputeUnitLimit(UNITS, m),
        (m) => (unitPrice === 0 ? m : setTransactionMessageComputeUnitPrice(BigInt(unitPrice), m)),
        (m) => appendTransactionMessageInstructions([transfer(amount, to)], m),
      ),
    );
  };
  const signedVersion1 = async (amount: bigint, feeLamports: bigint) => {
    const blockhash = await lifetime();
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 1 }),
        (m) => setTransactionMessageFeePayerSigner(payer as KeyPairSigner, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
        (m) =>
          setTransactionMessageConfig(
            {
              computeUnitLimit: UNITS,
              loadedAccountsDataSizeLimit: 10_000,
              priorityFeeLamports: feeLamports,
            },
            m,
          ),
        (m) => appendTransactionMessageInstructions([transfer(amount, receiver.address)], m),
      ),
    );
  };
  const send = (
    transaction: Awaited<ReturnType<typeof signed | typeof signedVersion1>>,
    skipPreflight = false,
  ) =>
    rpc
      .sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64', skipPreflight })
      .send();
  const statuses = async (signatures: readonly Signature[]) =>
    (await rpc.getSignatureStatuses(signatures).send()).value;
  const landed = async (signature: Signature) => {
    for (;;) {
      const [status] = await statuses([signature]);
      if (status) return status;
      await sandbox.nextBlock(patience());
    }
  };
  const balance = async (of: Address = payer.address) =>
    (await rpc.getBalance(of, { commitment: 'confirmed' }).send()).value;
  const fees = async (...accounts: Address[]) =>
    new Map(
      (await rpc.getRecentPrioritizationFees(accounts).send()).map(({ slot, prioritizationFee }) => [
        slot,
        Number(prioritizationFee),
      ]),
    );
  return { rpc, payer, receiver, signed, signedVersion1, send, statuses, landed, balance, fees };
};

const refusedWith = (reason: RegExp) => (error: Error) => reason.test(String(error.cause));

const blocks = (sandbox: Sandbox, count: number): Promise<void> => sandbox.advanceBlocks(count);

test('when blocks are full, a transaction without a price expires, and one at the going price lands', async () => {
  await withSandbox({ busyNetwork: FULL }, async (sandbox) => {
    const { rpc, signed, send, statuses, landed, balance } = await clientOf(sandbox);
    const free = await signed(1n);
    const paying = await signed(2n, { unitPrice: GOING_PRICE });
    assert.equal(await send(free), getSignatureFromTransaction(free));
    await landed(await send(paying));
    const fee = SIGNATURE_FEE + BigInt((GOING_PRICE * UNITS) / 1_000_000);
    assert.equal(await balance(), 10n * SOL - 2n - fee);
    await blocks(sandbox, 151);
    const { blockhash } = free.lifetimeConstraint as TransactionBlockhashLifetime;
    assert.equal((await rpc.isBlockhashValid(blockhash, { commitment: 'confirmed' }).send()).value, false);
    const quiet = await sandbox.setBusyNetwork(null);
    assert.deepEqual(quiet, { settings: null, waiting: 0 });
    await blocks(sandbox, 2);
    assert.deepEqual(await statuses([getSignatureFromTransaction(free)]), [null]);
    assert.equal(await balance(), 10n * SOL - 2n - fee);
  });
});

test('waiting transactions enter blocks by price per compute unit, which version 1 puts in the header, then by arrival', async () => {
  await withSandbox({ busyNetwork: FULL }, async (sandbox) => {
    const { signed, signedVersion1, send, statuses, landed, balance } = await clientOf(sandbox);
    const second = await signedVersion1(1n, 200n);
    const order = [
      await signed(2n, { unitPrice: 300_000 }),
      second,
      await signed(3n, { unitPrice: 20 }),
      await signed(4n, { unitPrice: 20 }),
      await signed(5n),
    ];
    const signatures = order.map(getSignatureFromTransaction);
    for (const index of [2, 4, 1, 0, 3]) await send(order[index]!);
    await blocks(sandbox, 3);
    assert.deepEqual(await statuses(signatures), [null, null, null, null, null]);
    const { waiting } = await sandbox.setBusyNetwork({
      ...FULL,
      transactionsPerBlock: 1,
      backgroundPerBlock: 0,
    });
    assert.equal(waiting, 5);
    const slots: bigint[] = [];
    for (const signature of signatures) slots.push((await landed(signature)).slot);
    assert.deepEqual(
      slots.map((slot) => slot - slots[0]!),
      [0n, 1n, 2n, 3n, 4n],
    );
    const prices = 300n + 200n + 2n * 1n;
    assert.equal(
      await balance(),
      10n * SOL - 15n - 5n * SIGNATURE_FEE - prices,
      'each transaction pays what it offered',
    );
  });
});

test('a transaction sent again, while waiting or after landing, is executed once', async () => {
  await withSandbox({ busyNetwork: FULL }, async (sandbox) => {
    const { signed, send, landed, balance, receiver, statuses } = await clientOf(sandbox);
    const transaction = await signed(SOL);
    const signature = getSignatureFromTransaction(transaction);
    for (const skipPreflight of [false, true, false])
      assert.equal(await send(transaction, skipPreflight), signature);
    assert.deepEqual(await statuses([signature]), [null]);
    assert.equal(await balance(receiver.address), SOL);
    assert.equal((await sandbox.setBusyNetwork({ ...FULL, backgroundPerBlock: 0 })).waiting, 1);
    await landed(signature);
    await sandbox.setBusyNetwork(FULL);
    assert.equal(await send(transaction, true), signature);
    assert.equal((await sandbox.setBusyNetwork(FULL)).waiting, 0);
    await assert.rejects(send(transaction), refusedWith(/already been processed/));
    await blocks(sandbox, 2);
    assert.equal(await balance(receiver.address), 2n * SOL);
    assert.equal(await balance(), 9n * SOL - SIGNATURE_FEE);
  });
});

test('preflight refuses a transaction that cannot run immediately, and without preflight it waits, lands as failed and pays its fee', async () => {
  await withSandbox({ busyNetwork: FULL }, async (sandbox) => {
    const { signed, send, statuses, landed, balance } = await clientOf(sandbox);
    const tooMuch = await signed(11n * SOL);
    const signature = getSignatureFromTransaction(tooMuch);
    await assert.rejects(send(tooMuch), refusedWith(/Custom program error: #1/));
    assert.equal(await send(tooMuch, true), signature);
    await blocks(sandbox, 2);
    assert.deepEqual(await statuses([signature]), [null]);
    await sandbox.setBusyNetwork(null);
    assert.notEqual((await landed(signature)).err, null);
    assert.equal(await balance(), 10n * SOL - SIGNATURE_FEE);
  });
});

test('the reported fees are the minima of the blocks, for all accounts and for write-locked accounts', async () => {
  const settings = { ...DEFAULT_BUSY_NETWORK, unitPrices: [10, 1_000_000_000], seed: 7 };
  await withSandbox({}, async (sandbox) => {
    const { signed, send, landed, fees } = await clientOf(sandbox);
    await blocks(sandbox, 2);
    assert.deepEqual([...new Set((await fees()).values())], [0], 'a quiet, empty network costs nothing');

    const cheap = (await landed(await send(await signed(1n, { unitPrice: 7 })))).slot;
    await blocks(sandbox, 1);
    assert.equal((await fees()).get(cheap), 7);
    assert.equal((await fees()).get(cheap + 1n), 0);

    const { settings: set } = await sandbox.setBusyNetwork(settings);
    assert.deepEqual(set, settings);
    await blocks(sandbox, 160);
    const load = new BackgroundLoad(settings);
    const minima = Array.from({ length: 1_000 }, () =>
      Number(load.next().slice(0, settings.transactionsPerBlock).at(-1) ?? 0),
    );
    const reported = [...(await fees()).values()];
    assert.equal(reported.length, 150);
    const first = minima.indexOf(reported[0]!);
    assert.deepEqual(reported, minima.slice(first, first + 150), 'the same seed gives the same load');
  });
});

test('an account that a transaction write-locked reports its price only for that transaction’s block', async () => {
  await withSandbox({ busyNetwork: FULL }, async (sandbox) => {
    const { signed, send, landed, fees, payer, receiver } = await clientOf(sandbox);
    const { slot } = await landed(await send(await signed(SOL, { unitPrice: 3 * GOING_PRICE })));
    await blocks(sandbox, 2);
    const stranger = (await generateKeyPairSigner()).address;
    const system = '11111111111111111111111111111111' as Address;
    for (const [accounts, price] of [
      [[], GOING_PRICE],
      [[stranger, system], GOING_PRICE],
      [[payer.address], 3 * GOING_PRICE],
      [[stranger, receiver.address], 3 * GOING_PRICE],
    ] as const) {
      const reported = await fees(...accounts);
      assert.equal(reported.get(slot), price);
      assert.equal(reported.get(slot + 1n), GOING_PRICE);
    }
    await assert.rejects(fees(...Array<Address>(129).fill(stranger)), /Too many inputs provided; max 128/);
  });
});

test('the control interface makes the network busy or quiet, and refuses impossible loads', async () => {
  await withSandbox({}, async (sandbox) => {
    const control = async (body: object) => {
      const response = await fetch(`${sandbox.controlUrl}/network`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    for (const wrong of [
      {},
      { busy: 1 },
      { busy: true, transactionsPerBlock: 0 },
      { busy: true, backgroundPerBlock: -1 },
      { busy: true, unitPrices: [] },
      { busy: true, unitPrices: [2, 1] },
      { busy: true, unitPrices: [0.5] },
      { busy: true, waveBlocks: 0 },
      { busy: true, seed: 2 ** 32 },
    ])
      assert.equal((await control(wrong)).status, 400, JSON.stringify(wrong));
    assert.deepEqual(await control({ busy: true, seed: 3 }), {
      status: 200,
      body: { busy: true, waiting: 0, ...DEFAULT_BUSY_NETWORK, seed: 3 },
    });
    assert.deepEqual(await control({ busy: false }), { status: 200, body: { busy: false, waiting: 0 } });
  });
});
