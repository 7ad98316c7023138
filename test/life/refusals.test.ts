// Tests every refusal of the operations that move SOL, one per row. The service must refuse before it builds
// anything, and return the code, the exact figures and the fix. PAYER-1 and TRUTH-1 test that the refusals
// match the on-chain programs, and TX-3 tests changed transactions (see docs/guarantees.md).
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { createHttpClient } from '../../demo/http-client.ts';
import { STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { type ErrorCode, type ErrorCodeFacts, errorCodes } from '../../src/kernel/error-codes.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { rpc } from '../support/expired-transactions.ts';
import { until } from '../support/index-fixture.ts';
import { chosenRules } from '../support/parameter-sets.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { balanceOf, buildAndSubmit, fund, refused, sendText, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const SOL = 1_000_000_000n;
const SYSTEM = '11111111111111111111111111111111';
const FEE = 5_000n;
const FEE_RESERVE = 5_000_000n;
const { stakeRentLamports, rentLamportsPerByte, minimumDelegationLamports } = chosenRules();
const STAKE_RENT = BigInt(stakeRentLamports);
const WALLET_RENT = BigInt(rentLamportsPerByte) * 128n;
const LEAST_STAKE = STAKE_RENT + BigInt(minimumDelegationLamports);
const [OTHER, CUSTODIAN] = [newWallet().walletAddress, newWallet().walletAddress];

const sol = (lamports: bigint): number => Number(lamports) / 1e9;
const post = (path: string, body: object) => shared().service.client.post(`/api/v1/${path}`, body);
const setLamports = (address: string, lamports: bigint) =>
  shared().sandbox.setAccount({ address, lamports, data: new Uint8Array(), owner: SYSTEM });
const walletWith = async (lamports: bigint): Promise<TestWallet> => {
  const wallet = newWallet();
  await setLamports(wallet.walletAddress, lamports);
  return wallet;
};

type Members = (wallet: TestWallet) => object | Promise<object>;
type Delegation = Partial<NonNullable<StakeAccountFields['delegation']>>;
const ACTIVE = (): Delegation => ({});
const DEACTIVATING = (): Delegation => ({ deactivationEpoch: BigInt(shared().sandbox.epoch()) });
const INACTIVE = (): Delegation => ({ activationEpoch: 0n, deactivationEpoch: 0n });
const locked = (custodian: string) => ({ lockup: { unixTimestamp: 4_000_000_000n, custodian } });

const write = async (data: Uint8Array, lamports = 3n * SOL + STAKE_RENT): Promise<string> => {
  const { walletAddress: address } = newWallet();
  await shared().sandbox.setAccount({ address, lamports, data, owner: STAKE_PROGRAM });
  return address;
};
/**
 * Writes a stake account of 3 SOL with the given differences. The returned function names it in the request.
 */
const account =
  (
    delegation: (() => Delegation) | null = ACTIVE,
    fields: Partial<StakeAccountFields> = {},
    lamports?: bigint,
  ) =>
  async ({ walletAddress: wallet }: TestWallet) => {
    const stake = { voteAccount: shared().sandbox.voteAccount, stakeLamports: 3n * SOL, ...delegation?.() };
    const data = stakeAccountBytes({ wallet, ...(delegation && { delegation: stake }), ...fields });
    return { stakeAccountAddress: await write(data, lamports) };
  };
const amount =
  (amountSol: number, members: Members = () => ({})): Members =>
  async (wallet) => ({ amountSol, ...(await members(wallet)) });

/** Expected fields of a refusal: exact values, or patterns that match the text. */
type Says = Readonly<Record<string, unknown>>;
const assertSays = (body: Says, says: Says): void => {
  for (const [name, value] of Object.entries(says)) {
    const text = typeof body[name] === 'string' ? body[name] : JSON.stringify(body[name]);
    if (value instanceof RegExp) assert.match(String(text), value, name);
    else assert.deepEqual(body[name], value, name);
  }
};

/**
 * A refusal: its code, the case, the request fields other than the wallet, the expected error body, and the
 * wallet's balance.
 */
type Row = readonly [code: ErrorCode, when: string, request: Members, says?: Says, balanceLamports?: bigint];

/** Titles of failures, by one-shot call. Each such call also has a builder. */
const oneShots = { stake: 'Stake failed', unstake: 'Unstake failed', withdraw: 'Withdraw failed' } as const;
const titleOf = (code: ErrorCode, ownTitle?: string): string => {
  const { title, keepsTitle }: ErrorCodeFacts = errorCodes[code];
  return ownTitle === undefined || keepsTitle || code === 'VALIDATION_ERROR' ? title : ownTitle;
};
const factsOf = async (path: string, body: object, says: Says = {}): Promise<readonly unknown[]> => {
  const refusal = await refused(post(path, body));
  assertSays(refusal.body, says);
  return [refusal.status, refusal.body.errorCode, refusal.body.error];
};

/** Checks each row with the builder and with the one-shot call, whose advice may differ (`once`). */
const refuses = (operation: string, rows: readonly (Row | readonly [...Required<Row>, once: Says])[]) => {
  for (const [code, when, request, says = {}, balanceLamports = SOL, once = {}] of rows)
    test(`${operation} refuses ${when} with ${code}`, async () => {
      const wallet = await walletWith(balanceLamports);
      const { walletAddress, secretKey } = wallet;
      const members = { walletAddress, ...(await request(wallet)) };
      const ownTitle = oneShots[operation as keyof typeof oneShots];
      const builder = ownTitle === undefined ? operation : `${operation}/transaction`;
      assert.deepEqual(await factsOf(builder, members, says), [400, code, titleOf(code)]);
      if (ownTitle === undefined) return;
      const facts = await factsOf(operation, { ...members, secretKey }, { ...says, ...once });
      assert.deepEqual(facts, [400, code, titleOf(code, ownTitle)]);
    });
};

const SMALL = {
  reason: 'WALLET_SHORT_OF_MINIMUM',
  shortfallSol: 2.004000001,
  availableToStakeLamports: 0,
  suggestedAction: /Fund .* with at least 2\.004000001 more SOL/,
};
const ONE_SHORT = {
  reason: 'WALLET_SHORT_OF_AMOUNT',
  shortfallSol: 1e-9,
  availableToStakeLamports: 1_999_999_999,
};
const BELOW = { minimumStakeSol: sol(LEAST_STAKE), message: /0\.000000001 SOL below/ };
refuses('stake', [
  ['INSUFFICIENT_BALANCE', 'a wallet with less than the minimum', amount(2.000000001), SMALL, SOL / 1_000n],
  ['INSUFFICIENT_BALANCE', 'a wallet one lamport short', amount(2), ONE_SHORT, 2n * SOL + FEE_RESERVE - 1n],
  ['BELOW_MINIMUM_STAKE', 'one lamport below the minimum', amount(sol(LEAST_STAKE - 1n)), BELOW, 20n * SOL],
]);

test('a balance of exactly the amount plus the fee reserve is enough to stake the minimum of the chain', async () => {
  const { sandbox, service } = shared();
  const wallet = await walletWith(2n * SOL + FEE_RESERVE);
  await stakeNow(service, wallet, 2);
  assert.equal(await balanceOf(sandbox, wallet.walletAddress), FEE_RESERVE - 2n * FEE);
  await stakeNow(service, await walletWith(3n * SOL), sol(LEAST_STAKE));
  const staker = await SandboxStaker.fund(sandbox, 10n * SOL);
  await assert.rejects(staker.stake(LEAST_STAKE - 1n), ({ cause }: Error) =>
    /#12 \(instruction #3\)/.test(String(cause)),
  );
});

const named = (address: (wallet: TestWallet) => string | Promise<string>): Members => {
  return async (wallet) => ({ stakeAccountAddress: await address(wallet) });
};
const LISTS = { suggestedAction: /GET \/api\/v1\/stake\/accounts\// };
const wrongAccounts: readonly Row[] = [
  ['NOT_A_STAKE_ACCOUNT', 'the address of a wallet', named(({ walletAddress }) => walletAddress), LISTS],
  ['NOT_A_STAKE_ACCOUNT', 'the address of a vote account', named(() => shared().sandbox.voteAccount), LISTS],
  ['NOT_A_STAKE_ACCOUNT', 'an unused address', named(() => newWallet().walletAddress), LISTS],
  ['NOT_A_STAKE_ACCOUNT', 'an uninitialized account', named(() => write(new Uint8Array(200))), LISTS],
];
const NO_SOL = { shortfallSol: sol(WALLET_RENT + FEE) };
const NAMES_OTHER = { message: new RegExp(OTHER) };
const TAKE_BACK = { ...NAMES_OTHER, suggestedAction: /the goal rescue\), then unstake/ };

const NEAREST = { nearestBelowSol: 2, nearestAboveSol: 3, minimumDelegationSol: 1 };
const AT_MOST = {
  reason: 'MORE_THAN_STAKED',
  message: `At most 3 SOL is staked. The accounts also hold ${sol(STAKE_RENT)} SOL of rent, which is returned when everything is unstaked and withdrawn.`,
};
const RESCUE = /POST \/api\/v1\/plan with the goal rescue/;
const TAKEN = `Another address (${OTHER}) is the stake authority of 3 SOL of this wallet’s stake`;
const NONE = {
  reason: 'NO_CONTROLLED_STAKE',
  message: new RegExp(`^${TAKEN.replaceAll(/[()]/g, '.')}, .* no other stake`),
  suggestedAction: RESCUE,
  nearestBelowSol: null,
  nearestAboveSol: null,
};
const OTHERS_STAKE = amount(3, account(ACTIVE, { stakeAuthority: OTHER }));
refuses('unstake', [
  ...wrongAccounts,
  ['INSUFFICIENT_BALANCE', 'an empty wallet', account(), NO_SOL, 0n],
  ['AUTHORITY_MISMATCH', 'the stake of others', account(ACTIVE, { stakeAuthority: OTHER }), TAKE_BACK],
  ['STAKE_ALREADY_DEACTIVATED', 'a deactivating stake', account(DEACTIVATING)],
  ['STAKE_ALREADY_DEACTIVATED', 'an inactive stake', account(INACTIVE)],
  ['STAKE_NOT_DELEGATED', 'an account that was only initialized', account(null)],
  ['AMOUNT_NOT_REACHABLE', 'more than there is', amount(100, account()), AT_MOST],
  ['AMOUNT_NOT_REACHABLE', 'an account with another stake authority', OTHERS_STAKE, NONE],
  // With a minimum of one lamport, every amount is possible.
  ...(minimumDelegationLamports === 1e9
    ? ([['AMOUNT_NOT_REACHABLE', 'too small a rest', amount(2.5, account()), NEAREST]] as const)
    : []),
]);

test('a refused amount does not hide the stake that is under another stake authority, and names the rescue', async () => {
  const wallet = await walletWith(SOL);
  const { walletAddress } = wallet;
  await account()(wallet);
  await account(ACTIVE, { stakeAuthority: OTHER })(wallet);
  const listed = () => shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  await until(async () => (await listed()).accounts.length === 2, 'two accounts');
  const says = {
    reason: 'MORE_THAN_CONTROLLED',
    message: `${TAKEN}, so this wallet cannot unstake it. Without it, at most 3 SOL is possible.`,
    suggestedAction: RESCUE,
  };
  const request = { walletAddress, amountSol: 5 };
  assertSays((await refused(post('unstake/transaction', request))).body, { ...says, nearestBelowSol: 3 });
  for (const goal of ['unstake', 'withdraw-amount'])
    assertSays((await post('plan', { ...request, goal })).refusal, says);
});

test('PLAN_NEEDS_SEVERAL is 409 for an unstake of thirty accounts, with the number of transactions', async () => {
  const wallet = await walletWith(2n * SOL);
  const { walletAddress } = wallet;
  const listed = () => shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  for (let made = 0; made < 30; made += 1) await account()(wallet);
  await until(async () => (await listed()).accounts.length === 30, 'thirty accounts');
  const request = { walletAddress, amountSol: 90 };
  const { status, body } = await refused(post('unstake/transaction', request));
  assert.deepEqual([status, body.errorCode, body.transactionCount], [409, 'PLAN_NEEDS_SEVERAL', 2]);
  assert.equal((await post('unstake/preview', request)).transactionCount, 2);
  assert.equal((await post('plan', { ...request, goal: 'unstake' })).transactions.length, 2);
});

const UNSTAKE_FIRST = {
  currentState: 'delegated',
  stateDescription: /^Active/,
  epochTiming: /"currentEpoch":/,
  suggestedAction: /^Call POST \/api\/v1\/unstake\/transaction with .*, then poll/,
};
const IN_ONE_CALL = { suggestedAction: /^(?!.*(transaction|sign)).*POST \/api\/v1\/unstake with/ };
const WAIT = { epochTiming: /"currentEpoch":/, suggestedAction: /deactivating: .*withdraw-ready/ };
const LOCKED = {
  lockup: { unixTimestamp: 4_000_000_000, epoch: 0, custodian: CUSTODIAN },
  suggestedAction: new RegExp(CUSTODIAN),
};
const part = (lamports: bigint): Members => amount(sol(lamports), account(INACTIVE));
const PARTIAL_MAX = { partialWithdrawMaxSol: 3 };
refuses('withdraw', [
  ...wrongAccounts,
  ['INSUFFICIENT_BALANCE', 'an empty wallet', account(INACTIVE), NO_SOL, 0n],
  ['AUTHORITY_MISMATCH', 'the stake of others', account(INACTIVE, { withdrawAuthority: OTHER }), NAMES_OTHER],
  ['STAKE_NOT_WITHDRAWABLE', 'an active stake', account(), UNSTAKE_FIRST, SOL, IN_ONE_CALL],
  ['STAKE_NOT_WITHDRAWABLE', 'a deactivating stake', account(DEACTIVATING), WAIT],
  ['WITHDRAW_LEAVES_BELOW_RENT', 'a lamport above the partial maximum', part(3n * SOL + 1n), PARTIAL_MAX],
  ['WITHDRAW_LEAVES_BELOW_RENT', 'all but a lamport', part(3n * SOL + STAKE_RENT - 1n), PARTIAL_MAX],
  ['INSUFFICIENT_STAKE_BALANCE', 'a lamport above the balance', part(3n * SOL + STAKE_RENT + 1n)],
  ['STAKE_LOCKED', 'an account under a lockup', account(INACTIVE, locked(CUSTODIAN)), LOCKED],
]);

test('a wallet that is its own custodian can withdraw despite the lockup', async () => {
  const { sandbox, service } = shared();
  const wallet = await walletWith(SOL);
  const own = await account(INACTIVE, locked(wallet.walletAddress))(wallet);
  await buildAndSubmit(service, wallet, '/api/v1/withdraw/transaction', own);
  assert.equal(await balanceOf(sandbox, own.stakeAccountAddress), 0n);
});

const UNDO = 'unstake/undo/transaction';
const LATE = (): Delegation => ({ deactivationEpoch: BigInt(shared().sandbox.epoch()) - 1n });
const ELSEWHERE = (): Delegation => ({ ...DEACTIVATING(), voteAccount: shared().sandbox.otherVoteAccount });
const NINE_SHORT = { why: 'balance', missingSol: 9e-9 };
refuses(UNDO, [
  ['UNDO_TOO_LATE', 'an unstake of the last epoch', account(LATE)],
  [
    'UNDO_IMPOSSIBLE',
    'a withdrawn balance',
    account(DEACTIVATING, {}, 3n * SOL + STAKE_RENT - 9n),
    NINE_SHORT,
  ],
  ['UNDO_IMPOSSIBLE', 'another validator', account(ELSEWHERE), { why: 'other-validator' }],
]);

test('EPOCH_BOUNDARY_NEAR is 409 for an undo 100 slots before the end of the epoch', async (t) => {
  const { app, sandbox, rpc } = await startTestApp(t);
  const { walletAddress } = await fundedWallet(sandbox, 1);
  // Sandbox epochs end on demand, so the node is made to report that the current one is almost over.
  const { result } = (await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getEpochInfo' }),
  }).then((response) => response.json())) as { result: Record<string, number> };
  const late = result.absoluteSlot! - result.slotIndex! + result.slotsInEpoch! - 100;
  rpc.rewrite((_, text) => text.replace(/"slot":\s*\d+/, `"slot":${late}`));
  const { status, body } = await refused(
    createHttpClient(app.url).post(`/api/v1/${UNDO}`, { walletAddress }),
  );
  assert.deepEqual([status, body.errorCode, body.slotsRemaining], [409, 'EPOCH_BOUNDARY_NEAR', 100]);
  assert.ok(!Number.isNaN(Date.parse(String(body.estimatedEpochEnd))));
});

