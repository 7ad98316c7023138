// Lists a wallet's nonce accounts.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { NONCE_SEEDS } from '../../domain/nonce-account.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer, sol } from '../shared-schemas.ts';
import { readNonceSlots } from './nonce-accounts.ts';

/** `GET /api/v1/nonce/{walletAddress}` */
export const listNonceAccounts = defineOperation({
  name: 'listNonceAccounts',
  summary: 'List the nonce accounts of a wallet',
  description:
    'Lists the nonce accounts that this service creates for a wallet, at ten addresses derived from it. A transaction built with such an account as `nonce` does not expire; it can land until the nonce is used or advanced. Each account serves one transaction at a time.',
  effect: 'read',
  input: z.object({ walletAddress: addressSchema('The wallet that controls the accounts.') }),
  output: z.object({
    walletAddress: z.string(),
    accounts: z.array(
      z
        .object({
          nonceAccountAddress: z.string(),
          value: z.string().meta({ description: 'The lifetime of transactions built now.' }),
          sol: sol('Its rent, which is returned when it is closed.'),
        })
        .meta({ id: 'NonceAccount' }),
    ),
    free: integer('Number of nonce accounts that can still be created.'),
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input: { walletAddress }, signal }) {
    const slots = await readNonceSlots(ctx, walletAddress, signal);
    const accounts = slots.flatMap(({ address, value, lamports }) =>
      value === null ? [] : [{ nonceAccountAddress: address, value, sol: solNumber(lamports) }],
    );
    return { body: { walletAddress, accounts, free: NONCE_SEEDS.length - accounts.length } };
  },
});
