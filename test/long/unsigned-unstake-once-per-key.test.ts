// IDEM-6: an amount is unstaked once per idempotency key, however often the request is repeated and whenever
// the service is killed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import { Refusal } from '../../demo/http-client.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import {
  decodeStakeAccount,
  EPOCH_ABSENT,
  type StakeAccount,
  stakeOffsets,
} from '../../src/domain/stake/stake-account.ts';
import { createTally } from '../support/count-outcomes.ts';
import { startRpcTap } from '../support/rpc-tap.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTruthRandom } from '../support/truth-random.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
/**
 * Number of repetitions of the first key. The other keys are repeated until the service has been killed at
 * every stage.
 */
const MAX_REPEATS = FULL ? 1_000 : 20;
const KEYS = FULL ? 30 : 3;
const REPEATS = FULL ? 30 : 6;
const AMOUNT_SOL = 5;
/**
 * The wallet's stakes in SOL: accounts that each hold the amount, two accounts of which one gives stake to the
 * other, and one account that is split. Only the last case creates an account.
 */
const STAKES = [[5, 5, 5], [10, 10], [20]];
/** With slots of 80 ms, a blockhash is valid for 12 s, which is enough on a busy machine. */
const SLOT_MS = 80;

/** Other responses that are allowed while the service is being killed and restarted. */
const PASSING = new Set<unknown>([
  ...['IDEMPOTENCY_KEY_REUSED', 'BLOCKHASH_EXPIRED', 'SUBMISSION_UNRESOLVED'],
  ...['UPSTREAM_UNAVAILABLE', 'EPOCH_REWARDS_ACTIVE'],
]);

test(`IDEM-6: one idempotency key, repeated ${MAX_REPEATS} times with kills, unstakes ${AMOUNT_SOL} SOL once`, async (t) => {
  const random = createTruthRandom(20_261_129);
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: SLOT_MS });
  t.after(() => sandbox.close());
  const tap = await startRpcTap(sandbox.rpcUrl);
  t.after(() => tap.close());
  const dataDir = temporaryFolder(t);
  const start = () => startService(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url }, dataDir);
  let service: TestService = await start();
  const { counts, count } = createTally();
  const wallets = await Promise.all(
    Array.from({ length: KEYS }, async (_, index) => {
      const wallet = await fundedWallet(sandbox, 50);
      const { walletAddress, secretKey } = wallet;
      for (const amountSol of STAKES[index % STAKES.length]!)
        await service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol });
      return wallet;
    }),
  );
  await sandbox.advanceEpochs(2);

  /** Builds, signs and submits once. Returns the key's signature, or null while it is unknown. */
  const unstake = async (wallet: TestWallet, name: string): Promise<string | null> => {
    const { client } = service;
    const key = { 'idempotency-key': name };
    const { walletAddress } = wallet;
    try {
      const built = await client.post(
        '/api/v1/unstake/transaction',
        { walletAddress, amountSol: AMOUNT_SOL },
        key,
      );
      const signedTransaction = signedBy(wallet, built.transaction);
      const { signature } = await client.post('/api/v1/transaction/submit', { signedTransaction }, key);
      count('answered by submit');
      return signature;
    } catch (error) {
      if (!(error instanceof Refusal)) {
        count('lost');
        return null;
      }
      assert.ok(PASSING.has(error.errorCode), `${name}: ${error.errorCode} ${error.message}`);
      const signature = error.errorCode === 'IDEMPOTENCY_KEY_REUSED' ? error.body.signature : undefined;
      const isDone = typeof signature === 'string' && error.body.reason === 'AMOUNT_DONE';
      count(isDone ? 'refused by the builder' : String(error.errorCode));
      return isDone ? signature : null;
    }
  };

  const kill = async (): Promise<void> => {
    await service.process.stop('SIGKILL');
    tap.release();
    count('kills');
  };

  const staked = async ({ walletAddress }: TestWallet): Promise<readonly StakeAccount[]> => {
    const memcmp = { offset: stakeOffsets.withdrawer, bytes: walletAddress };
    const response = await fetch(sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getProgramAccounts',
        params: [STAKE_PROGRAM, { encoding: 'base64', commitment: 'confirmed', filters: [{ memcmp }] }],
      }),
    });
    const { result } = (await response.json()) as {
      result: readonly {
        readonly pubkey: Address;
        readonly account: { readonly lamports: number; readonly data: readonly [string, string] };
      }[];
    };
    return result.map(
      ({ pubkey, account }) =>
        decodeStakeAccount({
          address: pubkey,
          owner: STAKE_PROGRAM,
          lamports: BigInt(account.lamports),
          data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
        })!,
    );
  };

  for (const [index, wallet] of wallets.entries()) {
    const name = `unstake-${index}`;
    const outcomes = new Set<string>();
    const repeats = index === 0 ? MAX_REPEATS : REPEATS;
    let last: string | null = null;
    for (let repeat = 0; repeat < repeats || last === null; repeat += 1) {
      assert.ok(repeat < repeats + 60, `${name} never completes: ${JSON.stringify(counts)}`);
      // The first attempts matter most: the service is killed once the RPC node has accepted the transaction,
      // or at a random time. Later attempts are seldom interrupted.
      const broadcast = repeat === 0 && index % 2 === 0 ? tap.holdAtBroadcast() : null;
      const isKilled = broadcast !== null || random.chance(repeat < 3 ? 0.5 : 0.03);
      // Either of two concurrent callers may be too late.
      const calls = [unstake(wallet, name), ...(repeat < 3 ? [unstake(wallet, name)] : [])];
      const ended = Promise.all(calls);
      if (isKilled) {
        await (broadcast === null ? pause(random.int(200)) : Promise.race([broadcast, ended]));
        await kill();
      }
      for (const signature of await ended) {
        if (signature !== null) outcomes.add(signature);
        last = signature;
      }
      if (isKilled) service = await start();
    }
    assert.equal(outcomes.size, 1, `${name}: ${[...outcomes].join()}`);
    const accounts = await staked(wallet);
    const cooling = accounts.filter(({ delegation }) => delegation!.deactivationEpoch !== EPOCH_ABSENT);
    const lamports = cooling.reduce((sum, { delegation }) => sum + delegation!.stakeLamports, 0n);
    assert.equal(lamports, BigInt(AMOUNT_SOL) * 1_000_000_000n, `${name}: ${JSON.stringify(counts)}`);
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.kills! >= KEYS, JSON.stringify(counts));
  assert.ok(counts['refused by the builder']! > MAX_REPEATS / 2, JSON.stringify(counts));
});
