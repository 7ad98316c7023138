// A stake that was made with an idempotency key must not be made again in another way: each way derives another
// address from the same key.
import type { Address } from '@solana/kit';
import type { Context } from '../context.ts';
import type { EarlierRequest } from './find-earlier-stake.ts';

const WAYS = [
  { use: 'one-shot' },
  { use: 'builder', addressing: 'key' },
  { use: 'builder', addressing: 'seed' },
] as const;

/** Returns the addresses that this key derives for the wallet's new stake account, except `used`. */
export const otherAddressesOfKey = (
  { chain: { stakeKeys } }: Context,
  {
    wallet,
    idempotencyKey,
    used,
  }: { readonly wallet: Address; readonly idempotencyKey: string; readonly used: Address },
): readonly Pick<EarlierRequest, 'stakeAccount' | 'seed'>[] =>
  WAYS.map((way) => {
    using stakeKey = stakeKeys.derive({ ...way, wallet, idempotencyKey });
    return { stakeAccount: stakeKey.address, seed: stakeKey.seed };
  }).filter(({ stakeAccount }) => stakeAccount !== used);
