import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address, Signature } from '@solana/kit';
import { snapshotOf } from '../../../test/support/chain-snapshots.ts';
import { withParts } from '../../../test/support/context-parts.ts';
import type { AddressSignature, ChainAccount, EpochPosition } from '../../chain/ports.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { BALANCE_UNCHECKED } from '../act/check-payer-balance.ts';
import type { Context } from '../context.ts';
import { prepareStake } from './prepare-stake.ts';

const SOL = 1_000_000_000n;
const addressOf = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const SYSTEM = '11111111111111111111111111111111' as Address;
const [wallet, stakeAccount, voteAccount, donationAddress, blockhash] = [1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const memo = 'holdfast.example';
const unavailable = new AppError('UPSTREAM_UNAVAILABLE', 'away');

const create = encodeWire(
  buildTransaction.stake({ wallet, stakeAccount, voteAccount, memo, blockhash, lamports: 7n * SOL }),
);
const transfer = encodeWire(
  buildTransaction.donate({ wallet, donationAddress, memo, blockhash, lamports: 1n }),
);

/** State of the fake chain. `history` is sorted newest first. */
interface World {
  readonly history?: readonly {
    signature: string;
    wireBytes: Uint8Array;
    succeeded?: boolean;
    memo?: null;
  }[];
  readonly occupant?: ChainAccount;
  readonly balance?: bigint | 'unreadable';
  readonly position?: Partial<EpochPosition>;
}

const worldContext = ({ history = [], occupant, balance = 100n * SOL, position = {} }: World) => {
  const read: string[] = [];
  let [expected, reached] = [Number.POSITIVE_INFINITY, () => {}];
  const rows = history.map(
    ({ signature, succeeded = true, memo: written = memo }): AddressSignature => ({
      signature: signature as Signature,
      slot: 9n,
      succeeded,
      memo: written === null ? null : `[16] ${written}`,
      blockTimeSeconds: null,
    }),
  );
  const ctx = {
    service: {
      settings: { voteAccount, donationAddress, memo, feeReserveLamports: 5_000_000n },
      lifetime: new AbortController().signal,
    },
    chain: {
      cluster: {
        limits: async () => ({
          stakeRentLamports: 1_666_240n,
          walletRentLamports: 650_240n,
          minimumDelegationLamports: SOL,
        }),
        readChainSnapshot: async (asked: readonly Address[]) => {
          if (balance === 'unreadable' && asked.length > 0) throw unavailable;
          const lamports = balance === 'unreadable' ? 0n : balance;
          const payer = { address: wallet, owner: SYSTEM, lamports, data: new Uint8Array() };
          return snapshotOf(
            { slotIndex: 0n, ...position },
            asked.length > 0 ? [payer, occupant ?? null] : [],
          );
        },
        blockhash: async () => ({ blockhash, lastValidBlockHeight: 10n }),
      },
      searchBudget: { take: () => true },
      reads: {
        signaturesFor: async (_: Address, { limit, before }: { limit: number; before?: string }) => {
          const from = before === undefined ? 0 : rows.findIndex(({ signature }) => signature === before) + 1;
          return rows.slice(from, from + limit);
        },
        transaction: async (signature: string) => {
          read.push(signature);
          if (read.length >= expected) setImmediate(reached);
          const { wireBytes } = history.find((row) => row.signature === signature)!;
          return { slot: 9n, wireBytes, error: null, blockTimeSeconds: null };
        },
      },
    },
  } as unknown as Context;
  const whenRead = (count: number): Promise<void> =>
    new Promise((resolve) => {
      [expected, reached] = [count, resolve];
      if (read.length >= count) setImmediate(resolve);
    });
  return { ctx, read, whenRead };
};

const plan = (
  world: World,
  request: { lamports?: bigint; addressMayExist?: boolean; walletSigns?: false } = {},
) =>
  prepareStake(
    worldContext(world).ctx,
    { wallet, stakeAccount, lamports: 2n * SOL, addressMayExist: true, ...request },
    new AbortController().signal,
  );

const transfers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    signature: `transfer ${from + index}`,
    wireBytes: transfer,
  }));