const NO_FEE = { shortfallSol: sol(FEE) };
const NO_RENT = { shortfallSol: sol(WALLET_RENT - 1n), message: /minimum that a non-empty wallet must keep/ };
refuses('donate', [
  ['INSUFFICIENT_BALANCE', 'the balance without the fee', amount(0.01), NO_FEE, SOL / 100n],
  ['INSUFFICIENT_BALANCE', 'all but a lamport', amount(0.01), NO_RENT, SOL / 100n + FEE + 1n],
  ['VALIDATION_ERROR', 'less than 0.001 SOL', amount(0.000999999)],
  ['VALIDATION_ERROR', 'more than 1000 SOL', amount(1000.000000001)],
]);

test('a donation of 0.001 or 1000 SOL is built, and an empty donation address needs its rent-exempt minimum first', async () => {
  const { sandbox, service } = shared();
  const { walletAddress } = await walletWith(1_100n * SOL);
  for (const amountSol of [0.001, 1000]) await post('donate', { walletAddress, amountSol });
  const setRent = async (lamportsPerByte: bigint) => {
    await sandbox.setRent(lamportsPerByte);
    await sandbox.advanceEpochs(1);
    await service.client.get('/api/v1/epoch');
  };
  await setLamports(sandbox.donationAddress, 0n);
  await setRent(10_000n);
  try {
    const request = { walletAddress, amountSol: 0.001279999 };
    const says = { details: /"path":"amountSol".*must be at least 0\.00128/ };
    assert.deepEqual((await factsOf('donate', request, says))[1], 'VALIDATION_ERROR');
    await post('donate', { walletAddress, amountSol: 0.00128 });
  } finally {
    await setRent(BigInt(rentLamportsPerByte));
  }
});

