// Checks the signature ledger. Amounts keep counting towards the limit across restarts, services, processes and
// clocks set back. Nothing is signed unless the ledger can record it.
import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { createSignatureLedger, OverBudget, type SignatureLedger } from '../../cli/act/signature-ledger.ts';
import { UsageError } from '../../cli/usage-error.ts';
import { newRecord } from '../../client/staking/pending-transaction.ts';
import { NotAsAsked } from '../../client/staking/staking-errors.ts';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { verifyRequest } from '../../client/staking/verify-against-request.ts';
import { fromBase64 } from '../../src/chain/transactions/wire-base64.ts';
import {
  changeBytes,
  OUTSIDER,
  SECOND_ACCOUNT,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  unstakeBytes,
  VOTE_ACCOUNT,
} from '../support/honest-responses.ts';
import { mountSmallDisk, smallDiskProblem } from '../support/store-small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { walletAddress } = signer;
const SOL = 1_000_000_000n;
const DAY_MS = 24 * 60 * 60 * 1000;

const planned = (request: StakingRequest, transaction: string, key: string) => {
  const record = newRecord(request, {
    cluster: '',
    voteAccount: VOTE_ACCOUNT,
    idempotencyKey: key,
    begunAtMs: 0,
  });
  const wire = fromBase64(transaction);
  const verdict = verifyRequest(wire, record, { voteAccount: VOTE_ACCOUNT }, 'built');
  assert.ok(verdict.ok, JSON.stringify(verdict.fields));
  return { record, requestKey: key, message: wire, prepared: { verdict, following: [] } };
};

/** Plans a stake of `sol` SOL at `stakeAccount`. */
const stake = (sol: bigint, key: string, stakeAccount: string = STAKE_ACCOUNT) =>
  planned(
    { kind: 'stake', walletAddress, amountLamports: sol * SOL },
    stakeBytes({ lamports: sol * SOL, stakeAccount: stakeAccount as Address }),
    key,
  );

/** Plans a merge of `from` into another account. */
const merge = (from: string) =>
  planned(
    { kind: 'rearrange', walletAddress, goal: 'tidy' },
    changeBytes({
      type: 'merge',
      account: OUTSIDER as Address,
      from: from as Address,
      authority: walletAddress as Address,
    }),
    `merge ${from}`,
  );

const start = (t: TestContext) => {
  const folder = temporaryFolder(t);
  let nowMs = 1_000 * DAY_MS;
  return {
    folder,
    file: join(folder, 'holdfast', 'signatures.sqlite'),
    setClock: (ms: number) => {
      nowMs = ms;
    },
    clock: () => nowMs,
    /** Opens the ledger as a restarted program does. */
    open: (url = 'https://service.example'): SignatureLedger =>
      createSignatureLedger({ XDG_CONFIG_HOME: folder }, url, () => nowMs),
  };
};

test('every signature counts for 24 hours, across restarts and services, but signatures that create the same account count once', (t) => {
  const here = start(t);
  const limit = 4n * SOL;
  here.open().reserve(stake(2n, 'a'), limit);
  here.open().reserve(stake(2n, 'a'), limit);
  assert.equal(here.open().stakedLamports(walletAddress), 2n * SOL);
  here.open('https://other.example').reserve(stake(2n, 'b', OUTSIDER), limit);
  assert.throws(() => here.open().reserve(stake(1n, 'c', SECOND_ACCOUNT), limit), OverBudget);
  assert.equal(here.open().stakedLamports(walletAddress), 4n * SOL, 'the refused signature is not recorded');
  const unstake = { kind: 'unstake', walletAddress, stakeAccountAddress: STAKE_ACCOUNT } as const;
  here.open().reserve(planned(unstake, unstakeBytes(), 'd'), limit);
  here.setClock(here.clock() + DAY_MS);
  here.open().reserve(stake(4n, 'c', SECOND_ACCOUNT), limit);
  assert.equal(statSync(here.file).mode & 0o777, 0o600);
});

test('setting the clock back frees no part of the limit', (t) => {
  const here = start(t);
  here.open().reserve(stake(4n, 'a'), 4n * SOL);
  for (const back of [DAY_MS - 1, 2 * DAY_MS, 400 * DAY_MS]) {
    here.setClock(1_000 * DAY_MS - back);
    assert.throws(() => here.open().reserve(stake(1n, 'b', OUTSIDER), 4n * SOL), OverBudget);
  }
  here.setClock(1_001 * DAY_MS - 1);
  assert.throws(() => here.open().reserve(stake(1n, 'b', OUTSIDER), 4n * SOL), OverBudget);
});

