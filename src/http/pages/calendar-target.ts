// Serves a wallet's stakes as a calendar feed.
import { isAddress } from '@solana/kit';
import { DATA_POLICY, OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';
import { stakeCalendar } from '../../domain/portfolio/stake-calendar.ts';
import { AppError } from '../../kernel/app-error.ts';
import { BASE58 } from '../../kernel/base58.ts';
import type { Context } from '../../operations/context.ts';
import { readWalletStakes } from '../../operations/wallet/wallet-stakes.ts';

const SUFFIX = '.ics';
const HEADERS = [...DATA_POLICY, 'cache-control', 'private, max-age=300'];

/** Creates `GET /calendar/{walletAddress}.ics`. */
export const createCalendarTarget = (ctx: Context): Target => ({
  path: '/calendar/{file}',
  methods: ['GET'],
  limited: true,
  browsers: 'public',
  description: OTHER_PROTOCOL,
  serve: async (exchange) => {
    const file = exchange.path.file ?? '';
    const wallet = file.slice(0, -SUFFIX.length);
    if (!file.endsWith(SUFFIX) || !BASE58.test(wallet) || !isAddress(wallet))
      throw new AppError('NOT_FOUND', 'A calendar’s path is the address of a wallet followed by .ics.', {
        reason: 'NO_CALENDAR',
      });
    const { stakes, moment } = await readWalletStakes(ctx, wallet, 'validator', exchange.signal);
    const own = stakes.filter(({ role }) => role === 'owner');
    const text = stakeCalendar(wallet, own, moment.position, ctx.clock.now());
    exchange.send(200, 'text/calendar; charset=utf-8', Buffer.from(text), HEADERS);
  },
});