test('an account of a program is refused as payer with WALLET_CANNOT_PAY', async () => {
  const request = { walletAddress: shared().sandbox.voteAccount, amountSol: 1.5 };
  for (const path of ['stake/transaction', 'donate'])
    assert.deepEqual(
      await factsOf(path, request),
      [400, 'WALLET_CANNOT_PAY', 'Wallet cannot pay fees'],
      path,
    );
});

test('the key of another wallet is refused with SECRET_KEY_MISMATCH', async () => {
  const { secretKey } = newWallet();
  for (const [path, title] of Object.entries(oneShots)) {
    const members = path === 'stake' ? {} : { stakeAccountAddress: CUSTODIAN };
    const request = { walletAddress: OTHER, secretKey, amountSol: 2, ...members };
    assert.deepEqual(await factsOf(path, request), [400, 'SECRET_KEY_MISMATCH', title]);
  }
});

test('EPOCH_REWARDS_ACTIVE is 502 with Retry-After while rewards are being distributed, and plans and previews report it', async () => {
  const { sandbox, service } = shared();
  const wallet = await walletWith(20n * SOL);
  const { walletAddress, secretKey } = wallet;
  const request = { walletAddress, ...(await account()(wallet)) };
  const some = { ...request, amountSol: 1.5 };
  const { transaction } = await post('unstake/transaction', request);
  await sandbox.holdEpochRewards(true);
  const messages: string[] = [];
  try {
    for (const [path, body] of [
      ...['unstake', 'withdraw'].flatMap((path) => [
        [`${path}/transaction`, request] as const,
        [path, { ...request, secretKey }] as const,
      ]),
      ['unstake/transaction', some],
      ['stake/transaction', { walletAddress, amountSol: 2 }],
      ['stake', { walletAddress, secretKey, amountSol: 2 }],
      ['transaction/submit', { signedTransaction: signedBy(wallet, transaction) }],
    ] as const) {
      const refusal = await sendText(service, `/api/v1/${path}`, JSON.stringify(body));
      assert.deepEqual([refusal.status, refusal.body.errorCode], [502, 'EPOCH_REWARDS_ACTIVE'], path);
      assert.ok(Number(refusal.headers.get('retry-after')) > 0, path);
      messages.push(String(refusal.body.message));
    }
    const preview = await post('unstake/preview', some);
    assert.deepEqual([preview.plan, preview.refusal.errorCode], [null, 'EPOCH_REWARDS_ACTIVE']);
    assert.equal(preview.reachable.at(-1).toSol, 3);
    const goal = { walletAddress, goal: 'unstake', amountSol: 1.5 };
    const planned = await post('plan', { ...goal, stakeAccountAddresses: [request.stakeAccountAddress] });
    assert.deepEqual([planned.feasible, planned.refusal.errorCode], [false, 'EPOCH_REWARDS_ACTIVE']);
    assert.deepEqual(
      new Set([...messages, preview.refusal.message, planned.refusal.message]).size,
      1,
      'one answer',
    );
    await post('donate', { walletAddress, amountSol: 0.01 });
    assert.equal((await service.client.get('/api/v1/epoch')).epochRewardsActive, true);
  } finally {
    await sandbox.holdEpochRewards(false);
  }
  await post('unstake', { ...request, secretKey });
});

