// Compares Holdfast's responses with the solana command line and the chain.
import assert from 'node:assert/strict';
import type { HttpClient } from '../../demo/http-client.ts';
import { Refusal } from '../../demo/http-client.ts';
import { eventually } from '../../demo/poll-until-result.ts';
import type { Story } from '../../demo/story.ts';
import { startWebhookReceiver } from '../../demo/webhook-receiver.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { newWallet, signedBy, type TestWallet } from '../support/wallets.ts';
import type { ClusterChain } from './cluster-chain.ts';

const SOL = 1_000_000_000n;

/** Context of the scenarios. */
export interface ClusterWorld {
  readonly chain: ClusterChain;
  readonly client: HttpClient;
  /** URL of the service itself, without the front server. */
  readonly serviceUrl: string;
  readonly story: Story;
  readonly voteAccount: string;
  /** Keypair file of a wallet with 500 million SOL. */
  readonly walletFile: string;
  readonly keypair: (name: string) => { readonly path: string; readonly address: string };
  readonly count: (what: string, by?: number) => void;
  /** Kills the validator and restarts it on the same ledger. */
  readonly restartValidator: () => Promise<void>;
}

/** A stake account in the JSON output of `solana`. */
interface PrintedStake {
  readonly stakePubkey?: string;
  readonly stakeType: string;
  readonly accountBalance: number;
  readonly creditsObserved?: number;
  readonly delegatedStake?: number;
  readonly delegatedVoteAccountAddress?: string;
  readonly activationEpoch?: number;
  readonly deactivationEpoch?: number;
  readonly staker: string;
  readonly withdrawer: string;
  readonly rentExemptReserve: number;
  readonly activeStake?: number;
  readonly activatingStake?: number;
  readonly deactivatingStake?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const funded = async ({ chain }: ClusterWorld, sol: bigint): Promise<TestWallet> => {
  const wallet = newWallet();
  await chain.airdrop(wallet.walletAddress, sol * SOL);
  return wallet;
};

const lamports = (sol: unknown): bigint => BigInt(Math.round(Number(sol) * 1e9));

const accountOf = async ({ client }: ClusterWorld, wallet: string, address: string): Promise<Json> =>
  (await client.get(`/api/v1/stake/accounts/${wallet}`)).accounts.find(
    (account: { address: string }) => account.address === address,
  );

/**
 * Compares the service's response for an account with the solana command line, field by field. Both must be
 * read in the same epoch.
 */
export const compareAccount = async (world: ClusterWorld, wallet: string, address: string): Promise<Json> => {
  for (;;) {
    const epoch = await world.chain.epoch();
    const own = await accountOf(world, wallet, address);
    const printed = (await world.chain.solana(world.walletFile, 'stake-account', address)) as PrintedStake;
    if ((await world.chain.epoch()) !== epoch) continue;
    assert.ok(own, `${address} is not among the accounts of ${wallet}`);
    const active = BigInt(printed.activeStake ?? 0);
    const activating = BigInt(printed.activatingStake ?? 0);
    const deactivating = BigInt(printed.deactivatingStake ?? 0);
    assert.equal(BigInt(own.lamports), BigInt(printed.accountBalance), 'balance');
    assert.equal(lamports(own.activeSol), active, `active of ${JSON.stringify(printed)}`);
    if (own.activatingSol !== undefined) assert.equal(lamports(own.activatingSol), activating, 'activating');
    if (own.deactivatingSol !== undefined)
      assert.equal(lamports(own.deactivatingSol), deactivating, 'deactivating');
    assert.equal(own.stakeAuthority, printed.staker);
    assert.equal(own.withdrawAuthority, printed.withdrawer);
    world.count('accounts compared with solana stake-account');
    return own;
  }
};

/**
 * Compares the service's index of accounts delegated to its validator with the list of the solana command line.
 */
export const compareIndex = async (world: ClusterWorld, wallets: readonly string[]): Promise<void> => {
  const printed = (await world.chain.solana(world.walletFile, 'stakes', world.voteAccount)) as PrintedStake[];
  for (const wallet of wallets) {
    const own: Json[] = (await world.client.get(`/api/v1/stake/accounts/${wallet}`)).accounts;
    const theirs = printed.filter(({ staker, withdrawer }) => staker === wallet || withdrawer === wallet);
    assert.deepEqual(
      own.map(({ address, lamports: held }) => `${address} ${held}`).sort(),
      theirs.map(({ stakePubkey, accountBalance }) => `${stakePubkey} ${accountBalance}`).sort(),
      `accounts of ${wallet}`,
    );
    world.count('wallets compared with solana stakes');
    world.count('accounts compared with solana stakes', own.length);
  }
};

/**
 * Creates a second vote account that never votes. `payer` and `identity` are keypair files.\nIf much stake is
 * delegated to the vote account, use the validator's identity: leader slots of an identity that is not
 * running are skipped, and a chain with epochs of 32 slots halts at the first skipped slot.
 */
export const createVoteAccount = async (
  { chain, keypair }: ClusterWorld,
  payer: string,
  name: string,
  identity: { readonly path: string; readonly address: string },
): Promise<string> => {
  const [vote, withdrawer] = ['vote', 'withdrawer'].map((role) => keypair(`${name}-${role}`));
  // The vote account collects commissions, and a commission collector must be rent-exempt.
  await chain.airdrop(identity.address, SOL);
  await chain.solana(payer, 'create-vote-account', vote!.path, identity.path, withdrawer!.address);
  return vote!.address;
};

/**
 * Stakes, warms up, earns rewards, withdraws excess, unstakes, waits until rewards are paid and withdraws.
 * Compares every amount with the solana command line.
 */
const amounts = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, story } = world;
  const wallet = await funded(world, 500n);
  const { walletAddress, secretKey } = wallet;
  const staked = await client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 100 });
  const address: string = staked.stakeAccountAddress;
  assert.equal((await compareAccount(world, walletAddress, address)).state, 'activating');
  await chain.nextEpoch();
  assert.equal((await compareAccount(world, walletAddress, address)).state, 'active');
  await chain.nextEpoch();
  await chain.nextEpoch();
  const earned = await compareAccount(world, walletAddress, address);
  assert.ok(BigInt(earned.lamports) > 100n * SOL, 'it earned');
  await compareIndex(world, [walletAddress]);

  const rewards = await eventually(async () => {
    const { rewards: rows } = await client.get(`/api/v1/stake/rewards/${walletAddress}`);
    // The reward is null until it is final.
    const known = (rows as Json[]).filter(({ inflationSol }) => inflationSol !== null);
    return known.filter(({ inflationSol }) => inflationSol > 0).length >= 2 ? known : null;
  }, 'two epochs with rewards');
  for (const row of rewards) {
    type Reward = { amount: number; postBalance: number } | null;
    const [real] = await chain.ask<Reward[]>('getInflationReward', [[address], { epoch: row.epoch }]);
    // An epoch that pays nothing, such as the activation epoch, has no reward.
    assert.equal(lamports(row.inflationSol), BigInt(real?.amount ?? 0), JSON.stringify(row));
    world.count('rewards compared with getInflationReward');
  }
  story.tell(`${rewards.length} rewards equal those of getInflationReward`);

  await chain.solana(world.walletFile, 'transfer', address, '3');
  const excess = await client.post('/api/v1/withdraw', {
    walletAddress,
    secretKey,
    stakeAccountAddress: address,
    amountSol: 3,
  });
  assert.ok(excess.signature);
  assert.equal((await compareAccount(world, walletAddress, address)).state, 'active');
  await client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress: address });
  assert.equal((await compareAccount(world, walletAddress, address)).state, 'deactivating');
  await chain.nextEpoch();
  const ready = await compareAccount(world, walletAddress, address);
  assert.equal(lamports(ready.activeSol), 0n);
  const before = await chain.balance(walletAddress);
  await client.post('/api/v1/withdraw', { walletAddress, secretKey, stakeAccountAddress: address });
  assert.equal(await chain.balance(address), 0n);
  assert.equal(await chain.balance(walletAddress), before + BigInt(ready.lamports) - 5_000n);
  world.count('lives with amounts compared');
};

