// Identifies an address as a wallet, stake account or vote account.
import { z } from 'zod';
import { decodeStakeAccount } from '../../domain/stake/stake-account.ts';
import { filledText } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema } from '../shared-schemas.ts';

const descriptions = {
  vote_account: "This validator's vote account. Stakes are delegated to it; it is never a wallet.",
  stake_account:
    'A stake account. Pass it as stakeAccountAddress; the wallet is its withdraw authority, {withdrawAuthority}.',
  wallet:
    'A wallet or another account that is neither a stake account nor this validator. Pass it as walletAddress.',
} as const;

/** `GET /api/v1/address/{address}/type` */
export const addressType = defineOperation({
  name: 'addressType',
  summary: 'Identify an address',
  description:
    "Distinguishes this validator's vote account, stake accounts and wallets by their data on chain.",
  effect: 'read',
  input: z.object({ address: addressSchema('Any Solana address.') }),
  output: z.object({
    address: z.string(),
    type: z.enum(['vote_account', 'stake_account', 'wallet']),
    description: z.string(),
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const { address } = input;
    const [account] =
      address === ctx.service.settings.voteAccount
        ? [null]
        : (await ctx.chain.reads.accounts([address], { signal })).accounts;
    const stake = account ? decodeStakeAccount(account) : null;
    const type: keyof typeof descriptions =
      address === ctx.service.settings.voteAccount ? 'vote_account' : stake ? 'stake_account' : 'wallet';
    const description = filledText(
      descriptions[type],
      stake ? { withdrawAuthority: stake.withdrawAuthority } : {},
    );
    return { body: { address, type, description } };
  },
});