test('a transaction that landed and failed during the reward distribution is never reported as retryable', async () => {
  const { sandbox } = shared();
  const wallet = await walletWith(20n * SOL);
  const { transaction } = await post('unstake/transaction', {
    walletAddress: wallet.walletAddress,
    ...(await account()(wallet)),
  });
  const signedTransaction = signedBy(wallet, transaction);
  await sandbox.holdEpochRewards(true);
  try {
    const sent = await rpc(sandbox, 'sendTransaction', [
      signedTransaction,
      { encoding: 'base64', skipPreflight: true },
    ]);
    await until(
      async () =>
        ((await rpc(sandbox, 'getSignatureStatuses', [[sent]])) as { value: unknown[] }).value[0] !== null,
      'the transaction to land',
    );
    const submit = () =>
      sendText(shared().service, '/api/v1/transaction/submit', JSON.stringify({ signedTransaction }));
    for (const refusal of [await submit(), await submit()]) {
      assert.deepEqual(
        [refusal.status, refusal.body.errorCode, refusal.body.reason],
        [400, 'SUBMISSION_FAILED', 'LANDED_DURING_REWARDS'],
      );
      assert.equal(refusal.headers.get('retry-after'), null);
    }
  } finally {
    await sandbox.holdEpochRewards(false);
  }
});