/**
 * Changes a wallet's stakes with the solana command line while Holdfast watches. Holdfast must show each change
 * as on the chain and send an event.
 */
const commandLine = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, walletFile, count } = world;
  const owner = world.keypair('cli-owner');
  await chain.airdrop(owner.address, 1_000n * SOL);
  // Epochs last only seconds, so rewards are often being paid, and the chain refuses every stake instruction in
  // that time.
  const solana = async (...args: string[]): Promise<Json> => {
    await eventually(async () => ((await chain.rewardsActive()) ? null : true), 'the end of the freeze');
    const printed = await chain.solana(owner.path, ...args);
    count('command line operations');
    return printed;
  };
  const receiver = await startWebhookReceiver(PATIENCE_MS);
  await using _closed = { [Symbol.asyncDispose]: () => receiver.close() };
  const { secret } = await client.post('/api/v1/webhooks', {
    walletAddress: owner.address,
    callbackUrl: receiver.url,
    events: ['withdraw_ready', 'stake_activated', 'stake_deactivated'],
  });
  const notified = async (type: string, stakeAccountAddress: string): Promise<void> => {
    await receiver.next(
      secret,
      (event) => event.type === type && event.data.stakeAccountAddress === stakeAccountAddress,
    );
    count('command line operations notified');
  };
  const seen = (holds: (accounts: Json[]) => boolean, what: string): Promise<Json[]> =>
    eventually(async () => {
      const { accounts } = await client.get(`/api/v1/stake/accounts/${owner.address}`);
      return holds(accounts) ? accounts : null;
    }, what);
  const stateOf = (accounts: Json[], address: string): string | undefined =>
    accounts.find((account) => account.address === address)?.state;
  const seenAs = (address: string, state: string) =>
    seen((accounts) => stateOf(accounts, address) === state, `${address} as ${state}`);

  const stake = world.keypair('cli-stake');
  await solana('create-stake-account', stake.path, '50');
  await solana('delegate-stake', stake.address, world.voteAccount);
  await seenAs(stake.address, 'activating');
  await compareAccount(world, owner.address, stake.address);
  await chain.nextEpoch();
  await seenAs(stake.address, 'active');
  await notified('stake_activated', stake.address);
  const part = world.keypair('cli-part');
  await solana('split-stake', stake.address, part.path, '20');
  await seen((accounts) => accounts.length === 2, 'the split');
  await compareAccount(world, owner.address, part.address);
  await compareIndex(world, [owner.address]);

  const nonce = world.keypair('cli-nonce');
  await solana('create-nonce-account', nonce.path, '1');
  const value = String(await solana('nonce', nonce.address));
  const underNonce = ['--nonce', nonce.address, '--nonce-authority', owner.path, '--blockhash', value];
  await solana('deactivate-stake', part.address, ...underNonce);
  await seenAs(part.address, 'deactivating');
  await notified('stake_deactivated', part.address);
  await compareAccount(world, owner.address, part.address);
  assert.notEqual(String(await solana('nonce', nonce.address)), value, 'the nonce advanced');
  await solana('new-nonce', nonce.address);
  await solana('withdraw-from-nonce-account', nonce.address, owner.address, '1');

  const other = world.keypair('cli-other');
  await solana('split-stake', stake.address, other.path, '10');
  await seen((accounts) => accounts.length === 3, 'the second split');
  await solana('merge-stake', stake.address, other.address);
  await seen((accounts) => accounts.length === 2, 'the merge');
  await compareAccount(world, owner.address, stake.address);
  await chain.nextEpoch();
  await notified('withdraw_ready', part.address);
  const cooled = await compareAccount(world, owner.address, part.address);
  assert.equal(lamports(cooled.activeSol), 0n);

  const elsewhere = await createVoteAccount(world, owner.path, 'cli', world.keypair('cli-identity'));
  await solana('delegate-stake', '--force', part.address, elsewhere);
  await seen((accounts) => accounts.length === 1, 'the delegation to another validator');
  await solana('deactivate-stake', part.address);
  // If the epoch rolled over since the delegation, the stake is active and must cool down before it can be
  // withdrawn.
  await chain.nextEpoch();
  await solana('withdraw-stake', part.address, owner.address, 'ALL');
  const printed = (await chain.solana(walletFile, 'stake-account', stake.address)) as PrintedStake;
  assert.equal(printed.delegatedVoteAccountAddress, world.voteAccount);
  await assert.rejects(chain.solana(walletFile, 'stake-account', part.address));
  await solana('deactivate-stake', stake.address);
  await notified('stake_deactivated', stake.address);
  await chain.nextEpoch();
  await solana('withdraw-stake', stake.address, owner.address, 'ALL');
  await seen((accounts) => accounts.length === 0, 'the withdrawal');
};