test('after the clock is set back, a new signature counts until one day after the latest earlier signature', (t) => {
  const here = start(t);
  here.open().reserve(stake(1n, 'a'), 4n * SOL);
  here.setClock(998 * DAY_MS);
  here.open().reserve(stake(3n, 'b', OUTSIDER), 4n * SOL);
  here.setClock(1_000 * DAY_MS);
  assert.equal(here.open().stakedLamports(walletAddress), 4n * SOL);
});

test('two signatures that create the same account count separately once the account has been merged away, because both can land', (t) => {
  const here = start(t);
  const ledger = here.open();
  for (let time = 0; time < 2; time += 1) ledger.reserve(stake(2n, 'a'), 3n * SOL);
  assert.throws(() => ledger.reserve(merge(STAKE_ACCOUNT), 3n * SOL), OverBudget);
  ledger.reserve(merge(STAKE_ACCOUNT), 4n * SOL);
  assert.equal(ledger.stakedLamports(walletAddress), 4n * SOL);
});

test('part of the limit is freed only if the transaction is proven to have expired or the key did not sign', (t) => {
  const here = start(t);
  const ledger = here.open();
  const [first, second] = [stake(2n, 'a'), stake(2n, 'b', OUTSIDER)];
  const id = ledger.reserve(first);
  ledger.signed(id, { ...first.record, signature: 'first' });
  ledger.release(id);
  ledger.release(ledger.reserve(second));
  assert.equal(ledger.stakedLamports(walletAddress), 2n * SOL);
  assert.equal(ledger.lastSigned(walletAddress, 'a')?.signature, 'first');
  assert.equal(ledger.lastSigned(walletAddress, 'b'), undefined);
  ledger.proveDead('first');
  assert.equal(ledger.stakedLamports(walletAddress), 0n);
  assert.equal(ledger.lastSigned(walletAddress, 'a'), undefined);
});

test('an idempotency key keeps its first stake account for 30 days, even if the transaction is proven to have expired', (t) => {
  const here = start(t);
  const ledger = here.open();
  const first = stake(2n, 'a');
  ledger.signed(ledger.reserve(first), { ...first.record, signature: 'first' });
  ledger.proveDead('first');
  assert.equal(ledger.accountOf(walletAddress, 'a'), STAKE_ACCOUNT);
  assert.throws(
    () => ledger.reserve(stake(2n, 'a', OUTSIDER)),
    (error) => error instanceof NotAsAsked && /different stake account/.test(error.message),
  );
  assert.equal(here.open('https://other.example').accountOf(walletAddress, 'a'), undefined);
  here.setClock(here.clock() + 30 * DAY_MS);
  ledger.reserve(stake(1n, 'b', SECOND_ACCOUNT));
  assert.equal(ledger.accountOf(walletAddress, 'a'), STAKE_ACCOUNT);
  here.setClock(here.clock() + 1);
  ledger.reserve(stake(1n, 'c', OUTSIDER));
  assert.equal(ledger.accountOf(walletAddress, 'a'), undefined);
});

test('nothing is sent if the signature cannot be recorded because the file is damaged, locked or replaced by a folder', (t) => {
  const refused = (folder: string): void =>
    assert.throws(
      () => createSignatureLedger({ XDG_CONFIG_HOME: folder }, 'url').reserve(stake(2n, 'a')),
      (error) => error instanceof UsageError && /nothing was sent/.test(error.message),
    );
  const damaged = temporaryFolder(t);
  mkdirSync(join(damaged, 'holdfast'));
  writeFileSync(
    join(damaged, 'holdfast', 'signatures.sqlite'),
    'not a database, but long enough to be read as one'.repeat(50),
  );
  refused(damaged);
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'holdfast', 'signatures.sqlite'), { recursive: true });
  refused(folder);
  const locked = start(t);
  locked.open().reserve(stake(1n, 'b', OUTSIDER));
  const other = new DatabaseSync(locked.file);
  other.exec('BEGIN IMMEDIATE');
  refused(locked.folder);
  other.close();
  locked.open().reserve(stake(2n, 'a'));
});

test('nothing is signed if the disk is full', { skip: smallDiskProblem() }, (t) => {
  const disk = mountSmallDisk(t, 1);
  const ledger = createSignatureLedger({ XDG_CONFIG_HOME: disk.folder }, 'url');
  ledger.reserve(stake(1n, 'b', OUTSIDER));
  disk.fill();
  assert.throws(() => ledger.reserve(stake(2n, 'a')), UsageError);
  disk.empty();
  assert.equal(ledger.stakedLamports(walletAddress), SOL);
});
