// Warns a wallet before it signs that another address controls some of its stakes here. Only reads the index,
// so it never waits.
import type { Address } from '@solana/kit';
import { controlNotices } from '../../domain/alerts/control-notices.ts';
import type { Notice } from '../../domain/notice.ts';
import { otherWalletsIn } from '../../events/watcher/change-context.ts';
import type { Context } from '../context.ts';

/** Returns the warnings. Empty until the index knows the wallet's accounts. */
export const walletNotices = ({ chain: { index } }: Pick<Context, 'chain'>, wallet: Address): Notice[] =>
  index === null
    ? []
    : controlNotices(
        (index.walletRows(wallet)?.rows ?? []).map(({ account }) => account),
        wallet,
        { otherWalletsOf: otherWalletsIn(index) },
      );