/**
 * Sends a stake instruction while rewards are being paid. It must be refused with a reason, and accepted
 * afterwards.
 */
const freeze = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, story } = world;
  const wallet = await funded(world, 50n);
  const { walletAddress, secretKey } = wallet;
  const { stakeAccountAddress } = await client.post('/api/v1/stake', {
    walletAddress,
    secretKey,
    amountSol: 10,
  });
  await chain.nextEpoch();
  const before = await chain.epoch();
  let frozen = 0;
  for (const end = Date.now() + 30_000; Date.now() < end && frozen === 0; ) {
    const { epochRewardsActive, currentEpoch } = await client.get('/api/v1/epoch');
    if (epochRewardsActive === true) frozen += 1;
    if (currentEpoch > before + 1) break;
  }
  story.tell(frozen > 0 ? 'the freeze was seen in /epoch' : 'the freeze was shorter than a poll');
  world.count('freezes seen', frozen);
  try {
    await client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(String(error.errorCode), /EPOCH_REWARDS|REWARDS/);
    world.count('refusals during a freeze');
    await eventually(
      () =>
        client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress }).catch(() => null),
      'the unstake after the freeze',
    );
  }
  assert.equal((await accountOf(world, walletAddress, stakeAccountAddress)).state, 'deactivating');
};