test('an earlier stake at the address is found and returned with its amount', async () => {
  const planned = await plan({ history: [{ signature: 'create', wireBytes: create }] });
  assert.ok('earlier' in planned);
  assert.deepEqual([planned.earlier.signature, planned.earlier.lamports], ['create', 7n * SOL]);
});

test('an earlier stake is found behind thousands of later transfers that outsiders sent to the address', async () => {
  for (const count of [999, 1_000, 1_001, 2_500]) {
    const history = [...transfers(count), { signature: 'create', wireBytes: create }];
    const planned = await plan({ history });
    assert.ok('earlier' in planned, `${count} transfers`);
  }
});

test('an earlier stake is found after an even earlier transfer and a failed creation', async () => {
  const history = [
    { signature: 'create', wireBytes: create },
    ...transfers(1),
    { signature: 'failed create', wireBytes: create, succeeded: false },
  ];
  const planned = await plan({ history });
  assert.ok('earlier' in planned);
  assert.equal(planned.earlier.signature, 'create');
});

test("an outsider's stake that mentions the address is ignored and does not hide an earlier stake", async () => {
  const outsiders = encodeWire(
    buildTransaction.stake({
      wallet: addressOf(6),
      stakeAccount: addressOf(7),
      voteAccount,
      memo,
      blockhash,
      lamports: 7n * SOL,
    }),
  );
  const foreign = { signature: 'foreign', wireBytes: outsiders };
  assert.ok('plan' in (await plan({ history: [foreign] })));
  const planned = await plan({ history: [{ signature: 'create', wireBytes: create }, foreign] });
  assert.ok('earlier' in planned);
  assert.equal(planned.earlier.signature, 'create');
});

test('transactions without a memo that mention the address are never read, and the address remains free', async () => {
  const { ctx, read } = worldContext({ history: transfers(1_500).map((one) => ({ ...one, memo: null })) });
  const request = { wallet, stakeAccount, lamports: 2n * SOL, addressMayExist: true };
  assert.ok('plan' in (await prepareStake(ctx, request, new AbortController().signal)));
  assert.deepEqual(read, []);
});

test('one request reads eight mentions with a memo, the rest are read once in the background, and the error offers a fresh key', async () => {
  const { ctx, read, whenRead } = worldContext({ history: transfers(1_500) });
  const request = { wallet, stakeAccount, lamports: 2n * SOL, addressMayExist: true };
  const ask = () => prepareStake(ctx, request, new AbortController().signal);
  await assert.rejects(ask(), (error: unknown) => {
    assert.ok(isAppError(error, 'STAKE_ADDRESS_OCCUPIED'));
    assert.match(String(error.body?.freshIdempotencyKey), /^hf_[0-9a-f]{32}$/);
    return true;
  });
  await whenRead(1_500);
  assert.ok('plan' in (await ask()));
  assert.equal(read.length, 1_500);
});

test('without a search budget a request reads at most eight mentions', async () => {
  const { ctx, read } = worldContext({ history: transfers(300) });
  const spent = withParts(ctx, { chain: { searchBudget: { take: () => false } } });
  const request = { wallet, stakeAccount, lamports: 2n * SOL, addressMayExist: true };
  for (const reads of [8, 16]) {
    await assert.rejects(prepareStake(spent, request, new AbortController().signal), (error: unknown) =>
      isAppError(error, 'STAKE_ADDRESS_OCCUPIED'),
    );
    assert.equal(read.length, reads);
  }
});

test('an earlier stake is found even after any number of earlier transfers', async () => {
  const history = [
    { signature: 'create', wireBytes: create },
    ...transfers(30).map((one) => ({ ...one, memo: null as null })),
  ];
  const planned = await plan({ history });
  assert.ok('earlier' in planned);
  assert.equal(planned.earlier.signature, 'create');
});

