// Drives TX-1 from outside: one-shot stakes over HTTP, each by a separate wallet. Counts the stakes directly on
// the chain.
import { address, createSolanaRpc } from '@solana/kit';
import { Refusal } from '../../demo/http-client.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import type { TestService } from '../support/service-fixture.ts';
import { fundedWallet, type TestWallet } from '../support/wallets.ts';

/**
 * The service's claim. `not-made` means that it refused and says that nothing was sent, or proves that the
 * transaction can never land.
 */
type Claim = 'confirmed' | 'not-made' | 'unresolved';

/** One wallet's request and its last claim. */
export interface OneShotAttempt {
  readonly wallet: TestWallet;
  readonly key: string;
  readonly claim: Claim;
  readonly errorCode: string;
}

const STAKE_SOL = 2;

/** Codes that state for certain that the request's stake is not on the chain. */
const NOT_MADE = [
  'BLOCKHASH_EXPIRED',
  'UPSTREAM_UNAVAILABLE',
  'SUBMISSION_FAILED',
  'INSUFFICIENT_BALANCE',
  'STAKE_ADDRESS_OCCUPIED',
];

/** Sends the request, or sends it again. Throws on anything but a success or a known refusal. */
export const stakeOnce = async (
  service: TestService,
  wallet: TestWallet,
  key: string,
): Promise<OneShotAttempt> => {
  const { walletAddress, secretKey } = wallet;
  try {
    await service.client.post(
      '/api/v1/stake',
      { walletAddress, secretKey, amountSol: STAKE_SOL },
      { 'idempotency-key': key },
    );
    return { wallet, key, claim: 'confirmed', errorCode: '' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errorCode = String(error.errorCode);
    if (errorCode === 'SUBMISSION_UNRESOLVED') return { wallet, key, claim: 'unresolved', errorCode };
    if (NOT_MADE.includes(errorCode)) return { wallet, key, claim: 'not-made', errorCode };
    throw error;
  }
};

/** Funds wallets with enough for one stake and a second attempt. */
export const fundWallets = (sandbox: Sandbox, count: number): Promise<TestWallet[]> =>
  Promise.all(Array.from({ length: count }, () => fundedWallet(sandbox, 5)));

/**
 * Returns the actual number of stake accounts of each wallet, read from the runtime and not through the
 * proxies.
 */
export const stakesOnChain = async (sandbox: Sandbox, wallets: readonly TestWallet[]): Promise<number[]> => {
  const rpc = createSolanaRpc(sandbox.rpcUrl);
  const accounts = await rpc
    .getProgramAccounts(address('Stake11111111111111111111111111111111111111'), {
      encoding: 'base64',
      commitment: 'confirmed',
      filters: [{ dataSize: 200n }],
    })
    .send();
  const withdrawers = accounts.map(({ account }) =>
    Buffer.from(account.data[0], 'base64').subarray(44, 76).toString('hex'),
  );
  const hexOf = (wallet: TestWallet): string => Buffer.from(wallet.publicKeyBytes).toString('hex');
  return wallets.map((wallet) => withdrawers.filter((withdrawer) => withdrawer === hexOf(wallet)).length);
};