describe('submit', () => {
  const stake = ({ walletAddress }: TestWallet) => post('stake/transaction', { walletAddress, amountSol: 2 });
  const changed = async (wallet: TestWallet): Promise<string> => {
    const wire = Buffer.from(signedBy(wallet, (await stake(wallet)).transaction), 'base64');
    const lamports = Buffer.alloc(8);
    lamports.writeBigUInt64LE(2n * SOL);
    wire[wire.indexOf(lamports)]! ^= 1;
    return wire.toString('base64');
  };
  const foreign = (wallet: TestWallet): string => {
    const { donationAddress, voteAccount: blockhash } = shared().sandbox;
    const [from, to] = [wallet.walletAddress, donationAddress] as [Address, Address];
    const memo = 'not ours';
    const built = buildTransaction.donate({
      wallet: from,
      donationAddress: to,
      lamports: 9n,
      memo,
      blockhash,
    });
    return signedBy(wallet, Buffer.from(encodeWire(built)).toString('base64'));
  };
  const spent = async (wallet: TestWallet): Promise<string> => {
    const { transaction } = await stake(wallet);
    await setLamports(wallet.walletAddress, SOL);
    return signedBy(wallet, transaction);
  };
  const unstakedTwice = async (wallet: TestWallet): Promise<string> => {
    const request = { walletAddress: wallet.walletAddress, ...(await account()(wallet)) };
    const build = () => post('unstake/transaction', request);
    const { transaction, blockhash } = await build();
    // With the same blockhash, both transactions would be identical.
    await until(async () => (await build()).blockhash !== blockhash, 'a new blockhash');
    await post('unstake', { ...request, secretKey: wallet.secretKey });
    return signedBy(wallet, transaction);
  };
  const occupied = async (wallet: TestWallet): Promise<string> => {
    const { transaction, stakeAccountAddress } = await stake(wallet);
    await fund(shared().sandbox, stakeAccountAddress, WALLET_RENT);
    return signedBy(wallet, transaction);
  };
  const unsigned = async (wallet: TestWallet): Promise<string> => (await stake(wallet)).transaction;
  const NO_SIGNATURE = { missingSigners: /^\["\w+"\]$/, invalidSigners: [] };
  const BOTH_WRONG = { missingSigners: [], invalidSigners: /^\["\w+","\w+"\]$/ };
  const largest = () => Buffer.alloc(4_096).toString('base64');
  for (const [code, when, transaction, says] of [
    ['INVALID_TRANSACTION', 'a transaction without its signature', unsigned, NO_SIGNATURE],
    ['INVALID_TRANSACTION', 'an amount changed after signing', changed, BOTH_WRONG],
    ['INVALID_TRANSACTION', 'bytes of the maximum length', largest, {}],
    ['VALIDATION_ERROR', 'a longer text', () => 'A'.repeat(5_465), {}],
    ['VALIDATION_ERROR', 'text that is not base64', () => 'AA=A', {}],
    ['FOREIGN_TRANSACTION', 'by default a transaction without our memo', foreign, {}],
    ['INSUFFICIENT_BALANCE', 'a balance spent meanwhile', spent, { chainError: /InstructionError/ }],
    ['STAKE_ALREADY_DEACTIVATED', 'a stake unstaked meanwhile', unstakedTwice, {}],
    ['STAKE_ADDRESS_OCCUPIED', 'a new address that an outsider funded meanwhile', occupied, {}],
  ] as const)
    test(`submit refuses ${when} with ${code}`, async () => {
      const signedTransaction = await transaction(await walletWith(20n * SOL));
      const facts = await factsOf('transaction/submit', { signedTransaction }, says);
      const status = code === 'STAKE_ADDRESS_OCCUPIED' ? 409 : 400;
      assert.deepEqual(facts, [status, code, titleOf(code)]);
    });
});