test("a vault's stake is refused if failed transactions may hide an earlier one", async () => {
  const failed = transfers(3_000).map((row) => ({ ...row, succeeded: false }));
  const planVault = (world: World) => plan(world, { walletSigns: false });
  const error = await planVault({ history: [...failed, { signature: 'create', wireBytes: create }] }).then(
    () => assert.fail('the stake should have been refused'),
    (thrown: unknown) => thrown as AppError,
  );
  assert.deepEqual([error.code, error.reason], ['STAKE_ADDRESS_OCCUPIED', 'MANY_MENTIONS']);
  assert.ok('plan' in (await planVault({ history: failed.slice(1) })));
});

test('a mention that cannot be parsed does not hide an earlier stake', async () => {
  const odd = { signature: 'odd', wireBytes: new Uint8Array([0xff]) };
  assert.ok('plan' in (await plan({ history: [odd] })));
  assert.ok('earlier' in (await plan({ history: [{ signature: 'create', wireBytes: create }, odd] })));
});

test('a failed creation leaves the address free', async () => {
  const planned = await plan({ history: [{ signature: 'x', wireBytes: create, succeeded: false }] });
  assert.ok('plan' in planned);
});

test('an address that the service has just generated is not searched', async () => {
  const { ctx, read } = worldContext({ history: [{ signature: 'create', wireBytes: create }] });
  const request = { wallet, stakeAccount, lamports: 2n * SOL, addressMayExist: false };
  assert.ok('plan' in (await prepareStake(ctx, request, new AbortController().signal)));
  assert.deepEqual(read, []);
});

test('an address that holds lamports but was never created is occupied, whoever sent the lamports', async () => {
  const occupant = { address: stakeAccount, owner: SYSTEM, lamports: 890_880n, data: new Uint8Array() };
  await assert.rejects(plan({ occupant, history: transfers(1) }), (error: unknown) =>
    isAppError(error, 'STAKE_ADDRESS_OCCUPIED'),
  );
});

test('an unreadable balance is not checked and causes a warning', async () => {
  for (const addressMayExist of [true, false]) {
    const planned = await plan({ balance: 'unreadable' }, { addressMayExist, lamports: 3n * SOL });
    assert.ok('plan' in planned);
    assert.deepEqual(planned.plan.notices, [BALANCE_UNCHECKED]);
  }
});

test('a stake is reported as indivisible if and only if one of two parts would be below the minimum delegation', async () => {
  const divisible = 2n * SOL + 1_666_240n;
  for (const [lamports, codes] of [
    [divisible, []],
    [divisible - 1n, ['STAKE_INDIVISIBLE']],
  ] as const) {
    const planned = await plan({}, { lamports });
    assert.ok('plan' in planned);
    assert.deepEqual(
      planned.plan.notices.map(({ code }) => code),
      codes,
    );
  }
});

test('the checks run in this order: rewards, minimum, balance', async () => {
  const poor = { balance: 1n, position: { epochRewardsActive: true } };
  const codeOf = (world: World, lamports: bigint) =>
    plan(world, { lamports }).then(
      () => 'planned',
      (error: unknown) => (error as AppError).code,
    );
  assert.equal(await codeOf(poor, 1n), 'EPOCH_REWARDS_ACTIVE');
  assert.equal(await codeOf({ balance: 1n }, SOL + 1_666_239n), 'BELOW_MINIMUM_STAKE');
  assert.equal(await codeOf({ balance: 1n }, SOL + 1_666_240n), 'INSUFFICIENT_BALANCE');
  assert.equal(await codeOf({}, SOL + 1_666_240n), 'planned');
});

test('a stake near the end of the epoch has a warning', async () => {
  const planned = await plan({ position: { slotIndex: 431_900n } });
  assert.ok('plan' in planned);
  assert.match(planned.plan.notices.map(({ text }) => text).join(), /ends in about 100 slots/);
});
