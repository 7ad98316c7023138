// Creates wallets in several states for tests of the Portfolio view, through the service and on the chain like
// an outside staker.
import { join } from 'node:path';
import { address, generateKeyPairSigner } from '@solana/kit';
import { getInitializeInstruction } from '@solana-program/stake';
import { getCreateAccountInstruction } from '@solana-program/system';
import { STAKE_ACCOUNT_SPACE, STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { buildPage } from '../../scripts/build-page.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { type SharedService, settingsFor, startService } from '../support/service-fixture.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { fundedWallet, type TestWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;

/** A test wallet and its stake accounts by state. */
export interface PreparedWallet {
  readonly walletAddress: string;
  readonly accounts: Readonly<Record<'active' | 'inactive' | 'deactivating' | 'activating', string>>;
}

const stakeWith =
  ({ service }: SharedService, { walletAddress, secretKey }: TestWallet) =>
  async (amountSol: number): Promise<string> =>
    (await service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol })).stakeAccountAddress;

/** Creates a wallet with one account in each state, rewards and tips of several epochs, and a history. */
const walletInAllStates = async (shared: SharedService): Promise<PreparedWallet> => {
  const { service, sandbox } = shared;
  const wallet = await fundedWallet(sandbox, 100);
  const { walletAddress, secretKey } = wallet;
  const stake = stakeWith(shared, wallet);
  const unstake = (stakeAccountAddress: string) =>
    service.client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
  const active = await stake(30);
  const inactive = await stake(12.5);
  await sandbox.advanceEpochs(6);
  const deactivating = await stake(5);
  await sandbox.advanceEpochs(1);
  await unstake(inactive);
  await sandbox.advanceEpochs(1);
  await unstake(deactivating);
  const activating = await stake(8);
  return { walletAddress, accounts: { active, inactive, deactivating, activating } };
};

/** Creates a wallet with `count` accounts and history entries. */
export const walletWithStakes = async (shared: SharedService, count: number): Promise<string> => {
  const wallet = await fundedWallet(shared.sandbox, count * 2);
  const stake = stakeWith(shared, wallet);
  for (let made = 0; made < count; made += 1) await stake((101 + made) / 100);
  return wallet.walletAddress;
};

/**
 * Creates a wallet with nothing at this validator: one stake at another, and one account that was never
 * delegated.
 */
export const elsewhereAndUndelegated = async ({
  sandbox,
}: SharedService): Promise<{ walletAddress: string; elsewhere: string; undelegated: string }> => {
  const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
  const elsewhere = await staker.stake(5n * SOL, { vote: sandbox.otherVoteAccount });
  const stake = await generateKeyPairSigner();
  const authority = staker.wallet.address;
  await staker.send([
    getCreateAccountInstruction({
      payer: staker.wallet,
      newAccount: stake,
      lamports: 2n * SOL,
      space: STAKE_ACCOUNT_SPACE,
      programAddress: address(STAKE_PROGRAM),
    }),
    getInitializeInstruction({
      stake: stake.address,
      arg0: { staker: authority, withdrawer: authority },
      arg1: { unixTimestamp: 0n, epoch: 0n, custodian: address('11111111111111111111111111111111') },
    }),
  ]);
  return { walletAddress: authority, elsewhere, undelegated: stake.address };
};

/** A service on a cluster other than its own sandbox, and a wallet in all states. */
interface Portfolios extends SharedService {
  readonly wallet: PreparedWallet;
}

/**
 * Starts one service for all tests of a file. `hooks` are those of `node:test`. With `skip`, nothing is
 * started.
 */
export const sharedPortfolios = (
  hooks: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void },
  { skip }: { skip: string | false },
): (() => Portfolios) => {
  const cleanUps: (() => unknown)[] = [];
  let made: Portfolios | undefined;
  hooks.before(async () => {
    if (skip !== false) return;
    await buildPage(join(import.meta.dirname, '..', '..'));
    const sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: 50 });
    cleanUps.push(() => sandbox.close());
    const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
    const shared = { sandbox, service: await startService(scope, settingsFor(sandbox)) };
    made = { ...shared, wallet: await walletInAllStates(shared) };
  });
  hooks.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return () => {
    if (made === undefined) throw new Error('the service is not running yet');
    return made;
  };
};
