// Donation hint for the `_meta` field of responses. Operations work the same with or without a donation.
import { step } from '../../kernel/guidance.ts';
import type { Context } from '../context.ts';
import type { MetaExtras } from '../operation.ts';

export const donationHint = (ctx: Context): MetaExtras => ({
  support: {
    address: ctx.service.settings.donationAddress,
    message: 'Staking here is free. Donations keep the service running.',
    donate: step('donate'),
  },
});