/**
 * Kills the validator while transactions are in flight. The outcome reported for each submission must match
 * the chain.
 */
const restart = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, count } = world;
  const genesisHash = await chain.ask<string>('getGenesisHash');
  const wallets = await Promise.all(Array.from({ length: 12 }, () => funded(world, 10n)));
  const attempts = wallets.map(async (wallet, i) => {
    const { walletAddress } = wallet;
    const built = await client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 });
    await new Promise((resolve) => setTimeout(resolve, i * 250));
    const signedTransaction = signedBy(wallet, built.transaction);
    const end = await client
      .post('/api/v1/transaction/submit', { signedTransaction })
      .then(({ signature }: Json) => ({ kind: 'confirmed', signature }))
      .catch((error: unknown) => ({
        kind: error instanceof Refusal ? String(error.errorCode) : String(error),
        signature: null,
      }));
    return { address: built.stakeAccountAddress as string, ...end };
  });
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await world.restartValidator();
  const ends = await Promise.all(attempts);
  assert.equal(await chain.ask('getGenesisHash'), genesisHash, 'the same chain');
  await chain.nextEpoch();
  for (const { address, kind } of ends) {
    const exists = (await chain.balance(address)) > 0n;
    count(`restart: ${kind}`);
    if (kind === 'confirmed') assert.ok(exists, `${address} was reported as confirmed`);
    if (/EXPIRED|UPSTREAM_UNAVAILABLE/.test(kind))
      assert.ok(!exists, `${address} was reported as not sent or expired`);
  }
  const wallet = await funded(world, 10n);
  await client.post('/api/v1/stake', {
    walletAddress: wallet.walletAddress,
    secretKey: wallet.secretKey,
    amountSol: 2,
  });
  count('stakes after the restart');
};

/** Scenarios by name. `restart` must be last. */
export const scenarios: Readonly<Record<string, (world: ClusterWorld) => Promise<void>>> = {
  amounts,
  commandLine,
  freeze,
  restart,
};