const sendAmount = (walletAddress: string, literal: string) => {
  const text = `{"walletAddress":"${walletAddress}","amountSol":${literal}}`;
  return sendText(shared().service, '/api/v1/stake/transaction', text);
};
test('text that is not an amount of SOL is refused with VALIDATION_ERROR and is never turned into a different amount', async () => {
  for (const [literal, issue] of [
    ['1.0000000001', /at most 9 decimals/],
    ['1e400', /must be/],
    ['-1', /greater than 0/],
    ['0.0', /greater than 0/],
    ['9000000.000000001', /at most 9000000/],
    ['"2"', /without quotes/],
    ['null', /must be a number$/],
    ['[2]', /must be a number$/],
  ] as const) {
    const { status, body } = await sendAmount(OTHER, literal);
    const [{ path, message }] = body.details as [{ path: string; message: string }];
    assert.deepEqual([status, path, body.message], [400, 'amountSol', `amountSol: ${message}`], literal);
    assert.match(message, issue, literal);
  }
  const { walletAddress } = await walletWith(20n * SOL);
  for (const literal of ['2.000000001000', '2000000001e-9', '0.2000000001E1'])
    assertSays((await sendAmount(walletAddress, literal)).body, { instructions: /2\.000000001 SOL/ });
});

test('VALIDATION_ERROR lists every issue with a request and repeats none of its values', async () => {
  const text = '{"walletAddress":"nonsense","stakeAccountAddress":12,"amountSol":"much","idempotencyKey":""}';
  const { status, body } = await sendText(shared().service, '/api/v1/withdraw', text);
  const details = body.details as { path: string; message: string }[];
  const paths = ['amountSol', 'idempotencyKey', 'secretKey', 'stakeAccountAddress', 'walletAddress'];
  assert.deepEqual([status, [...new Set(details.map(({ path }) => path))].sort()], [400, paths]);
  assert.equal(body.message, details.map(({ path, message }) => `${path}: ${message}`).join('; '));
  assert.doesNotMatch(JSON.stringify(body), /nonsense|much/);
});
